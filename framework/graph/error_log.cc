#include "framework/graph/error_log.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"

namespace syncline {

void ErrorLog::Add(const absl::Status& error) {
  MutexLock lock(&mutex_);
  if (errors_.size() < kMaxErrors) {
    errors_.push_back(error);
  } else {
    ++more_;
  }
  has_error_.store(true, std::memory_order_release);
}

absl::Status ErrorLog::Combined(absl::string_view prefix) const {
  if (!has_error()) return absl::OkStatus();
  // One of them may say that memory is short: then that is the status.
  return CatchExceptions([&] {
    std::vector<absl::Status> errors;
    {
      MutexLock lock(&mutex_);
      errors = errors_;
      if (more_ > 0) {
        errors.push_back(absl::Status(
            errors.front().code(), absl::StrCat("... and ", more_, " more.")));
      }
    }
    return CombineStatuses(prefix, errors);
  });
}

}  // namespace syncline
