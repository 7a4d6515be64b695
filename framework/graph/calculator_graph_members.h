// What a CalculatorGraph is made of, for the files that implement it:
//
//   calculator_graph.cc          from a config to a plan; looking in
//   calculator_graph_setup.cc    executors, observers, services: before a run
//   calculator_graph_runs.cc     runs, from start to end
//   calculator_graph_inputs.cc   what the application feeds them
//
// Thread rule: what is set by Initialize and between runs is constant during a
// run; the rest looks after itself.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_GRAPH_MEMBERS_H_
#define SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_GRAPH_MEMBERS_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/steady_time.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/current_run.h"
#include "framework/graph/graph_profiler.h"
#include "framework/graph/graph_tracing.h"
#include "framework/graph/runtime_info_logger.h"
#include "framework/graph/standstill_watch.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/run/output_tap.h"
#include "framework/run/persistent_calculators.h"
#include "framework/run/remembered_node.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"

namespace syncline {

inline absl::Status NotInitialized() {
  return absl::FailedPreconditionError(
      "The graph is not initialized: call Initialize() first, and look at the "
      "status that it returns.");
}

inline absl::Status NotStarted() {
  return absl::FailedPreconditionError(
      "The graph is not running: call StartRun() first.");
}

struct CalculatorGraph::Members {
  // Set by Initialize.
  std::shared_ptr<const GraphPlan> plan;
  std::map<std::string, Packet> side_packets;
  std::vector<RememberedNode> remembered;

  // What the application gives before Initialize.
  struct Given {
    std::map<std::string, std::shared_ptr<Executor>> executors;
    std::shared_ptr<GraphClock> clock;
  };
  Given given;
  // What each run gets, but for what is set when it starts; see MakeRun. The
  // clock is that of the last run that started, or of the next one.
  GraphRun::Setup setup{.wait_point = std::make_shared<WaitPoint>()};
  std::unique_ptr<CounterFactory> counters =
      std::make_unique<BasicCounterFactory>();
  GraphServiceManager services;
  // Behind what calculators may still use when they are destroyed.
  PersistentCalculators kept;
  std::atomic<GraphInputStreamAddMode> add_mode{
      GraphInputStreamAddMode::WAIT_TILL_NOT_FULL};

  // What a trace says of the graph.
  TraceFileHeader TraceHeader() const {
    std::vector<int> observed;
    for (const std::shared_ptr<OutputTap>& tap : setup.taps) {
      const auto* const observer = dynamic_cast<const Observer*>(tap.get());
      if (observer != nullptr && observer->description() != nullptr &&
          observer->description()->only_looks_on) {
        continue;
      }
      observed.push_back(tap->stream());
    }
    return MakeTraceHeader(*plan, observed);
  }

  GraphTracing tracing;
  // Set by Initialize.
  std::unique_ptr<GraphProfiler> profiler;
  CurrentRun<GraphRun> run;
  struct RunState {
    // A run goes on: from StartRun to the end of WaitUntilDone.
    std::atomic<bool> is_started{false};
    // Somebody has called WaitUntilIdle, although there are sources.
    std::atomic<bool> has_warned_of_idle{false};
    // There was a run.
    bool has_run = false;
    // How many runs were started.
    std::atomic<std::int64_t> num_runs{0};
    // By the steady clock: when the last one started, and when it was seen to
    // have ended, 0 before that.
    std::atomic<std::int64_t> start_ns{0};
    mutable std::atomic<std::int64_t> end_ns{0};
    // Returns when the run was first seen to have ended.
    std::int64_t NoteEnd() const {
      std::int64_t none = 0;
      const std::int64_t now_ns = SteadyNowNs();
      return end_ns.compare_exchange_strong(none, now_ns) ? now_ns : none;
    }
    // Somebody is in StartRun.
    std::atomic<bool> is_starting{false};
  };
  RunState state;
  // During a run whose graph asks for it.
  std::unique_ptr<RuntimeInfoLogger> info_logger;
  struct Watch {
    StandstillOptions options{.after = absl::ZeroDuration()};
    // During a run.
    std::unique_ptr<StandstillWatch> running;
  };
  Watch watch;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_CALCULATOR_GRAPH_MEMBERS_H_
