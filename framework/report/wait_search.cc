#include "framework/report/wait_search.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/call_step.h"
#include "framework/report/run_reports.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_step.h"
#include "framework/scheduler/waiters.h"

namespace syncline {
// --- Chains

std::vector<WaitStep> WaitSearch::Starts() const {
  if (view_.is_paused) {
    return {LastStep(WaitStep::kApplication, "has paused the run with Pause()",
                     "Call Resume().")};
  }
  std::vector<WaitStep> starts;
  for (std::size_t id = view_.nodes.size(); id-- > 0;) {
    if (starts.size() == kMostStarts) return starts;
    if (IsWaiting(static_cast<int>(id))) {
      starts.push_back(
          OfNode(static_cast<int>(id), Timestamp::Done(), -1, Loop()));
    }
  }
  return starts.empty() ? ApplicationStarts() : starts;
}

std::vector<WaitStep> WaitSearch::ApplicationStarts() const {
  using For = WaitReason::For;
  for (const RunView::Call& call : view_.calls) {
    if (call.observed_stream < 0) continue;
    const std::string stream = StreamName(call.observed_stream);
    const std::string name = ObserverName(view_, call.observed_stream);
    WaitStep step =
        name.empty()
            ? LastStep(
                  WaitStep::kApplication,
                  absl::StrCat("is in an observer of stream ", stream,
                               ", which has not returned"),
                  "See where that thread is (gdb -p PID, \"thread apply all "
                  "bt\").")
            : LastStep(WaitStep::kApplication,
                       absl::StrCat("is sending stream ", stream, " to ", name,
                                    ", which takes nothing more"),
                       FullObserverAdvice(name));
    step.name = absl::StrCat("thread ", call.thread);
    return {step};
  }
  for (const WaitReason& waiter : view_.waiters) {
    if (waiter.stream < 0 || IsOver(waiter.stream)) continue;
    if (waiter.what == For::kPacket) {
      return {
          ReaderOf(waiter.stream, absl::StrCat("waits in Next() for stream ",
                                               StreamName(waiter.stream)))};
    }
    if (waiter.what == For::kRoom) {
      const int input = plan_.streams()[waiter.stream].producer.port;
      absl::optional<WaitStep> paused =
          Paused(WaitStep::kApplication, plan_.graph_inputs()[input].source);
      if (paused.has_value()) return {*std::move(paused)};
    }
  }
  for (const RunView::Poller& poller : view_.pollers) {
    if (!poller.is_empty || IsOver(poller.stream)) continue;
    return {ReaderOf(poller.stream, absl::StrCat("has a poller of stream ",
                                                 StreamName(poller.stream)))};
  }
  const bool waits_for_output =
      absl::c_any_of(view_.waiters, [](const WaitReason& waiter) {
        return waiter.what == For::kObservedOutput;
      });
  for (const int stream : view_.observed_streams) {
    if (!waits_for_output || IsOver(stream)) continue;
    return {ReaderOf(stream, absl::StrCat("waits for observed stream ",
                                          StreamName(stream)))};
  }
  std::vector<WaitStep> loops = LoopStarts();
  if (!loops.empty() || (view_.waiters.empty() && !view_.program_waits)) {
    return loops;
  }
  for (const PlanNode& node : plan_.nodes()) {
    if (IsReadySource(node)) return {CallStep(plan_, view_, node.id)};
  }
  for (std::size_t input = 0; input < view_.inputs.size(); ++input) {
    if (!view_.inputs[input].is_open) continue;
    const int stream = plan_.graph_inputs()[input].stream;
    WaitStep step = ReaderOf(
        stream,
        absl::StrCat("waits for the end of graph input ", StreamName(stream)));
    step.name = "the run";
    return {step};
  }
  return {};
}

WaitStep WaitSearch::ReaderOf(int stream, std::string what) const {
  WaitStep step = WaitsForStream(WaitStep::kApplication, stream,
                                 Timestamp::Done(), /*goes_back=*/false);
  step.what = std::move(what);
  return step;
}

std::vector<WaitStep> WaitSearch::Follow(WaitStep step) const {
  std::vector<WaitStep> chain;
  chain.push_back(std::move(step));
  Loop loop;
  bool has_left_loop = false;
  while (chain.back().next != WaitStep::kNobody) {
    const WaitStep& last = chain.back();
    if (last.goes_back) loop = LoopOver(last);
    if (FindLoop(chain) != chain.size()) {
      absl::optional<WaitStep> other = OtherInputOfGate(last, loop);
      if (!other.has_value() || std::exchange(has_left_loop, true)) break;
      chain.push_back(*std::move(other));
      continue;
    }
    chain.push_back(last.next == WaitStep::kApplication
                        ? OfApplication(last.stream)
                        : OfNode(last.next, last.needed, last.stream, loop));
  }
  return chain;
}

std::size_t WaitSearch::FindLoop(const std::vector<WaitStep>& chain) {
  const auto back = absl::c_find_if(
      chain, [](const WaitStep& step) { return step.goes_back; });
  const auto begin = static_cast<std::size_t>(back - chain.begin());
  for (std::size_t i = back == chain.end() ? 0 : begin; i < chain.size(); ++i) {
    if (chain[i].who == chain.back().next &&
        chain[i].who != WaitStep::kApplication) {
      return i;
    }
  }
  return chain.size();
}

std::string WaitSearch::Name(int who) const {
  return who == WaitStep::kApplication ? "the application"
                                       : Quoted(plan_.nodes()[who].name);
}
std::string WaitSearch::Name(const WaitStep& step) const {
  return step.name.empty() ? Name(step.who) : step.name;
}
std::string WaitSearch::StreamName(int stream) const {
  return Quoted(plan_.streams()[stream].name);
}

// --- Who waits

bool WaitSearch::IsWaiting(int node) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  if (snapshot.state == NodeState::kClosed) return false;
  const int source = plan_.nodes()[node].sources.position;
  return snapshot.state == NodeState::kWaiting || HasSomethingToSay(snapshot) ||
         IsInCall(node) || AwaitedLoopInput(node) >= 0 ||
         (source >= 0 && (view_.sources[source].is_paused ||
                          view_.sources[source].is_pending));
}

bool WaitSearch::IsInCall(int node) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  if (plan_.nodes()[node].is_source && snapshot.state == NodeState::kOpen) {
    return snapshot.calls_in_flight > 0 || FindCall(view_, node) != nullptr;
  }
  return snapshot.calls_in_flight > 0 || !snapshot.calls.empty();
}

bool WaitSearch::IsReadySource(const PlanNode& node) const {
  const NodeSnapshot& snapshot = view_.nodes[node.id];
  return node.is_source && snapshot.state == NodeState::kOpen &&
         !snapshot.is_held &&
         !view_.sources[node.sources.position].is_pending &&
         !view_.sources[node.sources.position].is_paused && !IsInCall(node.id);
}

bool WaitSearch::IsOver(int stream) const {
  const PortRef producer = plan_.streams()[stream].producer;
  return producer.node >= 0 &&
         view_.nodes[producer.node].state == NodeState::kClosed;
}

WaitStep WaitSearch::OfNode(int node, Timestamp needed, int stream,
                            const Loop& loop) const {
  const NodeSnapshot& snapshot = view_.nodes[node];
  const PlanNode& plan = plan_.nodes()[node];
  if (snapshot.state == NodeState::kWaiting) return NotOpen(node);
  const int source = plan.sources.position;
  // First, as the thread that called the source may just be about to leave.
  if (source >= 0 && view_.sources[source].is_paused) {
    absl::optional<WaitStep> paused = Paused(node, source);
    if (paused.has_value()) return *std::move(paused);
  }
  if (IsInCall(node)) return CallStep(plan_, view_, node);
  if (source >= 0 && view_.sources[source].is_pending) return Pending(node);
  if (IsHeld(snapshot)) return Held(node);
  if (plan.is_source) return CallStep(plan_, view_, node);
  if (stream < 0 && AwaitedLoopInput(node) >= 0) {
    const PlanInput& input = plan.inputs[AwaitedLoopInput(node)];
    return WaitsForStream(node, input.stream, Timestamp::Done(),
                          input.back_edge);
  }
  if (loop.head >= 0 && stream >= 0) {
    absl::optional<WaitStep> owes = OwesAnswer(node, stream, loop);
    if (owes.has_value()) return *std::move(owes);
  }
  const int port =
      FurthestBehind(node, stream < 0 ? Timestamp::Done() : needed);
  if (port >= 0) {
    return WaitsForStream(node, plan.inputs[port].stream,
                          NeededAt(node, needed), plan.inputs[port].back_edge);
  }
  return PromisesNothing(node, stream);
}

WaitStep WaitSearch::OfApplication(int stream) const {
  const int input = plan_.streams()[stream].producer.port;
  const int source = plan_.graph_inputs()[input].source;
  if (view_.sources[source].is_paused) {
    absl::optional<WaitStep> paused = Paused(WaitStep::kApplication, source);
    if (paused.has_value()) return *std::move(paused);
  }
  if (static_cast<std::size_t>(input) < view_.inputs.size() &&
      !view_.inputs[input].feeder.empty()) {
    WaitStep step = LastStep(
        WaitStep::kApplication, "has nothing more so far, and has not ended",
        "Write the next packets into it, a line each, or close it.");
    step.name = view_.inputs[input].feeder;
    step.may_be_device = view_.inputs[input].has_fed;
    return step;
  }
  return LastStep(
      WaitStep::kApplication, "has not sent that, nor closed it",
      absl::StrCat("Add packets to ", StreamName(stream),
                   ", raise its bound with SetInputStreamTimestampBound(), or "
                   "end it with CloseInputStream()."));
}

}  // namespace syncline
