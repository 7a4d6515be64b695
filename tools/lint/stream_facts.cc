#include "tools/lint/stream_facts.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/condition/period_text.h"
#include "framework/config/conditions.pb.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/packet/timestamp.h"
#include "tools/lint/input_groups.h"

namespace syncline {
namespace {

// Their packets are where a period or a frame ends, and rarely where the input
// has one.
constexpr absl::string_view kSamplers[] = {
    "PacketResamplerCalculator",
    "PacketThinnerCalculator",
    "TimeSeriesFramerCalculator",
};

bool IsTagOfHeader(const PortLayout& layout, int port) {
  const std::string tag = layout.TagAndIndex(port).first;
  return absl::EndsWith(tag, "HEADER") || absl::EndsWith(tag, "PRESTREAM");
}

bool PromisesBounds(const PlanNode& node) {
  return node.bounds.are_processed ||
         node.bounds.offset != TimestampDiff::Unset();
}

// Nothing of that comes any further: the loop is for other rules, and the other
// stream settles this one.
bool IsFollowed(const PlanInput& input) {
  return !input.back_edge && input.idle_after_port < 0;
}

// How many input sets the node has to have before it sends anything, if nothing
// but packets can make it go on.
std::int64_t CollectedBy(const PlanNode& node,
                         const NeededConditions& conditions) {
  std::int64_t collected = 1;
  if (node.batch.max_delay_ns == 0) {
    collected = std::max<std::int64_t>(collected, node.batch.max_size);
  }
  if (node.handlers.input == "DefaultInputStreamHandler" &&
      node.handlers.input_options != nullptr) {
    collected = std::max<std::int64_t>(
        collected, node.handlers.input_options
                       ->GetExtension(DefaultInputStreamHandlerOptions::ext)
                       .batch_size());
  }
  for (const NeededConditions::Need& need : conditions.needs()) {
    if (need.packets.inputs.size() != 1) continue;
    collected = std::max(collected, need.packets.min_packets);
  }
  return collected;
}

}  // namespace

bool ReadsHeader(const GraphPlan& plan, const PlanNode& node, int port) {
  const PortRef producer = plan.streams()[node.inputs[port].stream].producer;
  return IsTagOfHeader(node.contract->Inputs().layout(), port) ||
         (producer.node >= 0 &&
          IsTagOfHeader(
              plan.nodes()[producer.node].contract->Outputs().layout(),
              producer.port));
}

bool SamplesAnew(const PlanNode& node) {
  return absl::c_linear_search(kSamplers, PlainType(node));
}

std::int64_t PeriodOf(const PlanNode& node) {
  if (!node.is_source || node.conditions == nullptr ||
      node.conditions->groups.empty() || node.conditions->groups[0].is_any) {
    return 0;
  }
  for (const int i : node.conditions->groups[0].conditions) {
    const SynclineOptions& options = *node.conditions->conditions[i].options;
    if (!options.HasExtension(PeriodicConditionOptions::ext)) continue;
    const auto period = ParsePeriodNs(
        "recess_period",
        options.GetExtension(PeriodicConditionOptions::ext).recess_period());
    if (period.ok()) return *period;
  }
  return 0;
}

StreamFacts::StreamFacts(const GraphPlan& plan,
                         const std::vector<NeededConditions>& conditions)
    : plan_(plan),
      streams_(plan.streams().size()),
      nodes_(plan.nodes().size()) {
  // In the order of nodes a producer comes before its readers.
  for (const PlanNode& node : plan.nodes()) Follow(node, conditions[node.id]);
}

StreamFacts::Stream StreamFacts::OfInputs(const PlanNode& node) const {
  Stream all;
  bool is_first = true;
  for (const PlanInput& input : node.inputs) {
    if (!IsFollowed(input)) continue;
    const Stream& one = streams_[input.stream];
    if (Depth(one.silent) > Depth(all.silent)) all.silent = one.silent;
    if (one.collected > all.collected) {
      all.collected = one.collected;
      all.collector = one.collector;
    }
    if (is_first) {
      all.timer = one.timer;
    } else if (one.timer != all.timer) {
      all.timer = kMixed;
    }
    is_first = false;
  }
  return all;
}

void StreamFacts::Follow(const PlanNode& node,
                         const NeededConditions& conditions) {
  Stream sent;
  if (node.is_source) {
    if (PeriodOf(node) > 0) sent.timer = node.id;
  } else {
    sent = OfInputs(node);
    if (!PromisesBounds(node) && !node.inputs.empty()) {
      nodes_[node.id] = {.silent_before = sent.silent,
                         .depth = Depth(sent.silent) + 1};
      sent.silent = node.id;
    }
    const std::int64_t collected = CollectedBy(node, conditions);
    if (collected > sent.collected) {
      sent.collected = collected;
      sent.collector = node.id;
    }
    if (SamplesAnew(node)) sent.timer = node.id;
    // Such a node may send at other times than those of its inputs.
    const bool joins_by_time = SettledTogether(node).size() <= 1;
    if (node.inputs.size() > 1 && !joins_by_time) sent.timer = kMixed;
  }
  for (const PlanOutput& output : node.outputs) streams_[output.stream] = sent;
}

bool StreamFacts::IsBehindSilent(int stream, int node) const {
  // A chain can be as long as the graph. Those that people write are short.
  int steps_left = 1000;
  for (int at = silent(stream); at != kNone; at = silent_before(at)) {
    if (at == node) return true;
    if (--steps_left == 0) return true;
  }
  return false;
}

bool StreamFacts::ShareSource(int source_set, int other_set) const {
  if (source_set == other_set) return true;
  if (visits_left_ <= 0) return false;
  HashSet<int> sources;
  plan_.ForEachSource(source_set, [&](int source) { sources.insert(source); });
  visits_left_ -= static_cast<std::int64_t>(sources.size());
  bool is_shared = false;
  plan_.ForEachSource(other_set, [&](int source) {
    --visits_left_;
    is_shared = is_shared || sources.contains(source);
  });
  return is_shared;
}

}  // namespace syncline
