// Nested switch containers, and the side packets, ticks and ports of a
// container.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/config/switch_container.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"
#include "framework/tool/switch_container_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

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

// A container of the nodes 3x and 9x; the side packet without a tag selects
// one.
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

// As in graphs that load one of several models: nodes without inputs, and a
// side packet that may be missing.
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
  // "rare" never settles. Still, nothing waits for it.
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

}  // namespace
}  // namespace syncline
