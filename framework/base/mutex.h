// Mutex, MutexLock, CondVar: std::mutex and std::condition_variable with the
// annotations that let clang check at compile time which lock guards what.
//
// Why not absl::Mutex: the distribution's build of it runs a deadlock detector
// at every lock (44 ns and more against 15 ns) and is not compiled for
// ThreadSanitizer, which then reports races that are not there.
//
//   Mutex mutex_;
//   std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
//   ...
//   MutexLock lock(&mutex_);
//   while (tasks_.empty()) not_empty_.Wait(&mutex_);
//
// The engine uses these everywhere; no other file names std::mutex.
// Tested by mutex_test; the annotations by the build with
// --config=thread_safety.

#ifndef SYNCLINE_FRAMEWORK_BASE_MUTEX_H_
#define SYNCLINE_FRAMEWORK_BASE_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"

namespace syncline {

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }
  bool TryLock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    return mutex_.try_lock();
  }
  // Tells the analysis, where it cannot see it, that the caller holds the lock.
  // Checks nothing at run time.
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK() {}

 private:
  friend class CondVar;

  std::mutex mutex_;
};

// Holds the lock of `mutex`, which must outlive it, while in scope.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_->Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

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

#endif  // SYNCLINE_FRAMEWORK_BASE_MUTEX_H_
