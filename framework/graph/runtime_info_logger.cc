#include "framework/graph/runtime_info_logger.h"

#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/runtime_info_text.h"
#include "glog/logging.h"

namespace syncline {

absl::StatusOr<std::unique_ptr<RuntimeInfoLogger>> RuntimeInfoLogger::Start(
    absl::Duration period, Capture capture) {
  std::unique_ptr<RuntimeInfoLogger> logger(
      new RuntimeInfoLogger(period, std::move(capture)));
  try {
    logger->thread_ = std::thread([raw = logger.get()] { raw->Loop(); });
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("There is no thread for the log that runtime_info of the "
                     "graph asks for: ",
                     error.what(), ". Leave runtime_info out."));
  }
  return logger;
}

RuntimeInfoLogger::RuntimeInfoLogger(absl::Duration period, Capture capture)
    : period_(period), capture_(std::move(capture)) {}

RuntimeInfoLogger::~RuntimeInfoLogger() {
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    ends_.Signal();
  }
  if (thread_.joinable()) thread_.join();
}

bool RuntimeInfoLogger::Sleep() {
  const auto wake_time =
      std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(period_);
  MutexLock lock(&mutex_);
  bool is_time = false;
  while (!is_ending_ && !is_time) is_time = ends_.WaitUntil(&mutex_, wake_time);
  return !is_ending_;
}

void RuntimeInfoLogger::Loop() {
  while (Sleep()) {
    bool is_over = false;
    const absl::Status status = CatchExceptions([&] {
      is_over = !LogOnce();
      return absl::OkStatus();
    });
    if (is_over) return;
    if (!status.ok()) LOG(WARNING) << "No report of the run: " << status;
  }
}

bool RuntimeInfoLogger::LogOnce() {
  const absl::optional<GraphRuntimeInfo> info = capture_();
  if (!info.has_value()) return false;
  // A line for each, as the log cuts off what is long.
  const std::string text = RuntimeInfoText(*info);
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    LOG(INFO) << line;
  }
  return true;
}

}  // namespace syncline
