#include "framework/plan/graph_plan.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/node_origin.h"
#include "framework/packet/packet.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

// An application looks its input up for each packet that it adds. Among so few
// names, comparing is quicker than hashing. Names that differ mostly do so in
// their last character.
constexpr size_t kFewInputs = 8;

bool IsSame(absl::string_view one, absl::string_view other) {
  return one.size() == other.size() && !one.empty() &&
         one.back() == other.back() && one == other;
}

}  // namespace

std::vector<PlanSubgraph> SubgraphsOf(const OriginTable& origins) {
  std::vector<PlanSubgraph> subgraphs;
  for (int id = 1; id < origins.num_expansions(); ++id) {
    const NodeOrigin outer = origins.Outer(id);
    subgraphs.push_back({.name = origins.Name(id),
                         .type = origins.Type(id),
                         .place = origins.Place(outer),
                         .parent = outer.expansion - 1});
  }
  return subgraphs;
}

GraphPlan::GraphPlan(std::shared_ptr<const PlanTables> tables)
    : tables_(std::move(tables)) {}

absl::Span<const PlanNode> GraphPlan::nodes() const { return tables_->nodes; }
absl::Span<const PlanStream> GraphPlan::streams() const {
  return tables_->streams;
}
absl::Span<const PlanSidePacket> GraphPlan::side_packets() const {
  return tables_->side_packets;
}
absl::Span<const PlanExecutor> GraphPlan::executors() const {
  return tables_->executors;
}
absl::Span<const PlanSource> GraphPlan::sources() const {
  return tables_->sources;
}
absl::Span<const PlanGraphInput> GraphPlan::graph_inputs() const {
  return tables_->graph_inputs;
}
absl::Span<const PlanGraphOutput> GraphPlan::graph_outputs() const {
  return tables_->graph_outputs;
}
absl::Span<const PlanStatusHandler> GraphPlan::status_handlers() const {
  return tables_->status_handlers;
}
absl::Span<const PlanService> GraphPlan::services() const {
  return tables_->services;
}
const PlanSettings& GraphPlan::settings() const { return tables_->settings; }
absl::Span<const std::string> GraphPlan::warnings() const {
  return tables_->warnings;
}
const CalculatorGraphConfig& GraphPlan::GraphFields() const {
  return tables_->config;
}

const CalculatorGraphConfig& GraphPlan::Config() const {
  auto& kept = tables_->whole_config;
  const CalculatorGraphConfig* known = kept.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto made = std::make_unique<CalculatorGraphConfig>(tables_->config);
  made->mutable_node()->Reserve(static_cast<int>(nodes().size()));
  for (const PlanNode& node : nodes()) *made->add_node() = node.config();
  // Two threads may both make it; the first one stays.
  if (kept.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel,
                                   std::memory_order_acquire)) {
    return *made.release();
  }
  return *known;
}

int GraphPlan::FindNode(absl::string_view name) const {
  return tables_->index.nodes.Find(tables_->nodes, name);
}
int GraphPlan::FindStream(absl::string_view name) const {
  return tables_->index.streams.Find(tables_->streams, name);
}
int GraphPlan::FindSidePacket(absl::string_view name) const {
  return tables_->index.side_packets.Find(tables_->side_packets, name);
}
int GraphPlan::FindGraphInput(absl::string_view name) const {
  const absl::Span<const PlanGraphInput> inputs = graph_inputs();
  if (inputs.size() > kFewInputs) {
    return tables_->index.graph_inputs.Find(inputs, name);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (IsSame(inputs[i].name, name)) return static_cast<int>(i);
  }
  return -1;
}

std::string GraphPlan::Location(int node) const {
  return tables_->origins.texts.Location(tables_->origins.of_nodes[node]);
}

std::string GraphPlan::Place(int node) const {
  return tables_->origins.texts.Place(tables_->origins.of_nodes[node]);
}

std::vector<PlanSubgraph> GraphPlan::Subgraphs() const {
  return SubgraphsOf(tables_->origins.texts);
}

int GraphPlan::SubgraphOf(int node) const {
  return tables_->origins.of_nodes[node].expansion - 1;
}

void GraphPlan::ForEachSource(int source_set,
                              absl::FunctionRef<void(int)> visit) const {
  tables_->source_sets.ForEach(source_set, visit);
}

}  // namespace syncline
