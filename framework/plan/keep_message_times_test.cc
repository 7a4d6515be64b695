// Which inputs keep message times: those that ask, and what is merged into
// them.

#include <string>

#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(KeepMessageTimesTest, TheGraphMayAskForOneInput) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "AnyNode"
      input_stream: "A:a"
      input_stream: "B:b"
      input_stream_info { tag_index: "B" message_times: true }
    }
  )pb");
  EXPECT_FALSE(plan.nodes()[0].inputs[0].message_times);
  EXPECT_TRUE(plan.nodes()[0].inputs[1].message_times);
  EXPECT_THAT(plan.DebugString(),
              HasSubstr("\"b\", [Any Type], message times"));
}

TEST(KeepMessageTimesTest, TheContractMayAskForIt) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    node { calculator: "TimedNode" input_stream: "A:a" input_stream: "IN:b" }
  )pb");
  EXPECT_FALSE(plan.nodes()[0].inputs[0].message_times);
  EXPECT_TRUE(plan.nodes()[0].inputs[1].message_times);
}

TEST(KeepMessageTimesTest, AContractThatAsksForWhatIsNotThereIsAnError) {
  EXPECT_THAT(
      std::string(
          ErrorOf(R"pb(
            input_stream: "a"
            node { name: "n" calculator: "TimedNode" input_stream: "A:a" }
          )pb")
              .message()),
      AllOf(HasSubstr("node \"n\" (TimedNode)"),
            HasSubstr("KeepMessageTimes(\"IN\")")));
}

TEST(KeepMessageTimesTest, WhatIsMergedKeepsThemToo) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "TimedNode"
      input_stream: "IN:0:a"
      input_stream: "IN:1:b"
      input_stream_info { tag_index: "IN" merge: true }
    }
  )pb");
  EXPECT_TRUE(plan.nodes()[0].inputs[0].message_times);
  EXPECT_TRUE(plan.nodes()[0].inputs[1].message_times);
  EXPECT_TRUE(plan.nodes()[1].inputs[0].message_times);
}

}  // namespace
}  // namespace syncline
