// LiveSample: what was found out about a run at one moment, and the forms in
// which a page and other programs get it.
//
// Thread rule: values and pure functions.
// Tested by live_sample_test.

#ifndef SYNCLINE_PAGES_LIVE_LIVE_SAMPLE_H_
#define SYNCLINE_PAGES_LIVE_LIVE_SAMPLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/plan/graph_plan.h"
#include "pages/live/call_meter.h"
#include "pages/model/graph_picture.h"

namespace syncline {

struct LiveSample {
  // Counts up from 1.
  std::int64_t number = 0;
  // By the clock of the machine, in microseconds since 1970.
  std::int64_t unix_us = 0;
  CalculatorGraph::RunProgress run;
  // Empty before the first run.
  GraphRuntimeInfo info;
  // Its phase is "not started", "running", "ended", "failed" or "interrupted".
  PictureState state;
  // By node; empty where nothing traces the run.
  std::vector<NodeCalls> calls;
  std::vector<SinkLatency> latencies;
};

// What a page shows that is not in a sample.
struct LivePageState {
  // Which page of the program this is, so that a browser sees when the program
  // was started again.
  std::string page;
  bool has_control = false;
  bool is_tracing = false;
  // What there is to say of traces.
  std::string trace_text;
  // A trace was stopped, and can be saved.
  bool has_trace = false;
  // The number of the last line of the log.
  std::int64_t last_line = 0;
};

// JSON in one line, in ASCII:
//
//   number, unix_us, run   as in the sample
//   state                  as picture_json.h has it
//   calls                  by node: [calls a second, mean, longest call, in
//                          microseconds, busy share], or null
//   latencies              {name, is_node, packets, p50_us, p99_us, longest_us}
//   drops                  {node, input, cause, packets}
//   refusals               of graph inputs: {name, packets, why}
//   page, ...              as in LivePageState
std::string LiveJson(const LiveSample& sample, const LivePageState& page);

// In Prometheus' text form. Counters begin at 0 with each run.
std::string LiveMetrics(const GraphPlan& plan, const LiveSample& sample);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_LIVE_SAMPLE_H_
