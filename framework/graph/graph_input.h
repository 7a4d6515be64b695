// GraphInput: a stream that the application feeds.
//
// It checks what the application gives, keeps the stream's bound, and passes
// packets and bounds on one after the other, whichever threads they come from:
// a thread that finds another one delivering leaves its packet there.
//
// Thread rule: any thread.
// Tested by graph_input_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_GRAPH_INPUT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_GRAPH_INPUT_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

class GraphInput {
 public:
  // Takes packets, in order, and the bound after them.
  using Receiver = absl::FunctionRef<void(absl::Span<Packet>, Timestamp)>;

  // `stream` is borrowed. Without `checks_order` timestamps may go back.
  GraphInput(const PlanStream& stream, bool checks_order)
      : stream_(stream), checks_order_(checks_order) {}

  // FAILED_PRECONDITION: closed. INVALID_ARGUMENT: wrong type or timestamp. An
  // empty packet raises the bound past its timestamp.
  absl::Status Add(Packet packet, Receiver deliver) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status SetBound(Timestamp bound, Receiver deliver)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // True the first time.
  bool Close(Receiver deliver) ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_closed() const { return closed_.load(); }

 private:
  //   kIdle --> kDelivering        a thread has something new, and delivers it
  //   kDelivering --> kMore        meanwhile another one has, and leaves it
  //   kMore --> kDelivering        the first one delivers that, too
  //   kDelivering --> kIdle        nothing is left
  //
  // Changed with the lock held, but for the last step.
  enum class Delivery : std::uint8_t { kIdle, kDelivering, kMore };

  absl::Status CheckPacket(const Packet& packet) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ClosedError() const;
  // There is something to deliver. True if nobody is at it: then the caller is.
  bool StartDelivery() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeNews() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Delivers what is there. REQUIRES: StartDelivery returned true.
  void DeliverAll(Receiver deliver) ABSL_LOCKS_EXCLUDED(mutex_);

  const PlanStream& stream_;
  const bool checks_order_;

  Mutex mutex_;
  Timestamp bound_ ABSL_GUARDED_BY(mutex_) = Timestamp::PreStream();
  bool has_packets_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<bool> closed_{false};  // changed with the lock held
  // Accepted and not delivered yet; and the bound after them.
  std::vector<Packet> accepted_ ABSL_GUARDED_BY(mutex_);
  std::atomic<Delivery> delivery_{Delivery::kIdle};
  // Of who delivers: what `accepted_` and `bound_` were.
  std::vector<Packet> delivering_;
  Timestamp delivering_bound_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_GRAPH_INPUT_H_
