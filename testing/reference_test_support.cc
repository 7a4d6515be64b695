#include "testing/reference_test_support.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"
#include "framework/calculator_framework.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"

namespace syncline {
namespace {

// Says in a string what each call got.
class TellCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.Set<int>();
    for (PacketType& type : cc->Outputs()) type.Set<std::string>();
    cc->SetProcessTimestampBounds(cc->GetNodeName() == "bounds");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    std::vector<std::string> got;
    for (const InputStream& input : cc->Inputs()) {
      got.push_back(input.IsEmpty() ? "-" : absl::StrCat(input.Get<int>()));
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(absl::StrJoin(got, " "))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TellCalculator);

}  // namespace

ReferenceInputs InputsOf(const std::map<std::string, Numbers>& streams) {
  ReferenceInputs inputs;
  for (const auto& [name, numbers] : streams) {
    for (const auto& [time, number] : numbers) {
      inputs.events.push_back(
          GraphInputEvent::OfPacket(name, MakePacket<int>(number).At(time)));
    }
    inputs.events.push_back(GraphInputEvent::OfClose(name));
  }
  return inputs;
}

absl::StatusOr<ReferenceResult> RunGraph(const std::string& graph,
                                         const ReferenceInputs& inputs,
                                         const ReferenceOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(GraphSource source,
                            ReadGraphText(graph, "graph.pbtxt"));
  SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan, Compile(std::move(source)));
  return RunReference(plan, inputs, options);
}

std::string Text(const absl::StatusOr<ReferenceResult>& result,
                 const std::string& stream) {
  if (!result.ok()) return result.status().ToString();
  const auto found = result->streams.find(stream);
  if (found == result->streams.end()) return "no such stream";
  std::vector<std::string> packets;
  for (const Packet& packet : found->second.packets) {
    packets.push_back(absl::StrCat(packet.Timestamp().DebugString(), ":",
                                   packet.ValidateAsType<int>().ok()
                                       ? absl::StrCat(packet.Get<int>())
                                       : packet.Get<std::string>()));
  }
  return absl::StrCat(absl::StrJoin(packets, " | "),
                      found->second.is_closed ? " ||" : "");
}

std::string Join(const std::string& handler, const std::string& ports,
                 const std::string& name) {
  return absl::StrCat(R"(
    input_stream: "a" input_stream: "b" input_stream: "c"
    node { name: ")",
                      name, R"(" calculator: "TellCalculator" )", ports,
                      R"( output_stream: "out"
           input_stream_handler { )",
                      handler, " } }");
}

}  // namespace syncline
