// The printed plan, as `run_graph --check` shows it: nodes with their ports,
// streams with producer, readers and type, side packets, executors and source
// layers, a line each.
//
// Tested by plan_text_test.

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/packet_type.h"
#include "framework/plan/graph_plan.h"

namespace syncline {
namespace {

// Sets of sources and of nodes are cut after this many.
constexpr size_t kMaxShown = 16;

std::string Join(const std::vector<std::string>& words) {
  if (words.size() <= kMaxShown) return absl::StrJoin(words, ", ");
  const auto shown = absl::MakeConstSpan(words).subspan(0, kMaxShown);
  return absl::StrCat(absl::StrJoin(shown, ", "), ", and ",
                      words.size() - kMaxShown, " more");
}

// `IN:0`, or `0` for a port without a tag.
std::string PortText(const PortLayout& layout, size_t port) {
  const auto [tag, index] = layout.TagAndIndex(static_cast<int>(port));
  return tag.empty() ? absl::StrCat(index) : absl::StrCat(tag, ":", index);
}

// `1 node`, `2 nodes`.
std::string Count(size_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// What input_stream_info says of the queue.
std::string QueueText(const PlanInput& input) {
  if (input.max_queue_size == 0) return "";
  if (input.queue_policy == InputStreamInfo::BLOCK) {
    return absl::StrCat(", queue limit ", input.max_queue_size, " packets");
  }
  return absl::StrCat(", at most ", input.max_queue_size, " packets, then ",
                      InputStreamInfo::QueuePolicy_Name(input.queue_policy));
}

class Printer {
 public:
  explicit Printer(const GraphPlan& plan) : plan_(plan) {}

  std::string Print() {
    Summary();
    GraphPorts();
    Nodes();
    Streams();
    SidePackets();
    Executors();
    SourceLayers();
    Others();
    return std::move(text_);
  }

 private:
  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&text_, parts..., "\n");
  }

  // `node 3 "name"`.
  std::string NodeText(int id) const {
    return absl::StrCat("node ", id, " ", Quoted(plan_.nodes()[id].name));
  }
  std::string ReadersText(absl::Span<const PortRef> readers,
                          bool side_packets) const;
  std::string SourceText(int source) const;

  void Summary();
  void GraphPorts();
  void Nodes();
  void Node(const PlanNode& node);
  void Sources(int source_set);
  void Streams();
  void SidePackets();
  void Executors();
  void SourceLayers();
  void Others();

  const GraphPlan& plan_;
  std::string text_;
  // Source sets may be as large as the graph for each node of it: after so many
  // members they are left out.
  int sources_left_ = 1000000;
};

std::string Printer::ReadersText(absl::Span<const PortRef> readers,
                                 bool side_packets) const {
  if (readers.empty()) return "nobody";
  std::vector<std::string> words;
  for (const PortRef& reader : readers) {
    const CalculatorContract& contract = *plan_.nodes()[reader.node].contract;
    const PacketTypeSet& types =
        side_packets ? contract.InputSidePackets() : contract.Inputs();
    words.push_back(absl::StrCat(NodeText(reader.node), " ",
                                 PortText(types.layout(), reader.port)));
  }
  return Join(words);
}

std::string Printer::SourceText(int source) const {
  const PlanSource& at = plan_.sources()[source];
  if (at.node >= 0) return NodeText(at.node);
  return absl::StrCat("graph input ",
                      Quoted(plan_.graph_inputs()[at.graph_input].name));
}

void Printer::Summary() {
  Line("plan: ", Count(plan_.nodes().size(), "node"), ", ",
       Count(plan_.streams().size(), "stream"), ", ",
       Count(plan_.side_packets().size(), "side packet"), ", ",
       Count(plan_.executors().size(), "executor"));
  const int queue = plan_.settings().max_queue_size;
  const std::int64_t bytes = plan_.settings().max_queue_bytes;
  Line("queue limit: ", queue < 0 ? "none" : Count(queue, "packet"),
       bytes < 0 ? "" : absl::StrCat(", ", bytes, " bytes"),
       plan_.settings().report_deadlock ? ", deadlocks are errors" : "");
}

void Printer::GraphPorts() {
  if (!plan_.graph_inputs().empty()) Line("graph inputs:");
  for (const PlanGraphInput& input : plan_.graph_inputs()) {
    Line("  ", input.tag, ":", input.index, " ", Quoted(input.name));
  }
  if (!plan_.graph_outputs().empty()) Line("graph outputs:");
  for (const PlanGraphOutput& output : plan_.graph_outputs()) {
    Line("  ", output.tag, ":", output.index, " ", Quoted(output.name),
         output.stream < 0 ? " (nobody produces it)" : "");
  }
}

void Printer::Nodes() {
  if (!plan_.nodes().empty()) Line("nodes:");
  for (const PlanNode& node : plan_.nodes()) Node(node);
}

void Printer::Node(const PlanNode& node) {
  const std::string location = plan_.Location(node.id);
  Line("  ", node.id, " ", Quoted(node.name), " (", node.type, ")",
       node.is_source ? ", source" : "", location.empty() ? "" : ", from ",
       location);
  const CalculatorContract& contract = *node.contract;
  for (size_t port = 0; port < node.inputs.size(); ++port) {
    const PlanInput& input = node.inputs[port];
    Line("      in ", PortText(contract.Inputs().layout(), port), " <- ",
         Quoted(plan_.streams()[input.stream].name), ", ",
         input.type->DebugTypeName(), input.back_edge ? ", back edge" : "",
         QueueText(input), input.message_times ? ", message times" : "");
  }
  for (size_t port = 0; port < node.outputs.size(); ++port) {
    const PlanOutput& output = node.outputs[port];
    Line("      out ", PortText(contract.Outputs().layout(), port), " -> ",
         Quoted(plan_.streams()[output.stream].name), ", ",
         output.type->DebugTypeName());
  }
  std::vector<std::string> facts;
  if (node.handlers.input != "DefaultInputStreamHandler" &&
      !node.inputs.empty()) {
    facts.emplace_back(node.handlers.input);
  }
  if (!node.config().fused_node().empty()) {
    facts.push_back(absl::StrCat(
        "fused ", Join(CanonicalNames(node.config().fused_node()))));
  }
  if (node.is_persistent) facts.push_back("persistent");
  if (node.max_in_flight > 1) {
    facts.push_back(absl::StrCat(node.max_in_flight, " in flight"));
  }
  if (node.bounds.are_processed) facts.push_back("processes bounds");
  if (node.bounds.offset != TimestampDiff::Unset()) {
    facts.push_back(
        absl::StrCat("timestamp offset ", node.bounds.offset.Value()));
  }
  if (node.executor != 0) {
    facts.push_back(absl::StrCat(
        "executor ", Quoted(plan_.executors()[node.executor].name)));
  }
  if (!facts.empty()) Line("      ", absl::StrJoin(facts, ", "));
  if (!node.is_source) Sources(node.sources.set);
}

void Printer::Sources(int source_set) {
  if (sources_left_ <= 0) return;
  std::vector<std::string> sources;
  plan_.ForEachSource(source_set, [&](int source) {
    --sources_left_;
    sources.push_back(sources.size() < kMaxShown ? SourceText(source) : "");
  });
  if (!sources.empty()) Line("      fed by ", Join(sources));
}

void Printer::Streams() {
  if (!plan_.streams().empty()) Line("streams:");
  for (const PlanStream& stream : plan_.streams()) {
    const PortRef& from = stream.producer;
    const std::string producer =
        from.node < 0
            ? std::string("graph input")
            : absl::StrCat(
                  NodeText(from.node), " ",
                  PortText(
                      plan_.nodes()[from.node].contract->Outputs().layout(),
                      from.port));
    Line("  ", stream.id, " ", Quoted(stream.name), ": ", producer, " -> ",
         ReadersText(stream.consumers, false), "; ",
         stream.type->DebugTypeName());
  }
}

void Printer::SidePackets() {
  if (!plan_.side_packets().empty()) Line("side packets:");
  for (const PlanSidePacket& side_packet : plan_.side_packets()) {
    const std::string producer =
        side_packet.producer.node >= 0 ? NodeText(side_packet.producer.node)
        : side_packet.required         ? std::string("application, required")
                                       : std::string("application, optional");
    Line("  ", side_packet.id, " ", Quoted(side_packet.name), ": ", producer,
         " -> ", ReadersText(side_packet.consumers, true), "; ",
         side_packet.type->DebugTypeName());
  }
}

void Printer::Executors() {
  std::vector<size_t> nodes(plan_.executors().size(), 0);
  for (const PlanNode& node : plan_.nodes()) ++nodes[node.executor];
  Line("executors:");
  for (const PlanExecutor& executor : plan_.executors()) {
    Line("  ", executor.id, " ",
         executor.name.empty() ? "default" : Quoted(executor.name), ": ",
         ExecutorText(executor), "; ", Count(nodes[executor.id], "node"));
  }
}

void Printer::SourceLayers() {
  std::map<int, std::vector<std::string>> layers;
  for (const PlanSource& source : plan_.sources()) {
    if (source.node < 0) continue;
    layers[plan_.nodes()[source.node].sources.layer].push_back(
        NodeText(source.node));
  }
  if (!layers.empty()) Line("source layers:");
  for (const auto& [layer, nodes] : layers) {
    Line("  ", layer, ": ", Join(nodes));
  }
}

void Printer::Others() {
  if (!plan_.services().empty()) Line("services:");
  for (const PlanService& service : plan_.services()) {
    Line("  ", Quoted(service.key), service.required ? ", required" : "", "; ",
         Count(service.nodes.size(), "node"));
  }
  if (!plan_.status_handlers().empty()) Line("status handlers:");
  for (const PlanStatusHandler& handler : plan_.status_handlers()) {
    Line("  ", handler.type);
  }
  if (!plan_.warnings().empty()) Line("warnings:");
  for (const std::string& warning : plan_.warnings()) Line("  ", warning);
}

}  // namespace

std::string ExecutorText(const PlanExecutor& executor) {
  switch (executor.kind) {
    case ExecutorKind::kThreadPool:
      if (executor.num_threads > 0) {
        return absl::StrCat("thread pool, ",
                            Count(executor.num_threads, "thread"));
      }
      return absl::StrCat("thread pool, a thread for each core, at most ",
                          executor.useful_threads);
    case ExecutorKind::kApplicationThread:
      return "the application's thread";
    case ExecutorKind::kRegistered:
      return executor.type;
    case ExecutorKind::kFromApplication:
      return "given by the application";
  }
  return "";
}

std::string GraphPlan::DebugString() const { return Printer(*this).Print(); }

}  // namespace syncline
