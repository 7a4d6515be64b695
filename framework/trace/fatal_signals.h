// FatalSignalDump: saves the last events of a trace when the process dies.
//
//   auto dump = FatalSignalDump::Install(recorder, header, "crash.trace");
//
// As long as the object exists, the signals that end a process because of a
// mistake of its own (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS) first
// write the lanes of the recorder into the file, and then go to the handler
// that was installed before, or end the process as they would have. The file
// exists only if there was such a signal.
//
// Idea: a handler may do almost nothing. It calls write(), unlink(), linkat()
// and tgkill(0) only, for memory that was allocated long before: the head of
// the file, and the rings as they are. The thread that died may have been about
// to note an event: the reader leaves out what is not whole.
//
// This file is the only one in framework/ that installs handlers for such
// signals. (The stand-in for devices has one for wrong addresses, in
// gpu/stand_in/memory_faults; each passes a signal on to the one before it.) A
// signal during the handler goes to the former handler at once; one
// on another thread waits until the file is written, a second at most.
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

class FatalSignalDump {
 public:
  static constexpr int kMostDumps = 16;

  // The status has the reason if no file can be made at `path`.
  static absl::StatusOr<std::unique_ptr<FatalSignalDump>> Install(
      std::shared_ptr<const TraceRecorder> recorder,
      const TraceFileHeader& header, const std::string& path);
  ~FatalSignalDump();
  FatalSignalDump(const FatalSignalDump&) = delete;
  FatalSignalDump& operator=(const FatalSignalDump&) = delete;

  // What the handler reads; in fatal_signals.cc.
  struct Content;

 private:
  FatalSignalDump() = default;

  std::unique_ptr<Content> content_;
  int slot_ = -1;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_FATAL_SIGNALS_H_
