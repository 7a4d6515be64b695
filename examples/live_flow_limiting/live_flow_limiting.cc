// A camera that is faster than the detector behind it, and a flow limiter that
// lets in all frames, or only one at a time.
#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "examples/example_program.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"

namespace syncline {
namespace {

constexpr int kFrames = 60;

// A detector that needs some time for each frame.
class SlowDetectorCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    absl::SleepFor(absl::Milliseconds(20));
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SlowDetectorCalculator);

// The limiter also gets the output of the detector, a loop: so this input is a
// back edge.
constexpr char kGraph[] = R"pb(
  input_stream: "camera"
  input_side_packet: "max_in_flight"
  node {
    calculator: "FlowLimiterCalculator"
    input_side_packet: "MAX_IN_FLIGHT:max_in_flight"
    input_stream: "camera"
    input_stream: "FINISHED:result"
    input_stream_info { tag_index: "FINISHED" back_edge: true }
    output_stream: "frame"
  }
  node {
    calculator: "SlowDetectorCalculator"
    input_stream: "frame"
    output_stream: "result"
  }
)pb";

absl::Status Run(int max_in_flight) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kGraph),
                       {{"max_in_flight", MakePacket<int>(max_in_flight)}}));
  // Timestamps are the times at which the camera took its frames.
  const absl::Time start = absl::Now();
  int results = 0;
  absl::Duration latest;
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("result", [&](const Packet& packet) {
        ++results;
        const auto taken = absl::Microseconds(packet.Timestamp().Value());
        latest = std::max(latest, absl::Now() - start - taken);
        return absl::OkStatus();
      }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  for (int i = 0; i < kFrames; ++i) {
    absl::SleepFor(start + i * absl::Milliseconds(5) - absl::Now());
    const auto now = absl::ToInt64Microseconds(absl::Now() - start);
    SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream(
        "camera", MakePacket<int>(i).At(Timestamp(now))));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  absl::PrintF(
      "max_in_flight %d: %d results, %d frames dropped, at most %d ms late\n",
      max_in_flight, results, kFrames - results,
      absl::ToInt64Milliseconds(latest));
  return absl::OkStatus();
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  return syncline::RunExample(
      argc, argv,
      {.summary = "Limits the flow of a live graph.",
       .examples = {"live_flow_limiting"}},
      [](const auto&) -> absl::Status {
        absl::PrintF("60 frames, one every 5 ms; the detector takes 20 ms\n");
        SYNCLINE_RETURN_IF_ERROR(syncline::Run(60));
        return syncline::Run(1);
      });
}
