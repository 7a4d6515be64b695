// How much each node writes to the log: levels, and who decides.
//
// A line of SYNCLINE_LOG (log.h) has one of six levels. A node writes the lines
// of its own level and of the more important ones below it. Its level is
//
//   1. what SetNodeLogLevel() says for its name, or else
//   2. `log_level` of the node in the config, of the subgraph node it came
//      from, or of the graph, or else
//   3. the level of the process: SetLogLevel(), at first INFO,
//
// and glog's own flags add to it: --v=1 shows DEBUG lines everywhere, --v=2
// VERBOSE ones too, --vmodule=FILE=1 those of some source files. glog's flags
// are looked at when the first line is logged, when a level is set, and when a
// graph starts.
//
// A line that is not shown costs one relaxed load of an atomic,
// `highest_level`: the highest level that anything in the process has. The
// node's own level is looked up only for lines that do not lie above that.
//
// Thread rule: any thread at any time; what changes counts from the next line
// on. glog's flags must not be written meanwhile.
// Tested by log_levels_test and log_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_LOG_LEVELS_H_
#define SYNCLINE_FRAMEWORK_BASE_LOG_LEVELS_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace syncline {

enum class LogLevel : std::int8_t {
  kPanic = 0,
  kError = 1,
  kWarning = 2,
  kInfo = 3,
  kDebug = 4,
  kVerbose = 5,
};

// A name in upper or lower case, or a number from 0 to 5.
absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view text);

// The level of what has none of its own: threads outside of calls, and nodes
// whose graph does not say.
void SetLogLevel(LogLevel level);
LogLevel GetLogLevel();

// Sets the level of every node of that name in the process, of nodes that run
// and of later ones. It counts more than the level in the node's config. "*" in
// `node_name` stands for any letters, "?" for one letter; if several names
// match, the one that was set last counts. Without a level, the setting is
// removed.
void SetNodeLogLevel(absl::string_view node_name,
                     absl::optional<LogLevel> level);

// "DEBUG" is SetLogLevel, "NODE=DEBUG" is SetNodeLogLevel: for command lines.
absl::Status SetLogLevelFromText(absl::string_view text);

// The level of one node of a running graph.
class NodeLogLevel {
 public:
  // `configured` is the node's `log_level` in the config; "" for none. A text
  // that is no level counts as none, since the plan has refused it already.
  // `node_name` outlives this object.
  NodeLogLevel(absl::string_view node_name, absl::string_view configured);
  ~NodeLogLevel();
  NodeLogLevel(const NodeLogLevel&) = delete;
  NodeLogLevel& operator=(const NodeLogLevel&) = delete;

  LogLevel Get() const;

 private:
  const absl::string_view node_name_;
  const absl::optional<LogLevel> configured_;
  // The last answer, in the lowest byte. Above it the generation of the levels
  // (see log_levels.cc) that the answer holds for.
  mutable std::atomic<std::uint64_t> known_{0};
};

namespace log_internal {

// The highest level that anything has. Too high at first, so that the first
// line that is logged looks up its level, and reads glog's flags.
extern std::atomic<int> highest_level;

// The level of a node that is not running yet.
LogLevel LevelOf(absl::string_view node_name, absl::string_view configured);

// Whether glog's --v and --vmodule show lines of this level from `file`.
bool GlogShows(LogLevel level, absl::string_view file);

// Looks at glog's flags again.
void ReadGlogFlags();

}  // namespace log_internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_LOG_LEVELS_H_
