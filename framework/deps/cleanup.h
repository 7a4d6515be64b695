// MakeCleanup: code to run at the end of a scope.
//
//   auto remove_file = syncline::MakeCleanup([&] { unlink(path); });
//   ...
//   remove_file.release();  // all went well: the file stays
//
// It is Abseil's, under the names that ported code uses.
//
// Thread rule: for one thread.
// Tested by cleanup_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_
#define SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_

#include <utility>

#include "absl/cleanup/cleanup.h"

namespace syncline {

// The callback runs when the object is destroyed, unless it was released. An
// object that was moved from has nothing to run.
template <typename Callback>
class [[nodiscard]] Cleanup {
 public:
  explicit Cleanup(Callback callback)
      : cleanup_(absl::MakeCleanup(std::move(callback))) {}
  Cleanup(Cleanup&& other) noexcept
      : cleanup_(std::move(other.cleanup_)), is_released_(other.is_released_) {
    other.is_released_ = true;
  }

  // The callback will not run. May be called again.
  void release() {
    if (is_released_) return;
    std::move(cleanup_).Cancel();
    is_released_ = true;
  }
  bool is_released() const { return is_released_; }

 private:
  decltype(absl::MakeCleanup(std::declval<Callback>())) cleanup_;
  bool is_released_ = false;
};

template <typename Callback>
[[nodiscard]] Cleanup<Callback> MakeCleanup(Callback callback) {
  return Cleanup<Callback>(std::move(callback));
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_CLEANUP_H_
