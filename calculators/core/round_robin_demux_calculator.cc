// RoundRobinDemuxCalculator: sends the packets of a stream to several outputs
// in turn.
//
//   node {
//     calculator: "RoundRobinDemuxCalculator"
//     input_stream: "frames"
//     output_stream: "OUTPUT:0:odd_frames"
//     output_stream: "OUTPUT:1:even_frames"
//     output_stream: "SELECT:which"          # int, optional
//   }
//
// SELECT has for each packet the number of its OUTPUT. Connected to the SELECT
// of a MuxCalculator, it puts the results of the branches together again, in
// the order of the inputs. So several nodes can share the work of one:
//
//   node {
//     calculator: "MuxCalculator"
//     input_stream: "INPUT:0:odd_results"
//     input_stream: "INPUT:1:even_results"
//     input_stream: "SELECT:which"
//     output_stream: "OUTPUT:results"
//   }
//
// An empty input takes no turn. The other outputs are settled at each packet
// too (timestamp offset 0).
//
// Thread rule: one call at a time.
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr char kOutput[] = "OUTPUT";
constexpr char kSelect[] = "SELECT";

}  // namespace

class RoundRobinDemuxCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    RET_CHECK_EQ(cc->Inputs().NumEntries(), 1)
        << "RoundRobinDemuxCalculator distributes one input";
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Get(kOutput, 0).SetSameAs(&cc->Inputs().Index(0));
    for (int i = 1; i < cc->Outputs().NumEntries(kOutput); ++i) {
      cc->Outputs().Get(kOutput, i).SetSameAs(&cc->Inputs().Index(0));
    }
    cc->Outputs().Tag(kSelect).Set<int>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    cc->Outputs().Get(kOutput, turn_).AddPacket(cc->Inputs().Index(0).Value());
    if (cc->Outputs().HasTag(kSelect)) {
      cc->Outputs().Tag(kSelect).AddPacket(
          MakePacket<int>(turn_).At(cc->InputTimestamp()));
    }
    turn_ = (turn_ + 1) % cc->Outputs().NumEntries(kOutput);
    return absl::OkStatus();
  }

 private:
  int turn_ = 0;
};
REGISTER_CALCULATOR(RoundRobinDemuxCalculator);

}  // namespace syncline
