// RuntimeInfoLogger: says every few seconds what a graph is doing.
//
// Use it for a graph that seems to hang on a machine without a debugger. A
// thread of its own takes a snapshot and writes it to the log (glog, INFO),
// until the logger is destroyed or `capture` has nothing more to report. It
// sleeps in between.
//
// Thread rule: made and destroyed by one thread. `capture` is called on the
// logger's.
// Tested by runtime_info_logger_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_LOGGER_H_
#define SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_LOGGER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/scheduler/alarm_thread.h"

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
  ~RuntimeInfoLogger() = default;
  RuntimeInfoLogger(const RuntimeInfoLogger&) = delete;
  RuntimeInfoLogger& operator=(const RuntimeInfoLogger&) = delete;

 private:
  RuntimeInfoLogger(absl::Duration period, Capture capture)
      : period_(period), capture_(std::move(capture)) {}

  absl::Status SetAlarm();
  // For the alarm: logs, and sets the next alarm.
  void Log();
  // False: the run is over.
  bool LogOnce();

  const absl::Duration period_;
  const Capture capture_;
  AlarmThread thread_;
  Alarm alarm_{&thread_, [this] { Log(); }};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_LOGGER_H_
