// Sources of a later layer start when those before have ended, whatever other
// nodes still wait for: a time of the real clock, an event, a batch, or inputs
// that come late. What is held meanwhile is not lost.

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/condition/boolean_condition.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class SourceLayersGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SourceLayersGraphTest);

constexpr char kForEver[] = "1000000000000";  // ns; 1000 s

// Sources "s0", "s1", ... of as many layers, into streams "x0", "x1", ...
std::string Layers(int layers) {
  std::string text;
  for (int i = 0; i < layers; ++i) {
    absl::StrAppend(&text, "node { calculator: \"TestLambda\" name: \"s", i,
                    "\" input_side_packet: \"PROCESS:s", i,
                    "\" output_stream: \"x", i, "\" source_layer: ", i, " }");
  }
  return text;
}

void GiveLayers(TestGraph* graph, int layers) {
  for (int i = 0; i < layers; ++i) {
    graph->Give(absl::StrCat("s", i), CountTo(2));
    graph->Observe(absl::StrCat("x", i));
  }
  graph->Give("sum", SendSum);
}

std::string Held(const std::string& condition) {
  return absl::StrCat(R"(
    node { calculator: "TestLambda" name: "held" input_stream: "x0"
           input_side_packet: "PROCESS:sum" output_stream: "y" )",
                      condition, " }");
}

bool ComesWhileHeld(TestGraph* graph, const Workers& workers,
                    const std::string& stream) {
  for (int i = 0; i < 10'000 && graph->Count(stream) < 3; ++i) {
    if (workers.is_application_thread()) {
      SYNCLINE_EXPECT_OK(graph->graph().RunEpoch(absl::Seconds(1)));
    } else {
      absl::SleepFor(absl::Milliseconds(1));
    }
  }
  return graph->Count(stream) == 3;
}

TEST_P(SourceLayersGraphTest, LaterLayersDoNotWaitForAnEvent) {
  TestGraph graph(GetParam(), Layers(3) + Held(Boolean("enable_tick: false "
                                                       "on_false: PAUSE")));
  GiveLayers(&graph, 3);
  graph.Observe("y");
  graph.Start();
  EXPECT_TRUE(ComesWhileHeld(&graph, GetParam(), "x2"));
  EXPECT_EQ(graph.Seen("y"), "");
  const auto enabled =
      graph.graph().GetCondition<BooleanCondition>("held/enabled");
  SYNCLINE_ASSERT_OK(enabled);
  (*enabled)->enable_tick();
  graph.Finish();
  EXPECT_EQ(graph.Seen("y"), "0:0 1:1 2:2");
}

TEST_P(SourceLayersGraphTest, LaterLayersDoNotWaitForTimesOrLateInputs) {
  const std::string held[] = {
      // The second call waits.
      Held(Periodic("1000s")),
      Held(absl::StrCat(R"( condition {
        type: "ExpiringMessageAvailableCondition" options {
          [syncline.ExpiringMessageAvailableConditionOptions.ext] {
            max_batch_size: 9 max_delay_ns: )",
                        kForEver, " } } }")),
      absl::StrCat(R"(
        input_stream: "late"
        node { calculator: "TestLambda" input_stream: "x0" input_stream: "late"
               input_stream_handler {
                 input_stream_handler: "TimeoutInputStreamHandler" options {
                   [syncline.TimeoutInputStreamHandlerOptions.ext] {
                     timeout_ns: )",
                   kForEver, " } } } }"),
  };
  for (const std::string& node : held) {
    TestGraph graph(GetParam(), Layers(2) + node);
    GiveLayers(&graph, 2);
    graph.Start();
    EXPECT_TRUE(ComesWhileHeld(&graph, GetParam(), "x1")) << node;
    graph.graph().Cancel();
    graph.FinishWithStatus().IgnoreError();
  }
}

TEST_P(SourceLayersGraphTest, WhatWasHeldBeforeTheLastLayerIsProcessed) {
  TestGraph graph(GetParam(), Layers(4) + Held(Periodic("5ms")));
  GiveLayers(&graph, 4);
  graph.Observe("y");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("y"), "0:0 1:1 2:2");
  EXPECT_EQ(graph.Seen("x3"), "0:0 1:1 2:2");
}

// The first layer takes its time, and the second has not started.
TEST_P(SourceLayersGraphTest, WaitingUntilIdleWaitsForHoldsOfAnyLayer) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:s0"
           output_stream: "x0" source_layer: 0 )" +
                                  Periodic("5ms") + R"( }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:s1"
           output_stream: "x1" source_layer: 1 })" +
                                  Held(Periodic("8ms")));
  GiveLayers(&graph, 2);
  graph.Observe("y");
  graph.Start();
  graph.Idle();
  EXPECT_EQ(graph.Count("x0"), 3);
  EXPECT_EQ(graph.Count("x1"), 3);
  EXPECT_EQ(graph.Count("y"), 3);
  graph.Finish();
}

// The source of the first layer needs what a node sets that is held; the one of
// the second is open long before.
TEST_P(SourceLayersGraphTest, AHeldNodeMayYetOpenAnEarlierLayer) {
  for (const char* const clock : {"", "clock { type: \"SyntheticClock\" }"}) {
    TestGraph graph(GetParam(), absl::StrCat(clock, R"(
      node { calculator: "TestLambda" input_side_packet: "OPEN:begin"
             input_side_packet: "PROCESS:stop"
             output_stream: "x" }
      node { calculator: "TestLambda" input_side_packet: "PROCESS:set"
             input_stream: "x" output_side_packet: "made" condition {
               type: "ExpiringMessageAvailableCondition" options {
                 [syncline.ExpiringMessageAvailableConditionOptions.ext] {
                   max_batch_size: 2 max_delay_ns: 5000000 } } } }
      node { calculator: "TestLambda" input_side_packet: "PROCESS:s0"
             input_side_packet: "made" output_stream: "x0" source_layer: 0 }
      node { calculator: "TestLambda" input_side_packet: "PROCESS:s1"
             output_stream: "x1" source_layer: 1 })"));
    GiveLayers(&graph, 2);
    graph.Give("begin", [](CalculatorContext* cc) {
      cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(0)));
      return absl::OkStatus();
    });
    graph.Give("stop", [](CalculatorContext*) { return tool::StatusStop(); });
    graph.Give("set", [](CalculatorContext* cc) {
      cc->OutputSidePackets().Index(0).Set(MakePacket<int>(1));
      return absl::OkStatus();
    });
    SYNCLINE_EXPECT_OK(graph.Run()) << clock;
    EXPECT_EQ(graph.Count("x0"), 3) << clock;
    EXPECT_EQ(graph.Count("x1"), 3) << clock;
  }
}

// The graph is never idle before the source is called.
TEST(FirstLayerGraphTest, StartsWhileACallBlocks) {
  for (const int threads : {2, 8}) {
    TestGraph graph({.threads = threads}, R"(
      input_stream: "in"
      node { calculator: "TestLambda" input_side_packet: "PROCESS:wait"
             input_stream: "in" }
      node { calculator: "TestLambda" input_side_packet: "PROCESS:s0"
             output_stream: "x0" })");
    std::atomic<bool> source_is_called{false};
    std::atomic<bool> came_while_blocked{false};
    graph.Give("s0", [&](CalculatorContext*) {
      source_is_called = true;
      return tool::StatusStop();
    });
    graph.Give("wait", [&](CalculatorContext*) {
      for (int i = 0; i < 10'000 && !source_is_called; ++i) {
        absl::SleepFor(absl::Milliseconds(1));
      }
      came_while_blocked = source_is_called.load();
      return absl::OkStatus();
    });
    graph.Start();
    graph.Add("in", 1, 1);
    graph.Finish();
    EXPECT_TRUE(came_while_blocked) << threads;
  }
}

}  // namespace
}  // namespace syncline
