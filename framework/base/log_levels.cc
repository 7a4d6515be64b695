#include "framework/base/log_levels.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/base/nearest_names.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr std::array<absl::string_view, 6> kNames = {
    "PANIC", "ERROR", "WARNING", "INFO", "DEBUG", "VERBOSE"};
constexpr int kHighest = static_cast<int>(kNames.size()) - 1;

int Number(LogLevel level) { return static_cast<int>(level); }

struct Rule {
  std::string pattern;
  LogLevel level;
};

// What decides on levels. `generation` counts its changes, so that nodes keep
// their answers until then; it starts above what an empty answer holds.
struct Levels {
  Mutex mutex;
  LogLevel process ABSL_GUARDED_BY(mutex) = LogLevel::kInfo;
  std::vector<Rule> rules ABSL_GUARDED_BY(mutex);  // the last match counts
  // How many nodes have each level in their config.
  std::array<int, kNames.size()> nodes ABSL_GUARDED_BY(mutex) = {};
  int glog_v ABSL_GUARDED_BY(mutex) = 0;
  std::string glog_vmodule ABSL_GUARDED_BY(mutex);
  std::atomic<std::uint64_t> generation{1};
};

// Never destroyed: lines are logged until the very end.
Levels& TheLevels() {
  static Levels& levels = *new Levels;
  return levels;
}

void ReadGlogFlagsLocked(Levels* levels)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(levels->mutex) {
  levels->glog_v = FLAGS_v;
  levels->glog_vmodule = FLAGS_vmodule;
}

void UpdateHighestLevelLocked(Levels* levels)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(levels->mutex) {
  int highest = Number(levels->process);
  if (levels->glog_v > 0) {
    highest = std::max(
        highest, Number(LogLevel::kInfo) + std::min(levels->glog_v, kHighest));
  }
  // Which files it names does not matter here.
  if (!levels->glog_vmodule.empty()) highest = kHighest;
  for (const Rule& rule : levels->rules) {
    highest = std::max(highest, Number(rule.level));
  }
  for (int level = highest + 1; level <= kHighest; ++level) {
    if (levels->nodes[level] > 0) highest = level;
  }
  log_internal::highest_level.store(std::min(highest, kHighest),
                                    std::memory_order_relaxed);
}

// `more` nodes have the level in their config.
void CountNodes(LogLevel level, int more) {
  Levels& levels = TheLevels();
  MutexLock lock(&levels.mutex);
  levels.nodes[Number(level)] += more;
  UpdateHighestLevelLocked(&levels);
}

// After a change of `process` or `rules`.
void AnswersChangedLocked(Levels* levels)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(levels->mutex) {
  levels->generation.fetch_add(1, std::memory_order_release);
  ReadGlogFlagsLocked(levels);
  UpdateHighestLevelLocked(levels);
}

LogLevel LevelLocked(const Levels& levels, absl::string_view node_name,
                     absl::optional<LogLevel> configured)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(levels.mutex) {
  const std::string name(node_name);
  for (auto rule = levels.rules.rbegin(); rule != levels.rules.rend(); ++rule) {
    if (fnmatch(rule->pattern.c_str(), name.c_str(), 0) == 0) {
      return rule->level;
    }
  }
  return configured.value_or(levels.process);
}

absl::optional<LogLevel> LevelOrNone(absl::string_view text) {
  if (text.empty()) return absl::nullopt;
  const absl::StatusOr<LogLevel> level = ParseLogLevel(text);
  if (!level.ok()) return absl::nullopt;
  return *level;
}

// "path/to/file.cc" -> "file", as --vmodule names it.
std::string ModuleOf(absl::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  return std::string(file.substr(0, file.find('.')));
}

}  // namespace

absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view text) {
  int number = 0;
  if (absl::SimpleAtoi(text, &number) && number >= 0 && number <= kHighest) {
    return static_cast<LogLevel>(number);
  }
  for (int level = 0; level <= kHighest; ++level) {
    if (absl::EqualsIgnoreCase(text, kNames[level])) {
      return static_cast<LogLevel>(level);
    }
  }
  const std::vector<std::string> names(kNames.begin(), kNames.end());
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", absl::Utf8SafeCHexEscape(text.substr(0, 100)),
      "\" is no level of the log.", DidYouMeanOrKnownText(text, names)));
}

void SetLogLevel(LogLevel level) {
  Levels& levels = TheLevels();
  MutexLock lock(&levels.mutex);
  levels.process = level;
  AnswersChangedLocked(&levels);
}

LogLevel GetLogLevel() {
  Levels& levels = TheLevels();
  MutexLock lock(&levels.mutex);
  return levels.process;
}

void SetNodeLogLevel(absl::string_view node_name,
                     absl::optional<LogLevel> level) {
  Levels& levels = TheLevels();
  MutexLock lock(&levels.mutex);
  std::erase_if(levels.rules, [node_name](const Rule& rule) {
    return rule.pattern == node_name;
  });
  if (level.has_value()) {
    levels.rules.push_back({std::string(node_name), *level});
  }
  AnswersChangedLocked(&levels);
}

absl::Status SetLogLevelFromText(absl::string_view text) {
  const size_t equals = text.rfind('=');
  const bool names_node = equals != text.npos;
  const absl::StatusOr<LogLevel> level =
      ParseLogLevel(names_node ? text.substr(equals + 1) : text);
  if (!level.ok()) return level.status();
  if (!names_node) {
    SetLogLevel(*level);
  } else if (equals == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", absl::Utf8SafeCHexEscape(text.substr(0, 100)),
                     "\" has no node before \"=\"."));
  } else {
    SetNodeLogLevel(text.substr(0, equals), *level);
  }
  return absl::OkStatus();
}

NodeLogLevel::NodeLogLevel(absl::string_view node_name,
                           absl::string_view configured)
    : node_name_(node_name), configured_(LevelOrNone(configured)) {
  if (configured_.has_value()) CountNodes(*configured_, 1);
}

NodeLogLevel::~NodeLogLevel() {
  if (configured_.has_value()) CountNodes(*configured_, -1);
}

LogLevel NodeLogLevel::Get() const {
  Levels& levels = TheLevels();
  const std::uint64_t known = known_.load(std::memory_order_relaxed);
  if (known >> 8 == levels.generation.load(std::memory_order_acquire)) {
    return static_cast<LogLevel>(known & 0xff);
  }
  MutexLock lock(&levels.mutex);
  const LogLevel level = LevelLocked(levels, node_name_, configured_);
  known_.store(levels.generation.load(std::memory_order_relaxed) << 8 |
                   static_cast<std::uint64_t>(Number(level)),
               std::memory_order_relaxed);
  return level;
}

namespace log_internal {

constinit std::atomic<int> highest_level{kHighest};

LogLevel LevelOf(absl::string_view node_name, absl::string_view configured) {
  Levels& levels = TheLevels();
  MutexLock lock(&levels.mutex);
  return LevelLocked(levels, node_name, LevelOrNone(configured));
}

bool GlogShows(LogLevel level, absl::string_view file) {
  if (level <= LogLevel::kInfo) return false;
  Levels& levels = TheLevels();
  std::string vmodule;
  int verbosity = 0;
  {
    MutexLock lock(&levels.mutex);
    verbosity = levels.glog_v;
    vmodule = levels.glog_vmodule;
  }
  if (!vmodule.empty()) {
    const std::string module = ModuleOf(file);
    // The first pattern that matches counts, as in glog.
    for (absl::string_view entry : absl::StrSplit(vmodule, ',')) {
      const std::pair<std::string, absl::string_view> parts =
          absl::StrSplit(entry, absl::MaxSplits('=', 1));
      int number = 0;
      if (absl::SimpleAtoi(parts.second, &number) &&
          fnmatch(parts.first.c_str(), module.c_str(), 0) == 0) {
        verbosity = number;
        break;
      }
    }
  }
  // glog's levels of VLOG begin at 1, above INFO.
  return Number(level) - Number(LogLevel::kInfo) <= verbosity;
}

void ReadGlogFlags() {
  Levels& levels = TheLevels();
  MutexLock lock(&levels.mutex);
  ReadGlogFlagsLocked(&levels);
  UpdateHighestLevelLocked(&levels);
}

}  // namespace log_internal
}  // namespace syncline
