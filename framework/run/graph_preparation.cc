#include "framework/run/graph_preparation.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/base/hash_map.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/status_handler.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/memory/allocator.h"
#include "framework/memory/allocator_registry.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "framework/stream/input_queue.h"

namespace syncline {
namespace {

// The location of a node as `file:12: `, or nothing if it is not known.
std::string Prefix(std::string location) {
  if (!location.empty()) absl::StrAppend(&location, ": ");
  return location;
}

// Whether the node's contract asks for the handler that the node has.
bool ChoseItsHandler(const PlanNode& node) {
  const absl::string_view asked = node.contract->GetInputStreamHandler();
  const auto last_part = [](absl::string_view name) {
    return name.substr(name.rfind('.') + 1);
  };
  return !asked.empty() && last_part(asked) == last_part(node.handlers.input);
}

// The name of the first input stream of the node for which `is_wanted` holds,
// or "".
absl::string_view NameOfFirst(const PlanNode& node,
                              bool (*is_wanted)(const PlanInput& input)) {
  for (size_t port = 0; port < node.inputs.size(); ++port) {
    if (is_wanted(node.inputs[port])) {
      return node.contract->Inputs().layout().Names()[port];
    }
  }
  return "";
}

bool HasIdleAfter(const PlanInput& input) { return input.idle_after_port >= 0; }
bool PopsPackets(const PlanInput& input) {
  return input.queue_policy == InputStreamInfo::POP;
}
bool KeepsTimes(const PlanInput& input) { return input.message_times; }

// An error that names this node and its location.
template <typename... Parts>
absl::Status NodeError(const GraphPlan& plan, const PlanNode& node,
                       const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(
      Prefix(plan.Location(node.id)), NodeLabel(*node.config), parts...));
}

// With `deterministic: true`: why the node may send something else in another
// schedule, and what can be done; nothing if it may not.
std::string WhyNotDeterministic(const GraphPlan& plan, const PlanNode& node,
                                const InputPolicyKind& kind,
                                const InputPolicy& policy) {
  const bool is_independent = node.contract->IsOrderIndependent();
  // A node that got its handler from the graph, and did not ask for it, has not
  // promised to work with any order of calls.
  const bool is_made_for_it = is_independent && ChoseItsHandler(node);
  const bool has_fixed_times =
      kind.has_timeout && plan.Config().clock().type() == "ManualClock";
  if (!kind.is_deterministic && !has_fixed_times &&
      !(kind.keeps_packets && is_made_for_it)) {
    return absl::StrCat(
        "its input stream handler \"", node.handlers.input,
        "\" depends on which packet comes first. ",
        kind.deterministic_advice != nullptr
            ? kind.deterministic_advice
            : "Use DefaultInputStreamHandler; or register it with "
              "is_deterministic = true, if it is after all.");
  }
  const absl::string_view idle = NameOfFirst(node, HasIdleAfter);
  if (!idle.empty()) {
    return absl::StrCat(
        "which packets of \"", idle,
        "\" are late depends on how far the streams are when they arrive. Do "
        "without idle_after; a producer that has nothing to send can say so "
        "with SetNextTimestampBound().");
  }
  if (is_made_for_it || (is_independent && policy.HasOneOrder())) return "";
  if (!policy.HasOneOrder()) {
    return "its sync sets are called in no fixed order. If that is the same to "
           "it, its contract can ask for the handler and say so with "
           "SetOrderIndependent(true); if it is not, put the streams into one "
           "set, as with no handler.";
  }
  if (node.bounds.are_processed) {
    return "it is called for bounds, which may arrive in any pieces. If its "
           "packets do not depend on that, its contract can say so with "
           "SetOrderIndependent(true); if they do, it has to do without "
           "SetProcessTimestampBounds(true).";
  }
  return "";
}

absl::Status CheckDeterministic(const GraphPlan& plan, const PlanNode& node,
                                const InputPolicyKind& kind,
                                const InputPolicy& policy) {
  const std::string reason = WhyNotDeterministic(plan, node, kind, policy);
  if (reason.empty()) return absl::OkStatus();
  return NodeError(
      plan, node,
      " cannot promise what deterministic: true asks for: ", reason);
}

// Checks that the policy of a node can do what the node's config asks for.
absl::Status CheckPolicy(const GraphPlan& plan, const PlanNode& node,
                         const InputPolicyKind& kind) {
  const bool is_deterministic = plan.settings().deterministic;
  const absl::string_view idle = NameOfFirst(node, HasIdleAfter);
  if (kind.ignores_time && !idle.empty()) {
    return NodeError(
        plan, node, " has idle_after for \"", idle,
        "\", but its input stream handler \"", node.handlers.input,
        "\" takes packets whatever their time, so there is nothing to settle. "
        "Use another handler, or do without idle_after.");
  }
  const absl::string_view popping = NameOfFirst(node, PopsPackets);
  const absl::string_view timed = NameOfFirst(node, KeepsTimes);
  if (node.max_in_flight <= 1 && !is_deterministic && popping.empty() &&
      timed.empty()) {
    return absl::OkStatus();
  }
  std::vector<InputQueue> queues(node.inputs.size());
  const std::unique_ptr<InputPolicy> policy =
      kind.create({.queues = absl::MakeSpan(queues),
                   .layout = &node.contract->Inputs().layout(),
                   .options = node.handlers.input_options,
                   .process_timestamp_bounds = node.bounds.are_processed});
  const bool drops = policy->DropsPackets() || policy->TakesWhenCallStarts();
  if (!popping.empty() && drops) {
    return NodeError(
        plan, node, " has queue_policy: POP for \"", popping,
        "\", but its input stream handler \"", node.handlers.input,
        "\" has a rule of its own for which packets it drops. Use one of the "
        "two; REJECT and FAULT go with any handler.");
  }
  // The packets of a call must be those that left the queues last: the queues
  // keep the times of no others.
  if (!timed.empty() && drops) {
    return NodeError(
        plan, node, " keeps message times of \"", timed,
        "\", which its input stream handler \"", node.handlers.input,
        "\" cannot: it shows packets other than the first that wait. Read the "
        "times in a node before this one, and send them along.");
  }
  if (is_deterministic) {
    SYNCLINE_RETURN_IF_ERROR(CheckDeterministic(plan, node, kind, *policy));
  }
  if (node.max_in_flight <= 1) return absl::OkStatus();
  if (policy->BatchSize() > 1) {
    return NodeError(plan, node,
                     " has a batch_size above 1 and max_in_flight above 1; it "
                     "can have one of them.");
  }
  if (!policy->RepeatsTimestamps()) return absl::OkStatus();
  return NodeError(
      plan, node, " has max_in_flight ", node.max_in_flight,
      ", but its input stream handler \"", node.handlers.input,
      "\" may give several calls one timestamp, so their results would have no "
      "order. Use another handler, or max_in_flight: 1.");
}

absl::StatusOr<std::shared_ptr<Executor>> MakeThreadPool(
    const PlanExecutor& executor) {
  SynclineOptions options = *executor.options;
  int num_threads = executor.num_threads;
  if (num_threads == 0) {
    const int cores =
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    num_threads = std::min(cores, std::max(1, executor.useful_threads));
  }
  options.MutableExtension(ThreadPoolExecutorOptions::ext)
      ->set_num_threads(num_threads);
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
            plan.Config().package(), executor.type, *executor.options);
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
    const absl::Status status =
        inputs.ok() ? CallUserCode([&] { return call(handler, *inputs); })
                    : inputs.status();
    if (status.ok()) continue;
    errors.push_back(PrefixStatus(
        absl::StrCat(handler.type, "::", function, " failed: "), status));
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

absl::StatusOr<std::vector<InputPolicyKind>> FindPolicies(
    const GraphPlan& plan) {
  std::vector<InputPolicyKind> policies;
  std::vector<absl::Status> errors;
  HashMap<std::string, InputPolicyKind> known;
  for (const PlanNode& node : plan.nodes()) {
    InputPolicyKind kind;
    if (!node.inputs.empty()) {
      auto found = known.find(node.handlers.input);
      if (found == known.end()) {
        absl::StatusOr<InputPolicyKind> looked_up =
            FindInputPolicy(node.handlers.input);
        if (!looked_up.ok()) {
          errors.push_back(PrefixStatus(
              absl::StrCat(NodeLabel(*node.config), ": "), looked_up.status()));
          continue;
        }
        found = known.emplace(node.handlers.input, *looked_up).first;
      }
      kind = found->second;
      errors.push_back(CheckPolicy(plan, node, kind));
    }
    policies.push_back(std::move(kind));
  }
  SYNCLINE_RETURN_IF_ERROR(CombineStatuses(
      "CalculatorGraph::InitializeCalculatorNodes failed: ", errors));
  return policies;
}

absl::StatusOr<std::vector<std::shared_ptr<Executor>>> MakeExecutors(
    const GraphPlan& plan,
    const std::map<std::string, std::shared_ptr<Executor>>& given,
    const std::shared_ptr<WaitPoint>& wait_point) {
  std::vector<std::shared_ptr<Executor>> executors;
  for (const PlanExecutor& executor : plan.executors()) {
    const auto mine = given.find(executor.name);
    if (mine != given.end()) {
      executors.push_back(mine->second);
      continue;
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        executors.emplace_back(), MakeExecutor(plan, executor, wait_point),
        _.SetPrepend() << Prefix(executor.location) << "Executor \""
                       << executor.name << "\": ");
  }
  return executors;
}

absl::StatusOr<std::shared_ptr<GraphClock>> MakeClock(const GraphPlan& plan) {
  const ClockConfig& config = plan.Config().clock();
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
  for (const AllocatorConfig& config : plan.Config().allocator()) {
    absl::StatusOr<std::shared_ptr<Allocator>> made;
    SYNCLINE_RETURN_IF_ERROR(CallUserCode([&] {
      made = MakeAllocator(plan.Config().package(), config.name(),
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
  const absl::Status so_far = CombineStatuses("", errors);
  const auto find = [&](const std::string& name) {
    const auto found = side_packets.find(name);
    return found == side_packets.end() ? Packet() : found->second;
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
