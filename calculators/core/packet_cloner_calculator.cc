// PacketClonerCalculator: sends the latest packets of streams at the timestamps
// of another stream.
//
//   node {
//     calculator: "PacketClonerCalculator"
//     input_stream: "slow_pose"
//     input_stream: "slower_map"
//     input_stream: "TICK:frames"         # or without tag, the last one
//     output_stream: "pose_at_frame"
//     output_stream: "map_at_frame"
//   }
//
//   slow_pose       p@10               q@35
//   TICK            f@10   g@20  h@30  i@40
//   pose_at_frame   p@10   p@20  p@30  q@40
//
// At each packet of TICK every output gets the latest packet of its input, at
// the time of the tick; the value is shared, not copied. For an input that had
// no packet yet, only the bound is raised. With
// output_only_when_all_inputs_received or
// output_packets_only_when_all_inputs_received, no output gets a packet before
// all inputs had one.
//
// An empty TICK says that it is settled up to its time: the outputs get this
// bound. A tick waits until all inputs are settled at its time, since only then
// their latest packets are known. So an input without packets must set bounds.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <vector>

#include "calculators/core/forwarding.h"
#include "calculators/core/packet_cloner_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kTick[] = "TICK";

}  // namespace

class PacketClonerCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const bool tick_is_untagged = !cc->Inputs().HasTag(kTick);
    SYNCLINE_RETURN_IF_ERROR(
        DeclareUntaggedPairs("PacketClonerCalculator", cc,
                             /*unpaired=*/tick_is_untagged ? 1 : 0));
    if (tick_is_untagged) {
      cc->Inputs().Index(cc->Inputs().NumEntries("") - 1).SetAny();
    } else {
      cc->Inputs().Tag(kTick).SetAny();
    }
    // No timestamp offset: if the node's handler does not join its inputs, a
    // packet of an input says nothing about the next tick.
    cc->SetProcessTimestampBounds(true);
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<PacketClonerCalculatorOptions>();
    needs_all_ = options.output_only_when_all_inputs_received() ||
                 options.output_packets_only_when_all_inputs_received();
    latest_.resize(cc->Outputs().NumEntries());
    ForwardUntaggedHeaders(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const int streams = static_cast<int>(latest_.size());
    for (int i = 0; i < streams; ++i) {
      const InputStream& input = cc->Inputs().Index(i);
      if (!input.IsEmpty()) latest_[i] = input.Value();
    }
    const Packet& tick = cc->Inputs().HasTag(kTick)
                             ? cc->Inputs().Tag(kTick).Value()
                             : cc->Inputs().Index(streams).Value();
    const bool sends =
        !tick.IsEmpty() &&
        (!needs_all_ ||
         std::none_of(latest_.begin(), latest_.end(),
                      [](const Packet& packet) { return packet.IsEmpty(); }));
    for (int i = 0; i < streams; ++i) {
      OutputStream& output = cc->Outputs().Index(i);
      if (sends && !latest_[i].IsEmpty()) {
        output.AddPacket(latest_[i].At(tick.Timestamp()));
      }
      RaiseBound(BoundAfter(tick), output);
    }
    return absl::OkStatus();
  }

 private:
  bool needs_all_ = false;
  std::vector<Packet> latest_;  // by output
};
REGISTER_CALCULATOR(PacketClonerCalculator);

}  // namespace syncline
