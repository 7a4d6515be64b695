// RunTracing: the traces of one run of run_graph, and what its summary says of
// them.
//
// Thread rule: one thread, but for WriteFlightRecorder, which any may call
// between Start and Finish, and GiveUp.
// Tested by run_graph_trace_test.

#ifndef SYNCLINE_TOOLS_RUN_TRACING_H_
#define SYNCLINE_TOOLS_RUN_TRACING_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/graph/calculator_graph.h"
#include "tools/file_uses.h"
#include "tools/trace_flags.h"

namespace syncline {

class RunTracing {
 public:
  explicit RunTracing(TraceRequest request) : request_(std::move(request)) {}
  // Behind the graph, which may be writing its trace.
  ~RunTracing();
  RunTracing(const RunTracing&) = delete;
  RunTracing& operator=(const RunTracing&) = delete;

  // The files that this writes are read by no other flag.
  absl::Status AddUses(FileUses* uses) const;
  // Before the run. A flight recorder that cannot have its file is left out.
  absl::Status Start(CalculatorGraph* graph);
  // While the graph runs; returns what to tell the user, or nothing.
  std::string WriteFlightRecorder(CalculatorGraph* graph) const;
  // Whoever waits for the trace does so no more: Finish leaves out what takes
  // long, and takes the files away that are no result. CANCELLED, then.
  void GiveUp() { gives_up_.store(true); }
  // After the run, which has ended with `status`: ends the trace, and brings it
  // into its form. After an error, writes the last events, and says where. The
  // status is that of the trace, and of the files of profiler_config; it is
  // told where the run has an error, too.
  absl::Status Finish(CalculatorGraph* graph, const absl::Status& status);
  // Lines for the summary: "latency of "out": p50 1.2ms, p99 3.4ms, 500
  // packets" for each sink, the three busiest nodes, and which part of the run
  // that is if events are missing.
  const std::vector<std::string>& summary() const { return summary_; }

 private:
  // The file that events are written to while the graph runs; another one
  // beside it if they get another form.
  absl::Status MakeEventFile();
  // Takes it away, if it is one beside.
  void RemoveEventFile();
  absl::Status EndTrace(CalculatorGraph* graph);
  // The summary: of the file, if it has all that was noted and is not too large
  // to be read once more; else of the last events, which the graph keeps.
  void Summarize(bool file_is_whole, const CalculatorGraph& graph);
  absl::Status Convert();

  const TraceRequest request_;
  std::string event_file_;
  // It is a file beside that of --trace, and is taken away in the end.
  bool holds_event_file_ = false;
  bool records_flight_ = false;
  std::atomic<bool> gives_up_{false};
  std::vector<std::string> summary_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RUN_TRACING_H_
