// MakeCleanup: code to run at the end of a scope.
//
//   auto remove_file = syncline::MakeCleanup([&] { unlink(path); });
//   ...
//   remove_file.release();    // all went well: the file stays
//   remove_file.release()();  // or it is removed now
//
// Abseil has a Cleanup too, but that does not give its callback back.
//
// Thread rule: for one thread.
// Tested by cleanup_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_
#define SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_

#include <utility>

#include "absl/types/optional.h"

namespace syncline {

// The callback runs when the object is destroyed or gets another one, unless it
// was released. An object that was moved from, or made without a callback, has
// nothing to run.
template <typename Callback>
class [[nodiscard]] Cleanup {
 public:
  // REQUIRES: Callback can be made without arguments, as a std::function can.
  Cleanup() : callback_(absl::in_place), is_released_(true) {}
  explicit Cleanup(Callback callback) : callback_(std::move(callback)) {}
  // Takes over what `other` would run, which may be of another type.
  template <typename Other>
  Cleanup(Cleanup<Other>&& other)  // NOLINT(google-explicit-constructor)
      : is_released_(other.is_released()) {
    callback_.emplace(other.release());
  }
  Cleanup(Cleanup&& other) noexcept
      : callback_(std::move(other.callback_)),
        is_released_(std::exchange(other.is_released_, true)) {}
  // Runs what it would have run at its end, then takes over that of `other`.
  Cleanup& operator=(Cleanup&& other) noexcept {
    if (this == &other) return *this;
    if (!is_released_) (*callback_)();
    callback_.emplace(*std::move(other.callback_));
    is_released_ = std::exchange(other.is_released_, true);
    return *this;
  }
  ~Cleanup() {
    if (!is_released_) (*callback_)();
  }

  // The callback will not run by itself; returns it. May be called again, and
  // then returns what is left of one that was moved away.
  Callback release() {
    is_released_ = true;
    return *std::move(callback_);
  }
  bool is_released() const { return is_released_; }

 private:
  absl::optional<Callback> callback_;  // always there: emplaced, not assigned
  bool is_released_ = false;
};

template <typename Callback>
[[nodiscard]] Cleanup<Callback> MakeCleanup(Callback callback) {
  return Cleanup<Callback>(std::move(callback));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_
