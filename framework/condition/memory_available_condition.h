// MemoryAvailableCondition: a node is called when an allocator of the graph has
// enough memory, which is then set aside for the call.
//
//   the allocator has enough memory    READY
//   it has too little                  WAIT_EVENT, until a buffer comes back
//   it can never have enough           an error when the run starts
//
// So a source sends as fast as the last users of its buffers give them back.
// The state is WAIT_EVENT because applications hold buffers, too, and may give
// them back when nothing in the graph runs any more.
//
// Memory is set aside when a call is dispatched: two nodes, or two calls of
// one, never count on the same block. What the call allocates on its own thread
// is taken from this memory, and the rest is given back when the call is over.
// An allocator without a limit is always ready.
//
// Several conditions of one node that name one allocator share the memory: each
// is ready by itself, and only the largest amount is set aside.
//
// Thread rule: as ConditionBase.
// Tested by memory_available_condition_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_MEMORY_AVAILABLE_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_MEMORY_AVAILABLE_CONDITION_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/base/listener_list.h"
#include "framework/base/mutex.h"
#include "framework/condition/condition.h"
#include "framework/memory/allocator.h"

namespace syncline {

class MemoryAvailableCondition : public ConditionBase {
 public:
  // For the conditions of one node, once they are initialised: those that name
  // one allocator set memory aside together.
  static void Join(absl::Span<const std::shared_ptr<ConditionBase>> conditions);

  absl::Status Initialize(ConditionSetup* setup) override;
  absl::Status Start(const ConditionRun& run) override;
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override;
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& result) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDispatchUndone() override ABSL_LOCKS_EXCLUDED(mutex_);
  void BeforeExecute() override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status OnExecute(std::int64_t now_ns) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Stop() override ABSL_LOCKS_EXCLUDED(mutex_);
  std::string WaitText() const override ABSL_LOCKS_EXCLUDED(mutex_);
  // The condition delays calls, and changes nothing in them.
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }

 private:
  // The memory that was set aside for a call that is going on.
  struct Call {
    explicit Call(MemoryReservation set_aside)
        : reservation(std::move(set_aside)), scope(&reservation) {}
    MemoryReservation reservation;
    ReservationScope scope;
  };

  // Shared by the conditions of a node that name one allocator.
  struct SetAside {
    // The memory that the conditions before this one have set aside for the
    // call that is being dispatched.
    std::size_t bytes = 0;
  };

  // Constant after Initialize.
  std::string allocator_name_;
  std::uint64_t min_bytes_ = 0;  // or else
  std::uint64_t min_blocks_ = 0;

  // Constant after Join. What it points to belongs to the thread that
  // dispatches.
  std::shared_ptr<SetAside> set_aside_ = std::make_shared<SetAside>();
  bool is_first_ = true;  // of those that share it

  // Set for each run.
  std::shared_ptr<Allocator> allocator_;  // changed with the lock held
  std::size_t bytes_ = 0;
  Listener released_;

  mutable Mutex mutex_;
  // One reservation for each call that was dispatched. Which of them belongs to
  // which call does not matter.
  std::deque<MemoryReservation> dispatched_ ABSL_GUARDED_BY(mutex_);
  // A thread is in one call of a node at a time.
  std::map<std::thread::id, std::unique_ptr<Call>> calls_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_MEMORY_AVAILABLE_CONDITION_H_
