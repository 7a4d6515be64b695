#include "framework/expansion/node_origin.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/graph_text/graph_positions.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

// Enough to see where a loop comes from.
constexpr int kMaxShownLevels = 8;

std::string FileAndPlace(const FilePosition& position) {
  if (position.line <= 0) return position.file;
  std::string result = absl::StrCat(position.file, ":", position.line);
  if (position.column > 0) absl::StrAppend(&result, ":", position.column);
  return result;
}

}  // namespace

OriginTable::OriginTable(std::shared_ptr<const GraphPositions> root_positions) {
  expansions_.push_back({.positions = std::move(root_positions)});
}

int OriginTable::AddExpansion(NodeOrigin outer, std::string name,
                              std::string type,
                              std::shared_ptr<const GraphPositions> positions) {
  const int depth = Depth(outer.expansion) + 1;
  expansions_.push_back({.outer = outer,
                         .name = std::move(name),
                         .type = std::move(type),
                         .positions = std::move(positions),
                         .depth = depth});
  return static_cast<int>(expansions_.size()) - 1;
}

std::string OriginTable::Place(NodeOrigin origin) const {
  const auto& positions = expansions_[origin.expansion].positions;
  if (positions == nullptr) return "";
  switch (origin.field) {
    case OriginField::kNode:
      return FileAndPlace(positions->Node(origin.index));
    case OriginField::kPacketGenerator:
      return FileAndPlace(positions->Field("packet_generator", origin.index));
    case OriginField::kStatusHandler:
      return FileAndPlace(positions->Field("status_handler", origin.index));
  }
  return "";
}

std::string OriginTable::NodeFieldPrefix(NodeOrigin origin,
                                         absl::string_view field,
                                         int index) const {
  const auto& positions = expansions_[0].positions;
  if (positions == nullptr || origin.field != OriginField::kNode) {
    return Prefix(origin);
  }
  return absl::StrCat(
      FileAndPlace(positions->NodeField(origin.index, field, index)), ": ");
}

std::string OriginTable::FieldPrefix(absl::string_view field, int index) const {
  const auto& positions = expansions_[0].positions;
  if (positions == nullptr) return "";
  return absl::StrCat(FileAndPlace(positions->Field(field, index)), ": ");
}

std::string OriginTable::Prefix(NodeOrigin origin) const {
  std::string position = Place(origin);
  if (!position.empty()) absl::StrAppend(&position, ": ");
  return position;
}

std::string OriginTable::Chain(NodeOrigin origin) const {
  std::vector<std::string> levels;
  for (int at = origin.expansion; at != 0;) {
    const Expansion& expansion = expansions_[at];
    if (static_cast<int>(levels.size()) == kMaxShownLevels) {
      levels.push_back(
          absl::StrCat("and ", expansion.depth, " more around them"));
      break;
    }
    std::string level = absl::StrCat("in subgraph ", Quoted(expansion.name),
                                     " (", expansion.type, ")");
    const std::string position = Place(expansion.outer);
    if (!position.empty()) absl::StrAppend(&level, " at ", position);
    levels.push_back(std::move(level));
    at = expansion.outer.expansion;
  }
  if (levels.empty()) return "";
  return absl::StrCat(" (", absl::StrJoin(levels, ", "), ")");
}

std::string OriginTable::Location(NodeOrigin origin) const {
  const std::string location = absl::StrCat(Place(origin), Chain(origin));
  return std::string(absl::StripPrefix(location, " "));
}

bool OriginTable::IsInside(int expansion, absl::string_view type) const {
  for (int at = expansion; at != 0; at = expansions_[at].outer.expansion) {
    if (expansions_[at].type == type) return true;
  }
  return false;
}

std::string OriginTable::TypeChain(int expansion,
                                   absl::string_view type) const {
  std::vector<std::string> types = {std::string(type)};
  int at = expansion;
  for (; at != 0 && static_cast<int>(types.size()) <= kMaxShownLevels;
       at = expansions_[at].outer.expansion) {
    types.push_back(expansions_[at].type);
  }
  if (at != 0) types.push_back("...");
  std::reverse(types.begin(), types.end());
  return absl::StrJoin(types, " > ");
}

}  // namespace syncline
