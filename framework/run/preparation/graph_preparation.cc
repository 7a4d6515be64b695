#include "framework/run/preparation/graph_preparation.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/graph_clock.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/default_service.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/legacy/status_handler.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/memory/allocator.h"
#include "framework/memory/allocator_registry.h"
#include "framework/packet/packet.h"
#include "framework/plan/generate_side_packets.h"
#include "framework/plan/graph_plan.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/default_num_threads.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/thread_pool_executor.h"

namespace syncline {
namespace {

absl::StatusOr<std::shared_ptr<Executor>> MakeThreadPool(
    const PlanExecutor& executor) {
  SynclineOptions options = *executor.options;
  if (executor.num_threads == 0) {
    options.MutableExtension(ThreadPoolExecutorOptions::ext)
        ->set_num_threads(DefaultNumThreads(executor.useful_threads));
  }
  SYNCLINE_ASSIGN_OR_RETURN(Executor * pool,
                            ThreadPoolExecutor::Create(options));
  return std::shared_ptr<Executor>(pool);
}

absl::StatusOr<std::shared_ptr<Executor>> MakeExecutor(
    const GraphPlan& plan, const PlanExecutor& executor,
    const std::shared_ptr<WaitPoint>& wait_point) {
  switch (executor.kind) {
    case ExecutorKind::kThreadPool:
      return MakeThreadPool(executor);
    case ExecutorKind::kApplicationThread:
      return std::shared_ptr<Executor>(
          std::make_shared<ApplicationThreadExecutor>(wait_point));
    case ExecutorKind::kRegistered: {
      absl::StatusOr<Executor*> made = nullptr;
      SYNCLINE_RETURN_IF_ERROR(CallUserCode([&] {
        made = ExecutorRegistry::CreateByNameInNamespace(
            plan.GraphFields().package(), executor.type, *executor.options);
        return made.status();
      }));
      if (*made != nullptr) return std::shared_ptr<Executor>(*made);
      return absl::InternalError("Create() returned null.");
    }
    case ExecutorKind::kFromApplication:
      break;
  }
  return absl::InvalidArgumentError(
      "it has no type, so the application has to give it with "
      "CalculatorGraph::SetExecutor() before Initialize(). For a pool of its "
      "own the graph can say type: \"ThreadPoolExecutor\" options { "
      "[syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 } }.");
}

absl::Status GivenTwice(const PlanExecutor& executor) {
  return absl::InvalidArgumentError(absl::StrCat(
      executor.location, "Executor \"", executor.name,
      "\": the graph gives it the type \"", executor.type,
      "\", so it must not be created by the application. Leave out either the "
      "type or CalculatorGraph::SetExecutor()."));
}

// Calls `call` for each status handler, with the side packets of the handler.
// Returns the errors.
template <typename Call>
std::vector<absl::Status> AskStatusHandlers(
    const GraphPlan& plan, const char* function,
    const std::function<Packet(const std::string&)>& find, Call call) {
  std::vector<absl::Status> errors;
  for (const PlanStatusHandler& handler : plan.status_handlers()) {
    absl::StatusOr<PacketSet> inputs =
        FillInputSidePackets(*handler.input_side_packet_types, find);
    const std::string name = absl::StrCat(handler.type, "::", function);
    if (!inputs.ok()) {
      errors.push_back(PrefixStatus(
          absl::StrCat("Skipping run of ", name, ": "), inputs.status()));
      continue;
    }
    const absl::Status status =
        CallUserCode([&] { return call(handler, *inputs); });
    if (status.ok()) continue;
    errors.push_back(PrefixStatus(absl::StrCat(name, " failed: "), status));
  }
  return errors;
}

void CheckHeaders(const GraphPlan& plan,
                  const std::map<std::string, Packet>& stream_headers,
                  std::vector<absl::Status>* errors) {
  for (const auto& [name, header] : stream_headers) {
    if (plan.FindGraphInput(name) < 0) {
      errors->push_back(absl::InvalidArgumentError(absl::StrCat(
          "A header is given for \"", name, "\", which is no graph input.")));
    } else if (header.Timestamp() != Timestamp::Unset()) {
      errors->push_back(absl::InvalidArgumentError(
          absl::StrCat("The header of the graph input \"", name,
                       "\" must not have a timestamp, but has ",
                       header.Timestamp().DebugString(), ".")));
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<std::shared_ptr<Executor>>> MakeExecutors(
    const GraphPlan& plan,
    const std::map<std::string, std::shared_ptr<Executor>>& given,
    const std::shared_ptr<WaitPoint>& wait_point) {
  std::vector<std::shared_ptr<Executor>> executors;
  for (const PlanExecutor& executor : plan.executors()) {
    const auto mine = given.find(executor.name);
    if (mine != given.end()) {
      if (!executor.type.empty()) return GivenTwice(executor);
      executors.push_back(mine->second);
      continue;
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        executors.emplace_back(), MakeExecutor(plan, executor, wait_point),
        _.SetPrepend() << executor.location << "Executor \"" << executor.name
                       << "\": ");
  }
  return executors;
}

absl::StatusOr<std::shared_ptr<GraphClock>> MakeClock(const GraphPlan& plan) {
  const ClockConfig& config = plan.GraphFields().clock();
  GraphClockParameters parameters;
  if (config.has_initial_time_offset()) {
    parameters.initial_time_offset = config.initial_time_offset();
  }
  if (config.has_initial_time_scale()) {
    parameters.initial_time_scale = config.initial_time_scale();
  }
  if (config.use_time_since_epoch()) parameters.use_time_since_epoch = true;
  if (config.initial_timestamp() != 0) {
    parameters.initial_timestamp = config.initial_timestamp();
  }
  absl::StatusOr<std::shared_ptr<GraphClock>> clock = MakeGraphClock(
      config.type().empty() ? "RealtimeClock" : config.type(), parameters);
  if (clock.ok()) return clock;
  return PrefixStatus("The clock of the graph: ", clock.status());
}

absl::StatusOr<std::map<std::string, std::shared_ptr<Allocator>>>
MakeAllocators(const GraphPlan& plan) {
  std::map<std::string, std::shared_ptr<Allocator>> allocators;
  for (const AllocatorConfig& config : plan.GraphFields().allocator()) {
    absl::StatusOr<std::shared_ptr<Allocator>> made;
    SYNCLINE_RETURN_IF_ERROR(CallUserCode([&] {
      made = MakeAllocator(plan.GraphFields().package(), config.name(),
                           config.type(), config.options());
      return made.status();
    })).SetPrepend()
        << "Allocator \"" << config.name() << "\": ";
    allocators[config.name()] = *std::move(made);
  }
  return allocators;
}

absl::StatusOr<std::map<std::string, Packet>> PrepareRun(
    const GraphPlan& plan, const std::map<std::string, Packet>& common,
    const std::map<std::string, Packet>& extra,
    const std::map<std::string, Packet>& stream_headers,
    GraphServiceManager* services) {
  std::vector<absl::Status> errors;
  std::map<std::string, Packet> side_packets = common;
  for (const auto& [name, packet] : extra) {
    if (side_packets.emplace(name, packet).second) continue;
    errors.push_back(absl::AlreadyExistsError(absl::StrCat(
        "Side packet \"", name,
        "\" is defined twice: it was given to Initialize() already.")));
  }
  errors.push_back(plan.CheckSidePackets(side_packets));
  CheckHeaders(plan, stream_headers, &errors);
  for (const PlanService& service : plan.services()) {
    errors.push_back(ProvideDefaultService(
        *service.request, plan.nodes()[service.nodes.front()].name, services));
  }
  std::map<std::string, Packet> generated;
  if (!plan.status_handlers().empty()) {
    absl::StatusOr<std::map<std::string, Packet>> made =
        GenerateSidePackets(plan, side_packets, services);
    errors.push_back(made.status());
    if (made.ok()) generated = *std::move(made);
  }
  const absl::Status so_far = CombineStatuses("", errors);
  const auto find = [&](const std::string& name) {
    for (const auto* packets : {&side_packets, &generated}) {
      const auto found = packets->find(name);
      if (found != packets->end()) return found->second;
    }
    return Packet();
  };
  const std::vector<absl::Status> of_handlers = AskStatusHandlers(
      plan, "HandlePreRunStatus", find,
      [&](const PlanStatusHandler& handler, const PacketSet& inputs) {
        return handler.handler->HandlePreRunStatus(handler.config->options(),
                                                   inputs, so_far);
      });
  errors.insert(errors.end(), of_handlers.begin(), of_handlers.end());
  SYNCLINE_RETURN_IF_ERROR(CombineStatuses("", errors));
  return side_packets;
}

absl::Status HandleStatusAfterRun(const GraphRun& run,
                                  const absl::Status& status) {
  const GraphPlan& plan = run.plan();
  const auto find = [&](const std::string& name) {
    const int id = plan.FindSidePacket(name);
    return id < 0 ? Packet() : run.SidePacket(id);
  };
  std::vector<absl::Status> errors = AskStatusHandlers(
      plan, "HandleStatus", find,
      [&](const PlanStatusHandler& handler, const PacketSet& inputs) {
        return handler.handler->HandleStatus(handler.config->options(), inputs,
                                             status);
      });
  if (errors.empty()) return status;
  if (!status.ok()) errors.insert(errors.begin(), status);
  return CombineStatuses("", errors);
}

}  // namespace syncline
