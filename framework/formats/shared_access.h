// SharedAccess: many may read a buffer at a time, or one may write.
//
// For views that may live long and move between threads: one thread may begin
// an access and another may end it. A thread that asks to write while it still
// reads waits for itself, for ever, so keep views short. A writer waits for a
// moment without readers.
//
// Thread rule: any thread.
// Tested by image_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_SHARED_ACCESS_H_
#define SYNCLINE_FRAMEWORK_FORMATS_SHARED_ACCESS_H_

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"

namespace syncline {

class SharedAccess {
 public:
  void BeginRead() {
    MutexLock lock(&mutex_);
    while (writing_) changed_.Wait(&mutex_);
    ++readers_;
  }
  void BeginWrite() {
    MutexLock lock(&mutex_);
    while (writing_ || readers_ > 0) changed_.Wait(&mutex_);
    writing_ = true;
  }
  // Ends an access to read or to write.
  void End() {
    {
      MutexLock lock(&mutex_);
      if (writing_) {
        writing_ = false;
      } else {
        --readers_;
      }
    }
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int readers_ ABSL_GUARDED_BY(mutex_) = 0;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
};

// An access that ends when this object is destroyed. It shares ownership of the
// lock, so the object that the lock protects may be moved or destroyed before.
class ScopedAccess {
 public:
  static ScopedAccess Read(std::shared_ptr<SharedAccess> access) {
    if (access != nullptr) access->BeginRead();
    return ScopedAccess(std::move(access));
  }
  static ScopedAccess Write(std::shared_ptr<SharedAccess> access) {
    if (access != nullptr) access->BeginWrite();
    return ScopedAccess(std::move(access));
  }
  // An object without access.
  ScopedAccess() = default;
  ~ScopedAccess() {
    if (access_ != nullptr) access_->End();
  }
  ScopedAccess(ScopedAccess&& other) noexcept = default;
  ScopedAccess& operator=(ScopedAccess&& other) noexcept {
    std::swap(access_, other.access_);
    return *this;
  }

 private:
  explicit ScopedAccess(std::shared_ptr<SharedAccess> access)
      : access_(std::move(access)) {}

  std::shared_ptr<SharedAccess> access_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_SHARED_ACCESS_H_
