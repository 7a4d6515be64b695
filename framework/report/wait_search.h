// WaitSearch: follows who waits for whom in a run, from node to node, until
// somebody waits for nobody else.
//
//   a node with packets, or one whose reader waits for what it sends
//       -> who sends the input stream that is furthest behind
//   a node that is not open   -> who sets the side packet, or sends the header
//   a source of a later layer -> a source of the layer before
//   a paused source           -> who has the full queue
//   a call that is ready      -> a call that has a thread of its executor
//   a node that holds packets back until a loop has answered, which no queue
//   shows                     -> who in the loop has not sent the answer
//
// Thread rule: belongs to one thread.
// Tested by wait_search_test, standstill_test and standstill_loops_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_WAIT_SEARCH_H_
#define SYNCLINE_FRAMEWORK_REPORT_WAIT_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_step.h"

namespace syncline {

class WaitSearch {
 public:
  // Both borrowed.
  WaitSearch(const GraphPlan& plan, const RunView& view)
      : plan_(plan), view_(view) {}

  // Who waits for something, the nodes that are nearest to the outputs first.
  std::vector<WaitStep> Starts() const;
  struct LoopStart {
    WaitStep step;
    // A node of the loop is in a call: only who waits for a call that takes
    // long is sure to wait in vain.
    bool is_in_call = false;
  };
  // Nodes whose calculators say that they wait for a loop (condition/loop_gate)
  // in which nothing goes on: no node of it waits for a time, or for an event
  // from outside. What goes on elsewhere in the run makes no difference.
  std::vector<LoopStart> StillLoopStarts() const;
  // The chain that begins with `step`. Where it comes back to itself, its last
  // step is the one that leads back.
  std::vector<WaitStep> Follow(WaitStep step) const;
  // Where the loop begins that the last step closes; chain.size(): it closes
  // none. A loop over a back edge begins at that edge, so nodes before it may
  // come twice.
  static std::size_t FindLoop(const std::vector<WaitStep>& chain);

  // `"tracker"` or `the application`.
  std::string Name(int who) const;
  std::string Name(const WaitStep& step) const;

 private:
  // Waiters from which a chain is followed; more of them rarely have another
  // cause.
  static constexpr std::size_t kMostStarts = 64;

  // The loop into which a chain has gone over a back edge.
  struct Loop {
    // The node at which the back edge ends; -1: the chain has gone over none.
    int head = -1;
    // The nodes that get something from `head`, directly or not.
    std::vector<bool> is_inside;
    // The bound of the back edge has come as far as what `head` let in, and yet
    // it waits: it wants packets.
    bool has_bounds = false;
  };

  bool IsWaiting(int node) const;
  // A call of the node runs or, unless it is a source, is ready.
  bool IsInCall(int node) const;
  // A source that may be called, and is in no call.
  bool IsReadySource(const PlanNode& node) const;
  bool IsOver(int stream) const;
  // Who waits where no node does.
  std::vector<WaitStep> ApplicationStarts() const;
  // Nodes that hold packets back for the sake of a loop.
  std::vector<WaitStep> LoopStarts() const;
  // The node, such as a flow limiter, waits for a loop, which comes back at
  // `port`, before it lets more packets into it. Its calculator may say so
  // (condition/loop_gate). Of others: it has let in fewer than it took, and
  // not all of them have come back, nor has the loop said by its bound that
  // they will not. A loop that holds some of them for long, such as one with a
  // delay line, is no reason to wait; so besides, either the node has not said
  // what becomes of the packets that it took last, or no packet has come back
  // at all.
  bool HoldsBackFor(int node, std::size_t port) const;
  enum class LoopState { kGoesOn, kIsInCall, kStandsStill };
  // Of the way from the head of the loop to the stream `back`, which leads back
  // to it.
  LoopState StateOf(const Loop& loop, int back) const;
  // The input over which the calculator says that it waits for a loop; -1: it
  // waits for none.
  int AwaitedLoopInput(int node) const;
  // How many packets `node` has sent on streams from which `stream`, a back
  // edge to it, follows, and how far these have come.
  NodeSnapshot::Output SentInto(const PlanNode& node, int stream) const;
  WaitStep ReaderOf(int stream, std::string what) const;
  // What `node` waits for, while another waits that its stream `stream` comes
  // as far as `needed`; -1: nobody does. `loop`: where the chain is.
  WaitStep OfNode(int node, Timestamp needed, int stream,
                  const Loop& loop) const;
  WaitStep OfApplication(int stream) const;
  WaitStep NotOpen(int node) const;
  static bool IsHeld(const NodeSnapshot& snapshot);
  // A condition holds the node that no time and no event from outside ends:
  // somebody has to switch it on.
  static bool IsSwitchedOff(const NodeSnapshot& snapshot);
  WaitStep Held(int node) const;
  // A condition holds the node that waits for memory to come back.
  bool WaitsForMemory(int node) const;
  // What to do about the first condition that holds the node.
  std::string HeldAdvice(int node) const;
  // ", such as ..., to which the node sends"; empty if nobody reads it.
  std::string ReadersText(const PlanNode& node) const;
  WaitStep Pending(int node) const;
  // A source node, or the application at a graph input. Nothing: its queue has
  // room again by now.
  absl::optional<WaitStep> Paused(int who, int source) const;
  bool IsFedBy(const PlanStream& stream, int source) const;
  // If others wait that the node comes as far as `needed`: how far its inputs
  // have to come. With packets of its own, as far as the earliest.
  Timestamp NeededAt(int node, Timestamp needed) const;
  // The input that keeps the node from its call, or from coming as far as
  // `needed`: that with the lowest bound. A back edge only where the node holds
  // packets, or no other input keeps it. -1: there is none.
  int FurthestBehind(int node, Timestamp needed) const;
  // The same, only for back edges or only for others.
  int LowestBehind(int node, Timestamp until, bool back_edges) const;
  WaitStep WaitsForStream(int who, int stream, Timestamp needed,
                          bool goes_back) const;
  // All that came to the node was processed, or waits inside of it.
  WaitStep PromisesNothing(int node, int stream) const;
  // The one that ends with this back edge.
  Loop LoopOver(const WaitStep& back_edge) const;
  // How many packets the node has taken from the loop: of its inputs, that
  // which has had most.
  std::int64_t TakenFrom(const Loop& loop, int node) const;
  // Somebody in the loop of a gate waits for what the gate sends beside the
  // packets that it counts, and for that the gate waits for another input. No
  // step: it does not.
  absl::optional<WaitStep> OtherInputOfGate(const WaitStep& waits_for_gate,
                                            const Loop& loop) const;
  // The node is called for each packet by itself, and an input that the loop
  // does not feed may have one for it.
  bool MayBeAnsweredByOthers(const Loop& loop, int node) const;
  // In a loop that has been started: the node took packets from it and sent
  // fewer on `stream`, or earlier ones, nor has it said by a bound that some
  // have no result; or it collects them for a batch. No step: it did not, or it
  // waits for another input itself.
  absl::optional<WaitStep> OwesAnswer(int node, int stream,
                                      const Loop& loop) const;
  std::string StreamName(int stream) const;

  const GraphPlan& plan_;
  const RunView& view_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_WAIT_SEARCH_H_
