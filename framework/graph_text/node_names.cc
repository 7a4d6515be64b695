#include "framework/graph_text/node_names.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace {

using StringList = google::protobuf::RepeatedPtrField<std::string>;

// Error texts stay readable whatever a name contains.
constexpr size_t kMaxShownName = 200;
constexpr int kMaxShownStreams = 8;

std::string Readable(absl::string_view name) {
  if (name.size() <= kMaxShownName) return absl::Utf8SafeCHexEscape(name);
  return absl::StrCat(absl::Utf8SafeCHexEscape(name.substr(0, kMaxShownName)),
                      "...");
}

// `input stream: a`, `input streams: <a,b>`, or nothing.
void DescribeStreams(absl::string_view kind, const StringList& streams,
                     std::vector<std::string>* parts) {
  if (streams.empty()) return;
  if (streams.size() == 1) {
    parts->push_back(absl::StrCat(kind, ": ", Readable(streams[0])));
    return;
  }
  std::vector<std::string> shown;
  for (const std::string& stream : streams) {
    if (shown.size() == kMaxShownStreams) {
      shown.push_back("...");
      break;
    }
    shown.push_back(Readable(stream));
  }
  parts->push_back(absl::StrCat(kind, "s: <", absl::StrJoin(shown, ","), ">"));
}

}  // namespace

const std::string& BaseName(const CalculatorGraphConfig::Node& node) {
  static const auto& fused = *new std::string(kFusedNodeType);
  // One that is not lowered yet has no calculator.
  if (node.name().empty() && node.calculator().empty() &&
      !node.fused_node().empty()) {
    return fused;
  }
  return node.name().empty() ? node.calculator() : node.name();
}

std::vector<std::string> NumberedNames(
    const std::vector<absl::string_view>& bases,
    const HashMap<absl::string_view, int>& earlier) {
  struct Tally {
    int total = 0;
    int given = 0;
  };
  HashMap<absl::string_view, Tally> tallies;
  tallies.reserve(bases.size());
  for (const absl::string_view base : bases) ++tallies[base].total;
  for (auto& [base, tally] : tallies) {
    const auto found = earlier.find(base);
    if (found == earlier.end()) continue;
    tally.given = found->second;
    tally.total += tally.given;
  }
  std::vector<std::string> names;
  names.reserve(bases.size());
  for (const absl::string_view base : bases) {
    Tally& tally = tallies[base];
    names.push_back(tally.total == 1 ? std::string(base)
                                     : absl::StrCat(base, "_", ++tally.given));
  }
  return names;
}

std::vector<std::string> CanonicalNames(const NodeList& nodes) {
  std::vector<absl::string_view> bases;
  bases.reserve(nodes.size());
  for (const auto& node : nodes) bases.push_back(BaseName(node));
  return NumberedNames(bases, {});
}

bool HasNoMessages(const CalculatorGraphConfig::Node& node) {
  return !node.has_options() && node.node_options().empty() &&
         !node.has_input_stream_handler() &&
         !node.has_output_stream_handler() &&
         node.input_stream_info().empty() && node.condition().empty() &&
         node.any_of().empty() && !node.has_batch() &&
         node.fused_node().empty();
}

std::string DebugName(const CalculatorGraphConfig::Node& node) {
  if (!node.name().empty()) return Readable(node.name());
  std::vector<std::string> parts;
  DescribeStreams("input stream", node.input_stream(), &parts);
  DescribeStreams("output stream", node.output_stream(), &parts);
  if (parts.empty()) return absl::StrCat("[", Readable(node.calculator()), "]");
  return absl::StrCat("[", Readable(node.calculator()), ", ",
                      absl::StrJoin(parts, ", and "), "]");
}

std::string NodeLabel(const CalculatorGraphConfig::Node& node) {
  if (node.name().empty()) return absl::StrCat("node ", DebugName(node));
  return absl::StrCat("node ", Quoted(node.name()), " (",
                      Readable(node.calculator()), ")");
}

std::string Quoted(absl::string_view name) {
  return absl::StrCat("\"", Readable(name), "\"");
}

}  // namespace syncline
