// SampleMaker: makes samples of a graph (live_sample.h), one after the other,
// and remembers for the next what costs too much to be worked out for each.
//
// Thread rule: for one thread.
// Tested by live_sampler_test.

#ifndef SYNCLINE_PAGES_LIVE_SAMPLE_MAKER_H_
#define SYNCLINE_PAGES_LIVE_SAMPLE_MAKER_H_

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "framework/graph/calculator_graph.h"
#include "pages/live/call_meter.h"
#include "pages/live/live_sample.h"

namespace syncline {

class SampleMaker {
 public:
  // The graph is borrowed.
  explicit SampleMaker(CalculatorGraph* graph) : graph_(graph), meter_(graph) {}

  LiveSample Make();

 private:
  void FindPhase(LiveSample* sample) const;

  CalculatorGraph* const graph_;
  CallMeter meter_;
  std::int64_t num_samples_ = 0;
  std::int64_t last_run_ = 0;
  // From then on the latencies are worked out again.
  absl::Time latencies_due_ = absl::InfinitePast();
  // They are those of a run that is over.
  bool has_last_latencies_ = false;
  std::vector<SinkLatency> latencies_;
};

// What the calling thread has used of a core so far.
absl::Duration ThreadTime();

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_SAMPLE_MAKER_H_
