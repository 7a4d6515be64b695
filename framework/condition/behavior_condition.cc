#include "framework/condition/behavior_condition.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/condition/behavior.h"
#include "framework/condition/condition.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

BehaviorStatus BehaviorCondition::behavior_status() const {
  MutexLock lock(&mutex_);
  return status_;
}

bool BehaviorCondition::is_first_tick() const {
  MutexLock lock(&mutex_);
  return is_first_tick_;
}

void BehaviorCondition::StartBehavior() {
  bool is_over;
  {
    MutexLock lock(&mutex_);
    is_over = is_over_;
    if (!is_over) {
      ++generation_;
      status_ = BehaviorStatus::kRunning;
      was_ticked_ = false;
      is_due_ = true;
      target_ns_ = ConditionResult::kNoTarget;
    }
  }
  if (is_over) {
    ended_.Notify();
  } else {
    Notify();
  }
}

void BehaviorCondition::StopBehavior() {
  {
    MutexLock lock(&mutex_);
    if (is_over_ || status_ == BehaviorStatus::kInactive) return;
    ++generation_;
    is_due_ = has_children_ && status_ == BehaviorStatus::kRunning;
    status_ = BehaviorStatus::kInactive;
    target_ns_ = ConditionResult::kNoTarget;
  }
  Notify();
}

void BehaviorCondition::EndForGood() {
  {
    MutexLock lock(&mutex_);
    if (is_over_) return;
    is_over_ = true;
    if (status_ == BehaviorStatus::kRunning) {
      status_ = BehaviorStatus::kInactive;
    }
  }
  Notify();
}

void BehaviorCondition::Choose(std::int64_t child) {
  {
    MutexLock lock(&mutex_);
    choice_ = child;
  }
  Wake();
}

absl::optional<std::int64_t> BehaviorCondition::choice() const {
  MutexLock lock(&mutex_);
  return choice_;
}

void BehaviorCondition::Report(BehaviorStatus status) {
  MutexLock lock(&mutex_);
  report_ = Reported{status};
}

void BehaviorCondition::ReportWaiting(std::int64_t target_ns) {
  MutexLock lock(&mutex_);
  report_ = Reported{BehaviorStatus::kRunning, true, target_ns};
}

void BehaviorCondition::Wake() {
  {
    MutexLock lock(&mutex_);
    if (status_ != BehaviorStatus::kRunning) return;
    is_due_ = true;
  }
  Notify();
}

void BehaviorCondition::SetHasChildren() {
  MutexLock lock(&mutex_);
  has_children_ = true;
}

absl::Status BehaviorCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<BehaviorConditionOptions>();
  is_root_ = options.is_root();
  if (options.has_max_repeat_count()) {
    repeats_ = FailureRepeat::Options{
        options.max_repeat_count(),
        options.return_behavior_running_if_failure_repeat()};
  } else if (options.has_return_behavior_running_if_failure_repeat()) {
    return absl::InvalidArgumentError(
        "return_behavior_running_if_failure_repeat is set without "
        "max_repeat_count: nothing is repeated. Set both.");
  }
  return absl::OkStatus();
}

absl::Status BehaviorCondition::Start(const ConditionRun&) {
  MutexLock lock(&mutex_);
  ++generation_;
  status_ = is_root_ ? BehaviorStatus::kRunning : BehaviorStatus::kInactive;
  is_over_ = false;
  has_children_ = false;
  is_due_ = is_root_;
  target_ns_ = ConditionResult::kNoTarget;
  was_ticked_ = false;
  report_.reset();
  choice_.reset();
  failures_.reset();
  if (repeats_) failures_.emplace(*repeats_);
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> BehaviorCondition::Check(
    const NodeFacts& facts) {
  MutexLock lock(&mutex_);
  if (is_over_) return ConditionResult::Never("its part of the tree has ended");
  if (is_due_ || target_ns_ <= facts.now_ns) return ConditionResult::Ready();
  if (target_ns_ != ConditionResult::kNoTarget) {
    return ConditionResult::WaitUntil(target_ns_, "the time of its next tick");
  }
  return status_ == BehaviorStatus::kRunning
             ? ConditionResult::Wait("a child of the behaviour tree")
             : ConditionResult::Wait("its parent in the behaviour tree");
}

absl::StatusOr<bool> BehaviorCondition::OnDispatch(
    const NodeFacts&, const ConditionResult& result) {
  // In a group, the call may have come for another reason.
  if (result.state != ConditionState::kReady) return true;
  MutexLock lock(&mutex_);
  is_due_ = false;
  target_ns_ = ConditionResult::kNoTarget;
  return true;
}

void BehaviorCondition::OnDispatchUndone() {
  MutexLock lock(&mutex_);
  is_due_ = true;
}

void BehaviorCondition::BeforeExecute() {
  MutexLock lock(&mutex_);
  ticked_generation_ = generation_;
  is_first_tick_ = !was_ticked_ && status_ == BehaviorStatus::kRunning;
  was_ticked_ = true;
  report_.reset();
}

bool BehaviorCondition::TakeReport(const Reported& report) {
  status_ = report.status;
  if (status_ == BehaviorStatus::kRunning) {
    // A child may have asked for a tick meanwhile.
    is_due_ = is_due_ || !report.is_waiting;
    target_ns_ = report.target_ns;
    return false;
  }
  bool is_repeated = false;
  if (failures_) {
    const FailureRepeat::Verdict verdict = failures_->AfterTick(status_);
    status_ = verdict.status;
    is_repeated = verdict.next == FailureRepeat::Next::kRepeat;
    if (verdict.next == FailureRepeat::Next::kStop) is_over_ = true;
  }
  is_due_ = is_repeated;
  if (is_repeated) was_ticked_ = false;
  if (is_root_ && !is_repeated) is_over_ = true;
  return status_ != BehaviorStatus::kRunning;
}

absl::Status BehaviorCondition::OnExecute(std::int64_t) {
  bool has_ended;
  {
    MutexLock lock(&mutex_);
    is_first_tick_ = false;
    // Stopped or started meanwhile, or ticked only to stop its children.
    if (ticked_generation_ != generation_ || is_over_ ||
        status_ == BehaviorStatus::kInactive) {
      return absl::OkStatus();
    }
    has_ended = TakeReport(report_.value_or(Reported()));
  }
  if (has_ended) ended_.Notify();
  return absl::OkStatus();
}

REGISTER_CONDITION(BehaviorCondition);
REGISTER_CONDITION_ALIAS(BehaviorCondition, BTSchedulingTerm);

// --- BehaviorChildren

BehaviorChildren::BehaviorChildren(
    std::shared_ptr<BehaviorCondition> parent,
    std::vector<std::shared_ptr<BehaviorCondition>> children)
    : parent_(std::move(parent)), children_(std::move(children)) {
  parent_->SetHasChildren();
  for (const auto& child : children_) {
    listeners_.push_back(
        child->AddEndListener([parent = parent_.get()] { parent->Wake(); }));
  }
}

bool BehaviorChildren::Begin() {
  const bool is_stopped =
      parent_->behavior_status() == BehaviorStatus::kInactive;
  if (is_stopped || parent_->is_first_tick()) {
    for (const auto& child : children_) child->StopBehavior();
  }
  return !is_stopped;
}

BehaviorStatuses BehaviorChildren::Statuses() {
  statuses_.clear();
  for (const auto& child : children_) {
    statuses_.push_back(child->behavior_status());
  }
  return statuses_;
}

void BehaviorChildren::End(const BehaviorStep& step) {
  if (step.status == BehaviorStatus::kRunning) {
    parent_->ReportWaiting();
  } else {
    parent_->Report(step.status);
  }
  for (const int child : step.stop) children_[child]->StopBehavior();
  for (const int child : step.start) children_[child]->StartBehavior();
}

void BehaviorChildren::EndForGood() {
  for (const auto& child : children_) child->EndForGood();
}

}  // namespace syncline
