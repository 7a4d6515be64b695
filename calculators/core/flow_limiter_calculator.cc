// FlowLimiterCalculator: drops frames at the entrance of a part of a graph, so
// that only a few are inside at a time.
//
//   node {
//     calculator: "FlowLimiterCalculator"
//     input_stream: "camera"             # frames
//     input_stream: "camera_poses"       # goes along with the frames
//     input_stream: "FINISHED:drawings"  # what comes out at the far end
//     input_stream_info: { tag_index: "FINISHED" back_edge: true }
//     output_stream: "frames"
//     output_stream: "poses"
//     output_stream: "ALLOW:allow"       # optional
//   }
//
// If a part of a graph is slower than its camera, its queues fill up, and its
// results come late. So it is better to drop frames before any work is done on
// them, and to drop the packets of all streams of a frame together.
//
//   max_in_flight 1, max_in_queue 1
//   camera     0   10   20   30       40
//   FINISHED                     0
//   frames     0                 30   (40 waits)
//   ALLOW      +    (10 waits) 10-  20-  30+
//
// A frame, that is a packet of the first stream, goes through while fewer than
// max_in_flight are inside; otherwise it waits, and if more than max_in_queue
// wait the oldest are dropped. FINISHED at t, a packet or a bound, says that
// all frames up to t have left. A packet of another stream goes through if the
// latest frame up to its timestamp went through, or if the frames are settled
// there and there was none so far. ALLOW sends true or false for each frame. A
// dropped packet raises the bound, and is counted in the counter "Dropped".
//
// An empty input says that it is settled up to its time: the output gets this
// bound, or that of the first waiting packet if it is lower. An empty OPTIONS
// changes nothing.
//
// Everything that is kept has a limit. If packets of a further stream wait for
// decisions about frames, the newest max_following are kept. For a stream that
// comes later than the frames, the newest max_following decisions are kept;
// packets that come even later are dropped.
//
// Options come from the node, from the side packet OPTIONS, from the stream
// OPTIONS, each merged with those before it, and max_in_flight also from the
// side packet MAX_IN_FLIGHT (int).
//
// While frames are turned away and nothing but FINISHED can change that, a run
// that stands still says who in the loop owes it (loop_gate.h). With
// in_flight_timeout a later frame can.
//
// Which frames go through depends on how fast others were processed: a graph
// with this node is not deterministic.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <map>
#include <vector>

#include "calculators/core/flow_limiter_calculator.pb.h"
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"
#include "framework/loop_gate.h"
#include "framework/tool/options_util.h"

namespace syncline {
namespace {

constexpr char kFinished[] = "FINISHED";
constexpr char kAllow[] = "ALLOW";
constexpr char kOptions[] = "OPTIONS";
constexpr char kMaxInFlight[] = "MAX_IN_FLIGHT";

absl::Status CheckOptions(const FlowLimiterCalculatorOptions& options) {
  if (options.max_in_flight() >= 0 && options.max_in_queue() >= 0 &&
      options.in_flight_timeout() >= 0 && options.max_following() >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "FlowLimiterCalculator needs options that are not negative, but has ",
      "max_in_flight ", options.max_in_flight(), ", max_in_queue ",
      options.max_in_queue(), ", in_flight_timeout ",
      options.in_flight_timeout(), ", max_following ",
      options.max_following()));
}

}  // namespace

class FlowLimiterCalculator : public CalculatorBase, public LoopGate {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(DeclareUntaggedPairs("FlowLimiterCalculator", cc));
    PacketTypeSet& inputs = cc->Inputs();
    PacketTypeSet& outputs = cc->Outputs();
    if (!inputs.HasTag(kFinished)) {
      return absl::InvalidArgumentError(
          "FlowLimiterCalculator needs the input FINISHED, to know when a "
          "frame has left; it is usually a back edge");
    }
    inputs.Tag(kFinished).SetAny();
    if (inputs.HasTag(kOptions)) {
      inputs.Tag(kOptions).Set<FlowLimiterCalculatorOptions>();
    }
    if (outputs.HasTag(kAllow)) outputs.Tag(kAllow).Set<bool>();
    PacketTypeSet& side_packets = cc->InputSidePackets();
    if (side_packets.HasTag(kOptions)) {
      side_packets.Tag(kOptions).Set<FlowLimiterCalculatorOptions>();
    }
    if (side_packets.HasTag(kMaxInFlight)) {
      side_packets.Tag(kMaxInFlight).Set<int>();
    }
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = tool::RetrieveOptions(
        cc->Options<FlowLimiterCalculatorOptions>(), cc->InputSidePackets());
    if (cc->InputSidePackets().HasTag(kMaxInFlight)) {
      options_.set_max_in_flight(
          cc->InputSidePackets().Tag(kMaxInFlight).Get<int>());
    }
    waiting_.resize(cc->Inputs().NumEntries(""));
    // Before the first decision everything is allowed.
    decisions_[Timestamp::Unstarted()] = true;
    ForwardUntaggedHeaders(cc);
    return CheckOptions(options_);
  }

  absl::Status Process(CalculatorContext* cc) override {
    options_ = tool::RetrieveOptions(options_, cc->Inputs());
    SYNCLINE_RETURN_IF_ERROR(CheckOptions(options_));
    ForgetFinished(cc->Inputs().Tag(kFinished).Value().Timestamp());
    for (int i = 0; i < num_streams(); ++i) {
      const Packet& packet = cc->Inputs().Get("", i).Value();
      if (!packet.IsEmpty()) waiting_[i].push_back(packet);
    }
    ForgetExpired(cc->Inputs().Get("", 0).Value().Timestamp());
    LetFramesThrough(cc);
    for (int i = 1; i < num_streams(); ++i) LetFollow(i, cc);
    ForgetDecisions(cc);
    SayWhetherItWaits(cc);
    return absl::OkStatus();
  }

 private:
  // Of a LoopGate. With a timeout, the next frame may make room by itself.
  void SayWhetherItWaits(CalculatorContext* cc) {
    if (IsFull() && !in_flight_.empty() && has_turned_away_ &&
        options_.in_flight_timeout() == 0) {
      WaitForLoop(cc->Inputs().GetId(kFinished, 0).value());
    } else {
      WaitForNoLoop();
    }
  }

  bool IsFull() const {
    return in_flight_.size() >=
           static_cast<std::size_t>(options_.max_in_flight());
  }

  // Removes the frames up to `finished`, which have left.
  void ForgetFinished(Timestamp finished) {
    while (!in_flight_.empty() && in_flight_.front() <= finished) {
      in_flight_.pop_front();
    }
  }

  // Removes the frames that are too old, compared with the newest one.
  void ForgetExpired(Timestamp newest) {
    const TimestampDiff timeout(options_.in_flight_timeout());
    if (timeout == TimestampDiff(0) || !newest.IsRangeValue() ||
        newest == Timestamp::Max()) {
      return;
    }
    while (!in_flight_.empty() && in_flight_.front().IsRangeValue() &&
           newest - in_flight_.front() > timeout) {
      in_flight_.pop_front();
    }
  }

  void LetFramesThrough(CalculatorContext* cc) {
    std::deque<Packet>& frames = waiting_[0];
    OutputStream& output = cc->Outputs().Get("", 0);
    if (!IsFull()) has_turned_away_ = false;
    while (!frames.empty() && !IsFull()) {
      in_flight_.push_back(frames.front().Timestamp());
      Decide(true, frames.front().Timestamp(), cc);
      output.AddPacket(std::move(frames.front()));
      frames.pop_front();
    }
    has_turned_away_ |= !frames.empty();
    while (frames.size() > static_cast<std::size_t>(options_.max_in_queue())) {
      Decide(false, frames.front().Timestamp(), cc);
      cc->GetCounter("Dropped")->Increment();
      frames.pop_front();
    }
    const Timestamp bound = InputBound(0, cc);
    RaiseBound(bound, output);
    if (cc->Outputs().HasTag(kAllow)) {
      RaiseBound(bound, cc->Outputs().Tag(kAllow));
    }
  }

  void Decide(bool allow, Timestamp timestamp, CalculatorContext* cc) {
    if (decisions_.empty() || decisions_.rbegin()->second != allow) {
      decisions_[timestamp] = allow;
    }
    if (cc->Outputs().HasTag(kAllow)) {
      cc->Outputs().Tag(kAllow).AddPacket(
          MakePacket<bool>(allow).At(timestamp));
    }
  }

  // Sends or drops the packets of stream `i` for which the frames are decided.
  void LetFollow(int i, CalculatorContext* cc) {
    std::deque<Packet>& packets = waiting_[i];
    OutputStream& output = cc->Outputs().Get("", i);
    const Timestamp decided = cc->Outputs().Get("", 0).NextTimestampBound();
    while (!packets.empty() && packets.front().Timestamp() < decided) {
      if (IsAllowed(packets.front().Timestamp())) {
        output.AddPacket(std::move(packets.front()));
      } else {
        cc->GetCounter("Dropped")->Increment();
      }
      packets.pop_front();
    }
    while (packets.size() >
           static_cast<std::size_t>(options_.max_following())) {
      cc->GetCounter("Dropped")->Increment();
      packets.pop_front();
    }
    RaiseBound(InputBound(i, cc), output);
  }

  bool IsAllowed(Timestamp timestamp) const {
    const auto next = decisions_.upper_bound(timestamp);
    return next != decisions_.begin() && std::prev(next)->second;
  }

  // All packets of stream `i` below this time were sent or dropped.
  Timestamp InputBound(int i, CalculatorContext* cc) const {
    if (!waiting_[i].empty()) return waiting_[i].front().Timestamp();
    return BoundAfter(cc->Inputs().Index(i).Value());
  }

  // Removes the decisions that no later packet needs.
  void ForgetDecisions(CalculatorContext* cc) {
    Timestamp bound = InputBound(0, cc);
    for (int i = 1; i < num_streams(); ++i) {
      bound = std::min(bound, InputBound(i, cc));
    }
    const auto next = decisions_.upper_bound(bound);
    if (next != decisions_.begin()) {
      decisions_.erase(decisions_.begin(), std::prev(next));
    }
    const int limit = std::max(1, options_.max_following());
    while (decisions_.size() > static_cast<std::size_t>(limit)) {
      decisions_.erase(decisions_.begin());
    }
  }

  int num_streams() const { return static_cast<int>(waiting_.size()); }

  FlowLimiterCalculatorOptions options_;
  // The waiting packets by stream. max_in_queue limits those of the first one.
  std::vector<std::deque<Packet>> waiting_;
  // Timestamps of frames that went through and have not left.
  std::deque<Timestamp> in_flight_;
  // Since they became so many, a frame has waited or was dropped.
  bool has_turned_away_ = false;
  // Each decision is valid until the next one, which differs from it.
  std::map<Timestamp, bool> decisions_;
};
REGISTER_CALCULATOR(FlowLimiterCalculator);

}  // namespace syncline
