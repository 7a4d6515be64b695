// The bases of all components: one extension that everything else derives from.
// Their ids never change.
//
// Thread rule: runs when the program or library is initialised.
// Tested by extension_test.

#include <cstdint>

#include "framework/base/graph_clock.h"
#include "framework/base/version.h"
#include "framework/calculator/calculator_base.h"
#include "framework/component/component_factory.h"
#include "framework/condition/condition.h"
#include "framework/memory/allocator.h"
#include "framework/plan/subgraph.h"
#include "framework/policy/input_policy.h"
#include "framework/scheduler/executor.h"

namespace syncline {

SYNCLINE_EXTENSION(component_kinds) {
  constexpr std::uint64_t kHigh = 0x9f0c5a3e7b1d4c26;
  extension->SetInfo({kHigh, 0x8e2fa1d306b47590}, "syncline",
                     "The bases that components of Syncline derive from",
                     "The Syncline authors", SYNCLINE_VERSION_STRING,
                     "Apache-2.0");
  extension->SetDisplayInfo("Syncline", "Framework", "What can be in a graph");
  extension->AddKind<CalculatorBase>(
      {kHigh, 0x8e2fa1d306b47591}, "CalculatorBase", "calculator",
      "Processes packets: a node of a graph is one.");
  extension->AddKind<Subgraph>({kHigh, 0x8e2fa1d306b47592}, "Subgraph",
                               "subgraph",
                               "A graph that stands where a node stands.");
  extension->AddKind<Executor>({kHigh, 0x8e2fa1d306b47593}, "Executor",
                               "executor", "Where the calls of nodes run.");
  extension->AddKind<InputPolicy>(
      {kHigh, 0x8e2fa1d306b47594}, "InputPolicy", "input stream handler",
      "Says when a node is ready, and with which packets.");
  extension->AddKind<ConditionBase>(
      {kHigh, 0x8e2fa1d306b47595}, "ConditionBase", "condition",
      "What a node waits for besides its inputs.");
  extension->AddKind<GraphClock>({kHigh, 0x8e2fa1d306b47596}, "GraphClock",
                                 "clock", "What time it is for a graph.");
  extension->AddKind<Allocator>({kHigh, 0x8e2fa1d306b47597}, "Allocator",
                                "allocator", "Where calculators get memory.");
}

}  // namespace syncline
