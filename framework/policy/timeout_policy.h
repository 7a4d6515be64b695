// TimeoutInputStreamHandler: as Default, but it does not wait for ever.
//
//   timeout_ns: 100 ms  since: OLDEST_PACKET
//
//   A   10, at 0 ms   20, at 30 ms  | bound 21
//   B                               | bound 5, silent
//
//   at 100 ms    10: A          B counts as settled at 10, though it is not
//   B brings 8                  late: dropped and counted
//   B brings 20  20: A B        in time
//
// A timeout settles time: up to a timestamp T every stream that is behind
// counts as if its producer had raised its bound past T. The packets up to T
// then make input sets as with Default, in calls whose timestamps rise.
// Batches, conditions and the bounds that a node passes on follow from settled
// time as usual, because the node is past T. A packet at or below T that comes
// later is late.
//
// When the time is up, and which T that is:
//
//   OLDEST_PACKET  timeout_ns after a packet arrived that still waits. T is the
//                  newest that has waited so long. So no packet waits longer
//                  than timeout_ns for other streams, and these are not cut off
//                  earlier than that.
//   LAST_CALL      timeout_ns after the node began to wait: after Open, or
//                  after the last call had ended. T is the newest packet below
//                  the bounds of all streams that have packets: everything goes
//                  that only silent streams keep, however much it is. Where
//                  nothing is queued there is one call without packets, just
//                  below the lowest bound. The call settles nothing, so a
//                  packet that comes at the bound later is in time. As long as
//                  no bound moves these calls have one timestamp (Unstarted()
//                  while no stream has begun), and a node may send only above
//                  what it has sent already.
//
// A timeout does not settle PostStream, whose packet comes after all others of
// all streams; PreStream is settled up to Min. Time counts only while no input
// set is ready, so it does not count while conditions hold a set back. When all
// streams have ended, the node closes and there are no further calls.
//
// Waiting with a packet keeps the run from being idle, as a batch does. Waiting
// for a call without packets does not: the run may be idle and may end, and its
// simulated clock does not move for such a call. When time passes for another
// reason, the call comes.
//
// Thread rule: as InputPolicy.
// Tested by timeout_policy_test and policy_conformance_test, and in graphs by
// timeout_graph_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_TIMEOUT_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_TIMEOUT_POLICY_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"

namespace syncline {

class TimeoutPolicy final : public InputPolicy {
 public:
  // When the packets that wait arrived, by port and in their order; empty
  // unless needs_arrivals().
  using Arrivals = absl::Span<const std::deque<std::int64_t>>;
  // What call a timeout would bring about, while Evaluate says kWait.
  enum class AtTimeout : std::uint8_t { kNothing, kEmptyCall, kPackets };

  explicit TimeoutPolicy(const PolicyPorts& ports);

  void OnChange(int port) override;
  Readiness Evaluate() const override;
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override;
  bool RepeatsTimestamps() const override { return !needs_arrivals_; }
  TimeoutPolicy* AsTimeoutPolicy() override { return this; }

  bool needs_arrivals() const { return needs_arrivals_; }
  AtTimeout at_timeout() const;
  // When the timeout is of a wait that begins at `now_ns`; this time may be
  // past already. REQUIRES: at_timeout() is not kNothing.
  std::int64_t Deadline(std::int64_t now_ns, Arrivals arrivals) const;
  // The timeout has come: settles streams for the call. REQUIRES: Evaluate says
  // kWait.
  void TimeIsUp(std::int64_t now_ns, Arrivals arrivals);
  // A packet at `timestamp`, which `port` has refused, is late: a timeout has
  // settled its time.
  bool IsLate(int port, Timestamp timestamp) const {
    return timestamp < settled_[port];
  }

 private:
  // Finds out whether a timeout would deliver the front of `port`.
  void Look(int port);
  void LookAtAll();
  // The newest packet that has waited for timeout_ns; Unset() if none has.
  Timestamp NewestDue(std::int64_t now_ns, Arrivals arrivals) const;
  // The newest packet that waits for silent streams only; Unset() if there is
  // none.
  Timestamp NewestKept() const;
  void SettleUpTo(Timestamp timestamp);

  const absl::Span<InputQueue> queues_;
  const std::int64_t timeout_ns_;
  const bool needs_arrivals_;  // OLDEST_PACKET
  InputSetReadiness all_;
  std::vector<char> has_packet_;  // by port
  int num_with_packet_ = 0;
  // By port, the bound that timeouts have set: a packet below it is late.
  std::vector<Timestamp> settled_;
  bool empty_call_is_due_ = false;
};

std::unique_ptr<InputPolicy> MakeTimeoutPolicy(const PolicyPorts& ports);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_TIMEOUT_POLICY_H_
