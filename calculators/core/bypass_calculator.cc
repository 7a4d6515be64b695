// BypassCalculator: replaces a node that is switched off.
//
//   contained_node {
//     calculator: "BypassCalculator"
//     options {
//       [syncline.BypassCalculatorOptions.ext] {
//         pass_input_stream: "IMAGE"
//         pass_output_stream: "FILTERED"
//       }
//     }
//   }
//
// It has the ports of the node that it replaces, for example in a
// SwitchContainer. Each input stream in the first list of the options is sent
// on the output stream at the same position of the second list; an empty input
// sends nothing. All other outputs have no packets; their bounds follow the
// inputs (timestamp offset 0), so that nothing waits for them. Input side
// packets are ignored, and output side packets are not set.
//
// Thread rule: as for any calculator.
// Tested by bypass_calculator_test.

#include <map>
#include <string>
#include <vector>

#include "calculators/core/bypass_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/tool/validate_name.h"

namespace syncline {
namespace {

using Names = google::protobuf::RepeatedPtrField<std::string>;

// The ports that `names` lists; `field` is the name of that field of the
// options.
template <typename Ports>
absl::StatusOr<std::vector<CollectionItemId>> FindPorts(const Names& names,
                                                        absl::string_view field,
                                                        const Ports& ports) {
  std::vector<CollectionItemId> ids;
  for (const std::string& name : names) {
    std::string tag;
    int index = 0;
    SYNCLINE_RETURN_IF_ERROR(tool::ParseTagIndex(name, &tag, &index));
    const CollectionItemId id = ports.GetId(tag, index);
    if (!id.IsValid()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "BypassCalculatorOptions has ", field, " \"", name,
          "\", but the node has ", ports.TagMap()->ShortDebugString()));
    }
    ids.push_back(id);
  }
  return ids;
}

// The outputs, each with the input that is sent on it. `cc` is a contract or a
// context.
template <typename ContractOrContext>
absl::StatusOr<std::map<CollectionItemId, CollectionItemId>> FindPairs(
    const ContractOrContext& cc) {
  const auto& options = cc.template Options<BypassCalculatorOptions>();
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::vector<CollectionItemId> inputs,
      FindPorts(options.pass_input_stream(), "pass_input_stream", cc.Inputs()));
  SYNCLINE_ASSIGN_OR_RETURN(const std::vector<CollectionItemId> outputs,
                            FindPorts(options.pass_output_stream(),
                                      "pass_output_stream", cc.Outputs()));
  if (inputs.size() != outputs.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("BypassCalculatorOptions has ", inputs.size(),
                     " pass_input_stream and ", outputs.size(),
                     " pass_output_stream; each of one goes with one of the "
                     "other"));
  }
  std::map<CollectionItemId, CollectionItemId> pairs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (pairs.emplace(outputs[i], inputs[i]).second) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "BypassCalculatorOptions has pass_output_stream \"",
        options.pass_output_stream(static_cast<int>(i)), "\" twice"));
  }
  return pairs;
}

}  // namespace

class BypassCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.SetAny();
    for (PacketType& type : cc->Outputs()) type.SetAny();
    for (PacketType& type : cc->InputSidePackets()) type.SetAny();
    for (PacketType& type : cc->OutputSidePackets()) type.SetAny();
    SYNCLINE_ASSIGN_OR_RETURN(const auto pairs, FindPairs(*cc));
    for (const auto& [output, input] : pairs) {
      cc->Outputs().Get(output).SetSameAs(&cc->Inputs().Get(input));
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(pairs_, FindPairs(*cc));
    for (const auto& [output, input] : pairs_) {
      const Packet& header = cc->Inputs().Get(input).Header();
      if (!header.IsEmpty()) cc->Outputs().Get(output).SetHeader(header);
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().NumEntries() == 0) return tool::StatusStop();
    for (const auto& [output, input] : pairs_) {
      const InputStream& stream = cc->Inputs().Get(input);
      if (!stream.IsEmpty())
        cc->Outputs().Get(output).AddPacket(stream.Value());
    }
    return absl::OkStatus();
  }

 private:
  std::map<CollectionItemId, CollectionItemId> pairs_;  // from output to input
};
REGISTER_CALCULATOR(BypassCalculator);

}  // namespace syncline
