// MergeCalculator: one stream out of several; at each timestamp the first input
// that has a packet.
//
//   node {
//     calculator: "MergeCalculator"
//     input_stream: "detected"   # goes first
//     input_stream: "tracked"
//     output_stream: "boxes"
//   }
//
// Inputs are joined: a timestamp is decided when all inputs are settled there.
// An empty input leaves the timestamp to the next one; where all are empty, the
// bound passes through (timestamp offset 0). The inputs carry what the output
// carries; a packet of another type is an error of the run.
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
    // Not the same as an input: users merge what only the reader tells apart.
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
