// Where a node of the expanded config was written: its place in a file, and the
// chain of subgraph nodes it came out of.
//
// Nodes move while a config is expanded and sorted, so each carries a
// NodeOrigin of two numbers; the table here turns it into words when an error
// needs them.
//
// Thread rule: for one thread.
// Tested by node_origin_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_NODE_ORIGIN_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_NODE_ORIGIN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/graph_text/graph_positions.h"

namespace syncline {

// The field of a config that something stands in.
enum class OriginField { kNode, kPacketGenerator, kStatusHandler };

struct NodeOrigin {
  // Which expansion; 0 is the graph itself.
  int expansion = 0;
  // Place in the field of that config, as it was given.
  int index = 0;
  OriginField field = OriginField::kNode;
};

class OriginTable {
 public:
  // Expansion 0 has these positions; null when they are not known.
  explicit OriginTable(
      std::shared_ptr<const GraphPositions> root_positions = nullptr);

  // One more expansion: of the subgraph node at `outer`, with its canonical
  // name and type. Returns its id.
  int AddExpansion(NodeOrigin outer, std::string name, std::string type,
                   std::shared_ptr<const GraphPositions> positions);

  // `file:12: `, or nothing when unknown.
  std::string Prefix(NodeOrigin origin) const;

  // ` (in subgraph "a" (TypeA) at file:3, in subgraph ...)`, innermost first;
  // nothing for a node of the graph itself.
  std::string Chain(NodeOrigin origin) const;

  // The same for element `index` of a field of a node, such as "input_stream".
  // REQUIRES: the node is of the graph itself.
  std::string NodeFieldPrefix(NodeOrigin origin, absl::string_view field,
                              int index) const;

  // `file:12: ` for an element of a field of the graph itself, such as
  // "executor"; nothing when unknown.
  std::string FieldPrefix(absl::string_view field, int index) const;

  // Prefix and Chain together, for the plan: `file:12 (in subgraph ...)`.
  std::string Location(NodeOrigin origin) const;

  // `file:12`, or nothing when unknown.
  std::string Place(NodeOrigin origin) const;

  // Ids of expansions are below this.
  int num_expansions() const { return static_cast<int>(expansions_.size()); }
  // The subgraph node that became this expansion, which is not 0: where it
  // stands, its canonical name and its type.
  NodeOrigin Outer(int expansion) const { return expansions_[expansion].outer; }
  const std::string& Name(int expansion) const {
    return expansions_[expansion].name;
  }
  const std::string& Type(int expansion) const {
    return expansions_[expansion].type;
  }

  // How many subgraphs deep an expansion is; 0 for the graph itself.
  int Depth(int expansion) const { return expansions_[expansion].depth; }

  // True if `type` is the type of the expansion or of one around it.
  bool IsInside(int expansion, absl::string_view type) const;

  // `TypeA > TypeB > TypeA`: the types from the graph down to this expansion,
  // then `type`. Only the innermost ones when there are many.
  std::string TypeChain(int expansion, absl::string_view type) const;

 private:
  struct Expansion {
    NodeOrigin outer;
    std::string name;
    std::string type;
    std::shared_ptr<const GraphPositions> positions;
    int depth = 0;
  };

  std::vector<Expansion> expansions_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_NODE_ORIGIN_H_
