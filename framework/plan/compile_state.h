// What the passes of one Compile call share while the plan is being made.
//
// A pass is a free function that takes the state, fills its own part and
// records errors. Nodes are numbered by their place in the config, which
// LowerLegacy and OrderNodes change; whatever refers to a node
// is kept in step by the pass that moves it. FinishPlan copies the drafts into
// the PlanTables at the end.
//
// Internal to this folder.
//
// Thread rule: belongs to one Compile call on one thread.
// Tested by compile_state_test.

#ifndef SYNCLINE_FRAMEWORK_PLAN_COMPILE_STATE_H_
#define SYNCLINE_FRAMEWORK_PLAN_COMPILE_STATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/node_origin.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/name_index.h"
#include "framework/plan/plan_tables.h"
#include "framework/plan/source_sets.h"

namespace syncline {

// Its stream is an id of the state, -1 if there is none, which was reported.
using InputDraft = PlanInput;

struct NodeDraft {
  NodeOrigin origin;
  // Null when the type is unknown.
  const CalculatorBaseFactory* factory = nullptr;
  // Made by ParsePorts; its types are filled by DescribeNodes. Fields with
  // malformed port names count as empty.
  std::unique_ptr<CalculatorContract> contract;
  // Port names and options make sense.
  bool well_formed = false;
  // Its ports are not in the places in which they were written.
  bool ports_moved = false;
  int executor = 0;
  absl::string_view input_stream_handler;  // of the tables
  const SynclineOptions* input_stream_handler_options = nullptr;
  absl::string_view output_stream_handler;     // the same
  const PlanConditions* conditions = nullptr;  // of the tables
  int source = -1;
  int source_set = SourceSets::kEmpty;

  // Without streams there is nothing to call a node for, unless it waits for
  // something else.
  bool is_source() const {
    return inputs.empty() && (!outputs.empty() || has_conditions());
  }
  bool has_conditions() const {
    return contract != nullptr && (contract->HasConditions() ||
                                   contract->node().condition_size() > 0 ||
                                   contract->node().any_of_size() > 0);
  }

  // GetContract succeeded and its types stand.
  bool described = false;

  absl::InlinedVector<InputDraft, 4> inputs;
  absl::InlinedVector<int, 4> outputs;  // stream ids
  absl::InlinedVector<int, 2> input_side_packets;
  absl::InlinedVector<int, 2> output_side_packets;
};

struct StreamDraft {
  absl::string_view name;  // in the layout of the producer
  PortRef producer;        // {-1, graph input} for a graph input
  const PacketType* type = nullptr;
  int source_set = SourceSets::kEmpty;
};

struct SidePacketDraft {
  absl::string_view name;  // in the layout of a node
  PortRef producer;        // {-1, -1}: the application
  const PacketType* type = nullptr;
};

// A condition of the producer waits for room in the queues behind its port.
struct WatchedRoom {
  PortRef producer;
  std::int64_t min_room = 0;
  std::string condition;  // for errors
};

struct CompileState : ExpandedGraph {
  // The config goes into the tables; the rest is changed where it is.
  explicit CompileState(ExpandedGraph graph);
  ~CompileState();

  CalculatorGraphConfig& config() { return tables->config; }
  const CalculatorGraphConfig& config() const { return tables->config; }
  const CalculatorGraphConfig::Node& node(int index) const {
    return tables->config.node(index);
  }

  // `node "name" (Type)`; see NodeLabel.
  std::string Label(int node) const;

  // Records `file:line: node "name" (Type): message (in subgraph ...)`. The
  // code of an error that is a text is INVALID_ARGUMENT.
  void NodeError(int node, const absl::Status& error);
  void NodeError(int node, absl::string_view message) {
    NodeError(node, absl::InvalidArgumentError(message));
  }
  void NodeWarning(int node, absl::string_view message);
  // The same for the stream `name` in the node's field `ports`, called `field`;
  // begins with the line of that port where it is known.
  void PortError(int node, absl::string_view field,
                 const google::protobuf::RepeatedPtrField<std::string>& ports,
                 absl::string_view name, const absl::Status& error);
  // The same for one element of a field of the graph, such as "executor".
  void FieldError(absl::string_view field, int index, absl::string_view message,
                  absl::StatusCode code = absl::StatusCode::kInvalidArgument);

  // ` Did you mean "a" or "b"?` for a name nobody knows, or nothing. Looks at
  // the first kMaxCandidates, and answers for the first few unknown names only,
  // so that a graph full of mistakes does not take long to reject.
  static constexpr size_t kMaxCandidates = 2000;
  std::string DidYouMean(absl::string_view name,
                         absl::Span<const std::string> candidates);
  // The names of the parts that have one; no more than a suggestion looks at.
  template <typename Parts>
  static std::vector<std::string> Candidates(const Parts& parts) {
    std::vector<std::string> names;
    for (const auto& part : parts) {
      if (names.size() == kMaxCandidates) break;
      if (!part.name.empty()) names.emplace_back(part.name);
    }
    return names;
  }
  // The same; where no name is near, ` Known are "a", "b" and 7 more.`
  std::string DidYouMeanOrKnown(absl::string_view name,
                                absl::Span<const std::string> candidates);

  const std::shared_ptr<PlanTables> tables;

  // One for each node of the config, in its order; made by LowerLegacy. Origins
  // of nodes are in here from then on.
  std::vector<NodeDraft> drafts;
  int generator_count = 0;
  // LowerNumThreads made the config of the default executor.
  bool made_default_executor = false;
  // OrderNodes moved nodes.
  bool reordered = false;

  std::vector<StreamDraft> streams;
  std::vector<SidePacketDraft> side_packets;
  NameIndex stream_ids;
  NameIndex side_packet_ids;

  // Found by CheckConditions.
  std::vector<WatchedRoom> watched_rooms;

 private:
  int suggestions_left_ = 20;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_COMPILE_STATE_H_
