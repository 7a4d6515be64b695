// GraphProfiler: does what the profiler_config of a graph says: histograms of
// its nodes, and files with the events of its runs, in MediaPipe's form.
//
// It reads what runs note in a TraceRecorder: the histograms every few
// milliseconds, and when a thread has filled half of its lane, so that no call
// is missed; the events when they are captured or written. Writing takes at
// most half of a core: after a part that took longer than trace_log_interval,
// there is a pause of the same length. A capture and a part
// of a file have the newest trace_log_capacity events of all threads, as
// MediaPipe counts them, however many more the lanes of the recorder keep.
//
// Thread rule: StartRun and EndRun the thread that starts and ends runs; the
// rest any thread.
// Tested by graph_profiler_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_GRAPH_PROFILER_H_
#define SYNCLINE_FRAMEWORK_GRAPH_GRAPH_PROFILER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/config/trace_file.pb.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/trace/convert/graph_profile_builder.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/profile_files.h"
#include "framework/trace/profiling_context.h"
#include "framework/trace/trace_recorder.h"

namespace syncline {

class GraphProfiler : public ProfilingContext, private TraceReader {
 public:
  // INVALID_ARGUMENT names a field that is out of range.
  static absl::StatusOr<std::unique_ptr<GraphProfiler>> Create(
      const ProfilerConfig& config);
  ~GraphProfiler() override;

  // Whether runs have to be traced for it.
  bool measures() const {
    return config_.enable_profiler() || config_.trace_enabled();
  }
  // So many events the recorder has to keep of each thread, so that captures
  // find the newest of each.
  std::size_t events_per_thread() const;

  // REQUIRES: measures(). The status says why files cannot be written, or that
  // the machine gives no thread.
  absl::Status StartRun(std::shared_ptr<const TraceRecorder> recorder,
                        TraceFileHeader header)
      ABSL_LOCKS_EXCLUDED(files_mutex_, mutex_);
  // Writes the last events. Returns the first error of the files of this run.
  absl::Status EndRun() ABSL_LOCKS_EXCLUDED(files_mutex_, mutex_);

  // The same error, at any time: OK as long as there is none.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);

  // --- ProfilingContext
  void Pause() override ABSL_LOCKS_EXCLUDED(mutex_);
  void Resume() override ABSL_LOCKS_EXCLUDED(mutex_);
  void Reset() override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status GetCalculatorProfiles(std::vector<CalculatorProfile>* profiles)
      override ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status CaptureProfile(GraphProfile* result,
                              PopulateGraphConfig config) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status WriteProfile() override
      ABSL_LOCKS_EXCLUDED(files_mutex_, mutex_);

 private:
  using Part = GraphProfileBuilder::Part;

  // What belongs to one run.
  struct Run {
    std::shared_ptr<const TraceRecorder> recorder;
    TraceFileHeader header;
    // That without the config, for parts of the trace.
    TraceFileHeader names;
    // Each is null where the config does not ask for it. They read the same
    // events, at their own times.
    std::unique_ptr<GraphProfileBuilder> histograms;
    TraceRecorder::Position histograms_position;
    std::unique_ptr<GraphProfileBuilder> events;
    TraceRecorder::Position events_position;
    std::int64_t next_write_ns = 0;
    bool has_captured = false;
    // Nothing is read or written any more but what is asked for.
    bool has_ended = false;
    // Events that are in no histogram.
    std::int64_t num_lost = 0;
    absl::Status first_error;
  };
  GraphProfiler(const ProfilerConfig& config, GraphProfileOptions options);

  bool writes_files() const {
    return config_.trace_enabled() && !config_.trace_log_disabled();
  }
  std::int64_t IntervalNs() const;
  // Not only at the end.
  bool writes_now_and_then() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(files_mutex_) {
    return files_.has_value() && config_.trace_log_interval_usec() >= 0;
  }
  // What came since they were read last; nothing while paused.
  absl::Status ReadHistograms() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ReadEvents() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  TraceRecorder::Extent ExtentNow() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<GraphProfile> Capture(Part part)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // REQUIRES: there are files, and a run.
  absl::Status Write(Part part) ABSL_EXCLUSIVE_LOCKS_REQUIRED(files_mutex_)
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::unique_ptr<GraphProfileBuilder> MakeBuilder(
      const TraceFileHeader& header, bool has_events) const;
  absl::Status WriteLast() ABSL_EXCLUSIVE_LOCKS_REQUIRED(files_mutex_, mutex_);
  // For the alarm: reads and writes what is due, and sets the next alarm.
  void Look() ABSL_LOCKS_EXCLUDED(files_mutex_, mutex_);
  // Returns when to look again, by the steady clock; -1: never.
  std::int64_t LookOnce() ABSL_LOCKS_EXCLUDED(files_mutex_, mutex_);
  // --- TraceReader
  void ReadNow() override ABSL_LOCKS_EXCLUDED(mutex_);

  const ProfilerConfig config_;
  const GraphProfileOptions options_;
  // Held while files are written, and taken before the other one, which threads
  // of the run take.
  Mutex files_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);
  mutable Mutex mutex_;
  absl::optional<Run> run_ ABSL_GUARDED_BY(mutex_);
  // There only while there is a run.
  absl::optional<ProfileFiles> files_ ABSL_GUARDED_BY(files_mutex_);
  bool is_paused_ ABSL_GUARDED_BY(mutex_) = false;
  AlarmThread thread_;
  Alarm alarm_{&thread_, [this] { Look(); }};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_GRAPH_PROFILER_H_
