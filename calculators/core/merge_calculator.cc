// MergeCalculator: merges several streams; at each timestamp the first input
// that has a packet is sent.
//
//   node {
//     calculator: "MergeCalculator"
//     input_stream: "detected"   # goes first
//     input_stream: "tracked"
//     output_stream: "boxes"
//   }
//
// Inputs are joined: a timestamp is decided when all inputs are settled there.
// For an empty input the next input is tried; if all are empty, the bound
// passes through (timestamp offset 0). The inputs must carry the type of the
// output; a packet of another type ends the run with an error.
//
// Thread rule: no state of its own.
#include "framework/calculator_framework.h"
#include "framework/port/logging.h"

namespace syncline {

class MergeCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().NumEntries("") == 0) {
      return absl::InvalidArgumentError(
          "MergeCalculator needs at least one input without tag to merge");
    }
    if (cc->Inputs().NumEntries("") == 1) {
      LOG(WARNING) << "Node \"" << cc->GetNodeName()
                   << "\" (MergeCalculator) has one input only, so there is "
                      "nothing to merge; leave the node out, or connect more";
    }
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      cc->Inputs().Index(i).SetAny();
    }
    // Not SetSameAs an input: users also merge streams of different types.
    cc->Outputs().Index(0).SetAny();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) continue;
      cc->Outputs().Index(0).AddPacket(input.Value());
      break;
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MergeCalculator);

}  // namespace syncline
