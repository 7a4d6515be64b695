#include "framework/report/packets_left_verdict.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/packets_left.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/left_at_end.h"
#include "framework/report/run_reports.h"

namespace syncline {
namespace {

constexpr absl::string_view kWhatHelps =
    "What is waited for needs a packet or a bound from its producer: "
    "SetNextTimestampBound(), or SetTimestampOffset() in GetContract(), "
    "or Close(). In a loop somebody has to begin: send one of these in "
    "Open(), or let the node take packets as they come, with "
    "ImmediateInputStreamHandler. (GetGraphRuntimeInfo() counts dropped "
    "packets by node, stream and cause.)";

// A text has no more reports than this, of all kinds.
constexpr size_t kMostReports = 5;

// The first reports, one on each line, and how many more there are.
std::string Lines(absl::Span<const std::string> reports,
                  size_t most = kMostReports) {
  std::string lines = absl::StrJoin(reports.subspan(0, most), "\n");
  if (reports.size() > most) {
    absl::StrAppend(&lines, "\nAnd ", reports.size() - most,
                    " more like these.");
  }
  return lines;
}

bool AllowsPacketsLeft(const GraphPlan& plan) {
  const SynclineOptions& options = plan.GraphFields().options();
  return options.GetExtension(PacketsLeftOptions::ext).allowed();
}

}  // namespace

std::vector<bool> FindHeldNodes(const GraphPlan& plan,
                                absl::Span<const int> waiting) {
  std::vector<bool> is_held(plan.nodes().size());
  std::vector<int> found;
  const auto add = [&](int node) {
    if (is_held[node]) return;
    is_held[node] = true;
    found.push_back(node);
  };
  for (const int node : waiting) add(node);
  while (!found.empty()) {
    const PlanNode& node = plan.nodes()[found.back()];
    found.pop_back();
    for (const PlanOutput& output : node.outputs) {
      for (const PortRef& reader : plan.streams()[output.stream].consumers) {
        add(reader.node);
      }
    }
  }
  return is_held;
}

PacketsLeftVerdict FindLeft(const GraphPlan& plan,
                            absl::Span<const NodeAtEnd> nodes,
                            bool may_be_left) {
  PacketsLeftVerdict left;
  // The open nodes that hold packets, each with its report.
  std::vector<std::pair<int, std::string>> with_packets;
  std::vector<int> waiting;
  for (const NodeAtEnd& node : nodes) {
    if (node.waits_for_conditions && !plan.settings().report_deadlock) {
      waiting.push_back(node.node);
    }
    const NodeSnapshot& snapshot = node.snapshot;
    LeftAtEnd entry{.packets = snapshot.batched_sets + snapshot.packets_inside};
    for (const NodeSnapshot::Input& input : snapshot.inputs) {
      entry.packets += input.queue_size;
    }
    const bool is_open = snapshot.state == NodeState::kOpen;
    if (entry.packets == 0 && !(snapshot.is_held && is_open)) continue;
    entry.node = BaseName(plan.nodes()[node.node].config());
    entry.why = StallReport(plan, node.node, snapshot, node.missing,
                            /*feeders=*/{});
    if (entry.packets > 0 && is_open) {
      with_packets.emplace_back(node.node, entry.why);
    }
    left.nodes.push_back(std::move(entry));
  }
  if (with_packets.empty() || may_be_left || AllowsPacketsLeft(plan)) {
    return left;
  }
  const std::vector<bool> is_held = FindHeldNodes(plan, waiting);
  std::vector<std::string> reports;
  for (auto& [node, why] : with_packets) {
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

LeftAtEnd SentInVain(const GraphPlan& plan, int node,
                     const NodeSnapshot& snapshot,
                     absl::Span<const std::size_t> sent) {
  const PlanNode& plan_node = plan.nodes()[node];
  LeftAtEnd entry{.node = BaseName(plan_node.config())};
  std::vector<std::string> packets;
  for (size_t port = 0; port < sent.size(); ++port) {
    if (sent[port] == 0) continue;
    entry.sent_in_vain += static_cast<std::int64_t>(sent[port]);
    packets.push_back(absl::StrCat(
        sent[port], sent[port] == 1 ? " packet" : " packets", " of \"",
        plan.streams()[plan_node.outputs[port].stream].name, "\""));
  }
  std::vector<std::string> open;
  for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
    const Timestamp bound = snapshot.inputs[port].bound;
    if (bound == Timestamp::Done()) continue;
    open.push_back(
        absl::StrCat("\"", plan.streams()[plan_node.inputs[port].stream].name,
                     "\" (bound ", bound.DebugString(), ")"));
  }
  entry.why = absl::StrCat(
      "The ", NodeLabel(plan_node.config()), " sent ",
      absl::StrJoin(packets, ", "),
      " in Close(), when nobody reads any more: it was closed only because the "
      "run was over, as these inputs had not ended: ",
      absl::StrJoin(open, ", "), ".");
  return entry;
}

std::string PacketsLeftWarning(absl::Span<const LeftAtEnd> left) {
  std::vector<std::string> waited;
  std::vector<std::string> sent;
  for (const LeftAtEnd& entry : left) {
    if (entry.packets > 0) waited.push_back(entry.why);
    if (entry.sent_in_vain > 0) sent.push_back(entry.why);
  }
  if (waited.empty() && sent.empty()) return "";
  std::vector<std::string> lines;
  size_t most = kMostReports;
  if (!waited.empty()) {
    // One line is for those that were sent in vain.
    lines.push_back(Lines(waited, sent.empty() ? most : most - 1));
    most -= std::min(waited.size(), most - 1);
  }
  if (!sent.empty()) lines.push_back(Lines(sent, most));
  return absl::StrCat(
      "The run ended well, but some packets were never processed:\n",
      absl::StrJoin(lines, "\n"), "\n", kWhatHelps);
}

}  // namespace syncline
