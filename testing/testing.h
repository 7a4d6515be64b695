// The whole testing kit: one include, and one line of deps.
//
//   cc_test(
//       name = "my_graph_test",
//       srcs = ["my_graph_test.cc"],
//       deps = [":my_calculators", "//testing"],
//   )
//
//   CalculatorHarness          one calculator; no graph, no thread
//   CalculatorRunner           one calculator in a graph of its own
//   GraphHarness               a graph: literal inputs, timelines on a failure
//   StreamIs, PacketIs, ...    matchers of packets and streams
//   SYNCLINE_EXPECT_OK, ...    matchers of statuses
//   SumCalculator, ...         small calculators to build graphs from
//   LifetimesTest, WorkersTest nothing is left behind; any number of threads
//   ExploreSchedules           a graph in a thousand orders, or in all of them
//   CompareGraphWithOracle     a graph against a run without threads
//   FaultInjection             any call of any node fails, throws, blocks
//   SimulatedClock             time that moves when told, or by itself when
//   SimulationClockExecutor    nothing else can run; graphs in such time
//
// docs/testing.md shows each. GoogleTest comes along, with a main().
//
// Thread rule: see each header.

#ifndef SYNCLINE_TESTING_TESTING_H_
#define SYNCLINE_TESTING_TESTING_H_

#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/calculator_runner.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "testing/explore_schedules.h"
#include "testing/fault_injection.h"
#include "testing/graph_harness.h"
#include "testing/graph_oracle.h"
#include "testing/lifetimes.h"
#include "testing/packet_matchers.h"
#include "testing/simulated_clock.h"
#include "testing/simulation_clock_executor.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

#endif  // SYNCLINE_TESTING_TESTING_H_
