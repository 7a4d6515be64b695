// unread-output: a node that works for nobody.
//
// EVIDENCE. A node with output streams sends for somebody. If neither a node
// reads any of them nor the graph lists one as output_stream, either a
// connection was forgotten, or the list. A node of which one output is read is
// left alone, as calculators often have more outputs than a graph needs; so is
// one that gives side packets, which are a result, too. An application may
// observe streams that the graph does not list; then the list tells readers of
// the graph as much.
//
// A source that nobody reads is worse: no queue ever holds it back.

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/graph_text/node_names.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

// Streams of a node that are named.
constexpr int kMostNamed = 4;

std::string StreamsText(const GraphPlan& plan, const PlanNode& node) {
  const int size = static_cast<int>(node.outputs.size());
  std::vector<std::string> names;
  for (int port = 0; port < size && port < kMostNamed; ++port) {
    names.push_back(Quoted(plan.streams()[node.outputs[port].stream].name));
  }
  return absl::StrCat(
      size == 1 ? "stream " : "streams ", absl::StrJoin(names, ", "),
      size > kMostNamed ? absl::StrCat(" and ", size - kMostNamed, " more")
                        : "");
}

}  // namespace

void FindUnreadOutputs(const LintSubject& subject,
                       std::vector<NodeFinding>* findings) {
  const GraphPlan& plan = subject.plan;
  std::vector<bool> is_read(plan.streams().size());
  for (const PlanStream& stream : plan.streams()) {
    is_read[stream.id] = !stream.consumers.empty();
  }
  for (const PlanGraphOutput& output : plan.graph_outputs()) {
    if (output.stream >= 0) is_read[output.stream] = true;
  }
  for (const PlanNode& node : plan.nodes()) {
    if (node.outputs.empty() || !node.output_side_packets.empty() ||
        absl::c_any_of(node.outputs, [&](const PlanOutput& output) {
          return is_read[output.stream];
        })) {
      continue;
    }
    findings->push_back(
        {.node = node.id,
         .rule = kUnreadOutput,
         .problem = absl::StrCat(
             Quoted(node.name), " sends ", StreamsText(plan, node),
             ", which no node reads and the graph does not list as "
             "output_stream",
             node.is_source ? ": nothing holds this source back" : ""),
         .remedy = absl::StrCat(
             "List what the application reads as output_stream of the graph, "
             "or take ",
             Quoted(node.name), " out.")});
  }
}

}  // namespace syncline
