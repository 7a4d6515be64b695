// GraphTracing: the traces of a CalculatorGraph: the flight recorder, and the
// trace file. Both read the lanes of one recorder, which runs note their events
// in while either of them is on.
//
// Thread rule: any thread.
// Tested by trace_graph_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_GRAPH_TRACING_H_
#define SYNCLINE_FRAMEWORK_GRAPH_GRAPH_TRACING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/config/trace_file.pb.h"
#include "framework/plan/graph_plan.h"
#include "framework/trace/fatal_signals.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_options.h"
#include "framework/trace/trace_recorder.h"
#include "framework/trace/trace_switch.h"
#include "framework/trace/trace_writer.h"

namespace syncline {

// What a trace of the graph says of it. `observed`: streams of the plan that
// the application observes or polls.
TraceFileHeader MakeTraceHeader(const GraphPlan& plan,
                                const std::vector<int>& observed);

class GraphTracing {
 public:
  // For GraphRun::Setup.
  const std::shared_ptr<TraceSwitch>& trace_switch() const { return switch_; }
  // The graph has this clock from now on.
  void SetClock(std::shared_ptr<GraphClock> clock) ABSL_LOCKS_EXCLUDED(mutex_);

  // ALREADY_EXISTS: it is on.
  absl::Status EnableFlightRecorder(const FlightRecorderOptions& options,
                                    const TraceFileHeader& header)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // FAILED_PRECONDITION: it is off.
  absl::Status WriteFlightRecorder(const std::string& path) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The last events; without threads if nothing is traced.
  Trace TakeTrace() const ABSL_LOCKS_EXCLUDED(mutex_);
  // The events since `cursor`, which is moved on. The header is that of the
  // graph if the cursor is new, or somebody asked for another recorder.
  Trace TakeTrace(TraceCursor* cursor) const ABSL_LOCKS_EXCLUDED(mutex_);

  // ALREADY_EXISTS: a trace is being written.
  absl::Status StartTrace(const std::string& path, const TraceOptions& options,
                          const TraceFileHeader& header)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the first error of the file; OK where no trace was written.
  // `num_lost`, if not null, gets the number of events that are not in it.
  absl::Status StopTrace(std::int64_t* num_lost) ABSL_LOCKS_EXCLUDED(mutex_);

  // The recorder in which runs note their events from now on.
  absl::StatusOr<std::shared_ptr<TraceRecorder>> RecordForProfiler(
      std::size_t events_per_thread, const TraceFileHeader& header)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // A run has ended with this status: writes the flight recorder if it is an
  // error, and says so in the log.
  void RunEnded(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct FlightRecorder {
    FlightRecorderOptions options;
    std::unique_ptr<FatalSignalDump> dump;
  };

  struct Made {
    std::shared_ptr<TraceRecorder> recorder;
    std::size_t events_per_thread = 0;
    bool is_in_graph_time = false;
  };

  // A recorder, with at least so much room for each thread, unless somebody
  // reads the one that there is.
  absl::Status EnsureRecorder(std::size_t events_per_thread, bool in_graph_time)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // One that was used before, or a new one.
  Made FindRecorder(std::size_t events_per_thread, bool in_graph_time)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TurnOffIfUnused() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Null without a path.
  absl::StatusOr<std::unique_ptr<FatalSignalDump>> InstallDump(
      const std::shared_ptr<TraceRecorder>& recorder) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<TraceSwitch> switch_ = std::make_shared<TraceSwitch>();
  // For recorders in graph time. Clocks stay, as a thread may just read one.
  struct Clocks {
    std::atomic<GraphClock*> current{nullptr};
    std::vector<std::shared_ptr<GraphClock>> all;
  };
  const std::shared_ptr<Clocks> clocks_ = std::make_shared<Clocks>();
  mutable Mutex mutex_;
  TraceFileHeader header_ ABSL_GUARDED_BY(mutex_);
  // The one that is used; null at first.
  Made made_ ABSL_GUARDED_BY(mutex_);
  // Those that were used before: they have to stay as long as the switch, and
  // are used again.
  std::vector<Made> others_ ABSL_GUARDED_BY(mutex_);
  bool profiles_ ABSL_GUARDED_BY(mutex_) = false;
  absl::optional<FlightRecorder> flight_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<TraceWriter> writer_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_GRAPH_TRACING_H_
