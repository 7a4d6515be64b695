// ErrorLog: the errors of one run, in the order in which they were met.
//
// The first one ends the run; the others are kept up to a limit, since a graph
// that fails tends to fail in many places at once.
//
// Thread rule: any thread.
// Tested by error_log_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_ERROR_LOG_H_
#define SYNCLINE_FRAMEWORK_RUN_ERROR_LOG_H_

#include <atomic>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"

namespace syncline {

class ErrorLog {
 public:
  // Makes room for all errors at once: one of them may say that there is no
  // memory.
  ErrorLog() { errors_.reserve(kMaxErrors); }

  // Errors beyond this are counted only.
  static constexpr size_t kMaxErrors = 1000;

  // Whether it is the first of all. REQUIRES: !error.ok().
  bool Add(const absl::Status& error) ABSL_LOCKS_EXCLUDED(mutex_);
  // The error with which a run is cancelled. To cancel takes no memory.
  const absl::Status& cancelled() const { return cancelled_; }
  // Adds it; false: it is there already. Of two that cancel at once, the second
  // finds that of the first.
  bool AddCancelled() ABSL_LOCKS_EXCLUDED(mutex_);
  bool has_error() const { return has_error_.load(std::memory_order_acquire); }
  // Combines all errors into one status, behind `prefix`. OK if there are none.
  absl::Status Combined(absl::string_view prefix) const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  bool AddLocked(const absl::Status& error)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const absl::Status cancelled_ =
      absl::CancelledError("The graph was cancelled.");
  std::atomic<bool> has_error_{false};
  mutable Mutex mutex_;
  std::vector<absl::Status> errors_ ABSL_GUARDED_BY(mutex_);
  bool is_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  size_t more_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_ERROR_LOG_H_
