// Finds out which channels of a switch pass timestamp bounds on.
// SwitchMuxCalculator has to know this, and cannot see it by itself.
//
//   tick ─> SwitchDemux ─> c0__in ─> A (offset 5) ─> B (offset 0) ─> c0__out
//                       └> c1__in ─> C (no offset) ───────────────> c1__out
//
// When nothing more is sent to A, the bounds of "tick" still go through A and
// B, and "c0__out" is settled up to a change of channel soon after "tick" is.
// The calculator can wait for this, and misses no packet of A. "c1__out" is
// settled only up to what C sent last, and to wait for more could take forever.
//
// So this pass writes the inputs of the first kind into the options of the
// SwitchMuxCalculator, as settled_input_stream. In a graph with `deterministic:
// true` it writes all inputs, because an input that is not waited for depends
// on the schedule.
//
// A node passes bounds if it promises a timestamp offset and joins its inputs
// by DefaultInputStreamHandler, or is called for bounds.
//
// Tested by trace_bounds_test and //framework/tool:switch_container_test.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/switch_container.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/passes.h"

namespace syncline {
namespace {

constexpr absl::string_view kTick = "TICK";
// In the tags of channels, such as C0__IMAGE.
constexpr absl::string_view kSeparator = "__";

// How many nodes are looked at for each node of the graph, on average; only
// switches in switches in switches ask for more. Those then do without.
constexpr int64_t kMaxVisits = 100;

bool IsType(const CompileState& state, int node, absl::string_view type) {
  const std::string& calculator = state.node(node).calculator();
  return absl::EndsWith(calculator, type) &&
         (calculator.size() == type.size() ||
          calculator[calculator.size() - type.size() - 1] == '.');
}

// The node by itself, with inputs that pass bounds.
bool CanPassBounds(const NodeDraft& draft) {
  if (!draft.described || draft.inputs.empty()) return false;
  if (draft.contract->GetProcessTimestampBounds()) return true;
  return draft.contract->GetTimestampOffset() != TimestampDiff::Unset() &&
         absl::EndsWith(draft.input_stream_handler,
                        "DefaultInputStreamHandler");
}

class BoundTracer {
 public:
  explicit BoundTracer(CompileState* state)
      : state_(*state),
        visits_left_(kMaxVisits * static_cast<int64_t>(state->drafts.size())) {}

  void Run() {
    for (int i = 0; i < static_cast<int>(state_.drafts.size()); ++i) {
      if (IsType(state_, i, "SwitchMuxCalculator")) MarkInputs(i);
    }
  }

 private:
  void MarkInputs(int mux) {
    const NodeDraft& draft = state_.drafts[mux];
    if (!draft.described) return;
    FindTicks(draft);
    if (ticks_.empty()) return;  // everything is waited for anyway
    if (!state_.config().deterministic()) {
      FindAncestors(draft);
      JudgeAncestors();
    }
    SwitchContainerOptions options =
        draft.contract->node_options().Get<SwitchContainerOptions>();
    // A canonical config has what another compilation found.
    const bool had_some = options.settled_input_stream_size() > 0;
    options.clear_settled_input_stream();
    const PortLayout& layout = draft.contract->Inputs().layout();
    for (int port = 0; port < layout.NumEntries(); ++port) {
      const auto [tag, index] = layout.TagAndIndex(port);
      if (!absl::StrContains(tag, kSeparator)) continue;  // no channel
      if (state_.config().deterministic() || Passes(draft.inputs[port])) {
        *options.add_settled_input_stream() = absl::StrCat(tag, ":", index);
      }
    }
    if (options.settled_input_stream().empty() && !had_some) return;
    *state_.config().mutable_node(mux)->mutable_options()->MutableExtension(
        SwitchContainerOptions::ext) = std::move(options);
  }

  // The streams that time the switch.
  void FindTicks(const NodeDraft& mux) {
    ticks_.clear();
    demuxes_.clear();
    const PortLayout& layout = mux.contract->Inputs().layout();
    for (int port = 0; port < layout.NumEntries(); ++port) {
      if (layout.TagAndIndex(port).first != kTick) continue;
      ticks_.insert(mux.inputs[port].stream);
    }
  }

  // The nodes between the ticks and the switch, as far as they may pass bounds.
  void FindAncestors(const NodeDraft& mux) {
    passes_.clear();
    ancestors_.clear();
    std::vector<const NodeDraft*> next = {&mux};
    while (!next.empty()) {
      const NodeDraft& draft = *next.back();
      next.pop_back();
      for (const InputDraft& input : draft.inputs) {
        const int producer = Producer(input);
        if (producer < 0 || passes_.contains(producer)) continue;
        if (--visits_left_ < 0) return;
        passes_[producer] = false;
        const NodeDraft& found = state_.drafts[producer];
        if (!CanPassBounds(found)) continue;
        ancestors_.push_back(producer);
        if (!IsDemux(producer)) next.push_back(&found);
      }
    }
  }

  // In the order of nodes a producer comes before those it feeds.
  void JudgeAncestors() {
    if (visits_left_ < 0) return;
    absl::c_sort(ancestors_);
    for (const int node : ancestors_) {
      const NodeDraft& draft = state_.drafts[node];
      passes_[node] =
          IsDemux(node) ||
          absl::c_all_of(draft.inputs, [this](const InputDraft& input) {
            return ticks_.contains(input.stream) || Passes(input);
          });
    }
  }

  // A demultiplexer of ticks: what else it reads only selects, or has outputs
  // of its own.
  bool IsDemux(int node) {
    const auto [entry, is_new] = demuxes_.try_emplace(node, false);
    if (is_new && IsType(state_, node, "SwitchDemuxCalculator")) {
      const NodeDraft& draft = state_.drafts[node];
      entry->second =
          draft.described &&
          absl::c_any_of(draft.inputs, [this](const InputDraft& input) {
            return ticks_.contains(input.stream);
          });
    }
    return entry->second;
  }

  // The node that the stream of the input comes from; -1 for none.
  int Producer(const InputDraft& input) const {
    if (input.stream < 0 || input.back_edge) return -1;
    return state_.streams[input.stream].producer.node;
  }

  bool Passes(const InputDraft& input) {
    const int producer = Producer(input);
    if (producer < 0) return false;
    const auto found = passes_.find(producer);
    if (found == passes_.end() || !found->second) return false;
    return !IsDemux(producer) || RouteHasTick(producer, input.stream);
  }

  // Whether what the demultiplexer sends to the stream comes from a tick. Only
  // its output TAG:index of a channel has the bounds of its input TAG:index.
  bool RouteHasTick(int demux, int stream) const {
    const NodeDraft& draft = state_.drafts[demux];
    const int output = state_.streams[stream].producer.port;
    const auto [channel_tag, index] =
        draft.contract->Outputs().layout().TagAndIndex(output);
    absl::string_view tag = channel_tag;
    const size_t separator = tag.find(kSeparator);
    if (separator == absl::string_view::npos) return false;
    tag.remove_prefix(separator + kSeparator.size());
    const CollectionItemId input =
        draft.contract->Inputs().layout().GetId(tag, index);
    return input.IsValid() &&
           ticks_.contains(draft.inputs[input.value()].stream);
  }

  CompileState& state_;
  int64_t visits_left_;
  // For the switch that is being looked at.
  HashSet<int> ticks_;  // streams
  HashMap<int, bool> demuxes_;
  std::vector<int> ancestors_;  // nodes
  HashMap<int, bool> passes_;
};

}  // namespace

void TraceBounds(CompileState* state) { BoundTracer(state).Run(); }

}  // namespace syncline
