#include "framework/report/call_step.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_step.h"

namespace syncline {
namespace {

constexpr std::size_t kMostNamed = 8;

std::string Named(const GraphPlan& plan, int node) {
  return Quoted(plan.nodes()[node].name);
}

std::string ExecutorText(const GraphPlan& plan, int executor) {
  const std::string& name = plan.executors()[executor].name;
  return name.empty() ? "the default executor"
                      : absl::StrCat("executor ", Quoted(name));
}

std::string ThreadText(const RunView::Call& call) {
  return absl::StrCat("on thread ", call.thread,
                      call.thread_name.empty()
                          ? ""
                          : absl::StrCat(" (", call.thread_name, ")"));
}

std::string LastingText(const RunView::Call& call) {
  if (call.lasts_ns <= 0) return "";
  const absl::Duration lasts = absl::Nanoseconds(call.lasts_ns);
  if (lasts < absl::Milliseconds(100)) {
    return absl::StrFormat(" for %d ms", absl::ToInt64Milliseconds(lasts));
  }
  return absl::StrFormat(" for %.1f s", absl::ToDoubleSeconds(lasts));
}

// "Process at 1,500,000".
std::string FunctionText(const PlanNode& node, NodeState state, Timestamp at) {
  if (state == NodeState::kOpening) return "Open";
  if (state == NodeState::kClosing) return "Close";
  // What a source is called with is no time of its packets.
  if (node.is_source || at == Timestamp::Unset()) return "Process";
  return absl::StrCat("Process at ", TimeText(at));
}

// Of a fused node, in which part of it the call is.
std::string PartText(const NodeSnapshot& node) {
  return node.part_in_call.empty()
             ? ""
             : absl::StrCat(", in its part ", node.part_in_call);
}

// Where the call of the node is in view.calls; its size: no thread is in it.
std::size_t PlaceOfCall(const RunView& view, int node) {
  const std::vector<const void*>& calls = view.nodes[node].calls;
  std::size_t place = 0;
  while (place < view.calls.size() &&
         !absl::c_linear_search(calls, view.calls[place].call)) {
    ++place;
  }
  return place;
}

// So long the first frame of a camera may take: one that has a frame in ten
// seconds is slow.
constexpr std::int64_t kFirstFrameNs = 12'000'000'000;

// So long a thread may need to come, where others have the cores.
constexpr std::int64_t kThreadComesNs = 100'000'000;

bool HasSent(const NodeSnapshot& node) {
  return absl::c_any_of(node.outputs, [](const NodeSnapshot::Output& output) {
    return output.packets_added > 0;
  });
}

// In this call, a source may wait for a device: for its next packet, or for the
// first one. No other source waits for its end.
bool MayWaitForDevice(const GraphPlan& plan, const RunView& view, int node,
                      const RunView::Call& call) {
  if (!plan.nodes()[node].is_source ||
      absl::c_any_of(view.sources, [](const RunView::Source& source) {
        return source.is_pending;
      })) {
    return false;
  }
  const bool is_watched = call.lasts_ns > 0;
  return HasSent(view.nodes[node]) ||
         (is_watched && call.lasts_ns < kFirstFrameNs &&
          view.nodes[node].state == NodeState::kOpen);
}

// What a thread does that is in a call of `node`.
WaitStep InCall(const GraphPlan& plan, const RunView& view, int node,
                std::size_t place) {
  const RunView::Call& call = view.calls[place];
  if (call.observed_stream >= 0) {
    const std::string stream =
        Quoted(plan.streams()[call.observed_stream].name);
    const std::string name = ObserverName(view, call.observed_stream);
    WaitStep step =
        name.empty()
            ? LastStep(
                  node,
                  absl::StrCat("is sending to an observer of stream ", stream,
                               ", which has not returned, ", ThreadText(call)),
                  absl::StrCat(
                      "See where the observer of ", stream,
                      " is (gdb -p PID, \"thread apply all bt\"). An observer "
                      "holds up the node that sends: let it hand long work to "
                      "another thread, or read the stream with a poller."))
            : LastStep(node,
                       absl::StrCat("is sending stream ", stream, " to ", name,
                                    ", which takes nothing more, ",
                                    ThreadText(call)),
                       FullObserverAdvice(name));
    step.lasting = LastingText(call);
    return step;
  }
  WaitStep step = LastStep(
      node,
      absl::StrCat("has been in ",
                   FunctionText(plan.nodes()[node], view.nodes[node].state,
                                call.timestamp),
                   " ", ThreadText(call), PartText(view.nodes[node])),
      absl::StrCat("See where the call of ", Named(plan, node),
                   " is (gdb -p PID, \"thread apply all bt\"). A call that has "
                   "to wait for long needs an executor of its own, or an "
                   "AsynchronousCondition in place of the wait."));
  // Where each call of a node takes long, that is told once.
  step.told_as = absl::StrCat(
      "has been in ", FunctionText(plan.nodes()[node], view.nodes[node].state,
                                   Timestamp::Unset()));
  step.is_new_if_longer = true;
  step.is_in_call = true;
  if (!plan.nodes()[node].is_source)
    step.in_vain_after = WaitStep::kAfterSlowCalls;
  step.lasting = LastingText(call);
  step.may_be_device = MayWaitForDevice(plan, view, node, call);
  return step;
}

// The nodes that threads of this executor are in.
std::vector<int> NodesInCalls(const GraphPlan& plan, const RunView& view,
                              int executor) {
  std::vector<int> nodes;
  for (const PlanNode& node : plan.nodes()) {
    if (node.executor == executor && FindCall(view, node.id) != nullptr) {
      nodes.push_back(node.id);
    }
  }
  return nodes;
}

// The call is ready, and no thread is in it.
WaitStep WithoutThread(const GraphPlan& plan, const RunView& view, int node) {
  const int executor = plan.nodes()[node].executor;
  const std::string name = ExecutorText(plan, executor);
  const std::vector<int> busy = NodesInCalls(plan, view, executor);
  if (busy.empty()) {
    const bool is_application =
        plan.executors()[executor].kind == ExecutorKind::kFromApplication;
    WaitStep step = LastStep(
        node,
        absl::StrCat("is ready to be called, but no thread of ", name,
                     " runs it"),
        absl::StrCat(
            is_application
                ? "See that the Executor that the application has set runs "
                  "each function that it is given with Schedule()"
                : "See what the threads do otherwise (gdb -p PID, \"thread "
                  "apply all bt\")",
            ", or give ", Named(plan, node), " another executor."));
    step.may_be_device = view.still_ns > 0 && view.still_ns < kThreadComesNs;
    return step;
  }
  std::vector<std::string> names;
  for (const int other : busy) {
    if (names.size() == kMostNamed) {
      names.push_back(absl::StrCat(busy.size() - kMostNamed, " more"));
      break;
    }
    names.push_back(Named(plan, other));
  }
  WaitStep step;
  step.who = node;
  step.what = absl::StrCat("is ready to be called, but the threads of ", name,
                           " are inside calls of ", absl::StrJoin(names, ", "));
  step.next = busy[0];
  step.relation = "which is one of these";
  step.advice = "Give the executor more threads.";
  return step;
}

}  // namespace

std::string TimeText(Timestamp time) {
  if (!time.IsRangeValue() || time == Timestamp::Min() ||
      time == Timestamp::Max()) {
    return time.DebugString();
  }
  std::string text = absl::StrCat(time.Value());
  const std::size_t first = time.Value() < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string ObserverName(const RunView& view, int stream) {
  const auto [begin, end] = view.observer_names.equal_range(stream);
  return absl::StrJoin(begin, end, " or to ",
                       [](std::string* out, const auto& observer) {
                         absl::StrAppend(out, observer.second);
                       });
}

std::string FullObserverAdvice(absl::string_view name) {
  return absl::StrCat("See that somebody reads what goes to ", name,
                      ", or that its disk has room and answers: until then the "
                      "run waits.");
}

const RunView::Call* FindCall(const RunView& view, int node) {
  const std::size_t place = PlaceOfCall(view, node);
  return place == view.calls.size() ? nullptr : &view.calls[place];
}

WaitStep CallStep(const GraphPlan& plan, const RunView& view, int node) {
  const std::size_t place = PlaceOfCall(view, node);
  return place == view.calls.size() ? WithoutThread(plan, view, node)
                                    : InCall(plan, view, node, place);
}

}  // namespace syncline
