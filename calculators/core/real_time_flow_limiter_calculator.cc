// RealTimeFlowLimiterCalculator: drops frames at the entrance of a part of a
// graph, by counting the results that come out. Deprecated: use
// FlowLimiterCalculator, which compares timestamps, so that a frame need not
// have a result.
//
//   node {
//     calculator: "RealTimeFlowLimiterCalculator"
//     input_stream: "camera"
//     input_stream: "FINISHED:drawings"
//     input_stream_info { tag_index: "FINISHED" back_edge: true }
//     input_side_packet: "MAX_IN_FLIGHT:max"   # int, at least 1; 1 if absent
//     output_stream: "frames"
//     output_stream: "ALLOW:allow"             # optional
//   }
//
//   MAX_IN_FLIGHT 1, two streams, in the order of arrival
//   a          0         10             20   30
//   b               0         20
//   FINISHED                       .
//   sent       a@0  b@0  -    -         -    a@30
//
// A frame is a timestamp, with the packets that all streams have there. It goes
// through while fewer than MAX_IN_FLIGHT frames are inside; otherwise it is
// dropped. The first packet at a timestamp decides for all streams: those that
// come later at a timestamp that went through go through too, and those at or
// below a timestamp that was dropped are dropped. Nothing waits, so what was
// dropped is not sent later, even if a place becomes free. For a stream that is
// late, the newest 1000 frames that went through are remembered; its packets up
// to older ones are dropped. A dropped packet is counted in the counter
// "Dropped".
//
// There must be one packet of FINISHED for each frame that went through,
// whatever its timestamp; one too many ends the run with an error.
//
// ALLOW sends true when a place becomes free, false when the last place is
// taken.
//
// An empty input sends nothing; each output gets the bound of its input.
//
// Which frames go through depends on how fast others were processed: a graph
// with this node is not deterministic.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"
#include "framework/loop_gate.h"

namespace syncline {
namespace {

constexpr char kFinished[] = "FINISHED";
constexpr char kAllow[] = "ALLOW";
constexpr char kMaxInFlight[] = "MAX_IN_FLIGHT";

// How many frames that went through are remembered for streams that are late.
constexpr std::size_t kMaxRemembered = 1000;

}  // namespace

class RealTimeFlowLimiterCalculator : public CalculatorBase, public LoopGate {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(
        DeclareUntaggedPairs("RealTimeFlowLimiterCalculator", cc));
    cc->Inputs().Tag(kFinished).SetAny();
    cc->InputSidePackets().Tag(kMaxInFlight).Set<int>().Optional();
    cc->Outputs().Tag(kAllow).Set<bool>().Optional();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (cc->InputSidePackets().HasTag(kMaxInFlight)) {
      max_in_flight_ = cc->InputSidePackets().Tag(kMaxInFlight).Get<int>();
    }
    if (max_in_flight_ < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("MAX_IN_FLIGHT is ", max_in_flight_,
                       ", but at least one frame has to be inside at a time"));
    }
    bounds_.resize(static_cast<std::size_t>(cc->Inputs().NumEntries("")),
                   Timestamp::PreStream());
    ForwardUntaggedHeaders(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const bool had_place = HasPlace();
    if (!cc->Inputs().Tag(kFinished).IsEmpty()) {
      if (in_flight_ == 0) {
        return absl::FailedPreconditionError(absl::StrCat(
            "FINISHED has a packet at ",
            cc->Inputs().Tag(kFinished).Value().Timestamp().DebugString(),
            ", but no frame is inside; there is one for each frame that went "
            "through"));
      }
      --in_flight_;
    }
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      const int index = static_cast<int>(i);
      const Packet& packet = cc->Inputs().Index(index).Value();
      OutputStream& output = cc->Outputs().Index(index);
      if (!packet.IsEmpty()) {
        if (GoesThrough(packet.Timestamp())) {
          output.AddPacket(packet);
        } else {
          cc->GetCounter("Dropped")->Increment();
        }
      }
      bounds_[i] = std::max(bounds_[i], BoundAfter(packet));
      RaiseBound(bounds_[i], output);
    }
    ForgetFrames();
    SayWhetherItWaits(cc);
    if (HasPlace() != had_place) Tell(cc);
    return absl::OkStatus();
  }

 private:
  bool HasPlace() const { return in_flight_ < max_in_flight_; }

  // Of a LoopGate.
  void SayWhetherItWaits(CalculatorContext* cc) {
    has_turned_away_ &= !HasPlace();
    if (has_turned_away_) {
      WaitForLoop(cc->Inputs().GetId(kFinished, 0).value());
    } else {
      WaitForNoLoop();
    }
  }

  // Whether packets at `timestamp` go through; notes the decision.
  bool GoesThrough(Timestamp timestamp) {
    if (let_through_.contains(timestamp)) return true;
    if (!HasPlace() || timestamp <= last_dropped_) {
      has_turned_away_ |= timestamp > last_dropped_;
      last_dropped_ = std::max(last_dropped_, timestamp);
      return false;
    }
    ++in_flight_;
    let_through_.insert(timestamp);
    return true;
  }

  // Forgets frames of which no packet can come any more, and the oldest ones if
  // too many are left.
  void ForgetFrames() {
    const Timestamp lowest = *std::min_element(bounds_.begin(), bounds_.end());
    let_through_.erase(let_through_.begin(), let_through_.lower_bound(lowest));
    while (let_through_.size() > kMaxRemembered) {
      last_dropped_ = std::max(last_dropped_, *let_through_.begin());
      let_through_.erase(let_through_.begin());
    }
  }

  void Tell(CalculatorContext* cc) {
    if (!cc->Outputs().HasTag(kAllow)) return;
    OutputStream& allow = cc->Outputs().Tag(kAllow);
    const Timestamp time =
        std::max(cc->InputTimestamp(), allow.NextTimestampBound());
    if (!time.IsAllowedInStream()) return;
    allow.AddPacket(MakePacket<bool>(HasPlace()).At(time));
  }

  int max_in_flight_ = 1;
  int in_flight_ = 0;
  // A frame was dropped since the last place was taken.
  bool has_turned_away_ = false;
  // Frames that went through, of which some stream may still have a packet.
  std::set<Timestamp> let_through_;
  Timestamp last_dropped_ = Timestamp::Unset();
  std::vector<Timestamp> bounds_;  // of the inputs, by stream
};
REGISTER_CALCULATOR(RealTimeFlowLimiterCalculator);

}  // namespace syncline
