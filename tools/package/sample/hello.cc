// A program with a calculator of its own, which is built against the packages
// in two ways.
//
// Thread rule: single-threaded, apart from the graph's threads.
#include <iostream>
#include <string>

#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"

namespace {

class HelloCalculator : public syncline::CalculatorBase {
 public:
  static absl::Status GetContract(syncline::CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(syncline::CalculatorContext* cc) override {
    std::cout << "hello " << cc->Inputs().Index(0).Get<std::string>() << "\n";
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(HelloCalculator);

absl::Status Run(const std::string& word) {
  syncline::CalculatorGraph graph(
      syncline::ParseTextProtoOrDie<syncline::CalculatorGraphConfig>(R"pb(
        input_stream: "word"
        node {
          calculator: "PassThroughCalculator"  # of the package
          input_stream: "word"
          output_stream: "same_word"
        }
        node { calculator: "HelloCalculator" input_stream: "same_word" }
      )pb"));
  absl::Status status = graph.StartRun({});
  if (status.ok()) {
    status = graph.AddPacketToInputStream(
        "word",
        syncline::MakePacket<std::string>(word).At(syncline::Timestamp(0)));
  }
  if (status.ok()) status = graph.CloseAllInputStreams();
  return status.ok() ? graph.WaitUntilDone() : status;
}

}  // namespace

int main(int argc, char** argv) {
  const absl::Status status = Run(argc > 1 ? argv[1] : "world");
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
