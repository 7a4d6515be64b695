// unequal-rates: a join by equal timestamps of streams whose packets rarely
// have equal timestamps, so that most input sets lack a packet.
//
//   camera ─┬─────────────────────┬─ join        0   33   66  100
//           └─ PacketResampler ───┘              0   50  100  150
//
// EVIDENCE. Who gives packets their times is known of sources that a
// PeriodicCondition calls, with different periods, and of calculators that
// sample a stream anew: PacketResamplerCalculator, PacketThinnerCalculator and
// TimeSeriesFramerCalculator. Two of the same type with the same options sample
// alike. Of other sources, and of graph inputs, nothing is known, so nothing is
// said of their joins.
//
// A node that is made for sets with gaps is left alone: one that is called for
// bounds, as PacketClonerCalculator is, and those in kTakesGaps.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "tools/lint/input_groups.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

constexpr absl::string_view kTakesGaps[] = {
    "GateCalculator",
    "MergeCalculator",
    "PacketInnerJoinCalculator",
    "PassThroughCalculator",
    "ValueOrDefaultCalculator",
};

constexpr std::size_t kMostPaired = 64;

// The options as they are written.
std::string OptionsOf(const PlanNode& node) {
  std::string text = node.config().options().ShortDebugString();
  for (const auto& any : node.config().node_options()) {
    absl::StrAppend(&text, " ", any.ShortDebugString());
  }
  return text;
}

bool TimeAlike(const PlanNode& a, const PlanNode& b) {
  if (a.id == b.id) return true;
  if (a.is_source || b.is_source) {
    return a.is_source && b.is_source && PeriodOf(a) == PeriodOf(b);
  }
  return PlainType(a) == PlainType(b) && OptionsOf(a) == OptionsOf(b) &&
         a.inputs.size() == b.inputs.size() &&
         absl::c_equal(a.inputs, b.inputs,
                       [](const PlanInput& x, const PlanInput& y) {
                         return x.stream == y.stream;
                       });
}

std::string TimedBy(const PlanNode& timer) {
  return timer.is_source
             ? absl::StrCat("comes from ", Quoted(timer.name), " each ",
                            PeriodOf(timer), " ns")
             : absl::StrCat("is sampled anew by ", Quoted(timer.name), " (",
                            PlainType(timer), ")");
}

class RateCheck {
 public:
  RateCheck(const LintSubject& subject, const PlanNode& node)
      : subject_(subject), plan_(subject.plan), node_(node) {}

  // The first pair of a group.
  void Find(const std::vector<int>& group, std::vector<NodeFinding>* findings) {
    const std::size_t size = std::min(group.size(), kMostPaired);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        if (i == j || !Differ(group[i], group[j])) continue;
        findings->push_back(Describe(group[i], group[j]));
        return;
      }
    }
  }

 private:
  const PlanStream& StreamAt(int port) const {
    return plan_.streams()[node_.inputs[port].stream];
  }

  // The first has times of its own, and the other has others.
  bool Differ(int port, int other) const {
    if (node_.inputs[port].back_edge || node_.inputs[other].back_edge ||
        ReadsHeader(plan_, node_, port) || ReadsHeader(plan_, node_, other)) {
      return false;
    }
    const int timer = subject_.facts.timer(StreamAt(port).id);
    const int other_timer = subject_.facts.timer(StreamAt(other).id);
    if (timer < 0 || other_timer == StreamFacts::kMixed) return false;
    const PlanNode& node = plan_.nodes()[timer];
    if (other_timer >= 0) return !TimeAlike(node, plan_.nodes()[other_timer]);
    return !node.is_source && subject_.facts.ShareSource(
                                  StreamAt(other).source_set, node.sources.set);
  }

  NodeFinding Describe(int port, int other) const {
    const PlanNode& timer =
        plan_.nodes()[subject_.facts.timer(StreamAt(port).id)];
    const int other_timer = subject_.facts.timer(StreamAt(other).id);
    return {
        .node = node_.id,
        .rule = kUnequalRates,
        .problem = absl::StrCat(
            Quoted(node_.name), " joins by equal timestamps stream ",
            Quoted(StreamAt(port).name), ", which ", TimedBy(timer),
            ", and stream ", Quoted(StreamAt(other).name), ", which ",
            other_timer >= 0
                ? TimedBy(plan_.nodes()[other_timer])
                : absl::StrCat("does not come through ", Quoted(timer.name)),
            ": few calls have a packet of both"),
        .remedy =
            "Join them with ApproximateTimeInputStreamHandler or "
            "LatestInputStreamHandler, or bring one to the times of the other "
            "with PacketClonerCalculator."};
  }

  const LintSubject& subject_;
  const GraphPlan& plan_;
  const PlanNode& node_;
};

bool JoinsEqualTimes(const PlanNode& node) {
  constexpr absl::string_view kByEqualTimes[] = {
      "DefaultInputStreamHandler", "EarlyCloseInputStreamHandler",
      "FixedSizeInputStreamHandler", "SyncSetInputStreamHandler"};
  return node.inputs.size() > 1 && !node.bounds.are_processed &&
         absl::c_linear_search(kByEqualTimes, node.handlers.input) &&
         !absl::c_linear_search(kTakesGaps, PlainType(node));
}

}  // namespace

void FindUnequalRates(const LintSubject& subject,
                      std::vector<NodeFinding>* findings) {
  for (const PlanNode& node : subject.plan.nodes()) {
    if (!JoinsEqualTimes(node)) continue;
    RateCheck check(subject, node);
    for (const std::vector<int>& group : SettledTogether(node)) {
      check.Find(group, findings);
    }
  }
}

}  // namespace syncline
