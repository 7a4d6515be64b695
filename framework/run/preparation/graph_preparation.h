// What has to be found, made and checked before a graph can run: executors,
// clocks, allocators, side packets and services. See check_handlers.h for the
// input policies of the nodes.
//
// Thread rule: free functions, used by one thread.
// Tested by graph_preparation_test and, in graphs, by calculator_graph_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_PREPARATION_GRAPH_PREPARATION_H_
#define SYNCLINE_FRAMEWORK_RUN_PREPARATION_GRAPH_PREPARATION_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/memory/allocator.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/graph_run.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"

namespace syncline {

// The executors of the plan: those that are given, by name, and others that are
// made.
absl::StatusOr<std::vector<std::shared_ptr<Executor>>> MakeExecutors(
    const GraphPlan& plan,
    const std::map<std::string, std::shared_ptr<Executor>>& given,
    const std::shared_ptr<WaitPoint>& wait_point);

// Checks what a run gets, makes the services that nobody gave, and asks the
// legacy status handlers, for which it calls the packet generators first. All
// side packets that the run is given, or all errors in one.
absl::StatusOr<std::map<std::string, Packet>> PrepareRun(
    const GraphPlan& plan, const std::map<std::string, Packet>& common,
    const std::map<std::string, Packet>& extra,
    const std::map<std::string, Packet>& stream_headers,
    GraphServiceManager* services);

// Tells the legacy status handlers how the run ended. The status of the run
// with their errors.
absl::Status HandleStatusAfterRun(const GraphRun& run,
                                  const absl::Status& status);

// The clock and the allocators that the graph's config asks for.
absl::StatusOr<std::shared_ptr<GraphClock>> MakeClock(const GraphPlan& plan);
absl::StatusOr<std::map<std::string, std::shared_ptr<Allocator>>>
MakeAllocators(const GraphPlan& plan);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_PREPARATION_GRAPH_PREPARATION_H_
