// GraphDraft: what is known of a graph that may not compile, for those who show
// it: its nodes after expansion, the subgraphs around them, what is connected
// to what, the contracts of the calculators that the program has, and the
// errors of Compile, each at its place.
//
//   const GraphDraft draft = DraftGraph(std::move(source));
//   for (const DraftNode& node : draft.nodes) ...
//
// A type that nobody has registered is no error here: its node has ports and no
// contract. Nothing in a draft can be relied on as in a GraphPlan: ids may be
// -1, types null, and names may come twice.
//
// Thread rule: DraftGraph is a pure function, as Compile is; a draft is a
// value, whose copies share what its pointers point to.
// Tested by graph_draft_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_GRAPH_DRAFT_H_
#define SYNCLINE_FRAMEWORK_PLAN_GRAPH_DRAFT_H_

#include <memory>
#include <string>
#include <vector>

#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"  // IWYU pragma: export
#include "framework/graph_text/graph_source.h"
#include "framework/packet/packet_type.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

struct DraftNode {
  // Never null.
  const CalculatorGraphConfig::Node* config = nullptr;
  // Never null. Its name and the layouts of its ports stand; all else only if
  // `is_described`.
  const CalculatorContract* contract = nullptr;
  // The type of the calculator is registered.
  bool is_known = false;
  bool is_described = false;
  // "file:line"; empty when unknown.
  std::string place;
  // Position in GraphDraft::subgraphs; -1: none.
  int subgraph = -1;
  int executor = 0;
  bool is_source = false;
  // Null if it has none, or they are wrong.
  const PlanConditions* conditions = nullptr;
  // By port. A stream of -1 is an error, and the type is null where it is not
  // known.
  std::vector<PlanInput> inputs;
  // Ids of streams and of side packets, by port.
  std::vector<int> outputs;
  std::vector<int> input_side_packets;
  std::vector<int> output_side_packets;
};

// A stream or a side packet.
struct DraftStream {
  std::string name;
  // {node, port}; for a graph input {-1, position}; {-1, -1}: the application.
  PortRef producer;
  // Null where it is not known.
  const PacketType* type = nullptr;
};

struct DraftError {
  // As Compile has it, with its place.
  std::string text;
  // Position in GraphDraft::nodes; -1: the graph itself.
  int node = -1;
};

struct GraphDraft {
  std::vector<DraftNode> nodes;
  std::vector<PlanSubgraph> subgraphs;
  std::vector<DraftStream> streams;
  std::vector<DraftStream> side_packets;
  std::vector<PlanExecutor> executors;
  std::vector<PlanGraphOutput> graph_outputs;
  // In the order in which Compile finds them; at most GraphErrors::kMaxKept.
  std::vector<DraftError> errors;
  // Of all errors, also of those that are not kept.
  int num_errors = 0;
  std::vector<std::string> warnings;
  // The graph without its nodes. Never null.
  const CalculatorGraphConfig* config = nullptr;

  // What the pointers point to.
  std::shared_ptr<const void> owner;
};

GraphDraft DraftGraph(GraphSource source, const CompileOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_GRAPH_DRAFT_H_
