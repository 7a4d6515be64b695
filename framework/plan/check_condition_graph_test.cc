// Conditions of several nodes that cannot be together: room that no queue has,
// and conditions that come to start themselves.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Its condition "tree" starts that of the node that its side packet's name is.
class StartingNode : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->AddCondition("BehaviorCondition", "tree");
    for (const std::string& child : cc->node().input_side_packet()) {
      cc->SetConditionChild("tree", absl::StrCat(child, "/tree"));
    }
    for (auto& type : cc->InputSidePackets()) type.SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(StartingNode);

// Sends to two readers, of which the second holds two packets only.
std::string WithRoom(int min_size, const std::string& more = "") {
  return absl::StrCat(R"(
    input_stream: "in"
    node { name: "giver" calculator: "AnyNode" input_stream: "in"
           output_stream: "x"
           condition { name: "room" type: "DownstreamReceptiveSchedulingTerm"
             options { [syncline.DownstreamMessageAffordableConditionOptions.ext]
               { min_size: )",
                      min_size, R"( } } } }
    node { name: "first" calculator: "AnyNode" input_stream: "x" }
    node { name: "second" calculator: "AnyNode" input_stream: "x" )",
                      more, " }");
}

std::string ErrorText(const std::string& graph) {
  return std::string(ErrorWithLinesOf(graph, {}).message());
}

TEST(CheckConditionGraphTest, RoomThatNoQueueHasIsRefused) {
  const std::string two =
      "input_stream_info { tag_index: \":0\" max_queue_size: 2 }";
  EXPECT_TRUE(CompileText(WithRoom(2, two), {}).ok());
  EXPECT_THAT(ErrorText(WithRoom(3, two)),
              AllOf(HasSubstr("graph.pbtxt:3: node \"giver\" (AnyNode)"),
                    HasSubstr("condition \"room\""),
                    HasSubstr("room for 3 packets at output_stream \"x\""),
                    HasSubstr("node \"second\" (AnyNode)"),
                    HasSubstr("holds more than 2"),
                    HasSubstr("min_size to 2 or less")));
}

TEST(CheckConditionGraphTest, TheLimitOfTheGraphCountsWhereAnInputHasNone) {
  EXPECT_TRUE(CompileText(WithRoom(100), {}).ok());
  EXPECT_THAT(ErrorText(WithRoom(101)), HasSubstr("holds more than 100"));
  EXPECT_TRUE(CompileText("max_queue_size: 101" + WithRoom(101), {}).ok());
  EXPECT_TRUE(CompileText("max_queue_size: -1" + WithRoom(101), {}).ok());
  EXPECT_TRUE(CompileText(WithRoom(101, "buffer_size_hint: 101"), {}).ok());
}

TEST(CheckConditionGraphTest, AnOutputWithoutReadersAlwaysHasRoom) {
  EXPECT_TRUE(CompileText(R"(
    input_stream: "in"
    node { calculator: "AnyNode" input_stream: "in" output_stream: "x"
           condition { type: "DownstreamMessageAffordableCondition" options {
             [syncline.DownstreamMessageAffordableConditionOptions.ext] {
               min_size: 1000000 } } } })",
                          {})
                  .ok());
}

std::string Starting(const std::string& name, const std::string& children) {
  std::string node =
      absl::StrCat("node { calculator: \"StartingNode\" name: \"", name, "\" ");
  for (const char child : children) {
    absl::StrAppend(&node, "input_side_packet: \"", std::string(1, child),
                    "\" ");
  }
  return node + "} ";
}

TEST(CheckConditionGraphTest, ATreeThatIsItsOwnDescendantIsRefused) {
  EXPECT_THAT(
      ErrorText(Starting("r", "ab") + Starting("a", "c") + Starting("b", "") +
                Starting("c", "a")),
      AllOf(HasSubstr("node \"a\" (StartingNode)"), HasSubstr("cycle"),
            HasSubstr("\"a/tree\" starts \"c/tree\" starts \"a/tree\".")));
  EXPECT_THAT(ErrorText(Starting("r", "r")),
              HasSubstr("\"r/tree\" starts \"r/tree\"."));
}

TEST(CheckConditionGraphTest, ManyParentsAreNoCycle) {
  EXPECT_TRUE(CompileText(Starting("r", "ab") + Starting("a", "cx") +
                              Starting("b", "c") + Starting("c", ""),
                          {})
                  .ok());
}

TEST(CheckConditionGraphTest, ATreeMayBeDeep) {
  std::string graph;
  for (int i = 0; i < 20000; ++i) {
    absl::StrAppend(&graph, "node { calculator: \"StartingNode\" name: \"n", i,
                    "\" input_side_packet: \"n", i + 1, "\" } ");
  }
  EXPECT_TRUE(CompileText(graph, {}).ok());
  EXPECT_THAT(
      ErrorText(graph + "node { calculator: \"StartingNode\" name: \"n20000\" "
                        "input_side_packet: \"n0\" }"),
      HasSubstr("others, the last of which \"n0/tree\""));
}

}  // namespace
}  // namespace syncline
