// Packets that no call took when nothing can happen any more.
//
// Those of open nodes are an error, but for a run that was told to end, and for
// nodes that conditions hold: a deadlock of conditions ends a run well, as it
// does in GXF. Nodes behind such a node wait for it, so they count as held.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/condition/condition_result.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/packets_left.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/run/graph_run.h"
#include "framework/run/left_at_end.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// In one message.
constexpr size_t kMostReports = 5;

constexpr absl::string_view kWhatHelps =
    "What is waited for needs a packet or a bound from its producer: "
    "SetNextTimestampBound(), or SetTimestampOffset() in GetContract(), "
    "or Close(). In a loop somebody has to begin: send one of these in "
    "Open(), or let the node take packets as they come, with "
    "ImmediateInputStreamHandler. (GetGraphRuntimeInfo() counts dropped "
    "packets by node, stream and cause.)";

// The first of them, each in a line.
std::string Lines(absl::Span<const std::string> reports) {
  std::string lines = absl::StrJoin(reports.subspan(0, kMostReports), "\n");
  if (reports.size() > kMostReports) {
    absl::StrAppend(&lines, "\nAnd ", reports.size() - kMostReports,
                    " more like these.");
  }
  return lines;
}

}  // namespace

bool GraphRun::WaitsForConditions(const Node& node) {
  if (node.conditions() == nullptr || node.state() != NodeState::kOpen) {
    return false;
  }
  if (node.HeldBy().state != ConditionState::kReady) return true;
  // Conditions are asked about input sets only. One that wants packets of an
  // input without any would hold the node as well.
  const NodeSnapshot snapshot = node.Snapshot();
  for (const int port : node.conditions()->made().named_inputs) {
    const NodeSnapshot::Input& input = snapshot.inputs[port];
    if (input.queue_size == 0 && input.bound != Timestamp::Done()) return true;
  }
  return false;
}

std::vector<bool> GraphRun::FindHeldNodes() const {
  std::vector<bool> is_held(nodes_.size());
  std::vector<int> found;
  const auto add = [&](int node) {
    if (is_held[node]) return;
    is_held[node] = true;
    found.push_back(node);
  };
  for (const Node* const node : gated_nodes_) {
    if (WaitsForConditions(*node)) add(node->plan().id);
  }
  while (!found.empty()) {
    const PlanNode& node = plan().nodes()[found.back()];
    found.pop_back();
    for (const PlanOutput& output : node.outputs) {
      for (const PortRef& reader : plan().streams()[output.stream].consumers) {
        add(reader.node);
      }
    }
  }
  return is_held;
}

GraphRun::Left GraphRun::FindLeft() const {
  Left left;
  // Of open nodes, with the nodes.
  std::vector<std::pair<int, std::string>> waiting;
  for (const Node::Placed& node : nodes_) {
    const bool may_be_held = node->conditions() != nullptr;
    if (!node->HoldsPackets() && !may_be_held) continue;
    const NodeSnapshot snapshot = node->Snapshot();
    LeftAtEnd its{.packets = snapshot.batched_sets};
    for (const NodeSnapshot::Input& input : snapshot.inputs) {
      its.packets += input.queue_size;
    }
    const bool is_open = snapshot.state == NodeState::kOpen;
    if (its.packets == 0 && !(snapshot.is_held && is_open)) continue;
    const CalculatorGraphConfig::Node& config = *node->plan().config;
    its.node = config.name().empty() ? config.calculator() : config.name();
    its.why = Stall(node->plan().id, snapshot);
    if (its.packets > 0 && is_open) {
      waiting.emplace_back(node->plan().id, its.why);
    }
    left.nodes.push_back(std::move(its));
  }
  if (waiting.empty() || sources_.is_stopping() || time_limit_.is_over() ||
      plan()
          .Config()
          .options()
          .GetExtension(PacketsLeftOptions::ext)
          .allowed()) {
    return left;
  }
  const std::vector<bool> is_held = FindHeldNodes();
  std::vector<std::string> reports;
  for (auto& [node, why] : waiting) {
    if (!is_held[node]) reports.push_back(std::move(why));
  }
  if (reports.empty()) return left;
  left.error = absl::UnavailableError(absl::StrCat(
      "Detected a deadlock: all inputs and sources of the graph have ended, "
      "and nodes hold packets that no call can take any more:\n",
      Lines(reports), "\n", kWhatHelps,
      " If these packets may be lost, let the run end well, with a warning: "
      "options { [syncline.PacketsLeftOptions.ext] { allowed: true } } in the "
      "graph."));
  return left;
}

void GraphRun::ActOnPacketsLeft(Left left) {
  Effects effects;
  bool is_settled = false;
  for (const Node::Placed& node : nodes_) {
    is_settled |= node->SettleIdleAtEnd(&effects);
  }
  FinishTurn(&effects);
  if (is_settled) return;
  // It is not the first error if the application has ended the run meanwhile.
  life_.SetPacketsLeft(std::move(left.nodes), /*is_first_error=*/!has_error());
  RecordError(left.error);
}

void GraphRun::ReportSentInVain(const Node& node,
                                const CalculatorContext& context,
                                std::vector<std::string>* reports) const {
  std::vector<std::string> sent;
  for (const OutputStream& output : context.Outputs()) {
    const size_t size = output.packets().size();
    if (size == 0) continue;
    sent.push_back(absl::StrCat(size, size == 1 ? " packet" : " packets",
                                " of \"", output.Name(), "\""));
  }
  if (sent.empty()) return;
  std::vector<std::string> open;
  const NodeSnapshot snapshot = node.Snapshot();
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const Timestamp bound = snapshot.inputs[port].bound;
    if (bound == Timestamp::Done()) continue;
    const int stream = node.plan().inputs[port].stream;
    open.push_back(absl::StrCat("\"", plan().streams()[stream].name,
                                "\" (bound ", bound.DebugString(), ")"));
  }
  reports->push_back(absl::StrCat("The ", NodeLabel(*node.plan().config),
                                  " sent ", absl::StrJoin(sent, ", "),
                                  " in Close(), when nobody reads any more: it "
                                  "was closed only because the run was "
                                  "over, as these inputs had not ended: ",
                                  absl::StrJoin(open, ", "), "."));
}

void GraphRun::WarnOfPacketsLeft(absl::Span<const LeftAtEnd> left,
                                 std::vector<std::string> reports) {
  size_t at = 0;
  for (const LeftAtEnd& its : left) {
    if (its.packets > 0) reports.insert(reports.begin() + at++, its.why);
  }
  if (reports.empty()) return;
  LOG(WARNING) << "The run ended well, but some packets were never processed:\n"
               << Lines(reports) << "\n"
               << kWhatHelps;
}

}  // namespace syncline
