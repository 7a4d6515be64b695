// One run of graphs/pedestrians over a video, and what is to be said of it.
//
// Thread rule: one run at a time in the process; see measured_run.h.
// Tested by pedestrians_test.

#ifndef SYNCLINE_EXAMPLES_PEDESTRIANS_PEDESTRIAN_RUN_H_
#define SYNCLINE_EXAMPLES_PEDESTRIANS_PEDESTRIAN_RUN_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "examples/pedestrians/frame_log.h"
#include "examples/pedestrians/measured_run.h"
#include "framework/calculator.pb.h"
#include "framework/calculator_graph.h"
#include "framework/timestamp.h"

namespace syncline {

struct PedestrianOptions {
  std::string graph_path = "graphs/pedestrians/pedestrians.pbtxt";
  std::string input_path;
  std::string output_path;
  // At the video's own rate, the detector gets the frames that it has time for;
  // or as fast as can be, and it gets all.
  bool realtime = true;
  // A video that was cut off is taken as far as it goes.
  bool allow_truncated = false;
  int threads = 0;  // of the default executor; 0: one for each core
};

// Of all frames together.
struct BoxCounts {
  std::int64_t drawn = 0;
  std::int64_t most = 0;    // in one frame
  std::int64_t frames = 0;  // with any
};

struct PedestrianReport {
  FrameCounts frames;
  absl::Duration latency_p50;
  absl::Duration latency_p99;
  absl::Duration wall_time;
  absl::Duration video_time;  // from the first frame to the end of the last
  double frame_rate = 0;      // as the video says
  int width = 0;              // of its frames
  int height = 0;
  std::int64_t dropped_by_limiter = 0;
  std::int64_t dropped_by_player = 0;
  std::int64_t dropped_in_queues = 0;
  BoxCounts boxes;
  MeasuredTimes times;
  // See reference_graphs.h; 0 until CompareTimes.
  double chain_ns_per_call = 0;
  double swept_chain_ns_per_call = 0;
  double stand_ins_ns_per_call = 0;

  // Of the video, by the times of its frames: where these are uneven, the rate
  // that it says it has is that of its finest ticks.
  double AverageRate() const;
  // The framework's own code, of the time of the threads; from 0 to 1.
  double FrameworkShare() const;
  // 0 until CompareTimes.
  double StandInsPerChain() const {
    return chain_ns_per_call > 0 ? stand_ins_ns_per_call / chain_ns_per_call
                                 : 0;
  }
};

// What the framework may cost in an optimised build: of a live run, and with
// calculators that do nothing, times the chain.
constexpr double kMaxFrameworkShare = 0.001;
constexpr double kMaxStandInsPerChain = 2.5;

// OUT_OF_RANGE if it costs more, FAILED_PRECONDITION if nothing was measured.
absl::Status CheckTimes(const PedestrianReport& report);

class PedestrianRun {
 public:
  explicit PedestrianRun(PedestrianOptions options);

  // Compiles the graph.
  absl::Status Prepare();
  // To add observers to, between Prepare and Run.
  CalculatorGraph& graph() { return *graph_; }

  // Runs the graph to its end. The report is of what was done, also after an
  // error.
  absl::Status Run();
  // Ends the run early. Any thread.
  void Cancel() { graph_->Cancel(); }

  // Measures, after the run, what its times are to be compared with.
  absl::Status CompareTimes();

  // Any thread, also during the run.
  const FrameLog& log() const { return log_; }
  absl::Time start() const { return start_; }

  const PedestrianReport& report() const { return report_; }

 private:
  absl::Status AllowTruncated();
  absl::Status Observe();
  void FillReport();

  const PedestrianOptions options_;
  CalculatorGraphConfig config_;  // expanded
  FrameLog log_;
  Timestamp first_frame_;
  Timestamp last_frame_;
  float frame_rate_ = 0;
  BoxCounts boxes_;
  absl::Time start_;
  PedestrianReport report_;
  std::unique_ptr<CalculatorGraph> graph_;  // last, as it uses the others
};

// The report as lines for people.
std::string SummaryOf(const PedestrianOptions& options,
                      const PedestrianReport& report);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_PEDESTRIAN_RUN_H_
