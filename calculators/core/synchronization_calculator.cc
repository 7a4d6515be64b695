// SynchronizationCalculator: packets that met go on together, all of them at
// the time of the call.
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
// What meets is the handler's matter; without one in the graph it is
// ApproximateTimeInputStreamHandler, which joins the closest at any distance.
// Where streams that are never at the same time have passed here once, all
// nodes behind join them by equal timestamps. Streams without a tag are pairs,
// by position; of each pair both have the same type. GXF's Synchronization is
// such a node.
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
