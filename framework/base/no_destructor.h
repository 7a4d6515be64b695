// NoDestructor<T>: a static variable that is never destroyed, so that code that
// runs at the end of the process can still use it.
//
//   static const NoDestructor<std::string> kName("...");
//   return kName->size();
//
// Thread rule: that of T.
// Tested by no_destructor_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_NO_DESTRUCTOR_H_
#define SYNCLINE_FRAMEWORK_BASE_NO_DESTRUCTOR_H_

#include <new>
#include <utility>

namespace syncline {

template <typename T>
class NoDestructor {
 public:
  template <typename... Args>
  explicit NoDestructor(Args&&... args) {
    ::new (static_cast<void*>(storage_)) T(std::forward<Args>(args)...);
  }
  // From a value, so that a list in braces gives one.
  explicit NoDestructor(T&& value) {
    ::new (static_cast<void*>(storage_)) T(std::move(value));
  }
  NoDestructor(const NoDestructor&) = delete;
  NoDestructor& operator=(const NoDestructor&) = delete;

  T* get() { return std::launder(reinterpret_cast<T*>(storage_)); }
  const T* get() const {
    return std::launder(reinterpret_cast<const T*>(storage_));
  }
  T& operator*() { return *get(); }
  const T& operator*() const { return *get(); }
  T* operator->() { return get(); }
  const T* operator->() const { return get(); }

 private:
  alignas(T) unsigned char storage_[sizeof(T)];
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_NO_DESTRUCTOR_H_
