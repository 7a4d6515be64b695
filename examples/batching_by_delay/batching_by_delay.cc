// Requests come one by one. A model that is cheaper for several requests at
// once gets them in batches, and no request waits for longer than 20 ms.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "examples/example_program.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/graph_clock.h"
#include "framework/port/parse_text_proto.h"

namespace syncline {
namespace {

// Answers all requests of a batch at once.
class ModelCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    std::string requests;
    for (const BatchedInputs& set : cc->Batch()) {
      absl::StrAppend(&requests, " ", set.Inputs().Index(0).Get<int>());
    }
    for (const BatchedInputs& set : cc->Batch()) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<std::string>(
              absl::StrCat("request ", set.Inputs().Index(0).Get<int>(),
                           " answered in a batch of", requests))
              .At(set.InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ModelCalculator);

// The program moves the clock, so that it prints the same in every run. Without
// the line `clock` the graph uses real time.
constexpr char kGraph[] = R"pb(
  input_stream: "request"
  clock { type: "SyntheticClock" }
  node {
    calculator: "ModelCalculator"
    input_stream: "request"
    output_stream: "answer"
    batch { max_size: 3 max_delay_ns: 20000000 }
  }
)pb";

constexpr int64_t kMs = 1000000;

absl::Status Run() {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kGraph)));
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("answer", [](const Packet& packet) {
        std::cout << "    " << packet.Get<std::string>() << "\n";
        return absl::OkStatus();
      }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  const auto wait_until = [&](int ms) -> absl::Status {
    std::cout << ms << " ms\n";
    SYNCLINE_RETURN_IF_ERROR(graph.GetClock()->AdvanceTo(ms * kMs));
    return graph.WaitUntilIdle();
  };
  int requests = 0;
  const auto request = [&]() -> absl::Status {
    std::cout << "  request " << ++requests << " arrives\n";
    SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream(
        "request", MakePacket<int>(requests).At(Timestamp(requests))));
    return graph.WaitUntilIdle();
  };
  // Four requests at once: three fill a batch, which is answered without
  // waiting.
  SYNCLINE_RETURN_IF_ERROR(wait_until(0));
  for (int i = 0; i < 4; ++i) SYNCLINE_RETURN_IF_ERROR(request());
  // The fourth request waits until it has been there for 20 ms. The fifth comes
  // at 15 ms and is answered with it.
  SYNCLINE_RETURN_IF_ERROR(wait_until(15));
  SYNCLINE_RETURN_IF_ERROR(request());
  SYNCLINE_RETURN_IF_ERROR(wait_until(19));
  SYNCLINE_RETURN_IF_ERROR(wait_until(20));
  // At the end, a request that is left is answered without waiting.
  SYNCLINE_RETURN_IF_ERROR(request());
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  return graph.WaitUntilDone();
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  return syncline::RunExample(
      argc, argv,
      {.summary = "Answers requests in batches.",
       .examples = {"batching_by_delay"}},
      [](const std::vector<std::string>&) { return syncline::Run(); });
}
