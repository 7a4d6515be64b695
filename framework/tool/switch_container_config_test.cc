// The config that a switch container is expanded to, and the errors of a wrong
// one.
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

namespace syncline {
namespace {

using ::testing::HasSubstr;

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
  // A few thousand lines of text would become millions of streams.
  std::string ports;
  for (int i = 0; i < 2000; ++i) absl::StrAppend(&ports, "input_stream: 'foo'");
  const std::vector<std::string> nodes(2000, "PassThroughCalculator");
  EXPECT_THAT(GraphHarness(Container(ports, nodes)).Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a switch of 2000 channels with 2002 ports")));
  // One stream on many ports needs as many names, and finding each must be
  // fast.
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
