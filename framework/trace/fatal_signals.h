// FatalSignalDump: saves the last events of a trace when the process dies.
//
//   auto dump = FatalSignalDump::Install(recorder, header, "crash.trace");
//
// As long as the object exists, a signal that is about to end the process
// because of a mistake of its own writes the lanes of the recorder into the
// file first: it is a hook of base/fatal_signal_hook.h. The file exists only if
// there was such a signal.
//
// Idea: a hook may do almost nothing. It calls write(), fstatat(), unlink(),
// linkat() and tgkill(0) only, for memory that was allocated long before: the
// head of the file, and the rings as they are. The thread that died may have
// been about to note an event: the reader leaves out what is not whole.
//
// The file takes the place of one of an earlier run. Anything else at the path,
// such as a device or a link, stays as it is: Install refuses it, and the hook
// looks once more.
//
// Thread rule: Install and the destructor any thread; at most kMostDumps
// objects at a time.
// Tested by fatal_signals_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_FATAL_SIGNALS_H_
#define SYNCLINE_FRAMEWORK_TRACE_FATAL_SIGNALS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace_recorder.h"

namespace syncline {

namespace trace_internal {
// For tests: as on file systems without O_TMPFILE.
extern bool makes_no_nameless_files;
}  // namespace trace_internal

class FatalSignalDump {
 public:
  static constexpr int kMostDumps = 16;

  // The status has the reason if no file can be made at `path`;
  // INVALID_ARGUMENT if something is there that is no ordinary file.
  static absl::StatusOr<std::unique_ptr<FatalSignalDump>> Install(
      std::shared_ptr<const TraceRecorder> recorder,
      const TraceFileHeader& header, const std::string& path);
  // Waits for a hook that is writing on another thread, two seconds at most.
  ~FatalSignalDump();
  FatalSignalDump(const FatalSignalDump&) = delete;
  FatalSignalDump& operator=(const FatalSignalDump&) = delete;

  // What the hook reads; in fatal_signals.cc.
  struct Content;

 private:
  FatalSignalDump() = default;

  std::unique_ptr<Content> content_;
  int slot_ = -1;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_FATAL_SIGNALS_H_
