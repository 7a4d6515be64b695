// Handles: numbers that stand for objects, since C code may use a pointer to an
// object that it has freed.
//
// A number is never used again. So a handle that was freed, a handle of another
// kind, and a number that never was a handle are all recognised.
//
// Thread rule: every function may run on any thread.
// Tested by c_interface_test.

#ifndef SYNCLINE_FRAMEWORK_C_HANDLES_H_
#define SYNCLINE_FRAMEWORK_C_HANDLES_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/hash_map.h"
#include "framework/base/mutex.h"

namespace syncline {

// The objects of one class. `Handle` is the pointer type that C code sees; it
// points to no object.
template <typename T, typename Handle>
class Handles {
 public:
  // `noun` names such an object in errors. `kind`, below 16, is part of each
  // number, and different for each class of objects.
  Handles(const char* noun, std::uintptr_t kind) : noun_(noun), kind_(kind) {}

  Handle Add(std::shared_ptr<T> object) {
    MutexLock lock(&mutex_);
    const std::uintptr_t number = next_++ * 16 + kind_;
    objects_[number] = std::move(object);
    return reinterpret_cast<Handle>(number);
  }

  // The caller shares ownership, so that another thread may free the handle
  // meanwhile.
  absl::StatusOr<std::shared_ptr<T>> Get(Handle handle) {
    MutexLock lock(&mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (found == objects_.end()) return NoObjectError(handle);
    return found->second;
  }

  // The same, and frees the handle.
  absl::StatusOr<std::shared_ptr<T>> Remove(Handle handle) {
    MutexLock lock(&mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (found == objects_.end()) return NoObjectError(handle);
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  absl::Status NoObjectError(Handle handle) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number == 0) {
      return absl::InvalidArgumentError(absl::StrCat("the ", noun_, " is 0"));
    }
    if (number % 16 == kind_ && number / 16 < next_) {
      return absl::InvalidArgumentError(
          absl::StrCat("the ", noun_, " was freed before"));
    }
    return absl::InvalidArgumentError(
        absl::StrCat("this is no ", noun_,
                     ": it is a handle of another kind, or no handle at all"));
  }

  const char* const noun_;
  const std::uintptr_t kind_;
  Mutex mutex_;
  std::uintptr_t next_ ABSL_GUARDED_BY(mutex_) = 1;
  HashMap<std::uintptr_t, std::shared_ptr<T>> objects_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_C_HANDLES_H_
