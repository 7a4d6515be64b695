// The result of compiling a graph: an immutable value with dense ids.
//
// A GraphPlan that exists is valid: every name is resolved, every type agrees,
// the nodes are in an order in which each one follows its producers (back edges
// apart). A run needs no name and no search: who reads an output is
//
//   for (const PortRef& reader : plan.streams()[node.outputs[port]].consumers)
//
// Ids are positions: node id = place in nodes() and in Config().node(), stream
// id = place in streams(), and so on; -1 means "none". Ports are flat positions
// in PortLayout order, which is sorted by tag and not the order in the config.
//
// Streams of the graph's inputs come first, then the outputs of node 0, 1, ...
//
// Thread rule: a GraphPlan never changes after Compile. Copies share one set of
// tables and cost a reference count; spans and pointers live as long as any
// copy does.
//
// Tested by graph_plan_test, compile_test and the test of each pass.

#ifndef SYNCLINE_FRAMEWORK_PLAN_GRAPH_PLAN_H_
#define SYNCLINE_FRAMEWORK_PLAN_GRAPH_PLAN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/legacy/status_handler.h"
#include "framework/calculator/service.h"
#include "framework/component/node_config.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// A port of a node: `port` is the flat position among the node's inputs or
// outputs, whichever the context says.
struct PortRef {
  int node = -1;
  int port = -1;

  friend bool operator==(const PortRef&, const PortRef&) = default;
};

// One input port of a node.
struct PlanInput {
  int stream = -1;
  // The stream comes from a later node of a loop: it does not delay Open.
  bool back_edge = false;
  // idle_after: the port of the other stream, and by how much that one has to
  // be ahead; -1 without.
  int idle_after_port = -1;
  std::int64_t idle_gap = 0;
  // Packets that may wait; 0: as the graph says. With a policy other than BLOCK
  // it is positive, and holds nobody back.
  int max_queue_size = 0;
  InputStreamInfo::QueuePolicy queue_policy = InputStreamInfo::BLOCK;
  // The times of packets are kept; see packet_times.h.
  bool message_times = false;
  // What the port accepts. Resolved: where the contract says Any or "same as",
  // this says what the graph made of it. Never null.
  const PacketType* type = nullptr;
};

// One output port of a node.
struct PlanOutput {
  int stream = -1;
  // What the port may send, resolved. Never null.
  const PacketType* type = nullptr;
};

// One condition of a node.
struct PlanCondition {
  std::string name;
  // Registered, with its namespace.
  std::string type;
  const SynclineOptions* options = nullptr;  // never null
};

// Conditions and groups that are combined: positions in PlanConditions.
struct PlanConditionGroup {
  // Ready when one member is, and not only when all are.
  bool is_any = false;
  std::vector<int> conditions;
  std::vector<int> groups;
};

// What a node waits for besides its inputs.
struct PlanConditions {
  std::vector<PlanCondition> conditions;
  // The first is that of the node: all of it.
  std::vector<PlanConditionGroup> groups;
};

// How a node relates to sources.
struct PlanSourcesOfNode {
  // The layer of the node: sources of a lower layer end before it is called.
  int layer = 0;
  // Position in sources(), for a source; -1 for another node.
  int position = -1;
  // Id of the set of sources that can feed this node; see
  // GraphPlan::ForEachSource. A source's own set is itself.
  int set = 0;
};

// Registered names, resolved by priority: node, graph, contract, default.
struct PlanHandlers {
  absl::string_view input;
  const SynclineOptions* input_options = nullptr;
  absl::string_view output;
};

// Input sets for one call: how many at most, and how long the first waits for
// the others; 0: as long as it takes.
struct PlanBatch {
  int max_size = 1;
  std::int64_t max_delay_ns = 0;
};

// What a node does with timestamp bounds.
struct PlanBounds {
  // Process is called for them.
  bool are_processed = false;
  // TimestampDiff::Unset() when the node promises no offset.
  TimestampDiff offset = TimestampDiff::Unset();
};

struct PlanNode {
  int id = -1;

  // Canonical: the configured name or the type, made unique with "_1", "_2".
  // That of the contract.
  absl::string_view name;
  // The calculator type as the config writes it.
  absl::string_view type;

  // The node as it stands in Config(). Error texts call a node by
  // NodeLabel(config()), see node_names.h.
  const CalculatorGraphConfig::Node& config() const { return **kept_config; }
  // Never null.
  const NodeConfig* kept_config = nullptr;
  // Makes instances. Shared by all nodes of one type. Never null.
  const CalculatorBaseFactory* factory = nullptr;
  // Types, port layouts, options and promises. Never null.
  const CalculatorContract* contract = nullptr;

  absl::Span<const PlanInput> inputs;
  absl::Span<const PlanOutput> outputs;
  // Side packet id by port. An optional input that nobody provides is still a
  // side packet of the plan, with `required` false.
  absl::Span<const int> input_side_packets;
  absl::Span<const int> output_side_packets;

  // No input stream, and an output stream or a condition. A node with neither
  // is not a source: it is opened and closed, and never processed.
  bool is_source = false;
  bool has_streams = false;
  PlanSourcesOfNode sources;

  // The calculator object stays for all runs of the graph.
  bool is_persistent = false;

  // At least 1.
  int max_in_flight = 1;
  int executor = 0;

  // Null if it has none.
  const PlanConditions* conditions = nullptr;
  PlanBatch batch;
  PlanHandlers handlers;
  PlanBounds bounds;
};

struct PlanStream {
  int id = -1;
  absl::string_view name;
  // {node, output port}; for a graph input {-1, position in graph_inputs()}.
  PortRef producer;
  // Input ports that read the stream, by ascending node, then port.
  absl::Span<const PortRef> consumers;
  // The resolved type of the producer. Never null.
  const PacketType* type = nullptr;
  // Sources that can feed the stream; see GraphPlan::ForEachSource.
  int source_set = 0;
};

struct PlanSidePacket {
  int id = -1;
  std::string name;
  // {node, output side packet port}, or {-1, -1}: the application provides it.
  PortRef producer;
  // Input side packet ports of nodes, by ascending node, then port.
  absl::Span<const PortRef> consumers;
  // What is agreed on: of the producer, or of the first consumer that says.
  const PacketType* type = nullptr;
  // No producer, and at least one consumer that does not mark it Optional.
  bool required = false;
};

// What a queue limit holds back: a source node or a graph input.
struct PlanSource {
  int node = -1;         // -1 for a graph input
  int graph_input = -1;  // -1 for a node
};

struct PlanGraphInput {
  std::string tag;
  int index = 0;
  std::string name;
  int stream = -1;
  int source = -1;
  // What happens to packets whose timestamps go back.
  GraphInputInfo::BadTimestamps bad_timestamps = GraphInputInfo::ERROR;
  // For REORDER.
  std::int64_t reorder_window = 0;
  int max_held_packets = 0;
};

struct PlanGraphOutput {
  std::string tag;
  int index = 0;
  std::string name;
  // -1 when no node produces the stream, which a warning says.
  int stream = -1;
};

enum class ExecutorKind {
  // The framework's thread pool.
  kThreadPool,
  // Tasks run on the caller's thread inside waiting calls. Default executor
  // only.
  kApplicationThread,
  // A registered type, made from its options.
  kRegistered,
  // No type: the application gives it with CalculatorGraph::SetExecutor.
  kFromApplication,
};

struct PlanExecutor {
  int id = -1;
  // "" for the default executor, which is always id 0.
  std::string name;
  std::string type;
  ExecutorKind kind = ExecutorKind::kThreadPool;
  // For kThreadPool. 0: min(cores, useful_threads).
  int num_threads = 0;
  int useful_threads = 1;
  // Options as configured. Never null.
  const SynclineOptions* options = nullptr;
  // `file:12: ` of its config; empty when unknown.
  std::string location;
};

// What runs the calls, in words: "thread pool, 4 threads".
std::string ExecutorText(const PlanExecutor& executor);

// A legacy status handler: called before and after each run, in config order.
struct PlanStatusHandler {
  std::string type;
  const StatusHandlerConfig* config = nullptr;
  const StaticStatusHandler* handler = nullptr;
  // Types and layout of its input side packets. Never null.
  const PacketTypeSet* input_side_packet_types = nullptr;
  absl::Span<const int> input_side_packets;
};

// A service that some node asked for in its contract.
struct PlanService {
  std::string key;
  // As the first node that asked has it. Never null.
  const GraphServiceRequest* request = nullptr;
  // False when every request is optional.
  bool required = false;
  // Ids of the nodes that asked, ascending.
  std::vector<int> nodes;
};

// A node of the config that named a subgraph, and became the nodes in it.
struct PlanSubgraph {
  // Canonical, and the registered type.
  std::string name;
  std::string type;
  // "file:line"; empty when unknown.
  std::string place;
  // Position in Subgraphs() of the one around it, which comes before; -1: it
  // stands in the graph itself.
  int parent = -1;
};

struct PlanSettings {
  // Limit of every input queue in packets; -1 for none.
  int max_queue_size = 100;
  // The same in bytes; -1 for none.
  std::int64_t max_queue_bytes = -1;
  // How far the limit in packets may be raised.
  int max_queue_size_ceiling = 1000;
  // The same in bytes; 0 for ten times each limit.
  std::int64_t max_queue_bytes_ceiling = 0;
  // The length from which a queue is warned of that has no limit, or is over
  // it; 0 for none.
  int queue_warning_size = 10000;
  // The length at which a queue ends the run; 0 for none.
  int queue_error_size = 0;
  // Bytes of all queues at which the run ends: as the graph says, 0 where it
  // leaves that to the machine, -1 for none.
  std::int64_t max_memory_bytes = 0;
  bool report_deadlock = false;
  // How long a run lasts on the graph's clock; -1 for as long as it takes.
  std::int64_t max_duration_ns = -1;
  // Nodes that wait for conditions which nothing can change any more do not
  // keep the run going, once that has lasted so long in real time; -1 for ever.
  bool stop_on_deadlock = true;
  std::int64_t deadlock_timeout_ns = 0;
  // What is not deterministic is refused before the graph runs.
  bool deterministic = false;
  // As the graph says, if it does.
  absl::optional<bool> check_device_access;
};

// The tables behind a plan; see plan_tables.h.
struct PlanTables;

class GraphPlan {
 public:
  // Wraps finished tables. Only Compile makes them.
  explicit GraphPlan(std::shared_ptr<const PlanTables> tables);

  absl::Span<const PlanNode> nodes() const;
  absl::Span<const PlanStream> streams() const;
  absl::Span<const PlanSidePacket> side_packets() const;
  absl::Span<const PlanExecutor> executors() const;
  // Graph inputs first, then source nodes by id.
  absl::Span<const PlanSource> sources() const;
  absl::Span<const PlanGraphInput> graph_inputs() const;
  absl::Span<const PlanGraphOutput> graph_outputs() const;
  absl::Span<const PlanStatusHandler> status_handlers() const;
  absl::Span<const PlanService> services() const;
  const PlanSettings& settings() const;
  // What is legal but looks like a mistake; each names its node or stream.
  absl::Span<const std::string> warnings() const;

  // Ids by name; -1 when there is none. Nodes by canonical name. Constant time.
  int FindNode(absl::string_view name) const;
  int FindStream(absl::string_view name) const;
  int FindSidePacket(absl::string_view name) const;
  // Position in graph_inputs().
  int FindGraphInput(absl::string_view name) const;

  // Where a node was written: "file:line" and the chain of subgraphs around it;
  // empty when unknown.
  std::string Location(int node) const;

  // The same without the chain: "file:line".
  std::string Place(int node) const;
  // All subgraphs that were expanded, also such without nodes. Made when asked
  // for.
  std::vector<PlanSubgraph> Subgraphs() const;
  // Position in Subgraphs() of the innermost one around the node; -1: none.
  int SubgraphOf(int node) const;

  // Calls `visit` once for each member of a source set, with its position in
  // sources(), in ascending order. Time linear in the size of the set (for
  // graphs of ordinary size; see source_sets.h).
  void ForEachSource(int source_set, absl::FunctionRef<void(int)> visit) const;

  // Checks the side packets that the application gives for a run: each has the
  // right type, no node produces it, and, if `complete`, no required one is
  // missing. INVALID_ARGUMENT names the side packet and its readers.
  absl::Status CheckSidePackets(
      const std::map<std::string, Packet>& side_packets,
      bool complete = true) const;

  // The canonical config: subgraphs expanded, legacy parts lowered, nodes in id
  // order. Compiling it again gives the same plan.
  // That takes a while and memory for graphs of very many nodes, when it is
  // asked for the first time.
  const CalculatorGraphConfig& Config() const;
  // The same without the nodes.
  const CalculatorGraphConfig& GraphFields() const;

  // The printed plan: nodes, streams with producer, readers and types, side
  // packets, executors, layers. For people; its form may change.
  std::string DebugString() const;

 private:
  std::shared_ptr<const PlanTables> tables_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PLAN_GRAPH_PLAN_H_
