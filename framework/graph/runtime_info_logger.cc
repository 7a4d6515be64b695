#include "framework/graph/runtime_info_logger.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"
#include "framework/base/misuse.h"
#include "framework/base/steady_time.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/runtime_info_text.h"
#include "glog/logging.h"

namespace syncline {

absl::StatusOr<std::unique_ptr<RuntimeInfoLogger>> RuntimeInfoLogger::Start(
    absl::Duration period, Capture capture) {
  std::unique_ptr<RuntimeInfoLogger> logger(
      new RuntimeInfoLogger(period, std::move(capture)));
  const absl::Status status = logger->SetAlarm();
  if (status.ok()) return logger;
  return absl::Status(
      status.code(),
      absl::StrCat("The log that runtime_info of the graph asks for: ",
                   status.message(), " Or leave runtime_info out."));
}

absl::Status RuntimeInfoLogger::SetAlarm() {
  return alarm_.SetAt(
      SaturatingAddNs(SteadyNowNs(), absl::ToInt64Nanoseconds(period_)));
}

void RuntimeInfoLogger::Log() {
  bool is_over = false;
  const absl::Status status = CatchExceptions([&] { is_over = !LogOnce(); });
  if (!status.ok()) LOG(WARNING) << "No report of the run: " << status;
  // This cannot fail, because the thread of the alarm runs already.
  if (!is_over) SetAlarm().IgnoreError();
}

bool RuntimeInfoLogger::LogOnce() {
  const absl::optional<GraphRuntimeInfo> info = capture_();
  if (!info.has_value()) return false;
  // Each line is an entry of its own, because the log cuts long entries off.
  const std::string text = RuntimeInfoText(*info);
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    LOG(INFO) << line;
  }
  return true;
}

}  // namespace syncline
