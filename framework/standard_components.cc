// The components of Syncline itself, as an extension: the bases that every
// other component derives from, and Syncline's clocks, allocators, executors
// and conditions. Their ids never change.
//
// Thread rule: runs when the program or library is initialised.
// Tested by extension_test.

#include <cstdint>

#include "absl/strings/string_view.h"
#include "framework/base/graph_clock.h"
#include "framework/base/source_location.h"
#include "framework/base/version.h"
#include "framework/calculator/calculator_base.h"
#include "framework/component/component_factory.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/behavior_condition.h"
#include "framework/condition/boolean_condition.h"
#include "framework/condition/condition.h"
#include "framework/condition/count_condition.h"
#include "framework/condition/downstream_message_affordable_condition.h"
#include "framework/condition/expiring_message_available_condition.h"
#include "framework/condition/memory_available_condition.h"
#include "framework/condition/message_available_condition.h"
#include "framework/condition/multi_message_available_condition.h"
#include "framework/condition/multi_message_available_timeout_condition.h"
#include "framework/condition/none_condition.h"
#include "framework/condition/periodic_condition.h"
#include "framework/condition/target_time_condition.h"
#include "framework/expansion/subgraph.h"
#include "framework/memory/allocator.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/unbounded_allocator.h"
#include "framework/policy/input_policy.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/thread_pool_executor.h"

namespace syncline {
namespace {

constexpr std::uint64_t kHigh = 0x9f0c5a3e7b1d4c26;

// The id of a component of this file. Number 0 is the id of the extension.
constexpr ComponentId Id(std::uint64_t number) {
  return {kHigh, 0x8e2fa1d306b40000 + number};
}

// Registers T with a description in one sentence, and with its base.
template <typename T, typename Base>
void Add(Extension* extension, std::uint64_t number, absl::string_view name,
         absl::string_view description,
         source_location location = source_location::current()) {
  extension->Add<T, Base>(Id(number), name, description, /*display_name=*/"",
                          /*brief=*/"", location);
}

void AddKinds(Extension* extension) {
  extension->AddKind<CalculatorBase>(Id(1), "CalculatorBase", "calculator",
                                     "Processes packets: what a node is.");
  extension->AddKind<Subgraph>(Id(2), "Subgraph", "subgraph",
                               "A graph that stands where a node stands.");
  extension->AddKind<Executor>(Id(3), "Executor", "executor",
                               "Where the calls of nodes run.");
  extension->AddKind<InputPolicy>(
      Id(4), "InputPolicy", "input stream handler",
      "Says when a node is ready, and with which packets.");
  extension->AddKind<ConditionBase>(
      Id(5), "ConditionBase", "condition",
      "What a node waits for besides its inputs.");
  extension->AddKind<GraphClock>(Id(6), "GraphClock", "clock",
                                 "What time it is for a graph.");
  extension->AddKind<Allocator>(Id(7), "Allocator", "allocator",
                                "Where calculators get memory.");
}

void AddClocks(Extension* extension) {
  Add<RealtimeClock, GraphClock>(extension, 0x101, "RealtimeClock",
                                 "Time as it passes.");
  Add<ManualClock, GraphClock>(
      extension, 0x102, "ManualClock",
      "Jumps to the next time that something waits for.");
  Add<SyntheticClock, GraphClock>(extension, 0x103, "SyntheticClock",
                                  "Moves when the application says so.");
}

void AddAllocators(Extension* extension) {
  Add<BlockMemoryPool, Allocator>(extension, 0x201, "BlockMemoryPool",
                                  "So many blocks of one size.");
  Add<UnboundedAllocator, Allocator>(extension, 0x202, "UnboundedAllocator",
                                     "Memory of the system, without a limit.");
}

void AddConditions(Extension* extension) {
  using Base = ConditionBase;
  Add<AsynchronousCondition, Base>(extension, 0x301, "AsynchronousCondition",
                                   "Waits for the answer to a request.");
  Add<BehaviorCondition, Base>(extension, 0x302, "BehaviorCondition",
                               "Makes the node part of a behaviour tree.");
  Add<BooleanCondition, Base>(extension, 0x303, "BooleanCondition",
                              "A switch that calculators hold.");
  Add<CountCondition, Base>(extension, 0x304, "CountCondition",
                            "So many calls in a run.");
  Add<DownstreamMessageAffordableCondition, Base>(
      extension, 0x305, "DownstreamMessageAffordableCondition",
      "Waits until the readers of an output have room.");
  Add<ExpiringMessageAvailableCondition, Base>(
      extension, 0x306, "ExpiringMessageAvailableCondition",
      "Waits for so many packets, or so long.");
  Add<MemoryAvailableCondition, Base>(
      extension, 0x307, "MemoryAvailableCondition",
      "Waits until an allocator has so much memory.");
  Add<MessageAvailableCondition, Base>(extension, 0x308,
                                       "MessageAvailableCondition",
                                       "Waits for so many packets.");
  Add<MultiMessageAvailableCondition, Base>(
      extension, 0x309, "MultiMessageAvailableCondition",
      "Waits for so many packets at several inputs.");
  Add<MultiMessageAvailableTimeoutCondition, Base>(
      extension, 0x30a, "MultiMessageAvailableTimeoutCondition",
      "Waits for so many packets at several inputs, or so long.");
  Add<NoneCondition, Base>(
      extension, 0x30d, "NoneCondition",
      "Waits for nothing, and leaves ports without gxf_defaults.");
  Add<PeriodicCondition, Base>(extension, 0x30b, "PeriodicCondition",
                               "One call in each period.");
  Add<TargetTimeCondition, Base>(extension, 0x30c, "TargetTimeCondition",
                                 "Waits until the time that the node set.");
}

}  // namespace

SYNCLINE_EXTENSION(standard_components) {
  extension->SetInfo(Id(0), "syncline", "What is part of Syncline",
                     "The Syncline authors", SYNCLINE_VERSION_STRING,
                     "Apache-2.0");
  extension->SetDisplayInfo("Syncline", "Framework", "What a graph can have");
  AddKinds(extension);
  AddClocks(extension);
  AddAllocators(extension);
  Add<ThreadPoolExecutor, Executor>(extension, 0x401, "ThreadPoolExecutor",
                                    "Threads of its own.");
  AddConditions(extension);
}

}  // namespace syncline
