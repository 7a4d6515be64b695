// A SwitchContainer is one of its contained nodes at each time: the one that a
// stream, side packet or option selects; it changes over in mid-stream without
// losing a packet, and nothing waits for a node that is not selected. What
// cannot come out is counted.
#include <cstdint>
#include <string>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/config/switch_container.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// --- What is contained: x, 3x, and 100 + x, in different ways

// With an offset, so that it passes bounds. Side packets are tripled too.
class TripleIntCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      cc->Inputs().Index(i).Set<int>();
      cc->Outputs().Index(i).SetSameAs(&cc->Inputs().Index(i));
    }
    for (int i = 0; i < cc->InputSidePackets().NumEntries(); ++i) {
      cc->InputSidePackets().Index(i).Set<int>();
      cc->OutputSidePackets().Index(i).Set<int>();
    }
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    for (int i = 0; i < cc->InputSidePackets().NumEntries(); ++i) {
      cc->OutputSidePackets().Index(i).Set(
          MakePacket<int>(cc->InputSidePackets().Index(i).Get<int>() * 3));
    }
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
      if (cc->Inputs().Index(i).IsEmpty()) continue;
      cc->Outputs().Index(i).AddPacket(
          MakePacket<int>(cc->Inputs().Index(i).Get<int>() * 3)
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TripleIntCalculator);

// Without an offset: it says nothing about time between its packets.
class AddHundredCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->Inputs().Index(0).Get<int>() + 100)
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(AddHundredCalculator);

// 1000 + x, three later, as it promises.
class ThreeLaterCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(3));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->Inputs().Index(0).Get<int>() + 1000)
            .At(cc->InputTimestamp() + 3));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ThreeLaterCalculator);

// x, and -x two later: more than its offset lets one expect.
class TwiceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int value = cc->Inputs().Index(0).Get<int>();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(cc->InputTimestamp()));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(-value).At(cc->InputTimestamp() + 2));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TwiceCalculator);

// x one later, but only when the time after that has come.
class BehindCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetProcessTimestampBounds(true);
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& input = cc->Inputs().Index(0).Value();
    OutputStream& output = cc->Outputs().Index(0);
    if (!held_.IsEmpty() && held_.Timestamp() < cc->InputTimestamp()) {
      output.AddPacket(held_.At(held_.Timestamp() + 1));
      held_ = Packet();
    }
    if (!input.IsEmpty()) held_ = input;
    const Timestamp bound = held_.IsEmpty()
                                ? cc->InputTimestamp().NextAllowedInStream()
                                : held_.Timestamp() + 1;
    if (bound > output.NextTimestampBound()) {
      output.SetNextTimestampBound(bound);
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    if (held_.IsEmpty()) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(held_.At(held_.Timestamp() + 1));
    return absl::OkStatus();
  }

 private:
  Packet held_;
};
REGISTER_CALCULATOR(BehindCalculator);

// Holds a constant of its options as output side packet MODEL.
class NumberSidePacketCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("MODEL").Set<int>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    cc->OutputSidePackets().Tag("MODEL").Set(
        MakePacket<int>(cc->Options<SwitchContainerOptions>().select()));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(NumberSidePacketCalculator);

// One calculator behind the other.
CalculatorGraphConfig InARow(const std::string& first,
                             const std::string& second) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    output_stream: "out"
    node { input_stream: "in" output_stream: "mid" }
    node { input_stream: "mid" output_stream: "out" }
  )pb");
  config.mutable_node(0)->set_calculator(first);
  config.mutable_node(1)->set_calculator(second);
  return config;
}

class NineFoldSubgraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions&) override {
    return InARow("TripleIntCalculator", "TripleIntCalculator");
  }
};
REGISTER_SYNCLINE_GRAPH(NineFoldSubgraph);

// --- Graphs

// A container of the named nodes between foo and bar, beside which foo runs on
// to a join.
std::string Container(const std::string& selection,
                      const std::vector<std::string>& nodes,
                      const std::string& options = "") {
  std::string contained;
  for (const std::string& node : nodes) {
    absl::StrAppend(&contained, "contained_node { calculator: '", node, "' }");
  }
  return absl::StrCat(R"(
    input_stream: "foo"
    input_stream: "select"
    input_stream: "enable"
    node {
      calculator: "SwitchContainer"
      )",
                      selection, R"(
      input_stream: "foo"
      output_stream: "bar"
      options { [syncline.SwitchContainerOptions.ext] {)",
                      contained, options, R"(} }
    }
    node {
      calculator: "PassThroughCalculator"
      input_stream: "foo"
      input_stream: "bar"
      output_stream: "joined_foo"
      output_stream: "joined_bar"
    })");
}

constexpr char kEnable[] = "input_stream: 'ENABLE:enable'";
constexpr char kSelect[] = "input_stream: 'SELECT:select'";

class SwitchContainerTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SwitchContainerTest);

TEST_P(SwitchContainerTest, TheSelectionTakesEffectAtItsTimestamp) {
  GraphHarness graph(
      Container(kEnable, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}});
  graph.Feed<bool>("enable", {{20, true}, {31, false}, {50, true}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("joined_bar", {{10, 3}, {20, 2}, {30, 3}, {40, 12}, {50, 5}});
  graph.Expect("joined_foo", {{10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}});
}

TEST_P(SwitchContainerTest, AnInputWaitsForTheSelectionAtItsTime) {
  GraphHarness graph(
      Container(kSelect, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("foo", {{10, 1}});
  graph.Idle();
  graph.Expect("bar", {});
  graph.Feed("select", {{10, 1}});
  graph.Idle();
  graph.Expect("joined_bar", {{10, 1}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchContainerTest, AnAsyncSelectionCountsForWhatFollows) {
  GraphHarness graph(
      Container(kEnable, {"TripleIntCalculator", "PassThroughCalculator"},
                "async_selection: true"),
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  LiteralStream<int> expected;
  const auto feed = [&](int first, int last, int factor) {
    for (int i = first; i <= last; ++i) {
      graph.Feed("foo", {{i * 10000, i}});
      expected.push_back({i * 10000, i * factor});
      graph.Idle();
      // Each at once, although nothing is known about the next selection.
      graph.Expect("joined_bar", expected);
    }
  };
  feed(1, 3, 3);
  graph.Feed<bool>("enable", {{5000, true}});
  graph.Idle();
  feed(4, 6, 1);
  graph.Feed<bool>("enable", {{1000000, false}});
  graph.Idle();
  feed(7, 9, 3);
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("joined_bar", expected);
}

TEST_P(SwitchContainerTest, NodesWithoutAnOffsetChangeOverToo) {
  for (const char* options : {"", "async_selection: true"}) {
    GraphHarness graph(
        Container(kSelect, {"AddHundredCalculator", "TripleIntCalculator"},
                  options),
        GetParam());
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("select", {{0, 0}});
    graph.Feed("foo", {{10, 1}});
    graph.SetBound("select", 50);
    // foo goes on without packets; the node says nothing about that.
    graph.SetBound("foo", 50);
    graph.Idle();
    graph.Expect("joined_bar", {{10, 101}});
    graph.Feed("select", {{50, 1}});
    graph.SetBound("select", 200);
    graph.Idle();
    graph.Feed("foo", {{60, 2}});
    graph.Idle();
    graph.Expect("joined_bar", {{10, 101}, {60, 6}});
    SYNCLINE_ASSERT_OK(graph.Finish());
  }
}

TEST_P(SwitchContainerTest, BoundsPassWithoutPackets) {
  GraphHarness graph(
      Container(kEnable, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  graph.CollectBounds("joined_bar");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.SetBound("enable", 100);
  graph.SetBound("foo", 90);
  graph.Idle();
  EXPECT_THAT(graph.Packets("joined_bar"), Contains(HasTimestamp(89)));
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchContainerTest, ManyChangesInMidStreamLoseNothing) {
  constexpr int kPackets = 300;
  for (const char* options : {"", "synchronize_io: true"}) {
    GraphHarness graph(
        Container(kSelect,
                  {"PassThroughCalculator", "TripleIntCalculator",
                   "AddHundredCalculator", "NineFoldSubgraph"},
                  options),
        GetParam());
    LiteralStream<int> foo;
    LiteralStream<int> select;
    LiteralStream<int> expected;
    int selected = 0;
    for (int i = 0; i < kPackets; ++i) {
      if (i % 3 == 0 || i % 7 == 2) {
        selected = (i * 5 + i / 3) % 4;
        select.push_back({i * 10 - (i % 2), selected});
      }
      foo.push_back({i * 10, i});
      const int values[] = {i, i * 3, i + 100, i * 9};
      expected.push_back({i * 10, values[selected]});
    }
    graph.Feed("foo", foo);
    graph.Feed("select", select);
    SYNCLINE_ASSERT_OK(graph.Run());
    graph.Expect("joined_bar", expected);
  }
}

// --- What is sent later than the last input

std::int64_t Dropped(GraphHarness* graph) {
  return graph->graph()
      .GetCounterFactory()
      ->GetCounter("switchcontainer__SwitchMuxCalculator-Dropped")
      ->Get();
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

// Inputs of the mux that it waits for until a change.
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
  // What depends on the schedule would be no function of the inputs.
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

// A part without an offset keeps bounds from those behind it.
class SilentInTheMiddleSubgraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions&) override {
    return InARow("AddHundredCalculator", "TripleIntCalculator");
  }
};
REGISTER_SYNCLINE_GRAPH(SilentInTheMiddleSubgraph);

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

// --- deterministic: true

TEST_P(SwitchContainerTest, InADeterministicGraphNothingIsTakenForSettled) {
  GraphHarness graph(
      "deterministic: true" +
          Container(kSelect, {"AddHundredCalculator", "TripleIntCalculator"}),
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("select", {{0, 0}, {15, 1}, {35, 0}});
  graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}});
  graph.Idle();
  // The first node may yet say something about 11 to 14.
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

// --- Containers in each other, side packets, ticks

TEST_P(SwitchContainerTest, ContainersMayBeNested) {
  GraphHarness graph(
      R"pb(
        input_stream: "foo"
        input_stream: "outer"
        input_side_packet: "inner"
        node {
          calculator: "SwitchContainer"
          input_stream: "SELECT:outer"
          input_stream: "foo"
          input_side_packet: "inner"
          output_stream: "bar"
          options {
            [syncline.SwitchContainerOptions.ext] {
              contained_node { calculator: "SwitchedByUntaggedSidePacket" }
              contained_node {
                calculator: "SwitchContainer"
                options {
                  [syncline.SwitchContainerOptions.ext] {
                    enable: true
                    contained_node { calculator: "PassThroughCalculator" }
                    contained_node { calculator: "PassThroughCalculator" }
                  }
                }
              }
            }
          }
        }
      )pb",
      GetParam());
  graph.SetSidePacket("inner", MakePacket<int>(1));
  graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}});
  graph.Feed("outer", {{20, 1}, {30, 0}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("bar", {{10, 9}, {20, 2}, {30, 27}});
}

// A container of 3x and 9x that the untagged side packet selects.
class SwitchedByUntaggedSidePacket : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions&) override {
    return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
      input_stream: "in"
      input_side_packet: "which"
      output_stream: "out"
      node {
        calculator: "SwitchContainer"
        input_stream: "in"
        input_side_packet: "SELECT:which"
        output_stream: "out"
        options {
          [syncline.SwitchContainerOptions.ext] {
            contained_node { calculator: "TripleIntCalculator" }
            contained_node { calculator: "NineFoldSubgraph" }
          }
        }
      }
    )pb");
  }
};
REGISTER_SYNCLINE_GRAPH(SwitchedByUntaggedSidePacket);

TEST_P(SwitchContainerTest, SidePacketsGoInAndComeOutOfTheSelectedNode) {
  for (const bool enable : {false, true}) {
    GraphHarness graph(
        R"pb(
          input_side_packet: "enable"
          input_side_packet: "foo"
          node {
            calculator: "SwitchContainer"
            input_side_packet: "ENABLE:enable"
            input_side_packet: "foo"
            output_side_packet: "bar"
            options {
              [syncline.SwitchContainerOptions.ext] {
                contained_node { calculator: "TripleIntCalculator" }
                contained_node { calculator: "PassThroughCalculator" }
              }
            }
          }
        )pb",
        GetParam());
    graph.SetSidePacket("enable", MakePacket<bool>(enable));
    graph.SetSidePacket("foo", MakePacket<int>(4));
    SYNCLINE_ASSERT_OK(graph.Run());
    const auto bar = graph.graph().GetOutputSidePacket("bar");
    SYNCLINE_ASSERT_OK(bar);
    EXPECT_EQ(bar->Get<int>(), enable ? 4 : 12);
  }
}

// As in graphs that load one of several models: without inputs, and with a side
// packet that may be missing.
TEST_P(SwitchContainerTest, AMissingSidePacketLeavesTheChoiceToTheOptions) {
  const std::string text = R"pb(
    input_side_packet: "complexity"
    node {
      calculator: "SwitchContainer"
      input_side_packet: "SELECT:complexity"
      output_side_packet: "MODEL:model"
      options {
        [mediapipe.SwitchContainerOptions.ext] {
          select: 1
          contained_node {
            calculator: "NumberSidePacketCalculator"
            options {
              [mediapipe.SwitchContainerOptions.ext] { select: 10 }
            }
          }
          contained_node {
            calculator: "NumberSidePacketCalculator"
            node_options {
              [type.googleapis.com/mediapipe.SwitchContainerOptions] {
                select: 11
              }
            }
          }
        }
      }
    }
  )pb";
  GraphHarness by_option(text, GetParam());
  SYNCLINE_ASSERT_OK(by_option.Run());
  EXPECT_EQ(by_option.graph().GetOutputSidePacket("model")->Get<int>(), 11);

  GraphHarness by_side_packet(text, GetParam());
  by_side_packet.SetSidePacket("complexity", MakePacket<int>(0));
  SYNCLINE_ASSERT_OK(by_side_packet.Run());
  EXPECT_EQ(by_side_packet.graph().GetOutputSidePacket("model")->Get<int>(),
            10);
}

TEST_P(SwitchContainerTest, OnlyTickInputsTimeTheSelection) {
  // "rare" never settles, and nothing waits for it.
  GraphHarness graph(
      R"pb(
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
              contained_node {
                calculator: "PassThroughCalculator"
                input_stream_handler {
                  input_stream_handler: "ImmediateInputStreamHandler"
                }
              }
              contained_node {
                calculator: "PassThroughCalculator"
                input_stream_handler {
                  input_stream_handler: "ImmediateInputStreamHandler"
                }
              }
              tick_input_stream: "FRAME"
            }
          }
        }
      )pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("select", {{0, 0}, {15, 1}, {30, 0}});
  graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}});
  graph.Idle();
  graph.Expect("bar", {{10, 1}, {20, 2}, {30, 3}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchContainerTest, OneStreamOnTwoPortsIsTwoStreamsInside) {
  GraphHarness graph(
      R"pb(
        input_stream: "foo"
        input_stream: "c0__foo"
        node {
          calculator: "SwitchContainer"
          input_stream: "A:foo"
          input_stream: "B:foo"
          input_stream: "C:c0__foo"
          output_stream: "A:a"
          output_stream: "B:b"
          output_stream: "C:c"
          options {
            [syncline.SwitchContainerOptions.ext] {
              contained_node { calculator: "PassThroughCalculator" }
            }
          }
        }
      )pb",
      GetParam());
  graph.Feed("foo", {{10, 1}});
  graph.Feed("c0__foo", {{10, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("a", {{10, 1}});
  graph.Expect("b", {{10, 1}});
  graph.Expect("c", {{10, 2}});
}

TEST_P(SwitchContainerTest, PortsWithoutTagsGoByTheirOrder) {
  GraphHarness graph(
      R"pb(
        input_stream: "foo"
        input_stream: "bar"
        input_stream: "select"
        node {
          calculator: "SwitchContainer"
          input_stream: "foo"
          input_stream: "SELECT:select"
          input_stream: "bar"
          output_stream: "a"
          output_stream: "b"
          options {
            [syncline.SwitchContainerOptions.ext] {
              contained_node { calculator: "PassThroughCalculator" }
              contained_node { calculator: "TripleIntCalculator" }
            }
          }
        }
      )pb",
      GetParam());
  graph.Feed("foo", {{10, 1}, {20, 2}});
  graph.Feed("bar", {{10, 5}, {20, 6}});
  graph.Feed("select", {{0, 0}, {20, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("a", {{10, 1}, {20, 6}});
  graph.Expect("b", {{10, 5}, {20, 18}});
}

// --- The config that it becomes

TEST(SwitchContainerConfigTest, ExpandsIntoDemuxNodesAndMux) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "foo"
    input_stream: "enable"
    node {
      calculator: "SwitchContainer"
      input_stream: "ENABLE:enable"
      input_stream: "foo"
      output_stream: "bar"
      options {
        [syncline.SwitchContainerOptions.ext] {
          contained_node { calculator: "TripleIntCalculator" }
          contained_node { calculator: "PassThroughCalculator" }
        }
      }
    }
  )pb");
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  std::vector<std::string> names;
  for (const auto& node : graph.Config().node()) names.push_back(node.name());
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "switchcontainer__PacketSequencerCalculator",
                         "switchcontainer__SwitchDemuxCalculator",
                         "switchcontainer__TripleIntCalculator",
                         "switchcontainer__PassThroughCalculator",
                         "switchcontainer__SwitchMuxCalculator"));
  for (const auto& node : graph.Config().node()) {
    if (node.calculator() == "TripleIntCalculator") {
      EXPECT_THAT(node.input_stream(),
                  testing::ElementsAre("switchcontainer__c0__foo"));
      EXPECT_THAT(node.output_stream(),
                  testing::ElementsAre("switchcontainer__c0__bar"));
    }
    if (node.calculator() == "SwitchDemuxCalculator") {
      EXPECT_THAT(node.output_stream(),
                  testing::ElementsAre("C0__:switchcontainer__c0__foo",
                                       "C1__:switchcontainer__c1__foo"));
    }
  }
}

// --- Mistakes

absl::Status InitializeContainer(const std::string& selection,
                                 const std::string& options) {
  return GraphHarness(Container(selection, {"PassThroughCalculator"}, options))
      .Initialize();
}

TEST(SwitchContainerConfigTest, WrongOptionsAreErrors) {
  const auto invalid = [](const char* text) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
  };
  SYNCLINE_EXPECT_OK(InitializeContainer("", ""));
  EXPECT_THAT(InitializeContainer("", "select: 0 enable: false"),
              invalid("both `select` and `enable`"));
  EXPECT_THAT(InitializeContainer("", "select: 1"),
              invalid("contained node 1 of 1"));
  EXPECT_THAT(InitializeContainer("", "select: -1"),
              invalid("contained node -1 of 1"));
  EXPECT_THAT(InitializeContainer("", "enable: true"),
              invalid("contained node 1 of 1"));
  EXPECT_THAT(InitializeContainer("", "tick_input_stream: 'FRAME'"),
              invalid("tick_input_stream \"FRAME\""));
  EXPECT_THAT(InitializeContainer("", "tick_input_stream: 'not a tag'"),
              invalid("not a tag"));
  EXPECT_THAT(InitializeContainer(std::string(kSelect) + kEnable, ""),
              invalid("more than one input stream that selects"));
  EXPECT_THAT(GraphHarness(Container("", {})).Initialize(),
              invalid("no `contained_node`"));
}

TEST(SwitchContainerConfigTest, ASwitchOfAllMemoryIsAnError) {
  // A few thousand lines of text, and millions of streams.
  std::string ports;
  for (int i = 0; i < 2000; ++i) absl::StrAppend(&ports, "input_stream: 'foo'");
  const std::vector<std::string> nodes(2000, "PassThroughCalculator");
  EXPECT_THAT(GraphHarness(Container(ports, nodes)).Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a switch of 2000 channels with 2002 ports")));
  // One stream on many ports has as many names, which are found one by one.
  const std::string wide = Container(ports, {"PassThroughCalculator"});
  EXPECT_THAT(GraphHarness(wide).Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(SwitchContainerConfigTest, AContainerThatContainsNoSuchNodeIsAnError) {
  EXPECT_THAT(
      GraphHarness(Container("", {"NoSuchCalculator"})).Initialize(),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("NoSuchCalculator")));
}

TEST_P(SwitchContainerTest, ASelectionThatIsNotThereEndsTheRunWithAnError) {
  GraphHarness graph(
      Container(kSelect, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  graph.Feed("foo", {{10, 1}});
  graph.Feed("select", {{10, 7}});
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("channel 7")));
}

TEST_P(SwitchContainerTest, ASelectionOfAnotherTypeIsAnError) {
  GraphHarness graph(
      Container(kSelect, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  graph.Feed<bool>("select", {{10, true}});
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("\"select\"")));
}

}  // namespace
}  // namespace syncline
