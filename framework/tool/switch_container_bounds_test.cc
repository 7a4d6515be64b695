// A switch container waits for the packets of the old node, and counts each
// packet that it loses because that packet came too late.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/config/switch_container.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/switch_container_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::int64_t Dropped(GraphHarness* graph) {
  return graph->graph()
      .GetCounterFactory()
      ->GetCounter("switchcontainer__SwitchMuxCalculator-Dropped")
      ->Get();
}

TEST_P(SwitchContainerTest, APacketThatWaitsForTheSelectionIsNoBound) {
  GraphHarness graph(R"(
    input_stream: "a"
    input_stream: "b"
    input_stream: "enable"
    node {
      calculator: "SwitchContainer"
      input_stream: "ENABLE:enable"
      input_stream: "A:a"
      input_stream: "B:b"
      output_stream: "A:x"
      output_stream: "B:y"
      options { [syncline.SwitchContainerOptions.ext] {
        contained_node { calculator: "PassThroughCalculator" }
        contained_node { calculator: "PassThroughCalculator" }
      } }
    })",
                     GetParam());
  graph.CollectBounds("x");
  SYNCLINE_ASSERT_OK(graph.Start());
  for (const int time : {10, 20}) {
    graph.Feed<bool>("enable", {{time, time == 20}});
    graph.Idle();
    // This packet waits until "b" has come so far.
    graph.Feed("a", {{time, time}});
    graph.Idle();
    graph.Feed("b", {{time, time}});
    graph.Idle();
  }
  // Whoever observes bounds sees one thing at each time.
  graph.Expect("x", {{10, 10}, {20, 20}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(SwitchContainerTest, WhatANodeSendsAfterItsLastInputIsNotLost) {
  const struct {
    const char* node;
    LiteralStream<int> expected;
  } cases[] = {
      {"ThreeLaterCalculator",
       {{13, 1001}, {23, 1002}, {30, 9}, {40, 12}, {53, 1005}}},
      {"TwiceCalculator",
       {{10, 1},
        {12, -1},
        {20, 2},
        {22, -2},
        {30, 9},
        {40, 12},
        {50, 5},
        {52, -5}}},
      {"BehindCalculator", {{11, 1}, {21, 2}, {30, 9}, {40, 12}, {51, 5}}},
  };
  for (const auto& [node, expected] : cases) {
    for (const char* options :
         {"", "synchronize_io: true", "tick_input_stream: ':0'"}) {
      GraphHarness graph(
          Container(kSelect, {node, "TripleIntCalculator"}, options),
          GetParam());
      graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}});
      graph.Feed("select", {{0, 0}, {25, 1}, {45, 0}});
      SYNCLINE_ASSERT_OK(graph.Run());
      graph.Expect("joined_bar", expected);
      EXPECT_EQ(Dropped(&graph), 0) << node << " " << options;
    }
  }
}

TEST_P(SwitchContainerTest, WhatFallsIntoTheTimeOfAnotherNodeIsCounted) {
  GraphHarness graph(
      Container(kSelect, {"ThreeLaterCalculator", "TripleIntCalculator"}),
      GetParam());
  graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}});
  // At 23 the other node is selected.
  graph.Feed("select", {{0, 0}, {22, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("joined_bar", {{13, 1001}, {30, 9}});
  EXPECT_EQ(Dropped(&graph), 1);
}

// The inputs of the mux that pass bounds, so that it waits for them until a
// change.
std::vector<std::string> SettledInputs(const std::string& text) {
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text)));
  for (const auto& node : graph.Config().node()) {
    if (node.calculator() != "SwitchMuxCalculator") continue;
    const auto& inputs = node.options()
                             .GetExtension(SwitchContainerOptions::ext)
                             .settled_input_stream();
    return {inputs.begin(), inputs.end()};
  }
  return {"no mux"};
}

TEST(SwitchContainerConfigTest, TheCompilerFindsNodesThatPassBounds) {
  const std::string text =
      Container(kSelect, {"TripleIntCalculator", "AddHundredCalculator",
                          "NineFoldSubgraph", "SilentInTheMiddleSubgraph",
                          "BehindCalculator", "ThreeLaterCalculator"});
  EXPECT_THAT(SettledInputs(text),
              testing::ElementsAre("C0__:0", "C2__:0", "C4__:0", "C5__:0"));
  // Otherwise the output would depend on the schedule, and not on the inputs
  // alone.
  EXPECT_THAT(SettledInputs("deterministic: true" + text),
              testing::ElementsAre("C0__:0", "C1__:0", "C2__:0", "C3__:0",
                                   "C4__:0", "C5__:0"));
}

TEST(SwitchContainerConfigTest, WhatAnotherCompilationFoundDoesNotCount) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
          Container(kSelect, {"TripleIntCalculator"}))));
  CalculatorGraphConfig changed = graph.Config();
  for (auto& node : *changed.mutable_node()) {
    if (node.calculator() != "TripleIntCalculator") continue;
    node.set_calculator("AddHundredCalculator");
  }
  EXPECT_THAT(SettledInputs(graph.Config().DebugString()),
              testing::ElementsAre("C0__:0"));
  EXPECT_THAT(SettledInputs(changed.DebugString()), testing::IsEmpty());
}

TEST(SwitchContainerConfigTest, OnlyWhatComesFromATickPassesItsBounds) {
  const auto container = [](const char* handler) {
    return absl::StrCat(R"(
      input_stream: "foo"
      input_stream: "rare"
      input_stream: "select"
      node {
        calculator: "SwitchContainer"
        input_stream: "SELECT:select"
        input_stream: "FRAME:foo"
        input_stream: "RARE:rare"
        output_stream: "FRAME:bar"
        output_stream: "RARE:rare_out"
        options {
          [syncline.SwitchContainerOptions.ext] {
            tick_input_stream: "FRAME"
            contained_node { calculator: "PassThroughCalculator" )",
                        handler, "} } } }");
  };
  EXPECT_THAT(SettledInputs(container("")), testing::IsEmpty());
  EXPECT_THAT(
      SettledInputs(container("input_stream_handler { input_stream_handler: "
                              "'ImmediateInputStreamHandler' }")),
      testing::IsEmpty());
}

TEST_P(SwitchContainerTest, InADeterministicGraphNothingIsTakenForSettled) {
  GraphHarness graph(
      "deterministic: true" +
          Container(kSelect, {"AddHundredCalculator", "TripleIntCalculator"}),
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("select", {{0, 0}, {15, 1}, {35, 0}});
  graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}});
  graph.Idle();
  // The first node may still send packets from 11 to 14.
  graph.Expect("bar", {{10, 101}});
  graph.Feed("foo", {{40, 4}});
  graph.SetBound("select", 41);
  graph.Idle();
  graph.Expect("bar", {{10, 101}, {20, 6}, {30, 9}, {40, 104}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST(SwitchContainerConfigTest, AnAsyncSelectionIsNotDeterministic) {
  const auto initialize = [](const char* options) {
    return GraphHarness(
               "deterministic: true" +
               Container(kEnable,
                         {"TripleIntCalculator", "PassThroughCalculator"},
                         options))
        .Initialize();
  };
  SYNCLINE_EXPECT_OK(initialize(""));
  SYNCLINE_EXPECT_OK(initialize("synchronize_io: true"));
  EXPECT_THAT(initialize("async_selection: true"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("PacketSequencerCalculator) cannot promise "
                                 "what deterministic: true asks for")));
}

}  // namespace
}  // namespace syncline
