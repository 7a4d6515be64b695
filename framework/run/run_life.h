// RunLife: the phases of a run, who waits for them, and what the run came to.
//
//   kPreparing --Begin--> kRunning --DecideWhenIdle--> kFinished
//
// A thread may find that nothing keeps the run busy. It then looks at the parts
// of the run without a lock, and calls DecideWhenIdle, which takes the lock of
// the wait point and decides. What the thread has seen is right only if nobody
// was busy since. The number of the period shows whether that is so
// (Activity::period). A thread that comes too late leaves, because whoever was
// busy comes here too.
//
// An application call counts itself busy first, and asks then whether the run
// goes on; DecideWhenIdle ends the run first, and looks then whether anybody is
// busy. So one of the two sees the other.
//
// Thread rule: Begin once; the rest any thread.
// Tested by run_life_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_LIFE_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_LIFE_H_

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/report/left_at_end.h"
#include "framework/run/deadlock_timeout.h"
#include "framework/run/idle_decision.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/waiters.h"

namespace syncline {

class RunLife {
 public:
  // What the caller of DecideWhenIdle has found out about the run.
  struct IdleView {
    std::uint64_t period = 0;
    // All fields but those of open inputs, which DecideWhenIdle sets.
    IdleState state;
    // Holds of nodes will keep the run busy once all sources have started.
    bool has_holds = false;
    // The packets that nodes are left with. Null if the caller has not looked
    // for them in this period.
    std::vector<LeftAtEnd>* left = nullptr;
  };
  struct IdleStep {
    enum class Next {
      kLeave,
      // See what nodes are left with, and ask again: the run is about to end.
      kLookAtLeft,
      // Warn that full queues may not grow, and do nothing else.
      kWarnOfStall,
      // Do what `action` says.
      kAct,
    };
    Next next = Next::kLeave;
    IdleAction action = IdleAction::kWait;
    // When somebody has to ask again, by the steady clock.
    absl::optional<std::int64_t> ask_at_ns;
  };

  // Both borrowed.
  RunLife(WaitPoint* wait_point, Activity* activity,
          DeadlockTimeout deadlock_timeout)
      : wait_point_(wait_point),
        activity_(activity),
        deadlock_timeout_(deadlock_timeout) {}

  // --- Phases

  void Begin(int open_inputs) ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    phase_.store(Phase::kRunning);
    open_inputs_ = open_inputs;
  }
  // For a run that has to end at once, because it could not start.
  void BeginIfPreparing() ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    if (phase_.load() == Phase::kPreparing) phase_.store(Phase::kRunning);
  }
  // REQUIRES: the activity counts the caller. False: the run has not begun, or
  // is over, and its nodes may be gone.
  bool is_running() const { return phase_.load() == Phase::kRunning; }
  // REQUIRES: the caller holds the lock of the wait point.
  bool has_finished() const { return phase_.load() == Phase::kFinished; }
  bool IsFinished() const ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    return has_finished();
  }

  // One of the graph inputs was closed.
  void CloseInput() ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    --open_inputs_;
    wait_point_->Signal();  // somebody may wait to add a packet
  }
  bool InputsClosed() const ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    return open_inputs_ == 0;
  }

  // --- When idle

  // After kWarnOfStall and kAct the activity counts the caller.
  IdleStep DecideWhenIdle(IdleView&& view)
      ABSL_LOCKS_EXCLUDED(wait_point_->mutex);

  // --- Waiting

  void WaitUntilFinished() ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    wait_point_->Wait([this] { return has_finished(); },
                      absl::InfiniteDuration(),
                      {.what = WaitReason::For::kDone});
  }
  void WaitUntilIdle() ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  // Threads that wait at the wait point test again what they wait for.
  void Wake() ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    wait_point_->Signal();
  }

  // --- What it came to

  // Packets that no call took are an error of the run. `is_first_error`: the
  // run has no other error before it.
  void SetPacketsLeft(std::vector<LeftAtEnd> left, bool is_first_error)
      ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  // Whether such packets are the first error of the run.
  bool EndedByPacketsLeft() const ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    return ended_by_packets_left_;
  }
  // Nodes were closed because the run was over, and sent these packets.
  void AddSentInVain(std::vector<LeftAtEnd> sent)
      ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  // The run has failed: what nodes were left with is of no interest.
  void ForgetLeftAtEnd() ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    left_at_end_.clear();
  }
  std::vector<LeftAtEnd> GetLeftAtEnd() const
      ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    return left_at_end_;
  }

  // True for the first caller, who is to call SetResult.
  bool ClaimEnd() ABSL_LOCKS_EXCLUDED(wait_point_->mutex) {
    MutexLock lock(&wait_point_->mutex);
    return !std::exchange(end_is_claimed_, true);
  }
  void SetResult(const absl::Status& result)
      ABSL_LOCKS_EXCLUDED(wait_point_->mutex);
  absl::Status WaitForResult() ABSL_LOCKS_EXCLUDED(wait_point_->mutex);

 private:
  enum class Phase { kPreparing, kRunning, kFinished };

  // DecideWhenIdle with the lock held. *has_changed: threads may wait for what
  // was decided.
  IdleStep Decide(IdleView* view, bool* has_changed)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);
  // False if somebody is busy.
  bool Finish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(wait_point_->mutex);

  WaitPoint* const wait_point_;
  Activity* const activity_;
  // Written with the lock held. See Finish.
  std::atomic<Phase> phase_{Phase::kPreparing};
  // For how long nothing has happened while nodes are held.
  DeadlockTimeout deadlock_timeout_ ABSL_GUARDED_BY(wait_point_->mutex);
  int open_inputs_ ABSL_GUARDED_BY(wait_point_->mutex) = 0;
  // Calls of WaitUntilIdle.
  int waiting_for_idle_ ABSL_GUARDED_BY(wait_point_->mutex) = 0;
  bool has_warned_of_stall_ ABSL_GUARDED_BY(wait_point_->mutex) = false;
  std::vector<LeftAtEnd> left_at_end_ ABSL_GUARDED_BY(wait_point_->mutex);
  bool ended_by_packets_left_ ABSL_GUARDED_BY(wait_point_->mutex) = false;
  bool end_is_claimed_ ABSL_GUARDED_BY(wait_point_->mutex) = false;
  absl::optional<absl::Status> result_ ABSL_GUARDED_BY(wait_point_->mutex);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_LIFE_H_
