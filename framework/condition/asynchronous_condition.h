// AsynchronousCondition: for a node that sends a request to another thread, and
// is called again when the answer is there.
//
//   Process:          send the request;
//                     event->event_state(AsynchronousEventState::EVENT_WAITING);
//   another thread:   the answer is there;
//                     event->event_state(AsynchronousEventState::EVENT_DONE);
//   Process:          use the answer; send the next request ...
//
//   event state        condition     meaning
//   READY              READY         at the start of a run: the first call
//   WAIT               WAIT          no request has been sent
//   EVENT_WAITING      WAIT_EVENT    sent; a simulated clock stands still
//   EVENT_DONE         READY         the answer is there
//   EVENT_NEVER        NEVER         the node closes
//
//        ┌────────────── any to any ──────────────┐
//   READY, WAIT, EVENT_WAITING, EVENT_DONE ── event_state() ──> EVENT_NEVER
//                                                               for good
//
// The run sees every change at once, without polling. A node in WAIT does not
// keep the run from ending; a node in EVENT_WAITING does, until its state is
// changed or the run is cancelled.
//
// Thread rule: as ConditionBase; event_state, any thread.
// Tested by handle_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_ASYNCHRONOUS_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_ASYNCHRONOUS_CONDITION_H_

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/condition/condition.h"

namespace syncline {

// Named as in GXF and Holoscan.
enum class AsynchronousEventState {
  READY,
  WAIT,
  EVENT_WAITING,
  EVENT_DONE,
  EVENT_NEVER,
};

// "EVENT_DONE" and so on.
absl::string_view AsynchronousEventStateName(AsynchronousEventState state);

class AsynchronousCondition : public ConditionBase {
 public:
  AsynchronousEventState event_state() const ABSL_LOCKS_EXCLUDED(mutex_);
  // FAILED_PRECONDITION, and nothing happens, where nobody could see it any
  // more: before and after a run, and after EVENT_NEVER.
  absl::Status event_state(AsynchronousEventState state)
      ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Status Start(const ConditionRun& run) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  void Stop() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable Mutex mutex_;
  AsynchronousEventState state_ ABSL_GUARDED_BY(mutex_) =
      AsynchronousEventState::READY;
  bool is_running_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_ASYNCHRONOUS_CONDITION_H_
