// Why a run stands still: who waits for whom, and who waits for nobody else.
//
// Thread rule: pure functions.
// Tested by standstill_test, standstill_loops_test and, in graphs, by
// standstill_graph_test and standstill_watch_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_STANDSTILL_H_
#define SYNCLINE_FRAMEWORK_REPORT_STANDSTILL_H_

#include <string>
#include <vector>

#include "framework/plan/graph_plan.h"
#include "framework/report/node_wait.h"
#include "framework/report/run_view.h"

namespace syncline {

struct Standstill {
  // One sentence: what everybody waits for, in the end. Empty: nobody waits.
  // Nothing in it changes while the run stands still.
  std::string cause;
  // What makes it the same as one that was told before: the cause without
  // numbers that change while nothing new is the matter.
  std::string told_as;
  // The same cause is a new standstill once its last node has moved.
  bool is_new_once_moved = true;
  // So it is, but only if it then lasts much longer than it did before.
  bool is_new_if_longer = false;
  // For how long that is so, as " for 3.2 s"; empty: unknown. It belongs at the
  // end of the cause.
  std::string lasting;
  // Each line says what one node waits for, and the next line is about that;
  // the last one is the cause.
  std::vector<std::string> chain;
  // What the reader can do.
  std::string advice;
  // Nobody waits for anything but a source that has sent before: its call, or
  // who feeds it, may wait for a device or a network, such as a camera that has
  // no frame yet.
  bool may_be_device = false;
  // Nobody waits for anything but a time of the graph's clock.
  bool waits_for_time = false;
  // The last node of the chain; -1: there is none.
  int last_node = -1;
};

// A loop that stands still, whatever else goes on in the run.
struct StillLoop {
  // The node that waits for it.
  int gate = -1;
  Standstill standstill;
  // It is none before it has lasted for so many times as long as others.
  int in_vain_after = 1;
};

// Of several causes, that for which most nodes wait; one that may be a device
// only if there is no other, and a time only if there is nothing else at all.
Standstill FindStandstill(const GraphPlan& plan, const RunView& view);
// Of each node that says that it waits for a loop (condition/loop_gate): which
// node of the loop owes it the answer. Only of loops in which nothing goes on.
// `view` may be of a run that goes on, a mixture of several moments: what is
// so for long is the same each time.
std::vector<StillLoop> FindStillLoops(const GraphPlan& plan,
                                      const RunView& view);
// The same as FindStandstill by node: each node that waits, once, in the order
// in which chains come to it. Of nodes that wait for the same, the first 64
// chains are followed.
std::vector<NodeWait> FindWaits(const GraphPlan& plan, const RunView& view);
// In lines. Empty if nobody waits.
std::string StandstillText(const Standstill& standstill);
// A line that says which calls of the application wait for the run; empty if
// none does. Of a program that waits anyway, only those that wait for more than
// the end of the run.
std::string WaitersText(const GraphPlan& plan, const RunView& view);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_STANDSTILL_H_
