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
// A packet goes through while fewer than MAX_IN_FLIGHT are inside. Otherwise it
// waits until a packet of FINISHED says that one has left; only the newest
// packet of each stream waits. There must be one packet of FINISHED for each
// packet that went through, whatever its timestamp; one too many ends the run
// with an error. With several streams, the packets of all streams count
// together.
//
// ALLOW sends true when a place becomes free, false when the last place is
// taken.
//
// An empty input changes nothing. A waiting packet may still go through, so its
// stream gets no bound; a stream without a waiting packet gets the bound of its
// input.
//
// Which frames go through depends on how fast others were processed: a graph
// with this node is not deterministic.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <utility>
#include <vector>

#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kFinished[] = "FINISHED";
constexpr char kAllow[] = "ALLOW";
constexpr char kMaxInFlight[] = "MAX_IN_FLIGHT";

}  // namespace

class RealTimeFlowLimiterCalculator : public CalculatorBase {
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
    waiting_.resize(cc->Inputs().NumEntries(""));
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
    for (int i = 0; i < static_cast<int>(waiting_.size()); ++i) {
      const Packet& packet = cc->Inputs().Index(i).Value();
      if (!packet.IsEmpty()) {
        if (!waiting_[i].IsEmpty()) cc->GetCounter("Dropped")->Increment();
        waiting_[i] = packet;
      }
      if (!waiting_[i].IsEmpty() && HasPlace()) {
        ++in_flight_;
        cc->Outputs().Index(i).AddPacket(std::exchange(waiting_[i], Packet()));
      }
      RaiseBound(
          waiting_[i].IsEmpty() ? BoundAfter(packet) : waiting_[i].Timestamp(),
          cc->Outputs().Index(i));
    }
    if (HasPlace() != had_place) Tell(cc);
    return absl::OkStatus();
  }

 private:
  bool HasPlace() const { return in_flight_ < max_in_flight_; }

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
  std::vector<Packet> waiting_;  // by stream
};
REGISTER_CALCULATOR(RealTimeFlowLimiterCalculator);

}  // namespace syncline
