// ProgressLine: one line on a terminal that says how far a run is.
//
//   {
//     const ProgressLine progress(&graph);
//     status = graph.WaitUntilDone();
//   }                                       // and the line is gone
//
// Written to standard error twice a second, by a thread of its own, which looks
// at the graph from outside; the run does not notice. Where standard error is
// no terminal nothing is written, and there is no thread.
//
// Thread rule: made and destroyed by one thread; the graph outlives it.
// Tested by progress_line_test.

#ifndef SYNCLINE_TOOLS_PROGRESS_LINE_H_
#define SYNCLINE_TOOLS_PROGRESS_LINE_H_

#include <cstdint>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {

// How many packets the nodes of a graph have sent in the current run, or in the
// last one. 0 before the first.
std::int64_t PacketsSent(CalculatorGraph* graph);

class ProgressLine {
 public:
  explicit ProgressLine(CalculatorGraph* graph);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void Write();

  CalculatorGraph* const graph_;
  Mutex mutex_;
  CondVar ended_cv_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread writer_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PROGRESS_LINE_H_
