#include "framework/expansion/subgraph_fields.h"

#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {

std::vector<absl::string_view> FieldsThatAreSet(
    const CalculatorGraphConfig::Node& node,
    std::initializer_list<absl::string_view> names) {
  const google::protobuf::Reflection& reflection = *node.GetReflection();
  std::vector<absl::string_view> fields;
  for (const absl::string_view name : names) {
    const google::protobuf::FieldDescriptor* const field =
        node.GetDescriptor()->FindFieldByName(std::string(name));
    if (field->is_repeated() ? reflection.FieldSize(node, field) > 0
                             : reflection.HasField(node, field)) {
      fields.push_back(name);
    }
  }
  return fields;
}

std::vector<absl::string_view> ForbiddenSubgraphFields(
    const CalculatorGraphConfig::Node& node) {
  return FieldsThatAreSet(
      node, {"source_layer", "buffer_size_hint", "output_stream_handler",
             "input_stream_info", "condition", "any_of", "gxf_defaults",
             "batch", "persistent"});
}

std::string OnlyForCalculatorsText(
    const std::vector<absl::string_view>& fields) {
  return absl::StrCat(
      "the subgraph node has a field that is only applicable to calculators: ",
      absl::StrJoin(fields, ", "), ".");
}

std::vector<absl::string_view> IgnoredSubgraphFields(
    const CalculatorGraphConfig::Node& node) {
  return FieldsThatAreSet(
      node, {"executor", "input_stream_handler", "max_in_flight"});
}

}  // namespace syncline
