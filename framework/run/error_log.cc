#include "framework/run/error_log.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_text.h"

namespace syncline {

bool ErrorLog::Add(const absl::Status& error) {
  MutexLock lock(&mutex_);
  return AddLocked(error);
}

bool ErrorLog::AddCancelled() {
  MutexLock lock(&mutex_);
  if (std::exchange(is_cancelled_, true)) return false;
  AddLocked(cancelled_);
  return true;
}

bool ErrorLog::AddLocked(const absl::Status& error) {
  if (errors_.size() < kMaxErrors) {
    errors_.push_back(error);
  } else {
    ++more_;
  }
  return !has_error_.exchange(true, std::memory_order_acq_rel);
}

absl::Status ErrorLog::Combined(absl::string_view prefix) const {
  if (!has_error()) return absl::OkStatus();
  // To combine the errors takes memory. If there is none, the status says so.
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
