// Mutex, MutexLock, MutexUnlock: std::mutex with the annotations that let clang
// check at compile time which lock guards which member. cond_var.h has CondVar,
// which waits for a change.
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
// A thread that finds the lock taken looks again for about a microsecond before
// it sleeps. The engine holds its locks for less than that, and to be woken
// takes ten times as long: a flow limiter that two threads feed and serve lost
// a fifth of its pace to that (docs/performance.md).
//
// The engine uses these everywhere; no other file names std::mutex.
// Tested by mutex_test; the annotations by the build with
// --config=thread_safety.

#ifndef SYNCLINE_FRAMEWORK_BASE_MUTEX_H_
#define SYNCLINE_FRAMEWORK_BASE_MUTEX_H_

#include <mutex>

#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"

// The analysis does not know which kind of lock ABSL_UNLOCK_FUNCTION releases,
// and so cannot take the lock again.
#if defined(__clang__)
#define SYNCLINE_RELEASE_(...) __attribute__((release_capability(__VA_ARGS__)))
#else
#define SYNCLINE_RELEASE_(...)
#endif

namespace syncline {

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    if (ABSL_PREDICT_FALSE(!mutex_.try_lock())) LockContended();
  }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }
  bool TryLock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    return mutex_.try_lock();
  }
  // Tells the analysis, where it cannot see it, that the caller holds the lock.
  // Checks nothing at run time.
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK() {}

 private:
  friend class CondVar;

  // Looks for a short time whether the lock becomes free, then sleeps until it
  // is.
  void LockContended();

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

// Gives the lock of `mutex` up while in scope. The end of the scope takes the
// lock again, also when an exception ends the scope. REQUIRES: the thread holds
// the lock.
class ABSL_SCOPED_LOCKABLE MutexUnlock {
 public:
  explicit MutexUnlock(Mutex* mutex) SYNCLINE_RELEASE_(mutex) : mutex_(mutex) {
    mutex_->Unlock();
  }
  // For the analysis this ends what the constructor began.
  ~MutexUnlock() SYNCLINE_RELEASE_() { mutex_->Lock(); }
  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex* const mutex_;
};

}  // namespace syncline

#undef SYNCLINE_RELEASE_

#endif  // SYNCLINE_FRAMEWORK_BASE_MUTEX_H_
