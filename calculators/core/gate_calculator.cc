// GateCalculator: lets the packets of several streams through, or stops them.
//
//   node {
//     calculator: "GateCalculator"
//     input_stream: "frames"
//     input_stream: "poses"
//     input_stream: "ALLOW:is_person"       # bool; or DISALLOW
//     output_stream: "some_frames"
//     output_stream: "some_poses"
//     output_stream: "STATE_CHANGE:change"  # bool, optional
//   }
//
//   frames        f@10   g@20   h@30
//   ALLOW         true   -      true
//   some_frames   f@10   bound  h@30
//   STATE_CHANGE         false  true
//
// ALLOW or DISALLOW decides: as an input stream for each timestamp, as a side
// packet for the whole run. A node has only one of them. An empty ALLOW or
// DISALLOW input stops the packets; with empty_packets_as_allow it lets them
// through. Without ALLOW and DISALLOW, for example if the user of a subgraph
// connects neither, the option `allow` decides for the whole run; by default
// the gate is closed.
//
// STATE_CHANGE has a packet at each timestamp at which the decision changes:
// true if the gate opens. The first decision is a change only if the option
// initial_gate_state gives the state before it. A node with STATE_CHANGE need
// not have data.
//
// A stopped packet, and an empty data input, only raise the bound (timestamp
// offset 0). A gate that is closed for the whole run ends its outputs with its
// first call. Headers are forwarded.
//
// Thread rule: one call at a time.
#include "calculators/core/forwarding.h"
#include "calculators/core/gate_calculator.pb.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kAllow[] = "ALLOW";
constexpr char kDisallow[] = "DISALLOW";
constexpr char kStateChange[] = "STATE_CHANGE";

// The value of ALLOW, or the inverse of DISALLOW; nothing if the set has
// neither.
template <typename Ports>
absl::optional<bool> Decision(const Ports& ports, bool if_empty) {
  for (const char* tag : {kAllow, kDisallow}) {
    if (!ports.HasTag(tag)) continue;
    const auto& port = ports.Tag(tag);
    if (port.IsEmpty()) return if_empty;
    return port.template Get<bool>() == (tag == kAllow);
  }
  return absl::nullopt;
}

}  // namespace

class GateCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    int decisions = 0;
    for (PacketTypeSet* ports : {&cc->Inputs(), &cc->InputSidePackets()}) {
      for (const char* tag : {kAllow, kDisallow}) {
        decisions += ports->HasTag(tag);
        ports->Tag(tag).Set<bool>().Optional();
      }
    }
    if (decisions > 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "GateCalculator takes its decision from one place, but has ",
          decisions,
          "; connect ALLOW or DISALLOW, as input stream or side packet"));
    }
    cc->Outputs().Tag(kStateChange).Set<bool>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    // A gate may have no data, and only STATE_CHANGE.
    const bool has_data =
        cc->Inputs().NumEntries("") + cc->Outputs().NumEntries("") > 0;
    return has_data || !cc->Outputs().HasTag(kStateChange)
               ? DeclareUntaggedPairs("GateCalculator", cc)
               : absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<GateCalculatorOptions>();
    const bool has_stream =
        cc->Inputs().HasTag(kAllow) || cc->Inputs().HasTag(kDisallow);
    if (!has_stream) {
      for_run_ = Decision(cc->InputSidePackets(), /*if_empty=*/false)
                     .value_or(options.allow());
    }
    if (options.initial_gate_state() == GateCalculatorOptions::GATE_ALLOW) {
      before_ = true;
    } else if (options.initial_gate_state() ==
               GateCalculatorOptions::GATE_DISALLOW) {
      before_ = false;
    }
    ForwardUntaggedHeaders(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const bool if_empty =
        cc->Options<GateCalculatorOptions>().empty_packets_as_allow();
    const bool allow =
        for_run_.has_value() ? *for_run_ : *Decision(cc->Inputs(), if_empty);
    if (before_.value_or(allow) != allow &&
        cc->Outputs().HasTag(kStateChange)) {
      cc->Outputs()
          .Tag(kStateChange)
          .AddPacket(MakePacket<bool>(allow).At(cc->InputTimestamp()));
    }
    before_ = allow;
    if (allow) {
      ForwardUntaggedPackets(cc);
    } else if (for_run_.has_value()) {
      for (OutputStream& output : cc->Outputs()) output.Close();
    }
    return absl::OkStatus();
  }

 private:
  absl::optional<bool> for_run_;  // the decision that never changes
  absl::optional<bool> before_;   // the last decision
};
REGISTER_CALCULATOR(GateCalculator);

}  // namespace syncline
