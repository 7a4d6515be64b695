// RuntimeInfoLogger: says every few seconds what a graph is doing.
//
// For graphs that seem to hang where no debugger is. A thread of its own takes
// a snapshot and writes it to the log (glog, INFO), until it is destroyed or
// there is nothing left to say. It sleeps in between.
//
// Thread rule: made and destroyed by one thread. `capture` is called on the
// logger's.
// Tested by runtime_info_logger_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_LOGGER_H_
#define SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_LOGGER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/config/graph_runtime_info.pb.h"

namespace syncline {

class RuntimeInfoLogger {
 public:
  // Nothing: the run is over, and so is the log.
  using Capture = std::function<absl::optional<GraphRuntimeInfo>()>;

  // How long to wait, by the `capture_period_msec` of a config.
  static absl::Duration Period(std::uint32_t capture_period_msec) {
    return capture_period_msec == 0 ? absl::Seconds(10)
                                    : absl::Milliseconds(capture_period_msec);
  }
  // The first entry comes after one `period`. RESOURCE_EXHAUSTED: the machine
  // gives no thread.
  static absl::StatusOr<std::unique_ptr<RuntimeInfoLogger>> Start(
      absl::Duration period, Capture capture);
  // Waits for an entry that is being written.
  ~RuntimeInfoLogger();
  RuntimeInfoLogger(const RuntimeInfoLogger&) = delete;
  RuntimeInfoLogger& operator=(const RuntimeInfoLogger&) = delete;

 private:
  RuntimeInfoLogger(absl::Duration period, Capture capture);

  // False: the run is over.
  bool LogOnce();
  void Loop();
  // False: it is to end.
  bool Sleep() ABSL_LOCKS_EXCLUDED(mutex_);

  const absl::Duration period_;
  const Capture capture_;
  Mutex mutex_;
  CondVar ends_;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_LOGGER_H_
