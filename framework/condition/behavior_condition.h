// BehaviorCondition: a node is part of a behaviour tree. It is called from the
// moment its parent in the tree has started it, until it has ended. Known to
// GXF as BTSchedulingTerm. behavior.h says what each kind of node decides.
//
//               StartBehavior (a root: the run)
//   inactive ──────────────────────────────────> running ─┐ a tick reports
//      ^  (WAIT)                                (see below)│ kRunning
//      │                                           │   ^──┘
//      │ StopBehavior                a tick reports│
//      ├──────────────────────────────────────────┐│
//      │                                           v
//      └──────────────────────────────── success, failure
//                                        (WAIT; a root: NEVER)
//
// While it runs, a node is READY for its first tick, and then as its newest
// report says: READY again at once, or WAIT until it is woken (a child ended),
// or WAIT_TIME until a time. A tick without a report is a success.
//
//   absl::Status Process(CalculatorContext* cc) override {      // a leaf
//     auto behavior = cc->Condition<BehaviorCondition>("tree");
//     if (!arm_.HasArrived()) behavior->Report(BehaviorStatus::kRunning);
//     return absl::OkStatus();
//   }
//
// FAILURES. With max_repeat_count in the options, a tick that reports a failure
// is repeated up to this number of times. After that only this node closes.
//
// OLD TICKS. A node may be stopped, and started again, while it is being
// ticked. The report of such a tick is dropped, because it is about the
// behavior before the stop.
//
// Thread rule: as ConditionBase; all other functions, any thread.
// Tested by behavior_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_BEHAVIOR_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_BEHAVIOR_CONDITION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"
#include "framework/condition/behavior.h"
#include "framework/condition/condition.h"

namespace syncline {

class BehaviorCondition : public ConditionBase {
 public:
  BehaviorStatus behavior_status() const ABSL_LOCKS_EXCLUDED(mutex_);

  // --- For its parent in the tree.

  // Starts the node, whether it has run before or still runs. A node that has
  // closed keeps its last status, and the listeners are told of it.
  void StartBehavior() ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes the node inactive. Its next tick stops its children.
  void StopBehavior() ABSL_LOCKS_EXCLUDED(mutex_);
  // Closes the node, because the whole tree has ended.
  void EndForGood() ABSL_LOCKS_EXCLUDED(mutex_);
  // Calls `ended` whenever the node has ended in success or failure.
  Listener AddEndListener(std::function<void()> ended) {
    return ended_.Add(std::move(ended));
  }

  // --- For whoever decides what a SwitchBehavior does.

  // Chooses one of the children, counted from 0. The node is ticked at once if
  // it runs.
  void Choose(std::int64_t child) ABSL_LOCKS_EXCLUDED(mutex_);
  // The child that was chosen; absent if none was chosen in this run.
  absl::optional<std::int64_t> choice() const ABSL_LOCKS_EXCLUDED(mutex_);

  // --- For the node itself, in Process.

  // This is the first tick since the node was started.
  bool is_first_tick() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Says the status of the node after this tick. After kRunning, the next tick
  // comes at once.
  void Report(BehaviorStatus status) ABSL_LOCKS_EXCLUDED(mutex_);
  // The node runs on, and its next tick comes when it is woken, or at
  // `target_ns` of the graph's clock.
  void ReportWaiting(std::int64_t target_ns = ConditionResult::kNoTarget)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // --- For who has children.

  // A child has ended: ticks the node, if it runs.
  void Wake() ABSL_LOCKS_EXCLUDED(mutex_);
  // From now on the node is ticked after it was stopped, too.
  void SetHasChildren() ABSL_LOCKS_EXCLUDED(mutex_);

  // --- ConditionBase
  absl::Status Initialize(ConditionSetup* setup) override;
  absl::Status Start(const ConditionRun& run) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& result) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDispatchUndone() override ABSL_LOCKS_EXCLUDED(mutex_);
  void BeforeExecute() override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status OnExecute(std::int64_t now_ns) override
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // What a tick has reported.
  struct Reported {
    BehaviorStatus status = BehaviorStatus::kSuccess;
    bool is_waiting = false;
    std::int64_t target_ns = ConditionResult::kNoTarget;
  };

  // Takes the report of a tick, unless the node was started or stopped since
  // the tick began. True if listeners are to be told.
  bool TakeReport(const Reported& report) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Constant after Initialize.
  bool is_root_ = false;
  absl::optional<FailureRepeat::Options> repeats_;

  mutable Mutex mutex_;
  BehaviorStatus status_ ABSL_GUARDED_BY(mutex_) = BehaviorStatus::kInactive;
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
  bool has_children_ ABSL_GUARDED_BY(mutex_) = false;
  // A tick is wanted: now, or at a time.
  bool is_due_ ABSL_GUARDED_BY(mutex_) = false;
  std::int64_t target_ns_ ABSL_GUARDED_BY(mutex_) = ConditionResult::kNoTarget;
  // Grows with every start and stop.
  std::uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
  bool was_ticked_ ABSL_GUARDED_BY(mutex_) = false;
  absl::optional<FailureRepeat> failures_ ABSL_GUARDED_BY(mutex_);
  absl::optional<std::int64_t> choice_ ABSL_GUARDED_BY(mutex_);

  // The tick that is going on: a node without inputs has one at a time.
  std::uint64_t ticked_generation_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_first_tick_ ABSL_GUARDED_BY(mutex_) = false;
  absl::optional<Reported> report_ ABSL_GUARDED_BY(mutex_);

  ListenerList ended_;
};

// The children of a node of a tree, for its calculator.
//
//   absl::Status Process(CalculatorContext* cc) override {
//     if (children_->Begin()) {
//       children_->End(DecideSequence(children_->Statuses()));
//     }
//     return absl::OkStatus();
//   }
//
// Thread rule: used by one thread at a time.
class BehaviorChildren {
 public:
  BehaviorChildren(std::shared_ptr<BehaviorCondition> parent,
                   std::vector<std::shared_ptr<BehaviorCondition>> children);

  // To be called first in a tick. If the parent has just been started, stops
  // the children that still run. False if the parent has been stopped: then its
  // children are stopped, too, and there is nothing to decide.
  bool Begin();
  BehaviorStatuses Statuses();
  // Starts and stops children as `step` says, and reports the parent's status.
  void End(const BehaviorStep& step);
  // To be called when the parent closes.
  void EndForGood();

 private:
  const std::shared_ptr<BehaviorCondition> parent_;
  const std::vector<std::shared_ptr<BehaviorCondition>> children_;
  std::vector<BehaviorStatus> statuses_;
  // The listeners at children_. They are declared after it, so that they end
  // before the children do.
  std::vector<Listener> listeners_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_BEHAVIOR_CONDITION_H_
