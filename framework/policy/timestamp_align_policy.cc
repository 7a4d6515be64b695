// TimestampAlignInputStreamHandler: joins streams whose clocks differ.
//
//   timestamp_base_tag_index: "A"    (else the first input without a tag)
//
//   A        10  20      30      the base: its times stay
//   B                5003    5013
//
//   calls    10: A       B has not begun: A goes alone
//            20: A B     B begins: its 5003 meets the first packet that waits
//                        at A, so from now on B's times count less 4983
//            30: A B     5013 is 30
//
// Streams are aligned once, when each has a packet or has ended without one.
// From then on it is DefaultInputStreamHandler on the shifted times, and the
// packets carry them. How many packets of the base go alone depends on which
// stream begins first, and so does the alignment: the handler is deterministic
// only where the others begin before the base does.
//
// If the base ends before the alignment, there is no time to align to, and the
// node closes. A time that would be shifted out of the ordinary range stays at
// its end; of several packets that meet there the first is taken, the others
// are dropped and counted.
//
// Special times have no distance to others and are not shifted, with one
// exception. No packet may come before the packet of the base at which streams
// meet, because the node may have passed this bound on while it waited. Earlier
// packets get the time of this packet of the base:
//
//   A        bound 10       20     PostStream         PreStream
//   B        PreStream             5003  5013         5003  5013
//
//   calls    20: A B               PostStream: A B    PreStream: A
//                                  (5013 is dropped)  5003: B    5013: B
//
// Thread rule: as InputPolicy.
// Tested by timestamp_align_policy_test and policy_conformance_test.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/lowest_time.h"
#include "framework/policy/port_option.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

class TimestampAlignPolicy final : public InputPolicy {
 public:
  explicit TimestampAlignPolicy(const PolicyPorts& ports)
      : queues_(ports.queues),
        size_(static_cast<int>(ports.queues.size())),
        // The plan has checked that the option names a port.
        base_(std::max(
            0, PortOfOption(
                   ports, ports.options
                              ->GetExtension(
                                  TimestampAlignInputStreamHandlerOptions::ext)
                              .timestamp_base_tag_index()))),
        process_timestamp_bounds_(ports.process_timestamp_bounds),
        has_begun_(size_),
        num_to_begin_(size_),
        firsts_(size_),
        packets_(size_),
        bounds_(size_) {
    for (int port = 0; port < size_; ++port) OnChange(port);
  }

  void OnChange(int port) override {
    if (!is_aligned_) {
      if (port == base_) Look(port);
      NoteBegin(port);
      if (num_to_begin_ == 0 && !queues_[base_].empty()) Align();
      return;
    }
    Look(port);
  }

  Readiness Evaluate() const override {
    const Timestamp packet = packets_.lowest();
    const Timestamp bound = bounds_.lowest();
    if (std::min(packet, bound) >= Timestamp::OneOverPostStream()) {
      return {Readiness::State::kClose, Timestamp::Done()};
    }
    if (packet < bound) return {Readiness::State::kProcess, packet};
    return WaitOrSettle(bound, process_timestamp_bounds_, last_taken_);
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    last_taken_ = timestamp;
    for (int port = 0; port < size_; ++port) {
      InputQueue& queue = queues_[port];
      Packet packet;
      if (packets_.Get(port) == timestamp) {
        packet = queue.TakeFront().At(timestamp);
      }
      // A stream that is not aligned says nothing about the time of the base.
      const bool takes_part = is_aligned_ || port == base_;
      if (takes_part) Look(port);
      if (packet.IsEmpty()) {
        packet = Packet().At(
            takes_part ? std::min(packets_.Get(port), bounds_.Get(port))
                             .PreviousAllowedInStream()
                       : Timestamp::Unstarted());
      }
      inputs->Get(port).Fill(std::move(packet), queue.Done());
    }
    return timestamp;
  }

  bool DropsPackets() const override { return true; }

 private:
  void NoteBegin(int port) {
    const InputQueue& queue = queues_[port];
    if (has_begun_[port] || (queue.empty() && !queue.Finished())) return;
    has_begun_[port] = true;
    --num_to_begin_;
  }

  void Align() {
    is_aligned_ = true;
    for (int port = 0; port < size_; ++port) {
      const InputQueue& queue = queues_[port];
      if (!queue.empty()) firsts_[port] = queue.front().Timestamp();
    }
    for (int port = 0; port < size_; ++port) Look(port);
  }

  // `timestamp` in the time of the base: as far after the first packet of the
  // base as it is after the first packet of `port`. Special times have no
  // distance; they stay, but do not come before the first packet of the base.
  Timestamp Shifted(int port, Timestamp timestamp) const {
    const Timestamp first = firsts_[port];
    const Timestamp base = firsts_[base_];
    if (!timestamp.IsRangeValue() || !first.IsRangeValue() ||
        !base.IsRangeValue()) {
      return std::max(timestamp, base);
    }
    // Unsigned: a distance may be larger than the largest time.
    const auto value = [](Timestamp time) {
      return static_cast<std::uint64_t>(time.Value());
    };
    const std::uint64_t distance = value(timestamp) - value(first);
    if (distance > value(Timestamp::Max()) - value(base)) {
      return Timestamp::Max();
    }
    return Timestamp::CreateNoErrorChecking(
        static_cast<std::int64_t>(value(base) + distance));
  }

  void Look(int port) {
    InputQueue& queue = queues_[port];
    while (!queue.empty() &&
           Shifted(port, queue.front().Timestamp()) <= last_taken_) {
      queue.DropFront();
    }
    Timestamp time = Shifted(port, queue.MinTimestampOrBound());
    if (time <= last_taken_) time = last_taken_.NextAllowedInStream();
    packets_.Set(port, queue.empty() ? Timestamp::Done() : time);
    bounds_.Set(port, queue.empty() ? time : Timestamp::Done());
  }

  const absl::Span<InputQueue> queues_;
  const int size_;
  const int base_;
  const bool process_timestamp_bounds_;
  // Before the alignment: which streams have a packet, or have ended.
  std::vector<bool> has_begun_;
  int num_to_begin_;
  bool is_aligned_ = false;
  // By port: the packets that meet. Unset before the alignment, and for streams
  // that ended before it.
  std::vector<Timestamp> firsts_;
  // By port, in the time of the base. packets_: of the first packet, if one
  // waits. bounds_: the bound, if no packet waits. Else Done(). Before the
  // alignment only the base has times.
  LowestTime packets_;
  LowestTime bounds_;
  Timestamp last_taken_ = Timestamp::Unstarted();
};

}  // namespace

std::unique_ptr<InputPolicy> MakeTimestampAlignPolicy(
    const PolicyPorts& ports) {
  return std::make_unique<TimestampAlignPolicy>(ports);
}

}  // namespace syncline
