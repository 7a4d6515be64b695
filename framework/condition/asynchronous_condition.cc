#include "framework/condition/asynchronous_condition.h"

#include <cstddef>
#include <iterator>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/condition/condition.h"

namespace syncline {

absl::string_view AsynchronousEventStateName(AsynchronousEventState state) {
  constexpr absl::string_view kNames[] = {"READY", "WAIT", "EVENT_WAITING",
                                          "EVENT_DONE", "EVENT_NEVER"};
  static_assert(std::size(kNames) ==
                static_cast<std::size_t>(AsynchronousEventState::EVENT_NEVER) +
                    1);
  const auto at = static_cast<std::size_t>(state);
  return at < std::size(kNames) ? kNames[at] : "";
}

AsynchronousEventState AsynchronousCondition::event_state() const {
  MutexLock lock(&mutex_);
  return state_;
}

absl::Status AsynchronousCondition::event_state(AsynchronousEventState state) {
  {
    MutexLock lock(&mutex_);
    if (!is_running_) {
      return absl::FailedPreconditionError(absl::StrCat(
          "The event state ", AsynchronousEventStateName(state),
          " was set while no run of the graph was going on: nobody waits for "
          "it. Ask the other thread to end in Close."));
    }
    if (state == state_) return absl::OkStatus();
    if (state_ == AsynchronousEventState::EVENT_NEVER) {
      return absl::FailedPreconditionError(absl::StrCat(
          "The event state ", AsynchronousEventStateName(state),
          " was set after EVENT_NEVER, which has closed the node."));
    }
    state_ = state;
  }
  Notify();
  return absl::OkStatus();
}

absl::Status AsynchronousCondition::Start(const ConditionRun&) {
  MutexLock lock(&mutex_);
  state_ = AsynchronousEventState::READY;
  is_running_ = true;
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> AsynchronousCondition::Check(const NodeFacts&) {
  switch (event_state()) {
    case AsynchronousEventState::READY:
    case AsynchronousEventState::EVENT_DONE:
      break;
    case AsynchronousEventState::WAIT:
      return ConditionResult::Wait("a request to be sent");
    case AsynchronousEventState::EVENT_WAITING:
      return ConditionResult::WaitForEvent("EVENT_DONE", /*holds_time=*/true);
    case AsynchronousEventState::EVENT_NEVER:
      return ConditionResult::Never("EVENT_NEVER");
  }
  return ConditionResult::Ready();
}

void AsynchronousCondition::Stop() {
  MutexLock lock(&mutex_);
  is_running_ = false;
}

REGISTER_CONDITION(AsynchronousCondition);
REGISTER_CONDITION_ALIAS(AsynchronousCondition, AsynchronousSchedulingTerm);

}  // namespace syncline
