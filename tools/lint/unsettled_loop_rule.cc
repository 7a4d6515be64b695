// unsettled-loop: a node in front of a loop waits for what comes back, and
// something in the loop can keep that from coming.
//
//   camera ── limiter ── detector ─┬─ faces
//                └─── FINISHED ────┘
//
// Such nodes are a FlowLimiterCalculator and a RealTimeFlowLimiterCalculator,
// for FINISHED, and a PreviousLoopbackCalculator, for LOOP. A limiter with an
// in_flight_timeout goes on all the same.
//
// EVIDENCE. One of these:
//
//   - a silent node in the loop (see unsettled_join_rule.cc): where it sends
//     nothing for one frame, no further frame is let through. A
//     RealTimeFlowLimiterCalculator goes on for packets only, so that a promise
//     does not help it.
//   - a node in the loop that collects more frames before it sends anything
//     than the limiter lets in.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/core/flow_limiter_calculator.pb.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/graph_text/node_names.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

constexpr int kNone = StreamFacts::kNone;
constexpr std::int64_t kUnknown = -1;

// A node in front of a loop.
struct Gate {
  // The input by which it learns what comes back; "": the node is none, or goes
  // on without.
  absl::string_view tag;
  // How many frames it lets in before one has come back.
  std::int64_t max_in_flight = kUnknown;
  // Bounds do not count for it.
  bool wants_packets = false;
};

bool HasSidePacket(const PlanNode& node, absl::string_view tag) {
  return node.contract->InputSidePackets().layout().GetId(tag, 0).IsValid();
}

Gate GateOf(const PlanNode& node) {
  const absl::string_view type = PlainType(node);
  if (type == "PreviousLoopbackCalculator") return {.tag = "LOOP"};
  if (type == "RealTimeFlowLimiterCalculator") {
    return {
        .tag = "FINISHED",
        .max_in_flight = HasSidePacket(node, "MAX_IN_FLIGHT") ? kUnknown : 1,
        .wants_packets = true};
  }
  if (type != "FlowLimiterCalculator") return {};
  const auto& options = node.contract->Options<FlowLimiterCalculatorOptions>();
  if (options.in_flight_timeout() > 0) return {};
  return {.tag = "FINISHED",
          .max_in_flight = HasSidePacket(node, "MAX_IN_FLIGHT")
                               ? kUnknown
                               : options.max_in_flight()};
}

class LoopCheck {
 public:
  LoopCheck(const LintSubject& subject, const PlanNode& node, const Gate& gate,
            const PlanStream& looped)
      : subject_(subject), node_(node), gate_(gate), looped_(looped) {}

  void Run(std::vector<NodeFinding>* findings) const {
    const StreamFacts& facts = subject_.facts;
    const int collector = facts.collector(looped_.id);
    const std::int64_t collected = facts.collected(looped_.id);
    if (IsInside(collector) && gate_.max_in_flight != kUnknown &&
        collected > gate_.max_in_flight) {
      findings->push_back(OfCollector(collector, collected));
      return;
    }
    const int silent = facts.silent(looped_.id);
    if (IsInside(silent)) findings->push_back(OfSilent(silent));
  }

 private:
  // What is before the loop stops both ends of it.
  bool IsInside(int node) const {
    return node != kNone && node > node_.id &&
           subject_.facts.ShareSource(node_.sources.set,
                                      subject_.plan.nodes()[node].sources.set);
  }

  NodeFinding OfSilent(int silent) const {
    const PlanNode& culprit = subject_.plan.nodes()[silent];
    NodeFinding finding = {
        .node = node_.id,
        .rule = kUnsettledLoop,
        .problem = absl::StrCat(
            Quoted(node_.name), " waits for stream ", Quoted(looped_.name),
            " (", gate_.tag,
            ") before it goes on, and the stream comes through ",
            Quoted(culprit.name),
            ", which promises no bounds while it sends nothing: one input "
            "without an output stops the loop")};
    if (gate_.wants_packets) {
      finding.remedy = absl::StrCat(
          "Use FlowLimiterCalculator, which goes on for bounds, and let ",
          Quoted(culprit.name),
          " promise them: SetTimestampOffset(0) in its contract. If it always "
          "sends something, say so with NOLINT(",
          kUnsettledLoop, ").");
    } else {
      finding.remedy = LetItPromise(
          subject_.plan, culprit,
          gate_.tag == "LOOP" ? ""
                              : " Or set in_flight_timeout of the limiter.",
          kUnsettledLoop);
    }
    return finding;
  }

  NodeFinding OfCollector(int collector, std::int64_t collected) const {
    const std::string name = Quoted(subject_.plan.nodes()[collector].name);
    return {.node = node_.id,
            .rule = kUnsettledLoop,
            .problem = absl::StrCat(
                Quoted(node_.name), " lets ", gate_.max_in_flight,
                gate_.max_in_flight == 1 ? " frame" : " frames",
                " into its loop (max_in_flight) before one has come back, and ",
                name, " sends nothing before it has collected ", collected),
            .remedy = absl::StrCat("Raise max_in_flight to ", collected,
                                   ", let ", name, " collect no more than ",
                                   gate_.max_in_flight,
                                   ", or give its batch a max_delay_ns.")};
  }

  const LintSubject& subject_;
  const PlanNode& node_;
  const Gate& gate_;
  const PlanStream& looped_;
};

}  // namespace

void FindUnsettledLoops(const LintSubject& subject,
                        std::vector<NodeFinding>* findings) {
  for (const PlanNode& node : subject.plan.nodes()) {
    const Gate gate = GateOf(node);
    if (gate.tag.empty()) continue;
    const CollectionItemId id =
        node.contract->Inputs().layout().GetId(gate.tag, 0);
    if (!id.IsValid()) continue;
    const PlanStream& looped =
        subject.plan.streams()[node.inputs[id.value()].stream];
    LoopCheck(subject, node, gate, looped).Run(findings);
  }
}

}  // namespace syncline
