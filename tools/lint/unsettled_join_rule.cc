// unsettled-join: a join of streams that begin at one source, of which one can
// stand still while the other goes on.
//
//   camera ─┬──────────────────────┬─ join
//           └─ detector ── faces ──┘
//
// When "detector" sends nothing for a frame, and promises no bounds, "faces" is
// not settled at that time, and the join waits: until the next face, or for
// ever.
//
// EVIDENCE. A plan does not say whether a calculator sends a packet for each
// input. It is likely enough that it does not, where
//
//   - it has not made the promise that would make no difference otherwise, a
//     timestamp offset, nor asked to be called for bounds (a silent node), and
//   - another input of the join, of the same source, comes without this node,
//     and through no silent node that this one is not behind, too.
//
// So where both ways have a silent node of their own, they are taken to answer
// alike, unless one drops packets or answers several with one call: its queue
// drops, it has a batch, or FixedSizeInputStreamHandler.

#include <map>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "tools/lint/input_groups.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

// Inputs that are compared with one that stands still, of those with the same
// silent node.
constexpr std::size_t kMostCompared = 8;
// Silent nodes on a way that are looked at.
constexpr int kMostSilent = 64;

constexpr int kNone = StreamFacts::kNone;

// Why the node answers fewer times than it has inputs; "" if nothing says so.
std::string WhySendsLess(const GraphPlan& plan, const PlanNode& node) {
  if (node.batch.max_size > 1) {
    return absl::StrCat(" and answers up to ", node.batch.max_size,
                        " input sets with one call (batch)");
  }
  if (node.handlers.input == "FixedSizeInputStreamHandler") {
    return " and drops packets when it is too slow "
           "(FixedSizeInputStreamHandler)";
  }
  for (const PlanInput& input : node.inputs) {
    if (input.queue_policy == InputStreamInfo::BLOCK) continue;
    return absl::StrCat(
        " and loses packets of stream ",
        Quoted(plan.streams()[input.stream].name), " (queue_policy: ",
        InputStreamInfo::QueuePolicy_Name(input.queue_policy), ")");
  }
  return "";
}

class JoinCheck {
 public:
  JoinCheck(const LintSubject& subject, const PlanNode& node,
            std::vector<NodeFinding>* findings)
      : subject_(subject),
        plan_(subject.plan),
        node_(node),
        findings_(findings) {}

  void Run(const std::vector<int>& group) {
    by_silent_.clear();
    int joined = 0;
    for (const int port : group) {
      if (node_.inputs[port].back_edge || ReadsHeader(plan_, node_, port)) {
        continue;
      }
      std::vector<int>& ports = by_silent_[SilentOf(port)];
      if (ports.size() < kMostCompared) ports.push_back(port);
      ++joined;
    }
    if (joined < 2) return;
    for (const auto& [silent, ports] : by_silent_) {
      if (silent == kNone || reported_.contains(silent)) continue;
      std::string why;
      const int other = GoesOnWithout(silent, &why);
      const auto still = absl::c_find_if(
          ports, [this](int port) { return IsWaitedFor(port); });
      if (other < 0 || still == ports.end()) continue;
      reported_.insert(silent);
      Report(silent, *still, other, why);
    }
  }

 private:
  int SilentOf(int port) const {
    return subject_.facts.silent(node_.inputs[port].stream);
  }

  // Not with idle_after, as the other stream settles it; nor if it is the main
  // stream, without which no call is due.
  bool IsWaitedFor(int port) const {
    return node_.inputs[port].idle_after_port < 0 && port != MainInput(node_);
  }

  bool HasSourceOf(int port, int silent) const {
    const int stream = node_.inputs[port].stream;
    return subject_.facts.ShareSource(plan_.streams()[stream].source_set,
                                      plan_.nodes()[silent].sources.set);
  }

  // An input that goes on when the node `silent` is silent; -1 if none does.
  int GoesOnWithout(int silent, std::string* why) const {
    int steps_left = kMostSilent;
    for (int before = silent; before != kNone && steps_left > 0; --steps_left) {
      before = subject_.facts.silent_before(before);
      const auto found = by_silent_.find(before);
      if (found == by_silent_.end()) continue;
      for (const int port : found->second) {
        if (HasSourceOf(port, silent)) return port;
      }
    }
    *why = WhySendsLess(plan_, plan_.nodes()[silent]);
    if (why->empty()) return -1;
    std::size_t compared = 0;
    for (const auto& [other, ports] : by_silent_) {
      if (++compared > kMostCompared) return -1;
      const int port = ports[0];
      if (other != silent &&
          !subject_.facts.IsBehindSilent(node_.inputs[port].stream, silent) &&
          HasSourceOf(port, silent)) {
        return port;
      }
    }
    return -1;
  }

  void Report(int silent, int still, int other, const std::string& why) {
    const PlanNode& culprit = plan_.nodes()[silent];
    const std::string name = Quoted(culprit.name);
    findings_->push_back(
        {.node = node_.id,
         .rule = kUnsettledJoin,
         .problem = absl::StrCat(
             Quoted(node_.name), " joins stream ", StreamAt(still),
             ", which comes through ", name, ", with stream ", StreamAt(other),
             ", which comes from the same source without it: ", name,
             " promises no bounds while it sends nothing", why, ", and ",
             Quoted(node_.name), " waits for that"),
         .remedy =
             LetItPromise(plan_, culprit,
                          absl::StrCat(" Or let ", Quoted(node_.name),
                                       " go on without it: idle_after of its "
                                       "input_stream_info."),
                          kUnsettledJoin)});
  }

  std::string StreamAt(int port) const {
    return Quoted(plan_.streams()[node_.inputs[port].stream].name);
  }

  const LintSubject& subject_;
  const GraphPlan& plan_;
  const PlanNode& node_;
  std::vector<NodeFinding>* const findings_;
  // Inputs of the group, by the silent node that is nearest to them.
  std::map<int, std::vector<int>> by_silent_;
  HashSet<int> reported_;
};

}  // namespace

std::string LetItPromise(const GraphPlan& plan, const PlanNode& node,
                         absl::string_view instead, absl::string_view rule) {
  const std::string sent =
      node.outputs.size() == 1
          ? Quoted(plan.streams()[node.outputs[0].stream].name)
          : "its outputs";
  const absl::string_view has = node.outputs.size() == 1 ? " has" : " have";
  return absl::StrCat(
      "Let ", Quoted(node.name), " say how far ", sent, has,
      " come: SetTimestampOffset(0) in its contract, if its packets have the "
      "times of its inputs, or SetNextTimestampBound() in each call that sends "
      "nothing.",
      instead,
      " If it does that, or always sends something, say so with NOLINT(", rule,
      ").");
}

void FindUnsettledJoins(const LintSubject& subject,
                        std::vector<NodeFinding>* findings) {
  for (const PlanNode& node : subject.plan.nodes()) {
    if (node.inputs.size() < 2) continue;
    JoinCheck check(subject, node, findings);
    for (const std::vector<int>& group : SettledTogether(node)) {
      check.Run(group);
    }
  }
}

}  // namespace syncline
