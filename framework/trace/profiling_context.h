// ProfilingContext: the profiler of a graph, as CalculatorGraph::profiler() and
// cc->GetProfilingContext() give it.
//
// What it measures is in the graph's profiler_config: histograms with
// enable_profiler, events with trace_enabled. Without either it measures
// nothing, and its profiles are empty.
//
// Thread rule: any thread. It lives as long as the graph.
// Tested by graph_profiler_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_PROFILING_CONTEXT_H_
#define SYNCLINE_FRAMEWORK_TRACE_PROFILING_CONTEXT_H_

#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator_profile.pb.h"

namespace syncline {

enum class PopulateGraphConfig {
  // As the first capture of a run has it anyway.
  kNo,
  kFull,
};

class ProfilingContext {
 public:
  virtual ~ProfilingContext() = default;

  // What happens from Pause to Resume is not measured. Both may be called
  // again and again.
  virtual void Pause() = 0;
  virtual void Resume() = 0;
  // Forgets what the calls of Process have taken so far.
  virtual void Reset() = 0;

  // The histograms of all nodes, since the begin of the run or the last Reset.
  virtual absl::Status GetCalculatorProfiles(
      std::vector<CalculatorProfile>* profiles) = 0;
  // The events since the last capture, and the histograms of the calls since
  // then. `config`: whether the graph's config is in it, too.
  virtual absl::Status CaptureProfile(
      GraphProfile* result,
      PopulateGraphConfig config = PopulateGraphConfig::kNo) = 0;
  // Writes what came since the last one into the files of trace_log_path.
  virtual absl::Status WriteProfile() = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_PROFILING_CONTEXT_H_
