#include "pages/live/sample_maker.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "pages/live/live_sample.h"
#include "pages/model/picture_state.h"

namespace syncline {
namespace {

// Latencies go over many events, and change slowly: two seconds from one look
// to the next, and longer where a look takes much time.
constexpr absl::Duration kBetweenLatencies = absl::Seconds(2);
constexpr absl::Duration kLongestBetweenLatencies = absl::Seconds(10);
constexpr int kLatenciesPause = 1000;

}  // namespace

absl::Duration ThreadTime() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return absl::DurationFromTimespec(time);
}

LiveSample SampleMaker::Make() {
  LiveSample sample;
  sample.number = ++num_samples_;
  sample.unix_us = absl::ToUnixMicros(absl::Now());
  // Before what it has counted, so that the counts of a run that is over are
  // its last ones.
  sample.run = graph_->GetRunProgress();
  if (sample.run.number != last_run_) {
    last_run_ = sample.run.number;
    meter_.Forget();
    latencies_.clear();
    has_last_latencies_ = false;
  }
  if (sample.run.number > 0) {
    absl::StatusOr<GraphRuntimeInfo> info = graph_->GetGraphRuntimeInfo();
    if (info.ok()) sample.info = *std::move(info);
  }
  // Who waits is shown while nothing moves; else it changes all the time.
  std::vector<NodeWait> waits;
  if (!sample.info.standstill().empty()) waits = graph_->GetWaits();
  sample.state = MakePictureState(graph_->plan(), sample.info, waits);
  FindPhase(&sample);
  meter_.Read();
  if (!meter_.has_events()) return sample;
  sample.calls = meter_.Calls();
  for (const int node : meter_.NodesInCalls()) {
    if (node < static_cast<int>(sample.state.nodes.size())) {
      sample.state.nodes[node].is_in_call = !sample.run.is_over;
    }
  }
  const absl::Time now = absl::Now();
  const bool is_last = sample.run.is_over && !has_last_latencies_;
  if (now >= latencies_due_ || is_last) {
    has_last_latencies_ = sample.run.is_over;
    const absl::Duration before = ThreadTime();
    latencies_ = meter_.SinkLatencies();
    latencies_due_ =
        now + std::clamp(kLatenciesPause * (ThreadTime() - before),
                         kBetweenLatencies, kLongestBetweenLatencies);
  }
  sample.latencies = latencies_;
  return sample;
}

void SampleMaker::FindPhase(LiveSample* sample) const {
  PictureState& state = sample->state;
  state.elapsed_us = absl::ToInt64Microseconds(sample->run.elapsed);
  absl::Status error;
  // Also of a run that is over, which HasError() is not.
  const bool has_error =
      sample->run.number > 0 && graph_->GetCombinedErrors(&error);
  if (has_error && !absl::IsCancelled(error)) {
    state.error = std::string(error.message());
  }
  if (sample->run.number == 0) {
    state.phase = "not started";
  } else if (!sample->run.is_over) {
    state.phase = "running";
  } else if (!has_error) {
    state.phase = "ended";
  } else {
    state.phase = absl::IsCancelled(error) ? "interrupted" : "failed";
  }
}

}  // namespace syncline
