// queue-limit-below-need: a queue that is full before a node can go on.
//
//   camera ─┬─────────── frames ─────────┬─ join     batch { max_size: 8 }
//           └─ pack ────── packed ───────┘           max_queue_size: 4
//
// "pack" sends nothing before it has eight frames. By then eight frames wait
// for the join, but its queue holds four, and then "camera" is paused.
//
// EVIDENCE. The limits are in the plan, and so is how many input sets a node
// collects before it sends anything, if no time ends that: a `batch` without
// max_delay_ns, batch_size of DefaultInputStreamHandler, or a condition that
// waits for a number of packets. Found are
//
//   - conditions that wait for more packets than the queues of their inputs
//     hold, and
//   - joins of a stream from such a node with one from the same source that
//     comes another way, in a queue of fewer packets.
//
// A queue that drops packets pauses nobody; Compile refuses conditions that
// wait for more than it holds. Where the engine raises limits by itself, such a
// graph works, but only after it has stood still.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/make_conditions.h"
#include "tools/lint/input_groups.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

// Inputs of a join that are compared with each other.
constexpr std::size_t kMostInputs = 64;

// How many packets the queue holds before it pauses sources; nothing if it
// never does.
absl::optional<std::int64_t> LimitOf(const GraphPlan& plan,
                                     const PlanInput& input) {
  if (input.queue_policy != InputStreamInfo::BLOCK) return absl::nullopt;
  if (input.max_queue_size > 0) return input.max_queue_size;
  const int limit = plan.settings().max_queue_size;
  if (limit < 0) return absl::nullopt;
  return limit;
}

// What becomes of a run that needs `need` packets in a queue.
std::string WhatHappens(const GraphPlan& plan, std::int64_t need) {
  const PlanSettings& settings = plan.settings();
  if (settings.report_deadlock) {
    return "the run ends with an error (report_deadlock: true)";
  }
  if (need > settings.max_queue_size_ceiling) {
    return absl::StrCat("no limit is raised beyond ",
                        settings.max_queue_size_ceiling,
                        " (max_queue_size_ceiling), and the run stands still");
  }
  return "the run goes on only because the limit is raised when it stands "
         "still";
}

void FindShortConditions(const LintSubject& subject, const PlanNode& node,
                         std::vector<NodeFinding>* findings) {
  for (const NeededConditions::Need& need :
       subject.conditions[node.id].needs()) {
    std::int64_t held = 0;
    bool has_limit = true;
    std::vector<std::string> streams;
    for (const int port : need.packets.inputs) {
      const PlanInput& input = node.inputs[port];
      const absl::optional<std::int64_t> limit = LimitOf(subject.plan, input);
      has_limit = has_limit && limit.has_value();
      held += limit.value_or(0);
      if (!streams.empty()) streams.back() += ", ";
      streams.push_back(Quoted(subject.plan.streams()[input.stream].name));
    }
    if (!has_limit || need.packets.min_packets <= held) continue;
    std::string named;
    for (const std::string& stream : streams) named += stream;
    findings->push_back(
        {.node = node.id,
         .rule = kQueueLimitBelowNeed,
         .problem = absl::StrCat(
             ConditionText(*need.condition), " of ", Quoted(node.name),
             " waits for ", need.packets.min_packets, " packets (",
             need.packets.option, ") of ",
             streams.size() == 1 ? "stream " : "streams ", named,
             ", and no more than ", held, held == 1 ? " waits" : " wait",
             " there before the sources are paused (max_queue_size): ",
             WhatHappens(subject.plan, need.packets.min_packets)),
         .remedy =
             absl::StrCat("Give the input a max_queue_size of at least ",
                          need.packets.min_packets, ", or set ",
                          need.packets.option, " to ", held, " or less.")});
  }
}

// In one group of inputs: the queue that is the furthest too small.
class SmallQueue {
 public:
  SmallQueue(const LintSubject& subject, const PlanNode& node)
      : subject_(subject), plan_(subject.plan), node_(node) {}

  void Find(const std::vector<int>& group, std::vector<NodeFinding>* findings) {
    const std::size_t size = std::min(group.size(), kMostInputs);
    int full = -1;
    int waits_for = -1;
    std::int64_t missing = 0;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const std::int64_t short_by = MissingAt(group[i], group[j]);
        if (short_by <= missing) continue;
        missing = short_by;
        full = group[i];
        waits_for = group[j];
      }
    }
    if (full >= 0) findings->push_back(Describe(full, waits_for));
  }

 private:
  int StreamOf(int port) const { return node_.inputs[port].stream; }
  std::string NameOf(int port) const {
    return Quoted(plan_.streams()[StreamOf(port)].name);
  }

  // How many packets more the queue at `port` should hold while the node waits
  // for `other`; 0 if it is large enough.
  std::int64_t MissingAt(int port, int other) const {
    const int collector = subject_.facts.collector(StreamOf(other));
    if (collector == StreamFacts::kNone || node_.inputs[other].back_edge ||
        node_.inputs[port].back_edge || ReadsHeader(plan_, node_, port)) {
      return 0;
    }
    const absl::optional<std::int64_t> limit =
        LimitOf(plan_, node_.inputs[port]);
    const std::int64_t need = subject_.facts.collected(StreamOf(other));
    // What is collected before both streams comes late on both.
    if (!limit.has_value() || need <= *limit ||
        subject_.facts.collected(StreamOf(port)) >= need ||
        !subject_.facts.ShareSource(plan_.streams()[StreamOf(port)].source_set,
                                    plan_.nodes()[collector].sources.set)) {
      return 0;
    }
    return need - *limit;
  }

  NodeFinding Describe(int full, int waits_for) const {
    const std::int64_t need = subject_.facts.collected(StreamOf(waits_for));
    const std::int64_t limit = LimitOf(plan_, node_.inputs[full]).value_or(0);
    const std::string collector = Quoted(
        plan_.nodes()[subject_.facts.collector(StreamOf(waits_for))].name);
    return {
        .node = node_.id,
        .rule = kQueueLimitBelowNeed,
        .problem = absl::StrCat(
            Quoted(node_.name), " holds no more than ", limit,
            limit == 1 ? " packet" : " packets", " of stream ", NameOf(full),
            " before the sources are paused (max_queue_size), while it "
            "waits for stream ",
            NameOf(waits_for), ", for which ", collector, " collects ", need,
            " packets of the same source: ", WhatHappens(plan_, need)),
        .remedy = absl::StrCat(
            "Set max_queue_size of the graph, or of input_stream_info for ",
            "stream ", NameOf(full), ", to at least ", need, ", or let ",
            collector, " collect fewer.")};
  }

  const LintSubject& subject_;
  const GraphPlan& plan_;
  const PlanNode& node_;
};

}  // namespace

void FindQueueLimitsBelowNeed(const LintSubject& subject,
                              std::vector<NodeFinding>* findings) {
  for (const PlanNode& node : subject.plan.nodes()) {
    FindShortConditions(subject, node, findings);
    if (node.inputs.size() < 2) continue;
    SmallQueue queue(subject, node);
    for (const std::vector<int>& group : SettledTogether(node)) {
      queue.Find(group, findings);
    }
  }
}

}  // namespace syncline
