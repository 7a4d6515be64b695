// What is said of a node with a call in flight: who is inside, and who is not.

#include "framework/report/call_step.h"

#include <cstdint>

#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/report_test_support.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_step.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(TimeTextTest, LongNumbersAreDividedAndSpecialTimesHaveNames) {
  EXPECT_EQ(TimeText(Timestamp(7)), "7");
  EXPECT_EQ(TimeText(Timestamp(-1234)), "-1,234");
  EXPECT_EQ(TimeText(Timestamp(1500000)), "1,500,000");
  EXPECT_EQ(TimeText(Timestamp::PreStream()),
            Timestamp::PreStream().DebugString());
}

// Only their addresses count.
const int kCallOfA = 1;
const int kCallOfB = 2;
const int kCallOfSource = 3;

// "a" and "b" have calls in flight.
class CallStepTest : public ::testing::Test {
 protected:
  CallStepTest() {
    for (const PlanNode& node : plan_.nodes()) {
      view_.nodes.push_back(OpenNode(1, Timestamp(10)));
      view_.nodes.back().calls_in_flight = 1;
      view_.nodes.back().calls = {node.name == "a"   ? &kCallOfA
                                  : node.name == "b" ? &kCallOfB
                                                     : &kCallOfSource};
    }
  }
  int Id(absl::string_view name) const { return plan_.FindNode(name); }
  WaitStep Step(absl::string_view name) const {
    return CallStep(plan_, view_, Id(name));
  }
  void Enter(const void* call, Timestamp at, int thread,
             std::int64_t lasts_ns = 0) {
    view_.calls.push_back({.call = call,
                           .timestamp = at,
                           .thread = thread,
                           .thread_name = "worker",
                           .lasts_ns = lasts_ns});
  }

  const GraphPlan plan_ = TestPlan(R"(
    input_stream: "in"
    executor { name: "pool" }
    node { name: "a" calculator: "TestLambda" input_stream: "in"
           output_stream: "x" executor: "pool" }
    node { name: "b" calculator: "TestLambda" input_stream: "in"
           executor: "pool" }
    node { name: "source" calculator: "TestLambda" output_stream: "y" })");
  RunView view_;
};

TEST_F(CallStepTest, ACallIsNamedWithTimeThreadAndHowLong) {
  Enter(&kCallOfA, Timestamp(1500000), 4711, 3'240'000'000);
  const WaitStep step = Step("a");
  EXPECT_EQ(step.what,
            "has been in Process at 1,500,000 on thread 4711 (worker)");
  EXPECT_EQ(step.lasting, " for 3.2 s");
  EXPECT_EQ(step.next, WaitStep::kNobody);
  EXPECT_THAT(step.advice, HasSubstr("AsynchronousCondition"));
  view_.calls[0].lasts_ns = 3'240'000;
  EXPECT_EQ(Step("a").lasting, " for 3 ms");
}

TEST_F(CallStepTest, ThePartOfAFusedNodeIsNamed) {
  Enter(&kCallOfA, Timestamp(5), 4711);
  view_.nodes[Id("a")].part_in_call = "\"a/p2\" (Slow)";
  EXPECT_EQ(Step("a").what,
            "has been in Process at 5 on thread 4711 (worker), in its part "
            "\"a/p2\" (Slow)");
}

TEST_F(CallStepTest, HowLongIsLeftOutWhereNobodyHasWatched) {
  Enter(&kCallOfA, Timestamp(5), 4711);
  EXPECT_EQ(Step("a").lasting, "");
}

TEST_F(CallStepTest, OpenAndCloseAreCallsToo) {
  Enter(&kCallOfA, Timestamp(5), 4711);
  view_.nodes[Id("a")].state = NodeState::kOpening;
  EXPECT_EQ(Step("a").what, "has been in Open on thread 4711 (worker)");
  view_.nodes[Id("a")].state = NodeState::kClosing;
  EXPECT_EQ(Step("a").what, "has been in Close on thread 4711 (worker)");
}

TEST_F(CallStepTest, ATimeThatTheCallDoesNotKnowIsLeftOut) {
  Enter(&kCallOfA, Timestamp::Unset(), 4711);
  EXPECT_EQ(Step("a").what, "has been in Process on thread 4711 (worker)");
}

TEST_F(CallStepTest, AnObserverThatDoesNotReturn) {
  Enter(&kCallOfA, Timestamp(5), 4711);
  view_.calls[0].observed_stream = plan_.FindStream("x");
  view_.calls[0].lasts_ns = 1'000'000'000;
  EXPECT_EQ(Step("a").what,
            "is sending to an observer of stream \"x\", which has not "
            "returned, on thread 4711 (worker)");
  EXPECT_EQ(Step("a").lasting, " for 1.0 s");
}

TEST_F(CallStepTest, AnObserverThatSaysWhatItIsIsNamed) {
  Enter(&kCallOfA, Timestamp(5), 4711);
  const int x = plan_.FindStream("x");
  view_.calls[0].observed_stream = x;
  view_.calls[0].lasts_ns = 1'000'000'000;
  view_.observer_names = {{plan_.FindStream("y"), "the other one"},
                          {x, "--output=x=pipe"}};
  EXPECT_EQ(Step("a").what,
            "is sending stream \"x\" to --output=x=pipe, which takes nothing "
            "more, on thread 4711 (worker)");
  EXPECT_EQ(Step("a").lasting, " for 1.0 s");
  EXPECT_THAT(Step("a").advice, HasSubstr("reads what goes to "
                                          "--output=x=pipe"));
  // Either may be the one.
  view_.observer_names.emplace(x, "recording \"r\"");
  EXPECT_THAT(Step("a").what, HasSubstr("to --output=x=pipe or to recording "
                                        "\"r\", which takes nothing more"));
}

TEST_F(CallStepTest, TheFirstCallOfASourceMayWaitForADeviceForAWhile) {
  Enter(&kCallOfSource, Timestamp(0), 4711, 10'500'000'000);
  EXPECT_TRUE(Step("source").may_be_device);
  view_.calls[0].lasts_ns = 11'999'999'999;
  EXPECT_TRUE(Step("source").may_be_device);
  view_.calls[0].lasts_ns = 12'000'000'000;
  EXPECT_FALSE(Step("source").may_be_device);
  NodeSnapshot& source = view_.nodes[Id("source")];
  source.outputs.resize(1);
  EXPECT_FALSE(Step("source").may_be_device) << "an output without a packet";
  source.outputs[0].packets_added = 1;
  EXPECT_TRUE(Step("source").may_be_device);
}

TEST_F(CallStepTest, WithoutAWatchTheFirstCallOfASourceIsNoWaitForADevice) {
  Enter(&kCallOfSource, Timestamp(0), 4711);
  EXPECT_FALSE(Step("source").may_be_device);
}

TEST_F(CallStepTest, OnlyASourceMayWaitForADevice) {
  Enter(&kCallOfB, Timestamp(5), 4711, 2'000'000'000);
  EXPECT_FALSE(Step("b").may_be_device);
}

TEST_F(CallStepTest, NoThreadOfTheExecutorHasCome) {
  const WaitStep step = Step("a");
  EXPECT_EQ(step.what,
            "is ready to be called, but no thread of executor \"pool\" runs "
            "it");
  EXPECT_EQ(step.next, WaitStep::kNobody);
}

// The machine may be busy.
TEST_F(CallStepTest, AThreadMayTakeAWhileToCome) {
  EXPECT_FALSE(Step("a").may_be_device) << "who asks is told";
  view_.still_ns = 99'000'000;
  EXPECT_TRUE(Step("a").may_be_device);
  view_.still_ns = 100'000'000;
  EXPECT_FALSE(Step("a").may_be_device);
}

TEST_F(CallStepTest, TheThreadsOfTheExecutorAreInsideOtherCalls) {
  Enter(&kCallOfB, Timestamp(5), 4711);
  const WaitStep step = Step("a");
  EXPECT_EQ(step.what,
            "is ready to be called, but the threads of executor \"pool\" are "
            "inside calls of \"b\"");
  EXPECT_EQ(step.next, Id("b"));
}

TEST_F(CallStepTest, WhatAThreadDoesForNoNodeIsNoCallOfANode) {
  view_.calls.push_back({.thread = 4711});
  EXPECT_EQ(FindCall(view_, Id("a")), nullptr);
}

}  // namespace
}  // namespace syncline
