// One run of run_graph: from files or a recording, through the graph, into
// files; or many runs in other orders.
//
// Thread rule: single-threaded, apart from the graph's threads.
// Tested by graph_run_test, run_graph_test and run_graph_signals_test.

#ifndef SYNCLINE_TOOLS_GRAPH_RUN_H_
#define SYNCLINE_TOOLS_GRAPH_RUN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "framework/plan/graph_plan.h"
#include "tools/file_uses.h"
#include "tools/page_flags.h"
#include "tools/picture_flag.h"
#include "tools/quit_signal.h"
#include "tools/recording_run.h"
#include "tools/run_device.h"
#include "tools/trace_flags.h"

namespace syncline {

// As the flags of these names have it.
struct GraphRunFlags {
  std::vector<std::string> input_side_packets;
  std::vector<std::string> input;
  std::vector<std::string> output;
  int explore = 0;
  // A run may leave packets that no call took.
  bool allow_leftover = false;
  TraceRequest trace;
  PageRequest page;
  PictureRequest picture;
  // What the graph is called by: its file.
  std::string title;
  // How long a run stands still before it is said why; 0: never.
  absl::Duration explain_after = absl::Seconds(1);
  // Null: what the nodes find.
  std::unique_ptr<RunDevice> device;
};

// Runs the graph to its end and sums up on standard error. Returns the exit
// status: 0, 1, 2, or that of the signal that ended the run. Nothing is written
// to a file that `uses` has already. `quit` gets the answers to Ctrl-\, the
// last of which uses nothing.
int RunGraph(const GraphPlan& plan, const GraphRunFlags& flags,
             RecordingRun* recordings, FileUses* uses, QuitSignal* quit);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_GRAPH_RUN_H_
