#include "framework/graph_text/graph_positions.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;

// -1 for a name that is no field.
int FieldNumber(const pb::Descriptor& type, absl::string_view field) {
  const pb::FieldDescriptor* found = type.FindFieldByName(std::string(field));
  return found == nullptr ? -1 : found->number();
}

}  // namespace

GraphPositions::GraphPositions(absl::string_view file,
                               const CalculatorGraphConfig& config,
                               const Tree& locations)
    : file_(file.empty() ? "<text>" : file) {
  Add(-1, config, locations);
  const pb::FieldDescriptor* node_field =
      CalculatorGraphConfig::descriptor()->FindFieldByNumber(
          CalculatorGraphConfig::kNodeFieldNumber);
  for (int i = 0; i < config.node_size(); ++i) {
    const Tree* node = locations.GetTreeForNested(node_field, i);
    if (node != nullptr) Add(i, config.node(i), *node);
  }
}

GraphPositions::GraphPositions(absl::string_view file,
                               const std::vector<Place>& nodes)
    : file_(file.empty() ? "<text>" : file) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    entries_.push_back({-1, CalculatorGraphConfig::kNodeFieldNumber,
                        static_cast<int>(i), nodes[i].line, nodes[i].column});
  }
}

void GraphPositions::Add(int node, const pb::Message& message,
                         const Tree& locations) {
  std::vector<const pb::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    if (!field->is_repeated()) {
      const int line = locations.GetLocation(field, -1).line;
      if (line >= 0) entries_.push_back({node, field->number(), 0, line + 1});
      continue;
    }
    const int size = message.GetReflection()->FieldSize(message, field);
    // A list in brackets has one place for all its elements: then only the
    // first place is certain.
    const bool one_each = locations.GetLocation(field, size - 1).line >= 0;
    for (int i = 0; i < (one_each ? size : 1); ++i) {
      const int line = locations.GetLocation(field, i).line;
      if (line >= 0) entries_.push_back({node, field->number(), i, line + 1});
    }
  }
}

FilePosition GraphPositions::Find(int node, int field, int index) const {
  const auto key = std::make_tuple(node, field, index);
  // The last entry at or before the key: the element itself, or the first one
  // of a list in brackets.
  const auto after = std::upper_bound(
      entries_.begin(), entries_.end(), key,
      [](const auto& wanted, const Entry& entry) {
        return wanted < std::make_tuple(entry.node, entry.field, entry.index);
      });
  if (after == entries_.begin()) return {file_};
  const Entry& entry = *(after - 1);
  if (entry.node != node || entry.field != field) return {file_};
  return {file_, entry.line, entry.column};
}

FilePosition GraphPositions::Node(int i) const {
  return Find(-1, CalculatorGraphConfig::kNodeFieldNumber, i);
}

FilePosition GraphPositions::NodeField(int i, absl::string_view field,
                                       int j) const {
  if (i < 0) return Node(i);
  const FilePosition found = Find(
      i, FieldNumber(*CalculatorGraphConfig::Node::descriptor(), field), j);
  return found.line > 0 ? found : Node(i);
}

FilePosition GraphPositions::Field(absl::string_view field, int j) const {
  return Find(-1, FieldNumber(*CalculatorGraphConfig::descriptor(), field), j);
}

}  // namespace syncline
