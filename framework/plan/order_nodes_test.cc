// The order of nodes, and which loops are refused.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(OrderNodesTest, AnOrderThatIsGoodAlreadyIsKept) {
  // By least index alone, "b" could move before "x"; nothing asks for it.
  const GraphPlan plan = PlanOf(R"pb(
    node { name: "a" calculator: "IntNode" output_stream: "s" }
    node { name: "x" calculator: "IntNode" input_stream: "s" }
    node { name: "b" calculator: "IntNode" output_stream: "t" }
  )pb");
  EXPECT_THAT(NodeNames(plan), ElementsAre("a", "x", "b"));
}

TEST(OrderNodesTest, ProducersMoveBeforeTheirReaders) {
  const GraphPlan plan = PlanOf(R"pb(
    node { name: "c" calculator: "IntNode" input_stream: "t" }
    node {
      name: "b"
      calculator: "IntNode"
      input_stream: "s"
      output_stream: "t"
    }
    node { name: "other" calculator: "IntNode" }
    node { name: "a" calculator: "IntNode" output_stream: "s" }
  )pb");
  EXPECT_THAT(NodeNames(plan), ElementsAre("other", "a", "b", "c"));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.nodes()[i].id, i);
    EXPECT_EQ(plan.nodes()[i].config().SerializeAsString(),
              plan.Config().node(i).SerializeAsString());
    EXPECT_EQ(plan.nodes()[i].name, plan.Config().node(i).name());
  }
}

TEST(OrderNodesTest, SidePacketsOrderToo) {
  const GraphPlan plan = PlanOf(R"pb(
    node { name: "b" calculator: "IntNode" input_side_packet: "p" }
    node { name: "a" calculator: "IntNode" output_side_packet: "p" }
  )pb");
  EXPECT_THAT(NodeNames(plan), ElementsAre("a", "b"));
  EXPECT_EQ(plan.side_packets()[0].producer, (PortRef{0, 0}));
  EXPECT_THAT(plan.side_packets()[0].consumers, ElementsAre(PortRef{1, 0}));
}

TEST(OrderNodesTest, CompilingTheResultAgainChangesNothing) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntNode" input_stream: "s" }
    node { calculator: "IntNode" output_stream: "s" }
  )pb");
  const GraphPlan again = PlanOf(plan.Config().DebugString());
  EXPECT_EQ(again.Config().DebugString(), plan.Config().DebugString());
  EXPECT_EQ(again.DebugString(), plan.DebugString());
}

TEST(OrderNodesTest, ACycleNamesItsNodesAndStreams) {
  const absl::Status status = ErrorOf(R"pb(
    node {
      name: "a"
      calculator: "PassNode"
      input_stream: "z"
      output_stream: "x"
    }
    node {
      name: "b"
      calculator: "PassNode"
      input_stream: "x"
      output_stream: "y"
    }
    node {
      name: "c"
      calculator: "PassNode"
      input_stream: "y"
      output_stream: "z"
    }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(
      Message(status),
      HasSubstr("cycle detected: node \"a\" (PassNode) -> [stream \"x\"] -> "
                "node \"b\" (PassNode) -> [stream \"y\"] -> node \"c\" "
                "(PassNode) -> [stream \"z\"] -> node \"a\" (PassNode)."));
}

TEST(OrderNodesTest, ANodeThatReadsItselfIsACycle) {
  EXPECT_THAT(Message(ErrorOf(R"pb(
                node {
                  name: "a"
                  calculator: "PassNode"
                  input_stream: "x"
                  output_stream: "x"
                }
              )pb")),
              AllOf(HasSubstr("cycle"), HasSubstr("node \"a\" (PassNode) -> "
                                                  "[stream \"x\"]")));
}

TEST(OrderNodesTest, ACycleOfSidePacketsHasNoBackEdge) {
  EXPECT_THAT(Message(ErrorOf(R"pb(
                node {
                  name: "a"
                  calculator: "IntNode"
                  input_side_packet: "q"
                  output_side_packet: "p"
                }
                node {
                  name: "b"
                  calculator: "IntNode"
                  input_side_packet: "p"
                  output_side_packet: "q"
                }
              )pb")),
              AllOf(HasSubstr("cycle"), HasSubstr("[side packet \"p\"]")));
}

TEST(OrderNodesTest, ABackEdgeOpensACycle) {
  const GraphPlan plan = PlanOf(R"pb(
    node {
      name: "self"
      calculator: "PassNode"
      input_stream: "x"
      input_stream_info { back_edge: true }
      output_stream: "x"
    }
  )pb");
  EXPECT_THAT(plan.nodes(), SizeIs(1));
  EXPECT_THAT(plan.warnings(), IsEmpty());
}

TEST(OrderNodesTest, ABackEdgeWithoutALoopIsAWarning) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntNode" output_stream: "x" }
    node {
      name: "n"
      calculator: "IntNode"
      input_stream: "x"
      input_stream_info { back_edge: true }
    }
  )pb");
  ASSERT_THAT(plan.warnings(), SizeIs(1));
  EXPECT_THAT(plan.warnings()[0],
              AllOf(HasSubstr("node \"n\" (IntNode)"), HasSubstr("\"x\""),
                    HasSubstr("back edge might be unnecessary")));
}

TEST(OrderNodesTest, AVeryLongCycleIsCutInTheMiddle) {
  constexpr int kNodes = 5000;
  std::string text;
  for (int i = 0; i < kNodes; ++i) {
    absl::StrAppend(&text, "node { calculator: \"PassNode\" input_stream: \"s",
                    i, "\" output_stream: \"s", (i + 1) % kNodes, "\" }");
  }
  const absl::Status status = ErrorOf(text);
  EXPECT_THAT(Message(status), HasSubstr("... 4980 more nodes ..."));
  EXPECT_LT(status.message().size(), 5000);
}

}  // namespace
}  // namespace syncline
