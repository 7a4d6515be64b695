// Images and poses arrive at any time. A join combines the packets with the
// same timestamp as soon as both streams are settled there, and not before.
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "examples/example_program.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"

namespace syncline {
namespace {

// Prints what it got in each call. At a timestamp for which only one of the
// streams has a packet, the other input is empty.
class DescribeCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("IMAGE").Set<std::string>();
    cc->Inputs().Tag("POSE").Set<std::string>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto text = [&](const char* tag) {
      const InputStream& input = cc->Inputs().Tag(tag);
      return input.IsEmpty() ? absl::StrCat("no ", tag)
                             : input.Get<std::string>();
    };
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(
            absl::StrCat(text("IMAGE"), " and ", text("POSE")))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(DescribeCalculator);

constexpr char kGraph[] = R"pb(
  input_stream: "image"
  input_stream: "pose"
  node {
    calculator: "DescribeCalculator"
    input_stream: "IMAGE:image"
    input_stream: "POSE:pose"
    output_stream: "pair"
  }
)pb";

absl::Status Run() {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kGraph)));
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("pair", [](const Packet& packet) {
        std::cout << "    join at " << packet.Timestamp() << ": "
                  << packet.Get<std::string>() << "\n";
        return absl::OkStatus();
      }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  const auto arrives = [&](const std::string& stream,
                           int time) -> absl::Status {
    std::cout << stream << " " << time << " arrives\n";
    SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream(
        stream, MakePacket<std::string>(absl::StrCat(stream, " ", time))
                    .At(Timestamp(time))));
    return graph.WaitUntilIdle();
  };
  // Three images before the first pose; none of them is lost or mismatched.
  for (const int time : {0, 10, 20}) {
    SYNCLINE_RETURN_IF_ERROR(arrives("image", time));
  }
  SYNCLINE_RETURN_IF_ERROR(arrives("pose", 0));
  // There is no pose at 10. The graph knows that when a later pose comes.
  SYNCLINE_RETURN_IF_ERROR(arrives("pose", 20));
  SYNCLINE_RETURN_IF_ERROR(arrives("image", 30));
  // An application that knows that nothing comes for a while can set a bound.
  std::cout << "no pose before 40\n";
  SYNCLINE_RETURN_IF_ERROR(
      graph.SetInputStreamTimestampBound("pose", Timestamp(40)));
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilIdle());
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  return graph.WaitUntilDone();
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  return syncline::RunExample(
      argc, argv,
      {.summary = "Joins two streams by timestamp.",
       .examples = {"two_streams_in_sync"}},
      [](const std::vector<std::string>&) { return syncline::Run(); });
}
