// See the header.
#include "framework/tool/name_util.h"

#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace tool {
namespace {

std::string FirstUnused(const HashSet<std::string>& used,
                        const std::string& base) {
  std::string name = base;
  for (int i = 2; used.contains(name); ++i) {
    name = absl::StrFormat("%s_%02d", base, i);
  }
  return name;
}

}  // namespace

std::string GetUnusedNodeName(const CalculatorGraphConfig& config,
                              const std::string& base) {
  HashSet<std::string> used;
  for (const CalculatorGraphConfig::Node& node : config.node()) {
    if (!node.name().empty()) used.insert(node.name());
  }
  return FirstUnused(used, base);
}

std::string GetUnusedSidePacketName(const CalculatorGraphConfig& config,
                                    const std::string& base) {
  HashSet<std::string> used;
  const auto note = [&used](const auto& ports) {
    for (const std::string& port : ports)
      used.insert(ParseNameFromStream(port));
  };
  note(config.input_side_packet());
  note(config.output_side_packet());
  for (const CalculatorGraphConfig::Node& node : config.node()) {
    note(node.input_side_packet());
    note(node.output_side_packet());
  }
  for (const PacketGeneratorConfig& generator : config.packet_generator()) {
    note(generator.input_side_packet());
    note(generator.output_side_packet());
  }
  return FirstUnused(used, base);
}

std::string CanonicalNodeName(const CalculatorGraphConfig& config,
                              int node_id) {
  return CanonicalNames(config.node())[node_id];
}

std::pair<std::string, int> ParseTagIndex(absl::string_view tag_index) {
  std::string tag;
  int index = -1;
  if (!ParseTagIndex(tag_index, &tag, &index).ok()) return {"", -1};
  return {tag, index};
}

}  // namespace tool
}  // namespace syncline
