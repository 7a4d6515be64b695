// What an input with `merge` becomes, and what is wrong with one.

#include <string>

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
using ::testing::SizeIs;

std::string ErrorWith(const std::string& info, const std::string& graph = "") {
  return std::string(
      ErrorWithLinesOf(absl::StrCat(R"(input_stream: "a" input_stream: "b"
             input_stream: "c"
             node { name: "n" calculator: "AnyNode" input_stream: "IN:0:a"
                    input_stream: "IN:1:b" input_stream: "C:c" )",
                                    info, " } ", graph))
          .message());
}

TEST(LowerMergeTest, ANodeInBetweenMakesOneStream) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    input_stream: "c"
    node {
      name: "n"
      calculator: "AnyNode"
      input_stream: "C:c"
      input_stream: "IN:1:b"
      input_stream: "IN:0:a"
      input_stream_info {
        tag_index: "IN"
        merge: true
        max_queue_size: 3
        queue_policy: REJECT
      }
    }
  )pb");
  EXPECT_THAT(NodeNames(plan), ElementsAre("__merge_IN_of_n", "n"));
  const PlanNode& merging = plan.nodes()[0];
  EXPECT_EQ(merging.handlers.input, "ArrivalOrderInputStreamHandler");
  EXPECT_EQ(plan.streams()[merging.inputs[0].stream].name, "a");
  EXPECT_EQ(plan.streams()[merging.inputs[1].stream].name, "b");
  const PlanNode& node = plan.nodes()[1];
  ASSERT_THAT(node.inputs, SizeIs(2));
  EXPECT_EQ(plan.streams()[node.inputs[1].stream].name, "a_and_1_more");
  EXPECT_EQ(node.inputs[1].queue_policy, InputStreamInfo::REJECT);
}

TEST(LowerMergeTest, TheCanonicalConfigGivesTheSamePlan) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    input_stream_handler { input_stream_handler: "SyncSetInputStreamHandler" }
    node {
      calculator: "AnyNode"
      input_stream: "a"
      input_stream: "b"
      input_stream_info { merge: true }
    }
  )pb");
  const absl::StatusOr<GraphPlan> again =
      CompileText(plan.Config().DebugString());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->DebugString(), plan.DebugString());
  EXPECT_EQ(plan.nodes()[1].handlers.input, "SyncSetInputStreamHandler");
}

TEST(LowerMergeTest, TwoNodesMayMergeTheSameStreams) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "a_and_1_more"
    node {
      calculator: "AnyNode"
      input_stream: "IN:0:a"
      input_stream: "IN:1:a_and_1_more"
      input_stream_info { tag_index: "IN" merge: true }
    }
    node {
      calculator: "AnyNode"
      input_stream: "IN:0:a"
      input_stream: "IN:1:a_and_1_more"
      input_stream_info { tag_index: "IN" merge: true }
    }
  )pb");
  EXPECT_THAT(NodeNames(plan),
              ElementsAre("__merge_IN_of_AnyNode_1", "AnyNode_1",
                          "__merge_IN_of_AnyNode_2", "AnyNode_2"));
}

TEST(LowerMergeTest, ASingleStreamIsMergedAlready) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node {
      calculator: "AnyNode"
      input_stream: "IN:a"
      input_stream_info { tag_index: "IN" merge: true }
    }
  )pb");
  EXPECT_THAT(plan.nodes(), SizeIs(1));
}

TEST(LowerMergeTest, ASingleStreamMayCloseALoop) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    node {
      name: "n"
      calculator: "AnyNode"
      input_stream: "IN:0:a"
      input_stream: "IN:1:b"
      output_stream: "b"
      input_stream_info { tag_index: "IN:1" back_edge: true }
      input_stream_info { tag_index: "IN" merge: true }
    }
  )pb");
  EXPECT_FALSE(plan.nodes()[0].inputs[0].back_edge);
  EXPECT_TRUE(plan.nodes()[0].inputs[1].back_edge);
  EXPECT_FALSE(plan.nodes()[1].inputs[0].back_edge);
}

TEST(LowerMergeTest, WhatCannotBeMergedIsAnErrorOfTheNode) {
  EXPECT_THAT(ErrorWith(R"(input_stream_info { tag_index: "X" merge: true })"),
              AllOf(HasSubstr("graph.pbtxt:3: node \"n\" (AnyNode)"),
                    HasSubstr("no input stream of that tag; it has IN:0:a")));
  EXPECT_THAT(
      ErrorWith(R"(input_stream_info { tag_index: "IN:0" merge: true })"),
      HasSubstr("tag_index has to be the tag alone"));
  EXPECT_THAT(ErrorWith(R"(input_stream_info { tag_index: "IN" merge: true
                                               back_edge: true })"),
              HasSubstr("\"IN:1\" back_edge: true"));
  EXPECT_THAT(ErrorWith(R"(input_stream_info { tag_index: "IN" merge: true }
                           input_stream_info { tag_index: "IN:1"
                                               max_queue_size: 3 })"),
              HasSubstr("can say back_edge only"));
  EXPECT_THAT(ErrorWith(R"(input_stream_info { tag_index: "IN" merge: true }
                           input_stream_info { tag_index: "IN:7"
                                               back_edge: true })"),
              HasSubstr("the node has no input stream \"IN:7\"; it has"));
  EXPECT_THAT(ErrorWith(R"(input_stream_info { tag_index: "IN" merge: true })",
                        "deterministic: true"),
              AllOf(HasSubstr("node \"n\""), HasSubstr("deterministic: true"),
                    HasSubstr("input of its own")));
}

TEST(LowerMergeTest, StreamsThatAreMergedHaveNumbers) {
  EXPECT_THAT(std::string(ErrorOf(R"(
      input_stream: "a" input_stream: "b"
      node { name: "n" calculator: "AnyNode" input_stream: "IN:a"
             input_stream: "IN:b"
             input_stream_info { tag_index: "IN" merge: true } })")
                              .message()),
              HasSubstr("it has two streams IN:0; number them IN:0, IN:1"));
}

TEST(LowerMergeTest, TenThousandNodesMayMergeTheSameStreams) {
  std::string text = "input_stream: 'a' input_stream: 'b'";
  for (int i = 0; i < 10000; ++i) {
    absl::StrAppend(&text,
                    "node { calculator: 'AnyNode' input_stream: 'IN:0:a' "
                    "input_stream: 'IN:1:b' "
                    "input_stream_info { tag_index: 'IN' merge: true } }");
  }
  EXPECT_THAT(PlanOf(text).nodes(), SizeIs(20000));
}

TEST(LowerMergeTest, StreamsOfDifferentTypesDoNotFlowTogether) {
  const std::string error(ErrorOf(R"(
    node { calculator: "IntNode" output_stream: "a" }
    node { calculator: "FloatNode" output_stream: "b" }
    node { name: "n" calculator: "AnyNode" input_stream: "IN:0:a"
           input_stream: "IN:1:b"
           input_stream_info { tag_index: "IN" merge: true } })")
                              .message());
  EXPECT_THAT(error, HasSubstr("__merge_IN_of_n"));
}

}  // namespace
}  // namespace syncline
