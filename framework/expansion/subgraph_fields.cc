#include "framework/expansion/subgraph_fields.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

std::vector<absl::string_view> ForbiddenSubgraphFields(
    const CalculatorGraphConfig::Node& node) {
  std::vector<absl::string_view> fields;
  if (node.source_layer() != 0) fields.push_back("source_layer");
  if (node.buffer_size_hint() != 0) fields.push_back("buffer_size_hint");
  if (node.has_output_stream_handler()) {
    fields.push_back("output_stream_handler");
  }
  if (!node.input_stream_info().empty()) fields.push_back("input_stream_info");
  if (!node.condition().empty()) fields.push_back("condition");
  if (!node.any_of().empty()) fields.push_back("any_of");
  if (node.gxf_defaults()) fields.push_back("gxf_defaults");
  if (node.has_batch()) fields.push_back("batch");
  if (node.persistent()) fields.push_back("persistent");
  return fields;
}

std::string OnlyForCalculatorsText(
    const std::vector<absl::string_view>& fields) {
  return absl::StrCat(
      "the subgraph node has a field that is only applicable to calculators: ",
      absl::StrJoin(fields, ", "), ".");
}

std::vector<absl::string_view> IgnoredSubgraphFields(
    const CalculatorGraphConfig::Node& node) {
  std::vector<absl::string_view> fields;
  if (!node.executor().empty()) fields.push_back("executor");
  if (node.has_input_stream_handler()) {
    fields.push_back("input_stream_handler");
  }
  if (node.max_in_flight() != 0) fields.push_back("max_in_flight");
  return fields;
}

}  // namespace syncline
