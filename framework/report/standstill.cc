// FindStandstill: follows who waits for whom, from node to node, until somebody
// waits for nobody else: that is the cause.
//
//   a node with packets, or one that the next is behind of
//       -> who sends the input stream that is furthest behind
//   a node that is not open   -> who sets the side packet, or sends the header
//   a source of a later layer -> a source of the layer before
//   a paused source           -> who has the full queue
//
// A chain that comes back to itself is a cause, too: a back edge that nobody
// has started, or full queues that hold back what would empty them.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/condition/condition_result.h"
#include "framework/graph_text/node_names.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_reports.h"

namespace syncline {
namespace {

// Waiters from which a chain is followed; more of them rarely have another
// cause.
constexpr std::size_t kMostStarts = 64;
// Lines of a chain that are shown.
constexpr std::size_t kMostLines = 16;

// The application, in place of a node.
constexpr int kApplication = -1;
// The chain ends.
constexpr int kNobody = -2;

// Who waits, and for whom.
struct Step {
  int who = kApplication;
  // What `who` waits for, or what is the matter with it.
  std::string what;
  int next = kNobody;
  // What the next one has to do with it, as "which sends it".
  std::string relation;
  // Up to here the next one has to come.
  Timestamp needed = Timestamp::Done();
  // The stream that the next one sends.
  int stream = -1;
  bool goes_back = false;
  bool is_pause = false;
  // If the chain ends here, or goes round over it: what to do.
  std::string advice;
};

// 1500000 as 1,500,000.
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

// The time of the earliest packet that waits; Done if none waits.
Timestamp EarliestPacket(const NodeSnapshot& node) {
  Timestamp earliest = Timestamp::Done();
  for (const NodeSnapshot::Input& input : node.inputs) {
    if (input.queue_size > 0) {
      earliest = std::min(earliest, input.min_timestamp_or_bound);
    }
  }
  return earliest;
}

class Search {
 public:
  // Both borrowed.
  Search(const GraphPlan& plan, const RunView& view)
      : plan_(plan), view_(view) {}

  // Who waits for something, the nodes that are nearest to the outputs first.
  std::vector<Step> Starts() const {
    std::vector<Step> starts;
    for (std::size_t id = view_.nodes.size(); id-- > 0;) {
      if (starts.size() == kMostStarts) return starts;
      if (IsWaiting(static_cast<int>(id))) {
        starts.push_back(OfNode(static_cast<int>(id), Timestamp::Done(), -1));
      }
    }
    if (!starts.empty()) return starts;
    for (const RunView::Poller& poller : view_.pollers) {
      if (!poller.is_empty || IsOver(poller.stream)) continue;
      starts.push_back(WaitsForStream(kApplication, poller.stream,
                                      Timestamp::Done(), false));
      starts.back().what =
          absl::StrCat("has a poller of stream ", StreamName(poller.stream));
      return starts;
    }
    return starts;
  }

  // The chain that begins with `step`. Where it comes back to itself, its last
  // step is the one that leads back.
  std::vector<Step> Follow(Step step) const {
    std::vector<Step> chain;
    chain.push_back(std::move(step));
    while (chain.back().next != kNobody && FindLoop(chain) == chain.size()) {
      const Step& last = chain.back();
      chain.push_back(last.next == kApplication
                          ? OfApplication(last.stream)
                          : OfNode(last.next, last.needed, last.stream));
    }
    return chain;
  }

  // Where the loop begins that the last step closes; chain.size(): it closes
  // none.
  static std::size_t FindLoop(const std::vector<Step>& chain) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (chain[i].who == chain.back().next && chain[i].who != kApplication) {
        return i;
      }
    }
    return chain.size();
  }

  Standstill Describe(const std::vector<Step>& chain) const {
    Standstill standstill;
    for (const Step& step : chain) {
      standstill.chain.push_back(absl::StrCat(Name(step.who), " ", step.what));
    }
    const Step& last = chain.back();
    standstill.advice = last.advice;
    if (last.next != kNobody) {
      DescribeLoop(absl::MakeConstSpan(chain).subspan(FindLoop(chain)),
                   &standstill);
    } else if (chain.size() == 1) {
      standstill.cause = standstill.chain[0];
    } else {
      standstill.cause = Both(chain[chain.size() - 2], last);
    }
    return standstill;
  }

 private:
  // --- Who waits

  bool IsWaiting(int node) const {
    const NodeSnapshot& snapshot = view_.nodes[node];
    if (snapshot.state == NodeState::kClosed) return false;
    const int source = plan_.nodes()[node].sources.position;
    return snapshot.state == NodeState::kWaiting ||
           HasSomethingToSay(snapshot) || snapshot.calls_in_flight > 0 ||
           (source >= 0 && (view_.sources[source].is_paused ||
                            view_.sources[source].is_pending));
  }
  bool IsOver(int stream) const {
    const PortRef producer = plan_.streams()[stream].producer;
    return producer.node >= 0 &&
           view_.nodes[producer.node].state == NodeState::kClosed;
  }

  // What `node` waits for, while another waits that its stream `stream` comes
  // as far as `needed`; -1: nobody does.
  Step OfNode(int node, Timestamp needed, int stream) const {
    const NodeSnapshot& snapshot = view_.nodes[node];
    const PlanNode& plan = plan_.nodes()[node];
    if (snapshot.state == NodeState::kWaiting) return NotOpen(node);
    if (snapshot.calls_in_flight > 0) return InCall(node);
    const int source = plan.sources.position;
    if (source >= 0 && view_.sources[source].is_pending) return Pending(node);
    if (source >= 0 && view_.sources[source].is_paused) {
      absl::optional<Step> paused = Paused(node, source);
      if (paused.has_value()) return *std::move(paused);
    }
    if (IsHeld(snapshot)) return Held(node);
    if (plan.is_source) {
      return End(node, "has not been called again",
                 "See whether its executor runs its tasks.");
    }
    const int port =
        FurthestBehind(node, stream < 0 ? Timestamp::Done() : needed);
    if (port >= 0) {
      return WaitsForStream(node, plan.inputs[port].stream,
                            NeededAt(node, needed),
                            plan.inputs[port].back_edge);
    }
    return PromisesNothing(node, stream);
  }

  Step OfApplication(int stream) const {
    const int source =
        plan_.graph_inputs()[plan_.streams()[stream].producer.port].source;
    if (view_.sources[source].is_paused) {
      absl::optional<Step> paused = Paused(kApplication, source);
      if (paused.has_value()) return *std::move(paused);
    }
    return End(kApplication, "has not sent that, nor closed it",
               absl::StrCat(
                   "Add packets to ", StreamName(stream),
                   ", raise its bound with SetInputStreamTimestampBound(), or "
                   "end it with CloseInputStream()."));
  }

  // --- What it is

  static Step End(int who, std::string what, std::string advice) {
    Step step;
    step.who = who;
    step.what = std::move(what);
    step.advice = std::move(advice);
    return step;
  }

  Step NotOpen(int node) const {
    const MissingToOpen& missing = view_.missing[node];
    Step step;
    step.who = node;
    if (!missing.side_packets.empty()) {
      const PlanSidePacket& side_packet =
          plan_.side_packets()[missing.side_packets[0]];
      step.what = absl::StrCat("is not open, as it waits for side packet ",
                               Quoted(side_packet.name));
      step.next = side_packet.producer.node;
      step.relation = "which sets it";
      // Who is open and waits for nothing just has not set it.
      if (!IsWaiting(step.next)) {
        step.next = kNobody;
        absl::StrAppend(&step.what, ", which ", Name(side_packet.producer.node),
                        " has not set");
      }
      step.advice = absl::StrCat(
          "Let ", Name(side_packet.producer.node),
          " set it in Open(), or mark the input side packet Optional().");
    } else if (!missing.streams.empty()) {
      const PlanStream& stream = plan_.streams()[missing.streams[0]];
      step.what = absl::StrCat("is not open, as it waits for the header of ",
                               "stream ", Quoted(stream.name));
      step.next = stream.producer.node;
      step.relation = "which sends it";
    } else {
      step.what = "is not open";
    }
    return step;
  }

  Step InCall(int node) const {
    return End(node,
               "is in a call that has not ended, or that no thread of its "
               "executor has begun",
               absl::StrCat("See where the call of ", Name(node),
                            " is (gdb -p PID, \"thread apply all bt\"). A call "
                            "that has to wait for long needs an executor of "
                            "its own, or an AsynchronousCondition in place of "
                            "the wait."));
  }

  static bool IsHeld(const NodeSnapshot& snapshot) {
    return snapshot.is_held &&
           absl::c_any_of(snapshot.conditions,
                          [](const ConditionResult& result) {
                            return result.state != ConditionState::kReady;
                          });
  }
  Step Held(int node) const {
    const NodeSnapshot& snapshot = view_.nodes[node];
    const bool has_time =
        absl::c_any_of(snapshot.conditions, [](const ConditionResult& result) {
          return result.target_ns != ConditionResult::kNoTarget;
        });
    // Time passes by itself, or is the application's to move.
    return End(node, HeldByText(plan_.nodes()[node], snapshot),
               has_time ? ""
                        : "Let happen what the condition waits for, or take "
                          "the condition out of the node.");
  }

  Step Pending(int node) const {
    Step step;
    step.who = node;
    step.what = "waits for the sources of a lower source_layer to end";
    step.relation = "which is one of them";
    step.advice =
        "Let those sources end, or give the others the same "
        "source_layer.";
    int lowest = -1;
    for (const PlanNode& other : plan_.nodes()) {
      if (other.sources.position < 0 ||
          view_.sources[other.sources.position].is_pending ||
          view_.nodes[other.id].state == NodeState::kClosed) {
        continue;
      }
      if (lowest < 0 ||
          other.sources.layer < plan_.nodes()[lowest].sources.layer) {
        lowest = other.id;
      }
    }
    if (lowest < 0) return step;
    step.next = lowest;
    // A source that only goes on and on is the cause itself.
    if (!IsWaiting(lowest)) {
      step.next = kNobody;
      absl::StrAppend(&step.what, ", and ", Name(lowest),
                      " is one of them and goes on");
    }
    return step;
  }

  // A source node, or the application at a graph input. Nothing: its queue has
  // room again by now.
  absl::optional<Step> Paused(int who, int source) const {
    for (const PlanNode& node : plan_.nodes()) {
      const NodeSnapshot& snapshot = view_.nodes[node.id];
      for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
        if (!snapshot.inputs[port].is_full) continue;
        const PlanStream& stream = plan_.streams()[node.inputs[port].stream];
        if (!IsFedBy(stream, source)) continue;
        Step step;
        step.who = who;
        step.what = absl::StrCat("is paused by the full queue of stream ",
                                 Quoted(stream.name), " at ", Name(node.id));
        step.next = node.id;
        step.relation = "which has that queue";
        step.is_pause = true;
        step.advice = absl::StrCat(
            "Give the queue of ", Quoted(stream.name), " at ", Name(node.id),
            " more room than ", snapshot.inputs[port].queue_size,
            " packets with max_queue_size, or let what it waits for come "
            "sooner.");
        return step;
      }
    }
    for (const RunView::Poller& poller : view_.pollers) {
      if (!poller.is_full || !IsFedBy(plan_.streams()[poller.stream], source)) {
        continue;
      }
      return End(who,
                 absl::StrCat("is paused by the full poller of stream ",
                              StreamName(poller.stream),
                              ", which the application does not read"),
                 "Call Next() of that poller, or destroy it if nobody needs "
                 "its packets.");
    }
    return absl::nullopt;
  }
  bool IsFedBy(const PlanStream& stream, int source) const {
    bool is_fed = false;
    plan_.ForEachSource(stream.source_set, [&](int feeder) {
      is_fed = is_fed || feeder == source;
    });
    return is_fed;
  }

  // --- Streams

  // If others wait that the node comes as far as `needed`: how far its inputs
  // have to come. With packets of its own, as far as the earliest.
  Timestamp NeededAt(int node, Timestamp needed) const {
    const NodeSnapshot& snapshot = view_.nodes[node];
    const Timestamp earliest = EarliestPacket(snapshot);
    if (earliest != Timestamp::Done()) return earliest;
    if (snapshot.batched_sets > 0) return Timestamp::Done();
    const TimestampDiff offset = plan_.nodes()[node].bounds.offset;
    return needed.IsRangeValue() && offset != TimestampDiff::Unset()
               ? needed - offset
               : needed;
  }

  // The input that keeps the node from its call, or from coming as far as
  // `needed`: that with the lowest bound. -1: there is none.
  int FurthestBehind(int node, Timestamp needed) const {
    const NodeSnapshot& snapshot = view_.nodes[node];
    const Timestamp until = NeededAt(node, needed);
    const bool has_packets = EarliestPacket(snapshot) != Timestamp::Done();
    int furthest = -1;
    for (std::size_t port = 0; port < snapshot.inputs.size(); ++port) {
      const NodeSnapshot::Input& input = snapshot.inputs[port];
      if (input.bound == Timestamp::Done() || input.queue_size > 0 ||
          input.bound > until) {
        continue;
      }
      if (furthest < 0 || input.bound < snapshot.inputs[furthest].bound) {
        furthest = static_cast<int>(port);
      }
    }
    if (furthest >= 0 || !has_packets) return furthest;
    // The handler looks behind the first packets of the queues.
    const auto last = std::ranges::min_element(snapshot.inputs, {},
                                               &NodeSnapshot::Input::bound);
    return last->bound == Timestamp::Done()
               ? -1
               : static_cast<int>(last - snapshot.inputs.begin());
  }

  Step WaitsForStream(int who, int stream, Timestamp needed,
                      bool goes_back) const {
    Step step;
    step.who = who;
    step.what = absl::StrCat("waits for stream ", StreamName(stream),
                             needed == Timestamp::Done()
                                 ? ""
                                 : absl::StrCat(" up to ", TimeText(needed)));
    step.next = plan_.streams()[stream].producer.node;
    step.relation = "which sends it";
    step.needed = needed;
    step.stream = stream;
    step.goes_back = goes_back;
    step.advice = absl::StrCat("Start the loop: let ",
                               Name(plan_.streams()[stream].producer.node),
                               " send a first packet, or a bound, in Open().");
    return step;
  }

  // All that came to the node was processed.
  Step PromisesNothing(int node, int stream) const {
    const PlanBounds& bounds = plan_.nodes()[node].bounds;
    const std::string sent = stream < 0 ? "its outputs" : StreamName(stream);
    if (bounds.are_processed || bounds.offset != TimestampDiff::Unset()) {
      return End(
          node,
          absl::StrCat("has processed all that came, and has not raised "
                       "the bound of ",
                       sent, " so far"),
          absl::StrCat("Let ", Name(node),
                       " raise the bound with SetNextTimestampBound()."));
    }
    return End(node, "promises no bounds while it sends nothing",
               absl::StrCat(
                   "Let ", Name(node), " say how far ", sent,
                   " has come: SetTimestampOffset(0) in its contract, if its "
                   "packets have the times of its inputs, or "
                   "SetNextTimestampBound() in each call that sends nothing."));
  }

  // --- Texts

  std::string Name(int who) const {
    return who == kApplication ? "the application"
                               : Quoted(plan_.nodes()[who].name);
  }
  std::string StreamName(int stream) const {
    return Quoted(plan_.streams()[stream].name);
  }
  std::string Both(const Step& first, const Step& second) const {
    const bool is_named =
        absl::StrContains(first.what, absl::StrCat(" at ", Name(second.who)));
    return absl::StrCat(
        Name(first.who), " ", first.what, ", and ",
        is_named ? "that node"
                 : absl::StrCat(Name(second.who), ", ", first.relation, ","),
        " ", second.what);
  }
  void DescribeLoop(absl::Span<const Step> loop, Standstill* standstill) const {
    const auto back =
        absl::c_find_if(loop, [](const Step& step) { return step.goes_back; });
    if (back != loop.end()) {
      standstill->cause = absl::StrCat(
          Name(back->who), " ", back->what,
          ", a back edge, which nothing has started: ", Name(back->next),
          " sends it only after ", Name(back->who), " has sent something");
      standstill->advice = back->advice;
      return;
    }
    const auto pause =
        absl::c_find_if(loop, [](const Step& step) { return step.is_pause; });
    std::vector<std::string> parts;
    for (const Step& step : loop) {
      parts.push_back(absl::StrCat(Name(step.who), " ", step.what));
    }
    standstill->cause = absl::StrCat(
        pause == loop.end() ? "nodes wait for each other: "
                            : "full queues hold back what would empty them: ",
        absl::StrJoin(parts, ", and "));
    if (pause != loop.end()) standstill->advice = pause->advice;
  }

  const GraphPlan& plan_;
  const RunView& view_;
};

}  // namespace

Standstill FindStandstill(const GraphPlan& plan, const RunView& view) {
  const Search search(plan, view);
  struct Found {
    int waiters = 0;
    std::vector<Step> chain;  // the longest
  };
  // By what is said of the last one in the chain.
  std::map<std::string, Found> causes;
  const Found* most = nullptr;
  for (Step& start : search.Starts()) {
    std::vector<Step> chain = search.Follow(std::move(start));
    Found& found = causes[search.Describe(chain).chain.back()];
    ++found.waiters;
    if (chain.size() > found.chain.size()) found.chain = std::move(chain);
    if (most == nullptr || found.waiters > most->waiters) most = &found;
  }
  return most == nullptr ? Standstill() : search.Describe(most->chain);
}

std::string StandstillText(const Standstill& standstill) {
  if (standstill.cause.empty()) return "";
  std::string text = absl::StrCat(standstill.cause, ".\n");
  const std::vector<std::string>& chain = standstill.chain;
  if (chain.size() > 2) {
    absl::StrAppend(&text, "What waits for that:\n");
    const std::size_t left_out =
        chain.size() > kMostLines ? chain.size() - kMostLines : 0;
    if (left_out > 0) {
      absl::StrAppend(&text, "  (", left_out, " more before these)\n");
    }
    for (std::size_t i = left_out; i < chain.size(); ++i) {
      absl::StrAppend(&text, "  ", chain[i], "\n");
    }
  }
  if (!standstill.advice.empty()) {
    absl::StrAppend(&text, "What to do: ", standstill.advice, "\n");
  }
  return text;
}

}  // namespace syncline
