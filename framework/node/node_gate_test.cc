// What a node does when its gate has decided.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/node/node_state.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kNoTarget = ConditionResult::kNoTarget;
constexpr char kPlain[] = "input_stream: 'a' output_stream: 'out' ";
constexpr char kPair[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out' ";
constexpr char kNoInput[] = "output_stream: 'out'";
constexpr char kThreeInOne[] =
    "input_stream: 'a' batch { max_size: 3 max_delay_ns: 50 } ";
constexpr char kTimeout[] =
    "input_stream: 'a' input_stream: 'b' input_stream_handler { "
    "input_stream_handler: 'TimeoutInputStreamHandler' options { "
    "[syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: 100 "
    "since: OLDEST_PACKET } } } ";

const ConditionResult kReady = ConditionResult::Ready();
const ConditionResult kWait = ConditionResult::Wait("something");
const ConditionResult kNever = ConditionResult::Never("over");

// An open node with conditions, none of which is being asked.
class GatedNode : public NodeUnderTest {
 public:
  explicit GatedNode(const std::string& fields, int num_conditions = 1)
      : NodeUnderTest(fields) {
    SetGate(num_conditions);
  }
  void OpenIdle() {
    if (Open() == Told{"ask"}) Ask(kReady);
  }

  Told AskForSource() {
    return After(
        [](Node* node, Effects* effects) { node->AskForSource(effects); });
  }
  Told ConditionChanged() {
    return After(
        [](Node* node, Effects* effects) { node->ConditionChanged(effects); });
  }
  Told TimeHasCome(std::int64_t now_ns) {
    return After([now_ns](Node* node, Effects* effects) {
      node->TimeHasCome(now_ns, effects);
    });
  }
  Told HoldBatch(std::int64_t target_ns) {
    return After([target_ns](Node* node, Effects* effects) {
      node->HoldBatch(target_ns, effects);
    });
  }
  Told BeginInputWait(std::int64_t now_ns) {
    return After([now_ns](Node* node, Effects* effects) {
      node->BeginInputWait(now_ns, effects);
    });
  }
  Told FinishAsk(const ConditionResult& result, bool is_dispatched) {
    return After([&](Node* node, Effects* effects) {
      node->FinishAsk(result, is_dispatched, effects);
    });
  }
  Told AbandonAsk() {
    return After(
        [](Node* node, Effects* effects) { node->AbandonAsk(effects); });
  }
  Told ReleaseSource() {
    return After(
        [](Node* node, Effects* effects) { node->ReleaseSource(effects); });
  }
};

// --- Asking

TEST(NodeGateTest, AnInputSetWaitsForConditionsAndABoundDoesNot) {
  GatedNode node(kPlain);
  node.calculator.open = [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(0));
    return absl::OkStatus();
  };
  node.OpenIdle();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("ask", "bound of out: 10"));
  EXPECT_THAT(node.Ask(kWait), IsEmpty());
  EXPECT_EQ(node.node().HeldBy().state, ConditionState::kWait);
  EXPECT_THAT(node.ConditionChanged(), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(kReady), ElementsAre("process 10 (10)"));
  EXPECT_EQ(node.node().HeldBy().state, ConditionState::kReady);
}

bool StartsDirectly(int time, NodeUnderTest* node) {
  Packet packet = NodeUnderTest::At(time);
  return node->node().StartDirectly({&packet, 1}, /*may_move=*/true,
                                    Timestamp(time + 1)) != nullptr;
}

TEST(NodeGateTest, NoPacketPassesTheGateByStartingACallDirectly) {
  NodeUnderTest without_gate(kPlain);
  without_gate.Open();
  EXPECT_TRUE(StartsDirectly(10, &without_gate));
  for (const int num_conditions : {-1, 1}) {
    SCOPED_TRACE(num_conditions);
    GatedNode node(kPlain, num_conditions);
    node.Open();
    EXPECT_FALSE(StartsDirectly(10, &node));
    node.Ask(kWait);
    EXPECT_FALSE(StartsDirectly(10, &node));
    node.ConditionChanged();
    node.Ask(kReady);
    EXPECT_FALSE(StartsDirectly(10, &node));
    node.Add(0, 10);
    node.Ask(kReady);
    ASSERT_EQ(node.num_ready(), 1);
    node.Run();
    EXPECT_FALSE(StartsDirectly(20, &node));
    node.Ask(kReady);
    EXPECT_FALSE(StartsDirectly(20, &node));
  }
}

TEST(NodeGateTest, NoBoundPassesOverlappingCallsWhileAnInputSetIsHeld) {
  for (const bool has_call : {false, true}) {
    GatedNode node(absl::StrCat(kPlain, "max_in_flight: 2"));
    node.calculator.open = [](CalculatorContext* cc) {
      cc->SetOffset(TimestampDiff(0));
      return absl::OkStatus();
    };
    node.OpenIdle();
    if (has_call) {
      node.Add(0, 5);
      EXPECT_THAT(node.Ask(kReady), ElementsAre("process 5 (5)"));
      EXPECT_THAT(node.Add(0, 10), ElementsAre("ask"));
    } else {
      EXPECT_THAT(node.Add(0, 10), ElementsAre("ask", "bound of out: 10"));
    }
  }
}

TEST(NodeGateTest, TheAskerGetsTheFactsOfTheNode) {
  GatedNode node(absl::StrCat(
      kPair, "input_stream_info { tag_index: ':1' message_times: true }"));
  node.OpenIdle();
  Packet packet = NodeUnderTest::At(10);
  const PacketTimes times = {.acquisition_ns = 33};
  node.After([&](Node* under_test, Effects* effects) {
    under_test->DeliverTimed(1, {&packet, 1}, /*may_move=*/true, Timestamp(11),
                             {&times, 1}, effects);
  });
  node.ConditionChanged();
  const NodeFacts* facts = node.node().BeginAsk(/*now_ns=*/5);
  ASSERT_NE(facts, nullptr);
  EXPECT_EQ(facts->now_ns, 5);
  EXPECT_FALSE(facts->has_input_set);
  ASSERT_EQ(facts->inputs.size(), 2u);
  EXPECT_EQ(facts->inputs[0].queued, 0);
  EXPECT_FALSE(facts->inputs[0].front_acquisition_ns.has_value());
  EXPECT_EQ(facts->inputs[1].queued, 1);
  EXPECT_EQ(facts->inputs[1].front_acquisition_ns, 33);
  EXPECT_EQ(node.node().AskedOutputs().size(), 1u);
  node.FinishAsk(kWait, /*is_dispatched=*/false);

  EXPECT_THAT(node.Add(0, 10), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(kReady), ElementsAre("process 10 (10, 10)"));
  node.Call();
  node.Add(0, 20);
  facts = node.node().BeginAsk(/*now_ns=*/6);
  EXPECT_EQ(facts, nullptr) << "nothing is asked while a call runs";
}

TEST(NodeGateTest, TheTimeOfAPacketThatIsGoneIsForgotten) {
  GatedNode node(absl::StrCat(
      kPlain, "input_stream_info { tag_index: ':0' message_times: true }"));
  node.OpenIdle();
  Packet packet = NodeUnderTest::At(10);
  const PacketTimes times = {.acquisition_ns = 33};
  node.After([&](Node* under_test, Effects* effects) {
    under_test->DeliverTimed(0, {&packet, 1}, /*may_move=*/true, Timestamp(11),
                             {&times, 1}, effects);
  });
  EXPECT_THAT(node.Ask(kReady), ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.Run(), ElementsAre("ask"));
  const NodeFacts* const facts = node.node().BeginAsk(/*now_ns=*/5);
  ASSERT_NE(facts, nullptr);
  EXPECT_FALSE(facts->inputs[0].front_acquisition_ns.has_value());
}

TEST(NodeGateTest, ConditionsThatNeverComeTrueCloseTheNode) {
  GatedNode node(kPlain);
  node.OpenIdle();
  node.Add(0, 10);
  EXPECT_THAT(node.Ask(kNever), ElementsAre("close"));
  EXPECT_EQ(node.node().state(), NodeState::kClosing);
}

TEST(NodeGateTest, AtTheEndOfConditionsABatchThatIsNotFullIsDropped) {
  GatedNode node(kThreeInOne);
  node.OpenIdle();
  EXPECT_THAT(node.AddAll(0, {10, 20}), ElementsAre("batch"));
  node.ConditionChanged();
  EXPECT_THAT(node.Ask(kNever),
              ElementsAre("close", "dropped 10", "dropped 20"));
  node.node().NoteAllUnprocessed(DropCause::kAtEnd);
  EXPECT_EQ(node.Input(0).drops.of(DropCause::kAtClose), 2);
  EXPECT_EQ(node.Input(0).drops.total(), 2) << "nobody else counts them";
  EXPECT_EQ(node.node().Snapshot().batched_sets, 0);
}

TEST(NodeGateTest, WithoutABatchNothingIsDroppedAtTheEndOfConditions) {
  GatedNode node(kThreeInOne);
  node.OpenIdle();
  node.ConditionChanged();
  EXPECT_THAT(node.Ask(kNever), ElementsAre("close"));
}

TEST(NodeGateTest, ABatchOfTheHandlerGoesBeforeTheClose) {
  GatedNode node(absl::StrCat(
      kPlain,
      "input_stream_handler { options { "
      "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 3 } } }"));
  node.OpenIdle();
  node.Add(0, 10);
  EXPECT_THAT(node.Ask(kReady), IsEmpty());
  EXPECT_EQ(node.node().Snapshot().batched_sets, 1);
  EXPECT_THAT(node.Ask(kNever), ElementsAre("nothing to ask"));
  node.ConditionChanged();
  EXPECT_THAT(node.Ask(kNever), ElementsAre("process 10 (10)"));
}

TEST(NodeGateTest, AnAskThatIsAbandonedMayBeginAgain) {
  GatedNode node(kPlain);
  node.OpenIdle();
  EXPECT_THAT(node.ConditionChanged(), ElementsAre("ask"));
  EXPECT_THAT(node.AbandonAsk(), IsEmpty());
  EXPECT_THAT(node.ConditionChanged(), ElementsAre("ask"));
  node.Add(0, 10);
  EXPECT_THAT(node.AbandonAsk(), ElementsAre("ask")) << "there was news";
}

TEST(NodeGateTest, ACallThatConditionsDispatchedInVainIsUndone) {
  GatedNode node(kPlain);
  node.OpenIdle();
  node.ConditionChanged();
  ASSERT_NE(node.node().BeginAsk(/*now_ns=*/1), nullptr);
  EXPECT_THAT(node.FinishAsk(kReady, /*is_dispatched=*/true),
              ElementsAre("undo"));
  EXPECT_THAT(node.AbandonAsk(), IsEmpty());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("ask")) << "no permit is left";
}

// --- When conditions are asked although no input set is ready

TEST(NodeGateTest, AChangeOfAConditionIsNewsWhileTheNodeIsOpen) {
  GatedNode node(kPlain);
  EXPECT_THAT(node.ConditionChanged(), IsEmpty()) << "it is not open";
  node.OpenIdle();
  EXPECT_THAT(node.ConditionChanged(), ElementsAre("ask"));
  EXPECT_THAT(node.ConditionChanged(), IsEmpty()) << "they are asked already";
  EXPECT_THAT(node.Ask(kReady), IsEmpty());
  node.Add(0, 10);
  EXPECT_THAT(node.Ask(kReady), ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.ConditionChanged(), IsEmpty()) << "a call is ready";
  EXPECT_THAT(node.Run(), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(kNever), ElementsAre("close"));
  EXPECT_THAT(node.ConditionChanged(), IsEmpty()) << "it closes";
}

TEST(NodeGateTest, WithoutConditionsNoneHasChanged) {
  GatedNode node(kPlain, /*num_conditions=*/-1);
  node.OpenIdle();
  EXPECT_THAT(node.ConditionChanged(), IsEmpty());
}

// --- Sources

TEST(NodeGateTest, ASourceRunsWhenItsConditionsAreReady) {
  GatedNode node(kNoInput);
  EXPECT_THAT(node.AskForSource(), IsEmpty()) << "it is not open";
  EXPECT_THAT(node.Open(), IsEmpty());
  EXPECT_THAT(node.ConditionChanged(), IsEmpty())
      << "they are asked before its call anyway";
  EXPECT_THAT(node.AskForSource(), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(kReady), ElementsAre("source"));
}

TEST(NodeGateTest, ASourceThatIsHeldIsAskedAgain) {
  GatedNode node(kNoInput);
  node.Open();
  node.AskForSource();
  EXPECT_THAT(node.Ask(ConditionResult::WaitUntil(50, "")),
              ElementsAre("timer 50"));
  EXPECT_THAT(node.TimeHasCome(50), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(kWait), IsEmpty());
  EXPECT_THAT(node.ConditionChanged(), ElementsAre("ask"));
}

TEST(NodeGateTest, ASourceWhoseConditionsAreOverCloses) {
  GatedNode node(kNoInput);
  node.Open();
  node.AskForSource();
  EXPECT_THAT(node.Ask(kNever), ElementsAre("close"));
  EXPECT_EQ(node.node().state(), NodeState::kClosing);
}

TEST(NodeGateTest, ASourceThatTheRunClosesIsNotHeldAnyMore) {
  GatedNode node(kNoInput);
  node.Open();
  EXPECT_THAT(node.ReleaseSource(), IsEmpty()) << "it is not held";
  node.AskForSource();
  node.Ask(kWait);
  EXPECT_THAT(node.ReleaseSource(), ElementsAre("source"));
  node.AskForSource();
  node.Ask(kWait);
  ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
  EXPECT_THAT(node.ReleaseSource(), IsEmpty()) << "it closes";
}

// --- After the close has begun nothing is asked, and nothing holds the node

TEST(NodeGateTest, WhatTheConditionsSayOfANodeThatClosesDoesNotMatter) {
  for (const bool is_dispatched : {false, true}) {
    GatedNode node(kPlain);
    node.OpenIdle();
    node.Add(0, 10);
    ASSERT_NE(node.node().BeginAsk(/*now_ns=*/1), nullptr);
    ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
    EXPECT_EQ(
        node.FinishAsk(is_dispatched ? kReady : kWait, is_dispatched),
        is_dispatched ? NodeUnderTest::Told{"undo"} : NodeUnderTest::Told{});
    EXPECT_EQ(node.num_ready(), 0);
  }
}

TEST(NodeGateTest, ANodeThatClosesIsAskedNothing) {
  GatedNode node(kPlain);
  node.OpenIdle();
  node.Add(0, 10);
  ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
  EXPECT_THAT(node.Ask(kReady), ElementsAre("nothing to ask"));
}

TEST(NodeGateTest, NewsOfAnAskThatIsAbandonedDoesNotMatterToANodeThatCloses) {
  GatedNode node(kPlain);
  node.OpenIdle();
  node.Add(0, 10);
  node.Add(0, 20);
  ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
  EXPECT_THAT(node.AbandonAsk(), IsEmpty());
}

TEST(NodeGateTest, ANodeThatClosesIsHeldByNothing) {
  GatedNode node(kPlain);
  node.OpenIdle();
  node.Add(0, 10);
  EXPECT_THAT(node.Ask(ConditionResult::WaitUntil(50, "")),
              ElementsAre("timer 50"));
  EXPECT_EQ(node.node().HeldBy().target_ns, 50);
  EXPECT_TRUE(node.node().WaitsForConditions());
  EXPECT_FALSE(node.node().HoldIsDue(49));
  EXPECT_TRUE(node.node().HoldIsDue(50));
  EXPECT_EQ(node.node().NextTarget(), 50);
  ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
  EXPECT_EQ(node.node().HeldBy().state, ConditionState::kReady);
  EXPECT_FALSE(node.node().WaitsForConditions());
  EXPECT_FALSE(node.node().HoldIsDue(50));
  EXPECT_EQ(node.node().NextTarget(), kNoTarget);
  EXPECT_THAT(node.TimeHasCome(50), IsEmpty());
}

TEST(NodeGateTest, ANodeWithoutGateIsHeldByNothing) {
  NodeUnderTest node(kPlain);
  node.Open();
  EXPECT_EQ(node.node().HeldBy().state, ConditionState::kReady);
  EXPECT_FALSE(node.node().WaitsForConditions());
  EXPECT_FALSE(node.node().HoldIsDue(50));
  EXPECT_EQ(node.node().NextTarget(), kNoTarget);
}

TEST(NodeGateTest, ANodeMayWaitForConditionsThatWantMorePackets) {
  GatedNode node(kPlain);
  node.needs = {{.inputs = {0}, .min_packets = 2}};
  node.OpenIdle();
  node.Add(0, 10);
  EXPECT_TRUE(node.node().WaitsForConditions()) << "one is not enough";
  EXPECT_EQ(node.node().HeldBy().state, ConditionState::kReady);
  node.Add(0, 20);
  EXPECT_FALSE(node.node().WaitsForConditions());
}

// --- Batches that wait for a time

TEST(NodeGateTest, ABatchThatIsNotFullGoesWhenItsTimeHasCome) {
  GatedNode node(kThreeInOne, /*num_conditions=*/-1);
  node.OpenIdle();
  EXPECT_THAT(node.AddAll(0, {10, 20}), ElementsAre("batch"));
  EXPECT_THAT(node.HoldBatch(50), ElementsAre("timer 50"));
  EXPECT_EQ(node.node().HeldBy().target_ns, 50);
  EXPECT_THAT(node.TimeHasCome(49), IsEmpty());
  EXPECT_THAT(node.TimeHasCome(50), ElementsAre("process 10 (10) 20 (20)"));
  EXPECT_EQ(node.node().HeldBy().target_ns, kNoTarget);
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(node.TimeHasCome(60), IsEmpty());
}

TEST(NodeGateTest, WithoutABatchNothingWaitsForItsTime) {
  GatedNode node(kThreeInOne, /*num_conditions=*/-1);
  EXPECT_THAT(node.HoldBatch(50), IsEmpty()) << "it is not open";
  node.OpenIdle();
  EXPECT_THAT(node.HoldBatch(50), IsEmpty());
  node.Add(0, 10);
  ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
  EXPECT_THAT(node.HoldBatch(50), IsEmpty()) << "it closes";
}

TEST(NodeGateTest, ABatchWhoseTimeHasComeWaitsForConditions) {
  GatedNode node(kThreeInOne);
  node.OpenIdle();
  node.Add(0, 10);
  node.HoldBatch(50);
  EXPECT_THAT(node.TimeHasCome(50), ElementsAre("ask"));
  const NodeFacts* const facts = node.node().BeginAsk(/*now_ns=*/50);
  ASSERT_NE(facts, nullptr);
  EXPECT_TRUE(facts->has_input_set);
  EXPECT_THAT(node.FinishAsk(kReady, /*is_dispatched=*/true),
              ElementsAre("process 10 (10)"));
}

TEST(NodeGateTest, ConditionsThatAreBeingAskedHearThatTheTimeOfABatchHasCome) {
  GatedNode node(kThreeInOne);
  node.OpenIdle();
  node.Add(0, 10);
  node.HoldBatch(50);
  node.ConditionChanged();
  ASSERT_NE(node.node().BeginAsk(/*now_ns=*/49), nullptr);
  EXPECT_THAT(node.TimeHasCome(50), IsEmpty());
  EXPECT_THAT(node.FinishAsk(kWait, /*is_dispatched=*/false),
              ElementsAre("ask"));
}

TEST(NodeGateTest, OnlyABatchThatIsCompleteIsAnInputSet) {
  GatedNode node(kThreeInOne);
  node.OpenIdle();
  const auto has_input_set = [&node] {
    node.ConditionChanged();
    const NodeFacts* const facts = node.node().BeginAsk(/*now_ns=*/1);
    const bool has = facts != nullptr && facts->has_input_set;
    node.FinishAsk(kWait, /*is_dispatched=*/false);
    return has;
  };
  EXPECT_FALSE(has_input_set());
  node.AddAll(0, {10, 20});
  EXPECT_FALSE(has_input_set());
  node.Add(0, 30);
  EXPECT_TRUE(has_input_set()) << "it is full";

  GatedNode ends(kThreeInOne);
  ends.OpenIdle();
  ends.Add(0, 10);
  EXPECT_THAT(ends.End(0), ElementsAre("ask")) << "no more input comes";
  EXPECT_THAT(ends.Ask(kReady), ElementsAre("process 10 (10)"));
}

TEST(NodeGateTest, AConditionThatHoldsAFullBatchMayHaveATime) {
  GatedNode node(kThreeInOne);
  node.OpenIdle();
  EXPECT_THAT(node.AddAll(0, {10, 20, 30}), ElementsAre("batch", "ask"));
  EXPECT_THAT(node.Ask(ConditionResult::WaitUntil(70, "")),
              ElementsAre("timer 70"));
  EXPECT_THAT(node.HoldBatch(50), IsEmpty()) << "conditions hold it";
  EXPECT_THAT(node.TimeHasCome(70), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(kReady), ElementsAre("process 10 (10) 20 (20) 30 (30)"));
}

// --- The wait for inputs

TEST(NodeGateTest, AtItsTimeoutANodeTakesWhatItHas) {
  GatedNode node(kTimeout, /*num_conditions=*/-1);
  node.OpenIdle();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("wait"));
  EXPECT_THAT(node.BeginInputWait(80), ElementsAre("timer 177"))
      << "the packet came at 77";
  EXPECT_EQ(node.node().NextTarget(), 177);
  EXPECT_EQ(node.node().HeldBy().target_ns, 177);
  EXPECT_THAT(node.TimeHasCome(176), ElementsAre("timer 177"));
  EXPECT_THAT(node.TimeHasCome(177), ElementsAre("process 10 (10, -)"));
  EXPECT_EQ(node.node().NextTarget(), kNoTarget);
}

TEST(NodeGateTest, AnInputSetThatIsCompleteEndsTheWait) {
  GatedNode node(kTimeout, /*num_conditions=*/-1);
  node.OpenIdle();
  node.Add(0, 10);
  node.BeginInputWait(80);
  EXPECT_THAT(node.Add(1, 10), ElementsAre("process 10 (10, 10)"));
  EXPECT_THAT(node.TimeHasCome(177), IsEmpty());
}

TEST(NodeGateTest, OnlyAnOpenNodeWaitsForInputs) {
  GatedNode node(kTimeout, /*num_conditions=*/-1);
  node.OpenIdle();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("wait"));
  ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
  EXPECT_THAT(node.BeginInputWait(80), IsEmpty());
  EXPECT_THAT(node.TimeHasCome(177), IsEmpty());
}

TEST(NodeGateTest, ConditionsThatAreBeingAskedHearOfATimeout) {
  GatedNode node(kTimeout);
  node.OpenIdle();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("wait"));
  node.BeginInputWait(80);
  node.ConditionChanged();
  ASSERT_NE(node.node().BeginAsk(/*now_ns=*/100), nullptr);
  EXPECT_THAT(node.TimeHasCome(177), IsEmpty());
  EXPECT_THAT(node.FinishAsk(kWait, /*is_dispatched=*/false),
              ElementsAre("ask"));
  EXPECT_THAT(node.Ask(kReady), ElementsAre("process 10 (10, -)"));
}

TEST(NodeGateTest, AtATimeoutConditionsAreAskedForTheInputSet) {
  GatedNode node(kTimeout);
  node.OpenIdle();
  node.Add(0, 10);
  node.BeginInputWait(80);
  EXPECT_THAT(node.TimeHasCome(177), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(ConditionResult::WaitUntil(200, "")),
              ElementsAre("timer 200"));
  EXPECT_THAT(node.TimeHasCome(200), ElementsAre("ask"));
}

}  // namespace
}  // namespace syncline
