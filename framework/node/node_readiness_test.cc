// Which call of a node is ready: none yet, Process or Close.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_batch.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kOne[] = "input_stream: 'a' output_stream: 'out' ";
constexpr char kTwo[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out' ";

// The node sends what it gets at `t` at `t` plus `offset`.
void SetOffset(int offset, NodeUnderTest* node) {
  node->calculator.open = [offset](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(offset));
    return absl::OkStatus();
  };
}

// Delivers a packet at `time` to port 0, with the bound `bound`.
NodeUnderTest::Told AddWithBound(int time, int bound, NodeUnderTest* node) {
  Packet packet = NodeUnderTest::At(time);
  return node->After([&](Node* under_test, Effects* effects) {
    under_test->Deliver(0, {&packet, 1}, /*may_move=*/true, Timestamp(bound),
                        effects);
  });
}

// --- Bounds

TEST(NodeReadinessTest, ANodeWithAnOffsetPassesBoundsOn) {
  NodeUnderTest node(kTwo);
  SetOffset(3, &node);
  node.Open();
  EXPECT_THAT(node.Bound(0, 10), IsEmpty()) << "the other stream may be behind";
  EXPECT_THAT(node.Bound(1, 7), ElementsAre("bound of out: 10"));
  EXPECT_THAT(node.Bound(1, 20), ElementsAre("bound of out: 13"));
  EXPECT_THAT(node.Bound(1, 30), IsEmpty());
  EXPECT_EQ(node.node().Snapshot().outputs[0].bound, Timestamp(13));
}

TEST(NodeReadinessTest, ANodeWithoutOffsetPassesNoBoundOn) {
  NodeUnderTest node(kTwo);
  node.Open();
  node.Bound(0, 10);
  EXPECT_THAT(node.Bound(1, 10), IsEmpty());
}

TEST(NodeReadinessTest, ABoundPassesACallOnlyOnceItIsOver) {
  NodeUnderTest node(kTwo);
  SetOffset(0, &node);
  node.Open();
  node.Bound(1, 30);
  EXPECT_THAT(node.Add(0, 10), ElementsAre("process 10 (10, -)"));
  EXPECT_THAT(node.Bound(0, 20), IsEmpty());
  EXPECT_THAT(node.Run(), ElementsAre("bound of out: 20"));
}

TEST(NodeReadinessTest, ABoundThatCameWithThePacketIsPassedOnAfterTheCall) {
  NodeUnderTest node(kTwo);
  SetOffset(0, &node);
  node.Open();
  node.Bound(1, 30);
  EXPECT_THAT(AddWithBound(10, 20, &node), ElementsAre("process 10 (10, -)"));
  EXPECT_THAT(node.Run(), ElementsAre("bound of out: 20"));
}

// --- Overlapping calls

TEST(NodeReadinessTest, AsManyCallsAreReadyAsMayRunAtOnce) {
  NodeUnderTest node(absl::StrCat(kOne, "max_in_flight: 2"));
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20, 30}),
              ElementsAre("process 10 (10)", "process 20 (20)"));
  EXPECT_EQ(node.node().Snapshot().calls_in_flight, 2);
  EXPECT_THAT(node.Add(0, 40), IsEmpty());
  EXPECT_EQ(node.Waiting(0), 2);
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), ElementsAre("process 40 (40)"));
}

TEST(NodeReadinessTest, ABoundWaitsUntilNoOverlappingCallIsInFlight) {
  NodeUnderTest node(absl::StrCat(kOne, "max_in_flight: 3"));
  SetOffset(0, &node);
  node.Open();
  EXPECT_THAT(node.Bound(0, 5), ElementsAre("bound of out: 5"));
  node.AddAll(0, {10, 20});
  EXPECT_THAT(node.Bound(0, 50), IsEmpty());
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(node.Run(), ElementsAre("bound of out: 50"));
}

TEST(NodeReadinessTest, TheCloseWaitsUntilNoOverlappingCallIsInFlight) {
  NodeUnderTest node(absl::StrCat(kOne, "max_in_flight: 3"));
  node.Open();
  node.AddAll(0, {10, 20});
  EXPECT_THAT(node.End(0), IsEmpty());
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_EQ(node.node().state(), NodeState::kOpen);
  EXPECT_THAT(node.Run(), ElementsAre("close"));
  EXPECT_EQ(node.node().state(), NodeState::kClosing);
}

TEST(NodeReadinessTest, WithoutACallInFlightAnOverlappingNodeClosesAtOnce) {
  NodeUnderTest node(absl::StrCat(kOne, "max_in_flight: 3"));
  node.Open();
  EXPECT_THAT(node.End(0), ElementsAre("close"));
}

TEST(NodeReadinessTest, ResultsOfOverlappingCallsLeaveInOrder) {
  NodeUnderTest node(absl::StrCat(kOne, "max_in_flight: 2"));
  node.calculator.process = [](CalculatorContext* cc) {
    cc->Outputs().begin()->AddPacket(cc->Inputs().begin()->Value());
    return absl::OkStatus();
  };
  node.Open();
  node.Sent();
  node.AddAll(0, {10, 20, 30});
  Invocation* const first = node.Call();
  Invocation* const second = node.Call();
  EXPECT_THAT(node.Return(second), IsEmpty());
  EXPECT_THAT(node.Sent(), IsEmpty());
  EXPECT_THAT(node.Return(first), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Sent(), ElementsAre("out 10 bound 11", "out 20 bound 21"));
}

// --- Batches of the handler: a call for each input set, one after the other

constexpr char kBatchOfHandler[] =
    "input_stream_handler { options { "
    "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 3 } } } ";

TEST(NodeReadinessTest, ABatchIsReadyWhenItIsFull) {
  NodeUnderTest node(absl::StrCat(kOne, kBatchOfHandler));
  std::vector<int> seen;
  node.calculator.process = [&seen](CalculatorContext* cc) {
    seen.push_back(cc->Inputs().begin()->Get<int>());
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20}), IsEmpty());
  EXPECT_EQ(node.Waiting(0), 0);
  EXPECT_EQ(node.node().Snapshot().batched_sets, 2);
  EXPECT_EQ(node.node().Snapshot().calls_in_flight, 0);
  EXPECT_TRUE(node.node().HasPackets());
  EXPECT_THAT(node.AddAll(0, {30, 40}),
              ElementsAre("process 10 (10) 20 (20) 30 (30)"));
  EXPECT_EQ(node.Waiting(0), 1);
  EXPECT_EQ(node.node().Snapshot().batched_sets, 0);
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(seen, ElementsAre(10, 20, 30));
  EXPECT_EQ(node.node().Snapshot().batched_sets, 1);
  EXPECT_THAT(node.AddAll(0, {50, 60}),
              ElementsAre("process 40 (40) 50 (50) 60 (60)"));
}

TEST(NodeReadinessTest, AtTheEndABatchThatIsNotFullGoesBeforeTheClose) {
  NodeUnderTest node(absl::StrCat(kOne, kBatchOfHandler));
  node.Open();
  node.AddAll(0, {10, 20});
  EXPECT_THAT(node.End(0), ElementsAre("process 10 (10) 20 (20)"));
  EXPECT_THAT(node.Run(), ElementsAre("close"));
  EXPECT_EQ(node.node().first_invocation()->num_sets, 1);
}

TEST(NodeReadinessTest, NoBoundPassesWhatWaitsInABatch) {
  NodeUnderTest node(absl::StrCat(kOne, kBatchOfHandler));
  SetOffset(0, &node);
  node.Open();
  EXPECT_THAT(node.Bound(0, 5), ElementsAre("bound of out: 5"));
  EXPECT_THAT(node.Add(0, 10), ElementsAre("bound of out: 10"));
  EXPECT_THAT(node.Add(0, 20), IsEmpty());
  EXPECT_THAT(AddWithBound(30, 50, &node),
              ElementsAre("process 10 (10) 20 (20) 30 (30)"));
  EXPECT_THAT(node.Run(), ElementsAre("bound of out: 50"));
}

TEST(NodeReadinessTest, AGateThatGathersNoBatchesDoesNotWaitForABatch) {
  NodeUnderTest node(absl::StrCat(kOne, kBatchOfHandler));
  node.plan.batch.max_delay_ns = 1000;
  node.SetGate(-1);
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20}), IsEmpty());
  EXPECT_THAT(node.Add(0, 30), ElementsAre("process 10 (10) 20 (20) 30 (30)"));
}

// --- Batches of the node: one call for all input sets

TEST(NodeReadinessTest, ABatchOfTheNodeIsOneCall) {
  NodeUnderTest node(absl::StrCat(kOne, "batch { max_size: 2 }"));
  std::vector<std::string> seen;
  node.calculator.process = [&seen](CalculatorContext* cc) {
    std::string text = cc->InputTimestamp().DebugString();
    for (const BatchedInputs& set : cc->Batch()) {
      absl::StrAppend(&text, " ", set.Inputs().begin()->Get<int>());
    }
    seen.push_back(text);
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_THAT(node.Add(0, 20), ElementsAre("process 10 (10) 20 (20)"));
  EXPECT_THAT(node.Run(), IsEmpty());
  node.Add(0, 30);
  EXPECT_THAT(node.End(0), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), ElementsAre("close"));
  EXPECT_THAT(seen, ElementsAre("20 10 20", "30 30"));
}

TEST(NodeReadinessTest, ABatchThatIsToWaitForATimeTellsTheGate) {
  NodeUnderTest node(
      absl::StrCat(kOne, "batch { max_size: 2 max_delay_ns: 9 }"));
  node.SetGate(-1);
  node.Open();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("batch"));
  EXPECT_THAT(node.Add(0, 20), ElementsAre("process 10 (10) 20 (20)"));
  node.Run();
  EXPECT_THAT(node.AddAll(0, {30, 40, 50}),
              ElementsAre("process 30 (30) 40 (40)", "batch"));
  EXPECT_THAT(node.Run(), ElementsAre("batch"));
}

TEST(NodeReadinessTest, ABatchThatIsToWaitUntilItIsFullDoesNot) {
  NodeUnderTest node(absl::StrCat(kOne, "batch { max_size: 2 }"));
  node.SetGate(-1);
  node.Open();
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
}

TEST(NodeReadinessTest, ConditionsAreAskedForABatchThatIsFull) {
  NodeUnderTest node(absl::StrCat(kOne, "batch { max_size: 2 }"));
  node.SetGate(1);
  node.Open();
  node.Ask(ConditionResult::Ready());
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_THAT(node.Add(0, 20), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(ConditionResult::Ready()),
              ElementsAre("process 10 (10) 20 (20)"));
}

// --- Input sets that are taken when a call starts

constexpr char kTakesLate[] =
    "input_stream_handler { input_stream_handler: "
    "'FixedSizeInputStreamHandler' options { "
    "[syncline.FixedSizeInputStreamHandlerOptions.ext] { "
    "trigger_queue_size: 9 target_queue_size: 8 } } } ";

TEST(NodeReadinessTest, WhatACallTakesWhenItStartsWaitsUntilThen) {
  NodeUnderTest node(absl::StrCat(kOne, kTakesLate));
  std::vector<int> seen;
  node.calculator.process = [&seen](CalculatorContext* cc) {
    seen.push_back(cc->Inputs().begin()->Get<int>());
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20}), ElementsAre("process 10 later"));
  EXPECT_EQ(node.Waiting(0), 2);
  Invocation* const call = node.Call();
  EXPECT_EQ(node.Waiting(0), 1);
  EXPECT_FALSE(call->takes_when_call_starts) << "it has taken them";
  EXPECT_EQ(call->sets[0].timestamp, Timestamp(10));
  EXPECT_THAT(node.Finish(call), ElementsAre("process 20 later"));
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(seen, ElementsAre(10, 20));
}

TEST(NodeReadinessTest, ACallMayTakeALaterInputSetThanItWasReadyFor) {
  NodeUnderTest node(
      absl::StrCat(kOne,
                   "input_stream_handler { input_stream_handler: "
                   "'FixedSizeInputStreamHandler' }"));
  node.Open();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("process 10 later"));
  EXPECT_THAT(node.AddAll(0, {20, 30}), IsEmpty()) << "not before the call";
  Invocation* const call = node.Call();
  EXPECT_EQ(call->sets[0].timestamp, Timestamp(30)) << "10 and 20 are too old";
  EXPECT_THAT(node.Finish(call), ElementsAre("dropped 10", "dropped 20"));
}

TEST(NodeReadinessTest, WhatIsTakenWhenACallStartsIsNoBatch) {
  NodeUnderTest node(absl::StrCat(kOne, kTakesLate, "batch { max_size: 2 }"));
  node.Open();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("process 10 later"));
}

TEST(NodeReadinessTest, ACallThatHasStartedIsNotOfferedToConditionsAgain) {
  NodeUnderTest node(absl::StrCat(kOne, kTakesLate));
  node.SetGate(1);
  node.Open();
  node.Ask(ConditionResult::Ready());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(ConditionResult::Ready()),
              ElementsAre("process 10 later"));
  EXPECT_THAT(node.Run(), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(ConditionResult::Ready()), IsEmpty())
      << "there is no input set";
}

// --- Conditions

TEST(NodeReadinessTest, AfterEachCallConditionsAreAskedWhetherThereIsAnother) {
  NodeUnderTest node(kOne);
  node.SetGate(1);
  EXPECT_THAT(node.Open(), ElementsAre("ask"));
  node.Ask(ConditionResult::Ready());
  node.Add(0, 10);
  EXPECT_THAT(node.Ask(ConditionResult::Ready()),
              ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.Run(), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(ConditionResult::Never("")), ElementsAre("close"));
}

// --- The close

TEST(NodeReadinessTest, TheEndOfAllInputsClosesTheNode) {
  NodeUnderTest node(kTwo);
  node.Open();
  EXPECT_THAT(node.End(0), IsEmpty());
  EXPECT_THAT(node.End(1), ElementsAre("close"));
  EXPECT_EQ(node.node().state(), NodeState::kClosing);
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_EQ(node.node().state(), NodeState::kClosed);
}

TEST(NodeReadinessTest, ThePolicySaysWhyItCannotGoOn) {
  NodeUnderTest node(
      absl::StrCat(kTwo,
                   "input_stream_handler { input_stream_handler: "
                   "'MuxInputStreamHandler' }"));
  node.Open();
  const NodeUnderTest::Told told =
      node.Add(1, MakePacket<int>(7).At(Timestamp(10)));
  EXPECT_THAT(
      told,
      ElementsAre("close",
                  AllOf(HasSubstr("error Input stream handler of node \"n\""),
                        HasSubstr("it chooses data stream 7"))));
}

TEST(NodeReadinessTest, APolicyThatHasComeToItsEndHasNoError) {
  NodeUnderTest node(
      absl::StrCat(kTwo,
                   "input_stream_handler { input_stream_handler: "
                   "'MuxInputStreamHandler' }"));
  node.Open();
  EXPECT_THAT(node.End(1), ElementsAre("close"));
}

// --- Streams that are idle when nothing can happen any more

constexpr char kIdle[] =
    "input_stream: 'a' input_stream: 'b' input_stream_info { tag_index: ':1' "
    "idle_after { stream: ':0' gap: 100 } }";

bool SettleSilentAtEnd(NodeUnderTest* node, NodeUnderTest::Told* told) {
  bool changed = false;
  *told = node->After([&changed](Node* under_test, Effects* effects) {
    changed = under_test->SettleSilentAtEnd(effects);
  });
  return changed;
}

TEST(NodeReadinessTest, AtTheEndSilentStreamsCountAsIdle) {
  NodeUnderTest node(kIdle);
  node.Open();
  NodeUnderTest::Told told;
  EXPECT_FALSE(SettleSilentAtEnd(&node, &told)) << "nothing waits for them";
  node.AddAll(0, {10, 20});
  EXPECT_TRUE(SettleSilentAtEnd(&node, &told));
  EXPECT_THAT(told, ElementsAre("process 10 (10, -)"));
  EXPECT_THAT(node.Run(), IsEmpty()) << "20 may still get a partner";
}

TEST(NodeReadinessTest, OnlyAnOpenNodeLetsSilentStreamsCountAsIdle) {
  NodeUnderTest node(kIdle);
  node.Add(0, 10);
  NodeUnderTest::Told told;
  EXPECT_FALSE(SettleSilentAtEnd(&node, &told));
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(node.Open(), IsEmpty()) << "nothing was settled";
}

}  // namespace
}  // namespace syncline
