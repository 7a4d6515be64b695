#include "framework/run/observed_output.h"

#include <atomic>
#include <cstdint>
#include <utility>

#include "absl/functional/function_ref.h"
#include "framework/scheduler/application_thread_executor.h"

namespace syncline {

bool ObservedOutput::Wait(absl::FunctionRef<bool()> is_over) {
  bool is_counted = false;
  bool has_more = false;
  // With the lock held, so nobody else writes it.
  const auto count = [this](int change) {
    waiting_.store(waiting_.load(std::memory_order_relaxed) + change,
                   std::memory_order_relaxed);
  };
  wait_point_->Wait([&] {
    wait_point_->mutex.AssertHeld();
    if (!std::exchange(is_counted, true)) count(1);
    const std::uint64_t noted = noted_.load();
    has_more = noted != seen_;
    seen_ = noted;
    if (!has_more && !is_over()) return false;
    count(-1);
    return true;
  });
  return has_more;
}

}  // namespace syncline
