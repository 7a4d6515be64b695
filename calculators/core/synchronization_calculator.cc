// SynchronizationCalculator: gives packets that were matched by time one common
// timestamp, that of the call.
//
//   node {
//     calculator: "SynchronizationCalculator"
//     input_stream: "camera"
//     input_stream: "lidar"
//     output_stream: "camera_at_one_time"
//     output_stream: "lidar_at_one_time"
//     input_stream_handler {
//       input_stream_handler: "ApproximateTimeInputStreamHandler"
//       options {
//         [syncline.ApproximateTimeInputStreamHandlerOptions.ext] {
//           max_interval: 5000
//         }
//       }
//     }
//   }
//
// The input stream handler decides which packets are matched. If the graph
// names none, it is ApproximateTimeInputStreamHandler, which matches the
// closest packets at any distance. After this node, later nodes can join the
// streams by equal timestamps, although their packets were never at the same
// time. Inputs and outputs without a tag form pairs by position, and both of a
// pair have the same type. GXF's Synchronization is such a node.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
// Headers are forwarded.
//
// Thread rule: no state of its own.
#include "calculators/core/forwarding.h"
#include "framework/calculator_framework.h"

namespace syncline {

class SynchronizationCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(
        DeclareUntaggedPairs("SynchronizationCalculator", cc));
    cc->SetInputStreamHandler("ApproximateTimeInputStreamHandler");
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    ForwardUntaggedHeaders(cc);
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    for (int i = 0; i < cc->Outputs().NumEntries(""); ++i) {
      const InputStream& input = cc->Inputs().Index(i);
      if (input.IsEmpty()) continue;
      cc->Outputs().Index(i).AddPacket(input.Value().At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SynchronizationCalculator);

}  // namespace syncline
