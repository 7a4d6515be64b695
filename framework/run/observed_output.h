// ObservedOutput: callers wait here until an observer or a poller gets another
// packet or bound (WaitForObservedOutput).
//
// Each packet is noted. This costs an atomic addition, and wakes only threads
// that wait here.
//
// Thread rule: any thread.
// Tested by observed_output_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_OBSERVED_OUTPUT_H_
#define SYNCLINE_FRAMEWORK_RUN_OBSERVED_OUTPUT_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/waiters.h"

namespace syncline {

class ObservedOutput {
 public:
  // Borrowed.
  explicit ObservedOutput(WaitPoint* wait_point) : wait_point_(wait_point) {}

  // To be called when an observer or a poller was given a packet or a bound.
  void Note() {
    noted_.fetch_add(1);
    wait_point_->SignalAtomicChange(waiting_);
  }

  // Returns true when something was noted after the last call returned, and
  // false when `is_over` says that nothing comes any more. `is_over` is asked
  // with the wait point's lock held.
  template <typename IsOver>
  bool Wait(IsOver is_over) ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    bool is_counted = false;
    bool has_more = false;
    const auto is_done = [&] {
      wait_point_->mutex.AssertHeld();
      if (!std::exchange(is_counted, true)) CountWaiting(1);
      const std::uint64_t noted = noted_.load();
      has_more = std::exchange(seen_, noted) != noted;
      if (!has_more && !is_over()) return false;
      CountWaiting(-1);
      return true;
    };
    wait_point_->Wait(is_done, absl::InfiniteDuration(),
                      {.what = WaitReason::For::kObservedOutput});
    return has_more;
  }

 private:
  // The lock is held, so no other thread writes the number.
  void CountWaiting(int change)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex) {
    waiting_.store(waiting_.load(std::memory_order_relaxed) + change,
                   std::memory_order_relaxed);
  }

  WaitPoint* const wait_point_;
  std::atomic<std::uint64_t> noted_{0};
  // Written with the lock held. See SignalAtomicChange.
  std::atomic<int> waiting_{0};
  // The number of notes at the end of the last call of Wait.
  std::uint64_t seen_ ABSL_GUARDED_BY(wait_point_->mutex) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_OBSERVED_OUTPUT_H_
