// back-edge-without-start: a loop that nobody starts.
//
//   in ──> join ──> work ─┐      the call of "join" at t waits for "loop" at t,
//           ▲             │      and "work" sends that only after "join" was
//           └─── loop ────┘      called
//
// EVIDENCE. Which nodes can be called at all follows from the plan: packets
// come from sources and graph inputs, and a node can be called if the inputs
// that its handler wants for a first call can have packets. What is left are
// nodes that wait for a loop; the cause is one whose other inputs all can have
// packets. Handlers that do not wait for the loop (Immediate, a sync set of its
// own, ...), `idle_after`, and a node in the loop that something else can call,
// start it. So does a node that promises a positive timestamp offset: it
// answers for later times, and the first of them it must have sent in Open().
// That a calculator sends its first packet in Open() without such a promise is
// all that a plan does not know.

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "framework/graph_text/node_names.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/make_conditions.h"
#include "tools/lint/input_groups.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

bool MaySendInOpen(const PlanNode& node) {
  return node.bounds.offset != TimestampDiff::Unset() &&
         node.bounds.offset > TimestampDiff(0);
}

// Which nodes can be called, and which streams can have packets. Linear: each
// input counts down its group once.
class FirstCalls {
 public:
  explicit FirstCalls(const LintSubject& subject)
      : subject_(subject),
        plan_(subject.plan),
        nodes_(plan_.nodes().size()),
        is_live_(plan_.streams().size()) {
    for (const PlanNode& node : plan_.nodes()) Prepare(node);
    for (const PlanGraphInput& input : plan_.graph_inputs()) {
      MakeLive(input.stream);
    }
    for (const PlanNode& node : plan_.nodes()) {
      if (node.inputs.empty()) {
        Call(node.id);
      } else if (MaySendInOpen(node)) {
        MakeOutputsLive(node);
      }
    }
    while (!next_.empty()) {
      const int stream = next_.back();
      next_.pop_back();
      for (const PortRef& reader : plan_.streams()[stream].consumers) {
        Count(reader);
      }
    }
  }

  bool CanBeCalled(int node) const { return nodes_[node].is_called; }
  bool IsLive(int stream) const { return is_live_[stream]; }

 private:
  struct Node {
    bool is_called = false;
    std::vector<int> group_of_port;
    // Inputs without packets, by group.
    std::vector<int> missing;
  };

  void Prepare(const PlanNode& plan) {
    Node& node = nodes_[plan.id];
    const InputGroups groups = NeededForFirstCall(plan);
    node.group_of_port.resize(plan.inputs.size());
    node.missing.resize(groups.size());
    for (int group = 0; group < static_cast<int>(groups.size()); ++group) {
      for (const int port : groups[group]) {
        node.group_of_port[port] = group;
        // It is settled by the other stream.
        if (plan.inputs[port].idle_after_port < 0) ++node.missing[group];
      }
    }
  }

  void Count(const PortRef& reader) {
    const PlanNode& plan = plan_.nodes()[reader.node];
    Node& node = nodes_[reader.node];
    if (plan.inputs[reader.port].idle_after_port < 0) {
      --node.missing[node.group_of_port[reader.port]];
    }
    if (node.is_called || !absl::c_linear_search(node.missing, 0)) return;
    // Conditions want packets of their own.
    for (const NeededConditions::Need& need :
         subject_.conditions[reader.node].needs()) {
      if (need.packets.min_packets > 0 &&
          absl::c_none_of(need.packets.inputs, [&](int port) {
            return is_live_[plan.inputs[port].stream];
          })) {
        return;
      }
    }
    Call(reader.node);
  }

  void Call(int node) {
    nodes_[node].is_called = true;
    MakeOutputsLive(plan_.nodes()[node]);
  }
  void MakeOutputsLive(const PlanNode& node) {
    for (const PlanOutput& output : node.outputs) MakeLive(output.stream);
  }
  void MakeLive(int stream) {
    if (is_live_[stream]) return;
    is_live_[stream] = true;
    next_.push_back(stream);
  }

  const LintSubject& subject_;
  const GraphPlan& plan_;
  std::vector<Node> nodes_;
  std::vector<bool> is_live_;
  std::vector<int> next_;  // streams whose readers do not know yet
};

// The back edge because of which no call of `group` comes; -1 where something
// else is missing too, or nothing is.
int StartingInput(const PlanNode& node, const std::vector<int>& group,
                  const FirstCalls& calls) {
  int found = -1;
  for (const int port : group) {
    const PlanInput& input = node.inputs[port];
    if (calls.IsLive(input.stream) || input.idle_after_port >= 0) continue;
    if (!input.back_edge) return -1;
    if (found < 0) found = port;
  }
  return found;
}

NodeFinding WithoutStart(const GraphPlan& plan, const PlanNode& node, int port,
                         const PlanCondition* condition) {
  const PlanStream& stream = plan.streams()[node.inputs[port].stream];
  const std::string name = Quoted(node.name);
  const std::string producer = Quoted(plan.nodes()[stream.producer.node].name);
  NodeFinding finding{.node = node.id, .rule = kBackEdgeWithoutStart};
  finding.problem = absl::StrCat(
      name, " waits for stream ", Quoted(stream.name),
      condition == nullptr ? ""
                           : absl::StrCat(" with ", ConditionText(*condition)),
      ", a back edge, which nothing starts: ",
      stream.producer.node == node.id
          ? "it sends that itself, when it is called"
          : absl::StrCat(producer, " sends it only after ", name,
                         " has sent something"));
  finding.remedy = absl::StrCat(
      "Start the loop: let ", producer,
      " send a first packet, or a bound, in Open(). ",
      condition == nullptr
          ? absl::StrCat("Or do not let ", name,
                         " wait: give the stream a sync_set of its own "
                         "(SyncSetInputStreamHandler), or read it through a "
                         "PreviousLoopbackCalculator.")
          : absl::StrCat("Or take ", ConditionText(*condition),
                         " out of the node."));
  return finding;
}

}  // namespace

void FindBackEdgesWithoutStart(const LintSubject& subject,
                               std::vector<NodeFinding>* findings) {
  const FirstCalls calls(subject);
  for (const PlanNode& node : subject.plan.nodes()) {
    if (calls.CanBeCalled(node.id)) continue;
    bool waits_for_group = true;
    int starting = -1;
    for (const std::vector<int>& group : NeededForFirstCall(node)) {
      const int port = StartingInput(node, group, calls);
      if (port >= 0 && starting < 0) starting = port;
      waits_for_group =
          waits_for_group && absl::c_any_of(group, [&](int input) {
            return !calls.IsLive(node.inputs[input].stream) &&
                   node.inputs[input].idle_after_port < 0;
          });
    }
    if (waits_for_group) {
      if (starting >= 0) {
        findings->push_back(
            WithoutStart(subject.plan, node, starting, nullptr));
      }
      continue;
    }
    for (const NeededConditions::Need& need :
         subject.conditions[node.id].needs()) {
      const int port = StartingInput(node, need.packets.inputs, calls);
      const bool has_packets = absl::c_any_of(
          need.packets.inputs,
          [&](int input) { return calls.IsLive(node.inputs[input].stream); });
      if (port < 0 || has_packets || need.packets.min_packets <= 0) continue;
      findings->push_back(
          WithoutStart(subject.plan, node, port, need.condition));
      break;
    }
  }
}

}  // namespace syncline
