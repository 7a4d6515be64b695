// GraphInput: a stream that the application feeds.
//
// It checks what the application gives, keeps the stream's bound, and passes
// packets and bounds on one after the other, from any threads. A thread that
// finds another thread delivering leaves its packet to it.
//
// While a queue behind the input is full, the run lets an application that adds
// a packet wait, or refuses the packet with ThrottledError.
//
// The plan says what happens to a packet whose timestamp goes back. With
// REORDER and a window of 20 microseconds, a packet is held back until no
// earlier packet can be accepted any more:
//
//   given        10    30    15      40      35         5         close
//   passed on          10            15                           30 35 40
//   held then    10    30    15 30   30 40   30 35 40   30 35 40
//   bound then   -10   11    11      20      20         20        Done
//
// The 5 is dropped: 15 has gone on, and the bound is past it.
//
// Thread rule: any thread.
// Tested by graph_input_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_GRAPH_INPUT_H_
#define SYNCLINE_FRAMEWORK_RUN_GRAPH_INPUT_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/base/type_id.h"
#include "framework/calculator/packet_times.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

class GraphInput {
 public:
  // Takes packets, in order, and the bound after them.
  using Receiver = absl::FunctionRef<void(absl::Span<Packet>, Timestamp)>;

  // All is borrowed. Without `checks_order` timestamps may go back, whatever
  // the plan says. `clock` gives the message times; null if no input keeps
  // them. `max_held_bytes`: with REORDER, beside the plan's max_held_packets;
  // -1 for no limit.
  GraphInput(const PlanStream& stream, const PlanGraphInput& plan,
             bool checks_order, GraphClock* clock = nullptr,
             std::int64_t max_held_bytes = -1)
      : stream_(stream),
        plan_(plan),
        checks_order_(checks_order),
        clock_(clock),
        max_held_bytes_(max_held_bytes),
        direct_{.is_possible = clock == nullptr && !holds_back(),
                .accepts_any = stream.type->IsAny(),
                .exact_type = stream.type->ExactType().value_or(TypeId())} {}

  const PlanGraphInput& plan() const { return plan_; }

  // UNAVAILABLE, for a packet that comes while a queue behind the input is full
  // and that is not to wait for room.
  absl::Status ThrottledError() const;
  // FAILED_PRECONDITION: closed. INVALID_ARGUMENT: wrong type or timestamp; if
  // that ends the run, *fails_run becomes true. An empty packet raises the
  // bound past its timestamp.
  // Fields of `times` that are kNone are filled in. `deliver` is a Receiver;
  // most packets need no more of this function than stands here.
  template <typename Deliver>
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status Add(Packet&& packet,
                                                const PacketTimes& times,
                                                const Deliver& deliver,
                                                bool* fails_run)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    Timestamp bound;
    if (ABSL_PREDICT_FALSE(!StartDirectly(packet, &bound))) {
      return AddByRules(std::move(packet), times, deliver, fails_run);
    }
    deliver(absl::Span<Packet>(&packet, 1), bound);
    if (ABSL_PREDICT_FALSE(!EndDelivery())) DeliverMore(deliver);
    return absl::OkStatus();
  }
  bool keeps_times() const { return clock_ != nullptr; }
  // For receivers: the times of the packets that they are given. Empty if no
  // times are kept.
  absl::Span<const PacketTimes> times() const { return delivering_times_; }
  absl::Status SetBound(Timestamp bound, Receiver deliver)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Closes the input, and delivers the packets that were held back. False if
  // the input was closed before.
  bool Close(Receiver deliver) ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_closed() const { return closed_.load(); }

  // The state of the input at one moment.
  struct Snapshot {
    std::int64_t packets_added = 0;
    Timestamp bound;
    std::int64_t held = 0;
    std::int64_t held_bytes = 0;
    // Packets whose timestamps went back, by what became of them.
    std::int64_t rejected = 0;
    std::int64_t dropped = 0;
    std::int64_t clamped = 0;
    std::int64_t reordered = 0;
  };
  Snapshot LookIn() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Packets may be held back.
  bool holds_back() const {
    return checks_order_ && plan_.bad_timestamps == GraphInputInfo::REORDER;
  }

 private:
  //   kNone --> kDelivering        a thread has something new, and delivers it
  //   kDelivering --> kMore        meanwhile another one has, and leaves it
  //   kMore --> kDelivering        the first one delivers that, too
  //   kDelivering --> kNone        nothing is left
  //
  // Changed with the lock held, but for the last step.
  enum class Delivery : std::uint8_t { kNone, kDelivering, kMore };

  // Most packets are of the right type and time, and find nobody delivering.
  // They go on without being kept here. True: the caller is to deliver the
  // packet, with *bound.
  bool StartDirectly(const Packet& packet, Timestamp* bound)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Add for all others.
  absl::Status AddByRules(Packet&& packet, PacketTimes times, Receiver deliver,
                          bool* fails_run) ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether the packet could go into the stream if its time were right.
  absl::Status CheckPacket(const Packet& packet) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether its time is right.
  absl::Status CheckOrder(Timestamp timestamp) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ClosedError() const;
  // What becomes of a packet with the error `status` of CheckOrder. True: it
  // goes on, now with another timestamp.
  bool Mend(absl::Status* status, Packet* packet, bool* fails_run)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Puts a packet among those that are held back. False: it was dropped.
  bool Hold(Packet* packet, const PacketTimes& times, std::int64_t bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Lets the held packets before `end` go on.
  void ReleaseBefore(Timestamp end) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ReleaseFirst() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CountAccepted(Timestamp timestamp)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    has_packets_ = true;
    ++counts_.packets_added;
    if (checks_order_) {
      bound_ = std::max(bound_, timestamp.NextAllowedInStream());
    }
  }
  void Accept(Packet&& packet, const PacketTimes& times)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // There is something to deliver. True if nobody is at it: then the caller is.
  bool StartDelivery() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeAccepted() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Another thread has left something while the caller delivered.
  void DeliverMore(Receiver deliver) ABSL_LOCKS_EXCLUDED(mutex_);
  // Delivers what is there. REQUIRES: StartDelivery returned true.
  void DeliverAll(Receiver deliver) ABSL_LOCKS_EXCLUDED(mutex_);
  // False: another thread has left something to deliver.
  bool EndDelivery() {
    Delivery seen = Delivery::kDelivering;
    return delivery_.compare_exchange_strong(seen, Delivery::kNone);
  }

  const PlanStream& stream_;
  const PlanGraphInput& plan_;
  const bool checks_order_;
  GraphClock* const clock_;
  const std::int64_t max_held_bytes_;
  // What StartDirectly has to know. No packet holds void, which stands for no
  // exact type.
  struct Direct {
    bool is_possible;
    bool accepts_any;
    TypeId exact_type;
  };
  const Direct direct_;

  mutable Mutex mutex_;
  Timestamp bound_ ABSL_GUARDED_BY(mutex_) = Timestamp::PreStream();
  bool has_packets_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<bool> closed_{false};  // changed with the lock held
  // Accepted and not delivered yet; and the bound after them.
  std::vector<Packet> accepted_ ABSL_GUARDED_BY(mutex_);
  std::vector<PacketTimes> accepted_times_ ABSL_GUARDED_BY(mutex_);
  // With REORDER: the packets that are held back, and the latest time of any
  // packet so far.
  struct Held {
    Packet packet;
    PacketTimes times;
    std::int64_t bytes = 0;
  };
  std::int64_t held_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<Timestamp, Held> held_ ABSL_GUARDED_BY(mutex_);
  Timestamp latest_ ABSL_GUARDED_BY(mutex_) = Timestamp::Unset();
  // The counts alone: `bound` and `held` are not kept here.
  Snapshot counts_ ABSL_GUARDED_BY(mutex_);
  std::atomic<Delivery> delivery_{Delivery::kNone};
  // For the thread that delivers: the values that `accepted_` and `bound_` had.
  std::vector<Packet> delivering_;
  std::vector<PacketTimes> delivering_times_;
  Timestamp delivering_bound_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_GRAPH_INPUT_H_
