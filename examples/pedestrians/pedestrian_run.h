// One run of graphs/pedestrians over a video, and its report.
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
  // If true, frames come at the video's own rate, and the detector gets the
  // frames that it has time for. If false, frames come as fast as possible, and
  // the detector gets all.
  bool realtime = true;
  // Accepts a video that was cut off, as far as it can be read.
  bool allow_truncated = false;
  int threads = 0;  // of the default executor; 0 means one for each core
};

// Of all frames together.
struct BoxCounts {
  std::int64_t drawn = 0;
  std::int64_t most = 0;    // largest number in one frame
  std::int64_t frames = 0;  // frames with any box
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

  // The rate of the video by the times of its frames. If these are uneven, the
  // rate that the video states is not its average. If the player dropped
  // frames, the last ones may be among them, so it is the rate that is stated.
  double AverageRate() const;
  // The time of the framework's own code as a part of the time of the threads,
  // from 0 to 1.
  double FrameworkShare() const;
  // 0 until CompareTimes.
  double StandInsPerChain() const {
    return chain_ns_per_call > 0 ? stand_ins_ns_per_call / chain_ns_per_call
                                 : 0;
  }
};

// The limits for the framework's costs in an optimised build: its share of a
// live run, and the cost per call with calculators that do nothing, relative to
// the chain.
constexpr double kMaxFrameworkShare = 0.001;
constexpr double kMaxStandInsPerChain = 2.5;

// OUT_OF_RANGE if it costs more; FAILED_PRECONDITION if nothing was measured.
absl::Status CheckTimes(const PedestrianReport& report);

class PedestrianRun {
 public:
  explicit PedestrianRun(PedestrianOptions options);

  // Compiles the graph.
  absl::Status Prepare();
  // The graph. Add observers between Prepare and Run.
  CalculatorGraph& graph() { return *graph_; }

  // Runs the graph to its end. The report is also valid after an error.
  absl::Status Run();
  // Ends the run early. May be called on any thread.
  void Cancel() { graph_->Cancel(); }

  // Measures, after the run, the figures that its times are compared with.
  absl::Status CompareTimes();

  // May be called on any thread, also during the run.
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
  double frame_rate_ = 0;
  BoxCounts boxes_;
  absl::Time start_;
  PedestrianReport report_;
  // the last member, since it uses the others
  std::unique_ptr<CalculatorGraph> graph_;
};

// The report as lines of text.
std::string SummaryOf(const PedestrianOptions& options,
                      const PedestrianReport& report);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_PEDESTRIANS_PEDESTRIAN_RUN_H_
