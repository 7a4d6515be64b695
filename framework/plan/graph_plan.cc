#include "framework/plan/graph_plan.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/packet.h"
#include "framework/plan/plan_tables.h"
#include "framework/plan/plan_text.h"

namespace syncline {
namespace {

// An application looks its input up for each packet that it adds. Among so few,
// comparing is quicker than hashing.
constexpr size_t kFewInputs = 4;

int Find(const NameIndex& index, absl::string_view name) {
  const auto found = index.find(name);
  return found == index.end() ? -1 : found->second;
}

// The readers in words, such as: of node "a" (A) and 2 more.
std::string Readers(const PlanTables& tables,
                    const PlanSidePacket& side_packet) {
  if (side_packet.consumers.empty()) return "";
  const PlanNode& first = tables.nodes[side_packet.consumers[0].node];
  std::string text = absl::StrCat(" It is read by ", NodeLabel(*first.config));
  const size_t more = side_packet.consumers.size() - 1;
  if (more > 0) absl::StrAppend(&text, " and ", more, " more");
  return absl::StrCat(text, ".");
}

absl::Status CheckGiven(const PlanTables& tables,
                        const PlanSidePacket& side_packet,
                        const Packet& packet) {
  if (side_packet.producer.node >= 0) {
    const PlanNode& producer = tables.nodes[side_packet.producer.node];
    return absl::InvalidArgumentError(
        absl::StrCat("Side packet ", Quoted(side_packet.name),
                     " is given by the application, but made by ",
                     NodeLabel(*producer.config), " as well."));
  }
  for (const PortRef& reader : side_packet.consumers) {
    const PlanNode& node = tables.nodes[reader.node];
    SYNCLINE_RETURN_IF_ERROR(
        node.contract->InputSidePackets().Get(reader.port).Validate(packet))
            .SetPrepend()
        << "Side packet " << Quoted(side_packet.name) << " of "
        << NodeLabel(*node.config) << ": ";
  }
  return absl::OkStatus();
}

}  // namespace

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
const CalculatorGraphConfig& GraphPlan::Config() const {
  return tables_->config;
}

int GraphPlan::FindNode(absl::string_view name) const {
  return Find(tables_->index.nodes, name);
}
int GraphPlan::FindStream(absl::string_view name) const {
  return Find(tables_->index.streams, name);
}
int GraphPlan::FindSidePacket(absl::string_view name) const {
  return Find(tables_->index.side_packets, name);
}
int GraphPlan::FindGraphInput(absl::string_view name) const {
  const absl::Span<const PlanGraphInput> inputs = graph_inputs();
  if (inputs.size() > kFewInputs)
    return Find(tables_->index.graph_inputs, name);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

std::string GraphPlan::Location(int node) const {
  return tables_->origins.texts.Location(tables_->origins.of_nodes[node]);
}

void GraphPlan::ForEachSource(int source_set,
                              absl::FunctionRef<void(int)> visit) const {
  tables_->source_sets.ForEach(source_set, visit);
}

absl::Status GraphPlan::CheckSidePackets(
    const std::map<std::string, Packet>& side_packets, bool complete) const {
  std::vector<absl::Status> errors;
  for (const auto& [name, packet] : side_packets) {
    const int id = FindSidePacket(name);
    if (id < 0) continue;  // nobody reads it, which is no mistake
    errors.push_back(CheckGiven(*tables_, tables_->side_packets[id], packet));
  }
  if (complete) {
    for (const PlanSidePacket& side_packet : tables_->side_packets) {
      if (!side_packet.required || side_packets.contains(side_packet.name)) {
        continue;
      }
      errors.push_back(absl::InvalidArgumentError(
          absl::StrCat("Side packet ", Quoted(side_packet.name),
                       " is required but was not provided.",
                       Readers(*tables_, side_packet))));
    }
  }
  return CombineStatuses("The side packets do not fit the graph.", errors);
}

std::string GraphPlan::DebugString() const { return PlanText(*this); }

}  // namespace syncline
