// Reads files one after the other. A thread of the calculator's own reads each
// file, as it would wait for a server. Meanwhile the node waits for an event,
// and no thread of the graph waits.
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "examples/example_program.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/conditions.h"
#include "framework/port/file_helpers.h"
#include "framework/port/parse_text_proto.h"

namespace syncline {
namespace {

using Paths = std::vector<std::string>;

// A source: sends the text of each file, in order, at timestamps 0, 1, ...
class ReadFilesCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag("PATHS").Set<Paths>();
    cc->Outputs().Index(0).Set<std::string>();
    // The graph's text need not say that this node waits, nor for what.
    cc->AddCondition("AsynchronousCondition", "answer");
    return absl::OkStatus();
  }

  // The first call asks for a file; each later call comes with an answer.
  absl::Status Process(CalculatorContext* cc) override {
    const Paths& paths = cc->InputSidePackets().Tag("PATHS").Get<Paths>();
    if (reader_.joinable()) {
      reader_.join();
      SYNCLINE_RETURN_IF_ERROR(status_);
      cc->Outputs().Index(0).AddPacket(
          MakePacket<std::string>(std::move(text_)).At(Timestamp(read_++)));
    }
    if (read_ == paths.size()) return tool::StatusStop();
    const auto answer = cc->Condition<AsynchronousCondition>("answer");
    SYNCLINE_RETURN_IF_ERROR(
        answer->event_state(AsynchronousEventState::EVENT_WAITING));
    reader_ = std::thread([this, answer, path = paths[read_]] {
      status_ = file::GetContents(path, &text_);
      // If the run was cancelled meanwhile, nobody needs the answer.
      answer->event_state(AsynchronousEventState::EVENT_DONE).IgnoreError();
    });
    return absl::OkStatus();
  }

  ~ReadFilesCalculator() override {
    if (reader_.joinable()) reader_.join();
  }

 private:
  std::thread reader_;
  // Belongs to the thread while it runs.
  absl::Status status_;
  std::string text_;
  size_t read_ = 0;
};
REGISTER_CALCULATOR(ReadFilesCalculator);

absl::Status Run(Paths paths) {
  const std::string here = "examples/async_request/";
  if (paths.empty()) paths = {here + "day.txt", here + "night.txt"};
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_side_packet: "paths"
        node {
          calculator: "ReadFilesCalculator"
          input_side_packet: "PATHS:paths"
          output_stream: "text"
        }
      )pb")));
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("text", [](const Packet& packet) {
        std::cout << "answer " << packet.Timestamp() << ": "
                  << packet.Get<std::string>();
        return absl::OkStatus();
      }));
  return graph.Run({{"paths", MakePacket<Paths>(std::move(paths))}});
}

}  // namespace
}  // namespace syncline

int main(int argc, char** argv) {
  return syncline::RunExample(
      argc, argv,
      {.summary = "Reads files without waiting for them.",
       .arguments = "[FILE...]",
       .examples = {"async_request", "async_request README.md LICENSE"}},
      [](const std::vector<std::string>& paths) {
        return syncline::Run(paths);
      });
}
