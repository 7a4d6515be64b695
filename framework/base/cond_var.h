// CondVar: std::condition_variable for a Mutex (see mutex.h), with annotations.
//
//   MutexLock lock(&mutex_);
//   while (tasks_.empty()) not_empty_.Wait(&mutex_);
//
// A thread that signals while it holds the lock may be put off its core by the
// thread that it wakes, which then finds the lock taken and sleeps once more.
// So where the time counts, signal after the lock is released, if the CondVar
// lives long enough for that.
//
// It has a header of its own because few of the files that lock also wait.
//
// Thread rule: any thread may signal; a thread that waits holds the mutex.
// Tested by mutex_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_COND_VAR_H_
#define SYNCLINE_FRAMEWORK_BASE_COND_VAR_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"

namespace syncline {

// Every wait may also return without a signal: wait in a loop that tests the
// condition.
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // REQUIRES: the caller holds `mutex`; it does again on return.
  void Wait(Mutex* mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }

  // The same, at most for `timeout`, by the monotonic clock. True when that
  // time passed.
  bool WaitWithTimeout(Mutex* mutex, absl::Duration timeout)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    if (timeout == absl::InfiniteDuration()) {
      Wait(mutex);
      return false;
    }
    // Far enough for any wait, near enough not to overflow the clock.
    constexpr absl::Duration kLongest = absl::Hours(24 * 365);
    return WaitUntil(mutex, std::chrono::steady_clock::now() +
                                absl::ToChronoNanoseconds(
                                    timeout < kLongest ? timeout : kLongest));
  }

  // The same, at most until `deadline`. True when it passed.
  bool WaitUntil(Mutex* mutex, std::chrono::steady_clock::time_point deadline)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    const std::cv_status status = condition_.wait_until(lock, deadline);
    lock.release();
    return status == std::cv_status::timeout;
  }

  void Signal() { condition_.notify_one(); }
  void SignalAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_COND_VAR_H_
