#include "util/graph_builder_utils.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator.pb.h"

namespace syncline {
namespace {

template <typename Ports>
bool HasTag(const Ports& ports, absl::string_view tag) {
  return std::any_of(ports.begin(), ports.end(), [&](const std::string& port) {
    return absl::StartsWith(port, absl::StrCat(tag, ":"));
  });
}

}  // namespace

bool HasInput(const CalculatorGraphConfig::Node& node, absl::string_view tag) {
  return HasTag(node.input_stream(), tag);
}

bool HasSideInput(const CalculatorGraphConfig::Node& node,
                  absl::string_view tag) {
  return HasTag(node.input_side_packet(), tag);
}

bool HasOutput(const CalculatorGraphConfig::Node& node, absl::string_view tag) {
  return HasTag(node.output_stream(), tag);
}

bool HasSideOutput(const CalculatorGraphConfig::Node& node,
                   absl::string_view tag) {
  return HasTag(node.output_side_packet(), tag);
}

}  // namespace syncline
