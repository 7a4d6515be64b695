#include "framework/run/run_look.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/calculator/packet_times.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/holds.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/report/packets_left_verdict.h"
#include "framework/report/run_view.h"
#include "framework/run/described_observer.h"
#include "framework/run/output_tap.h"
#include "framework/run/poller_queue.h"
#include "framework/run/run_parts_test_support.h"
#include "framework/run/running_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

// Nodes: 0 "first", 1 "second", which waits for both of its inputs.
constexpr char kTwo[] = R"(
  input_stream: "in"
  node { name: "first" calculator: "TestLambda" input_stream: "in"
         output_stream: "x" }
  node { name: "second" calculator: "TestLambda" input_stream: "in"
         input_stream: "x" })";

// --- View

TEST(RunLookTest, OfANodeThatIsNotOpenTheMissingHeadersAreSeen) {
  PartsOfRun run(kTwo);
  const RunLook look(run.parts());
  run.Start(1, /*headers=*/1);
  EXPECT_THAT(look.View().missing[1].streams,
              ElementsAre(run.plan().FindStream("x")));
  run.Open(0);
  EXPECT_THAT(look.View().missing[1].streams, IsEmpty())
      << "\"first\" is open, so its header is on the way";
  EXPECT_THAT(look.View().missing[0].streams, IsEmpty());
}

TEST(RunLookTest, GraphInputsAreSeenWithWhoFeedsThem) {
  PartsOfRun run(R"(input_stream: "a" input_stream: "b"
                    node { calculator: "TestLambda" input_stream: "a"
                           input_stream: "b" })");
  run.texts.feeders = {{"b", "--input=b=FILE"}};
  const RunLook look(run.parts());
  bool fails_run = false;
  ASSERT_EQ(run.inputs[0]->Add(
                MakePacket<int>(1).At(Timestamp(1)), PacketTimes(),
                [](absl::Span<Packet>, Timestamp) {}, &fails_run),
            absl::OkStatus());
  run.inputs[1]->Close([](absl::Span<Packet>, Timestamp) {});
  const RunView view = look.View();
  ASSERT_THAT(view.inputs, SizeIs(2));
  EXPECT_TRUE(view.inputs[0].is_open);
  EXPECT_TRUE(view.inputs[0].has_fed);
  EXPECT_EQ(view.inputs[0].feeder, "");
  EXPECT_FALSE(view.inputs[1].is_open);
  EXPECT_FALSE(view.inputs[1].has_fed);
  EXPECT_EQ(view.inputs[1].feeder, "--input=b=FILE");
}

TEST(RunLookTest, PollersAndObserversAreSeen) {
  PartsOfRun run(kTwo);
  const int in = run.plan().FindStream("in");
  const int x = run.plan().FindStream("x");
  const auto ignore = [](const Packet&) { return absl::OkStatus(); };
  run.pollers = {std::make_shared<PollerQueue>(x, /*observes_bounds=*/false,
                                               run.wait_point)};
  run.taps = {
      run.pollers[0], std::make_shared<Observer>(in, "in", ignore),
      std::make_shared<Observer>(
          x, "x",
          DescribedObserver{.name = "--output=x=FILE", .callback = ignore})};
  const RunLook look(run.parts());
  const RunView view = look.View();
  ASSERT_THAT(view.pollers, SizeIs(1));
  EXPECT_EQ(view.pollers[0].stream, x);
  EXPECT_TRUE(view.pollers[0].is_empty);
  EXPECT_FALSE(view.pollers[0].is_full);
  EXPECT_THAT(view.observed_streams, ElementsAre(in, x));
  EXPECT_THAT(view.observer_names, ElementsAre(Pair(x, "--output=x=FILE")));
  const Packet packet = MakePacket<int>(1).At(Timestamp(1));
  run.pollers[0]->Deliver(absl::MakeConstSpan(&packet, 1), Timestamp(2));
  EXPECT_FALSE(look.View().pollers[0].is_empty);
}

TEST(RunLookTest, PausesAndPendingSourcesAreSeen) {
  PartsOfRun run(R"(
    node { calculator: "TestLambda" output_stream: "x" }
    node { calculator: "TestLambda" output_stream: "y" source_layer: 1 }
    node { calculator: "TestLambda" input_stream: "x" input_stream: "y" })");
  const RunLook look(run.parts());
  EXPECT_FALSE(look.View().is_paused);
  run.queues.Pause();
  EXPECT_TRUE(look.View().is_paused);
  run.sources().NoteOpened(0);
  run.sources().NoteOpened(1);
  run.sources().StartNextLayer();
  std::vector<int> resumed;
  run.sources().NoteFullQueue(
      run.plan().streams()[run.plan().FindStream("x")].source_set, 1,
      /*is_node=*/true, &resumed);
  const RunView view = look.View();
  ASSERT_THAT(view.sources, SizeIs(2));
  EXPECT_FALSE(view.sources[0].is_pending);
  EXPECT_TRUE(view.sources[0].is_paused);
  EXPECT_TRUE(view.sources[1].is_pending);
  EXPECT_FALSE(view.sources[1].is_paused);
}

TEST(RunLookTest, CallsOfTheRunAreSeenWithTheirTimes) {
  PartsOfRun run(R"(input_stream: "in"
                    node { calculator: "TestLambda" input_stream: "in" })");
  const RunLook look(run.parts());
  run.Open(0);
  run.Add(0, 0, /*time=*/20);
  auto* const call = static_cast<Invocation*>(run.effects.ready[0]);
  const RunningCalls::Scope scope(run.parts().run);
  EXPECT_THAT(look.View().calls, SizeIs(1));
  RunningCalls::Begin(call);
  const RunView view = look.View();
  ASSERT_THAT(view.calls, SizeIs(1));
  EXPECT_EQ(view.calls[0].call, call);
  EXPECT_EQ(view.calls[0].timestamp, Timestamp::Unset()) << "not begun";
  EXPECT_EQ(view.calls[0].observed_stream, -1);
  EXPECT_THAT(view.nodes[0].calls, ElementsAre(call));
  ASSERT_EQ(run.node(0)->ProcessPlain(call, call->sets[0]), absl::OkStatus());
  EXPECT_EQ(look.View().calls[0].timestamp, Timestamp(20));
  call->sets[0].context->EndCall();
}

TEST(RunLookTest, WhatTheProgramSaysIsSeen) {
  PartsOfRun run(kTwo);
  run.texts.program_waits = true;
  EXPECT_TRUE(RunLook(run.parts()).View().program_waits);
  run.texts.program_waits = false;
  const RunView view = RunLook(run.parts()).View();
  EXPECT_FALSE(view.program_waits);
  EXPECT_FALSE(view.sleeps_on_clock);
  EXPECT_EQ(view.next_time_in_ns, ConditionResult::kNoTarget);
}

// --- What conditions hold

class ExplainedCondition : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return ConditionResult::Ready();
  }
  std::string WaitText() const override { return "the moon"; }
};

TEST(RunLookTest, HeldNodesAreSeenWithWhatTheyWaitForAndUntilWhen) {
  const PlanConditions plan_conditions{.conditions = {{}},
                                       .groups = {{.conditions = {0}}}};
  Holds holds;
  PartsOfRun run(R"(input_stream: "in"
                    node { calculator: "TestLambda" input_stream: "in" })");
  MadeConditions made;
  made.objects = {std::make_shared<ExplainedCondition>()};
  made.needs = {{}};
  run.node(0)->SetGate({.conditions = std::make_unique<NodeConditions>(
                            plan_conditions, std::move(made), "\"test\""),
                        .clock = &run.clock,
                        .holds = &holds});
  run.gated_nodes.Add(run.node(0), /*has_timeout=*/false);
  run.Open(0);
  run.Add(0, 0, /*time=*/1);
  const RunLook look(run.parts());
  EXPECT_THAT(look.View().nodes[0].wait_texts, IsEmpty()) << "not held yet";
  ASSERT_NE(run.node(0)->BeginAsk(/*now_ns=*/0), nullptr);
  ConditionResult result = ConditionResult::Wait("a time");
  result.target_ns = run.clock.NowNs() + 500;
  run.node(0)->FinishAsk(result, /*is_dispatched=*/false, &run.effects);
  const RunView view = look.View();
  EXPECT_TRUE(view.nodes[0].is_held);
  EXPECT_THAT(view.nodes[0].wait_texts, ElementsAre("the moon"));
  EXPECT_EQ(view.next_time_in_ns, 500);
  EXPECT_EQ(look.WhyItStandsStill(/*is_asked=*/false), "")
      << "the clock is all that it waits for";
}

// --- Texts

TEST(RunLookTest, ExplainsWhoWaitsForWhom) {
  PartsOfRun run(kTwo);
  const RunLook look(run.parts());
  run.Open(0);
  run.Open(1);
  EXPECT_EQ(look.Explain(), "No packet waits at any node.\n");
  EXPECT_EQ(look.WhyItStandsStill(/*is_asked=*/true), "");
  run.Add(1, 0, /*time=*/10);
  const std::string text = look.Explain();
  EXPECT_THAT(text, AllOf(HasSubstr("\"second\" waits for stream \"x\""),
                          HasSubstr("\"first\" waits for stream \"in\"")));
  EXPECT_THAT(text, HasSubstr(look.Stall(1, run.node(1)->Snapshot())));
  EXPECT_THAT(text, Not(HasSubstr(look.Stall(0, run.node(0)->Snapshot()))));
  const std::string why = look.WhyItStandsStill(/*is_asked=*/true);
  EXPECT_THAT(why, HasSubstr("\"second\" waits for stream \"x\""));
  EXPECT_EQ(text.rfind(why, 0), 0) << "the first lines of the text";
}

TEST(RunLookTest, AWaitForADeviceIsToldOnlyIfAskedFor) {
  PartsOfRun run(kTwo);
  run.texts.feeders = {{"in", "the camera"}};
  const RunLook look(run.parts());
  run.Open(0);
  run.Open(1);
  bool fails_run = false;
  ASSERT_EQ(run.inputs[0]->Add(
                MakePacket<int>(1).At(Timestamp(1)), PacketTimes(),
                [](absl::Span<Packet>, Timestamp) {}, &fails_run),
            absl::OkStatus());
  run.Add(1, 0, /*time=*/10);
  EXPECT_EQ(look.WhyItStandsStill(/*is_asked=*/false), "");
  EXPECT_THAT(look.WhyItStandsStill(/*is_asked=*/true),
              HasSubstr("the camera"));
}

// --- What is left

TEST(RunLookTest, PacketsThatNoCallTookAreLeft) {
  PartsOfRun run(kTwo);
  const RunLook look(run.parts());
  run.Open(0);
  run.Open(1);
  EXPECT_THAT(look.FindLeft(/*may_be_left=*/false).nodes, IsEmpty());
  run.Add(1, 0, /*time=*/10);
  const PacketsLeftVerdict left = look.FindLeft(/*may_be_left=*/false);
  ASSERT_THAT(left.nodes, SizeIs(1));
  EXPECT_EQ(left.nodes[0].node, "second");
  EXPECT_EQ(left.nodes[0].packets, 1);
  EXPECT_EQ(look.FindLeft(/*may_be_left=*/true).error, absl::OkStatus());
}

}  // namespace
}  // namespace syncline
