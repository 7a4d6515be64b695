// RunLook: looks at a run for those who tell of it: what waits where, for whom,
// and what was left at the end. It gathers the facts; run_reports, standstill
// and packets_left_verdict turn them into texts.
//
// Thread rule: any thread, while the run exists. It changes nothing, and calls
// nobody but the conditions that hold a node.
// Tested by run_look_test and, in graphs, by standstill_graph_test and
// packets_left_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUN_LOOK_H_
#define SYNCLINE_FRAMEWORK_RUN_RUN_LOOK_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/packets_left_verdict.h"
#include "framework/report/run_view.h"
#include "framework/run/gated_nodes.h"
#include "framework/run/graph_input.h"
#include "framework/run/output_tap.h"
#include "framework/run/poller_queue.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_queues.h"
#include "framework/run/run_side_packets.h"
#include "framework/run/run_sources.h"
#include "framework/scheduler/application_thread_executor.h"

namespace syncline {

// What the application says of a run, for texts about it.
struct RunTexts {
  // Who feeds a graph input, by the name of its stream; others: the
  // application.
  std::map<std::string, std::string> feeders;
  // The program waits for the run also in no call of the graph.
  bool program_waits = false;
};

// The parts of a run that are looked at. All are borrowed.
struct RunParts {
  const void* run;  // as RunningCalls knows it
  const GraphPlan& plan;
  const RunNodes& nodes;
  const GatedNodes& gated_nodes;
  const RunSources& sources;
  const RunSidePackets& side_packets;
  const RunQueues& queues;
  const std::vector<std::unique_ptr<GraphInput>>& inputs;
  const std::vector<std::shared_ptr<PollerQueue>>& pollers;
  const std::vector<std::shared_ptr<OutputTap>>& taps;
  const RunTexts& texts;
  WaitPoint* wait_point;
  GraphClock* clock;
};

class RunLook {
 public:
  explicit RunLook(const RunParts& parts) : parts_(parts) {}

  const RunParts& parts() const { return parts_; }

  // All that texts about the run are made of.
  RunView View() const;
  // A text that begins with the cause for which most nodes wait, then has a
  // line for each node with packets: what the node waits for.
  std::string Explain() const;
  // The first lines of Explain: cause, chain, advice and waiters. Empty if
  // nobody waits, or for no more than the clock. Unless `is_asked`, also where
  // a wait for a device or the clock may be all that there is.
  std::string WhyItStandsStill(bool is_asked) const;
  // What the node, which looks like this, waits for.
  std::string Stall(int node, const NodeSnapshot& snapshot) const;
  // Packets that no call took in a run in which nothing can happen any more.
  // `may_be_left`: the application or a time ended the run before.
  PacketsLeftVerdict FindLeft(bool may_be_left) const;

 private:
  // What holds nodes, and until when.
  void AddHoldsTo(RunView* view) const;
  // What keeps the node from opening; nothing if it is open.
  MissingToOpen FindMissing(int node, const NodeSnapshot& snapshot) const;

  const RunParts parts_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUN_LOOK_H_
