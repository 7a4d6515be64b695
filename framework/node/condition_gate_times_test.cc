// The gate of a node that gathers batches for a time, or waits for inputs for a
// time.

#include <cstdint>

#include "framework/condition/condition_result.h"
#include "framework/node/condition_gate.h"
#include "framework/node/condition_gate_test_support.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/policy_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// --- Batches

TEST_F(ConditionGateTest, ABatchWithoutConditionsGoesWhenItIsComplete) {
  Make(-1, /*max_batch_size=*/4);
  EXPECT_EQ(gate_->conditions(), nullptr);
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  gate_->HoldBatch(50, &effects_);
  EXPECT_THAT(Told(), ElementsAre("timer 50"));
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().reason, "a batch");
  EXPECT_EQ(gate_->HeldBy().target_ns, 50);
  gate_->EndHoldTime(/*has_batch=*/true);
  EXPECT_TRUE(gate_->batch_is_due());
  EXPECT_EQ(Look(State::kWait, /*is_batch=*/true), Decision::kPass);
  EXPECT_FALSE(gate_->batch_is_due());
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().state, ConditionState::kReady);
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(ConditionGateTest, ABatchWaitsForConditionsToo) {
  Make(1, /*max_batch_size=*/4);
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  EXPECT_THAT(Told(), IsEmpty());
  gate_->HoldBatch(50, &effects_);
  EXPECT_EQ(Look(State::kWait, /*is_batch=*/true), Decision::kHold);
  EXPECT_THAT(Told(), ElementsAre("timer 50", "ask"));
  // While they find no complete batch, its time stands.
  Ask(ConditionResult::Wait("x"), /*has_input_set=*/false);
  EXPECT_EQ(gate_->NextTarget(), 50);
  gate_->Ask(&effects_);
  gate_->AbandonAsk(true, &effects_);
  EXPECT_EQ(gate_->NextTarget(), 50);
  Ask(ConditionResult::Wait("x"));
  EXPECT_EQ(gate_->NextTarget(), kNone);
  // Held by conditions, it waits for them alone.
  gate_->HoldBatch(60, &effects_);
  EXPECT_EQ(gate_->NextTarget(), kNone);
}

// --- Timeouts

class ConditionGateWithTimeoutTest : public ConditionGateTest {
 protected:
  ConditionGateWithTimeoutTest()
      : driver_("TimeoutInputStreamHandler", {"A:a", "B:b"},
                "[syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: "
                "100 since: OLDEST_PACKET }") {}
  void Make(int num_conditions = -1, bool time_passes = true) {
    ConditionGateTest::Make(num_conditions, 1,
                            driver_.policy().AsTimeoutPolicy(), time_passes);
  }
  void Arrive(int timestamp, std::int64_t now_ns) {
    driver_.Add("A", timestamp);
    queues_[0].Add(MakePacket<int>(1).At(Timestamp(timestamp)));
    gate_->NoteArrivals(0, queues_[0], now_ns, &effects_);
  }
  void Begin(State state = State::kWait) {
    gate_->BeginInputWait(30, state, queues_, &effects_);
  }

  PolicyDriver driver_;
};

TEST_F(ConditionGateWithTimeoutTest, TheNodeWaitsForInputsForATime) {
  Make();
  EXPECT_TRUE(gate_->waits_for_inputs());
  EXPECT_EQ(gate_->ArrivalTime(), 77);
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_THAT(Told(), IsEmpty());
  Arrive(10, 20);
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_THAT(Told(), ElementsAre("wait"));
  EXPECT_EQ(gate_->HeldBy().state, ConditionState::kReady);
  Begin();
  EXPECT_THAT(Told(), ElementsAre("timer 120"));
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().target_ns, 120);
  EXPECT_EQ(gate_->HeldBy().reason, "late inputs");
  EXPECT_EQ(gate_->NextTarget(), 120);
  EXPECT_FALSE(gate_->HoldIsDue(500));
  NodeSnapshot snapshot;
  gate_->AddTo(&snapshot);
  EXPECT_EQ(snapshot.input_wait.until_ns, 120);
  EXPECT_TRUE(snapshot.input_wait.has_packets);
  EXPECT_FALSE(gate_->InputWaitIsUp(119));
  EXPECT_TRUE(gate_->InputWaitIsUp(120));
  gate_->EndInputWait(120, State::kWait, queues_, &effects_);
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_THAT(driver_.Calls(), ElementsAre("10: A=10 B<10"));
}

TEST_F(ConditionGateWithTimeoutTest, AnInputSetEndsTheWait) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), kNone);
  Told();
  Begin();
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(ConditionGateWithTimeoutTest, ACompleteBatchEndsTheWait) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_EQ(Look(State::kWait, /*is_batch=*/true), Decision::kPass);
  EXPECT_EQ(gate_->NextTarget(), kNone);
}

TEST_F(ConditionGateWithTimeoutTest, WhereACallIsDueNoWaitBegins) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Told();
  Begin(State::kProcess);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_FALSE(holds_.any());
  // It has to be wanted anew.
  Begin();
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(ConditionGateWithTimeoutTest, WithoutPacketsToDeliverNoneBegins) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Told();
  driver_.Add("B", 10);
  EXPECT_THAT(driver_.Calls(), SizeIs(1));
  Begin();
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_FALSE(holds_.any());
  // It has to be wanted anew.
  Arrive(20, 40);
  Begin();
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(ConditionGateWithTimeoutTest, ItsTimeMayBeUpForNothing) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  gate_->EndInputWait(120, State::kProcess, queues_, &effects_);
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_THAT(driver_.Calls(), IsEmpty());
}

TEST_F(ConditionGateWithTimeoutTest, WhereTimeIsSimulatedItKeepsNoRunBusy) {
  Make(-1, /*time_passes=*/false);
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), 120);
}

TEST_F(ConditionGateWithTimeoutTest, OfTwoTimesTheEarlierHasATimer) {
  Make(1);
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  Told();
  Ask(ConditionResult::WaitUntil(90, "x"));
  EXPECT_THAT(Told(), ElementsAre("ask", "timer 90"));
  EXPECT_EQ(gate_->NextTarget(), 90);
  // The other gets one once the first is gone.
  AskReady();
  Told();
  gate_->LetSourceRun(&effects_);
  EXPECT_THAT(Told(), ElementsAre("timer 120", "source"));
}

TEST_F(ConditionGateWithTimeoutTest, TheTimeOfAHoldGetsATimerWhenTheWaitEnds) {
  Make(1);
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  Ask(ConditionResult::WaitUntil(200, "x"));
  Told();
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
  EXPECT_THAT(Told(), ElementsAre("timer 200"));
  // There is no wait any more that could end.
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(ConditionGateWithTimeoutTest, APacketThatHasLeftIsNotWaitedFor) {
  Make();
  Arrive(10, 20);
  Arrive(12, 40);
  Look(State::kWait);
  Told();
  driver_.Bound("B", 11);
  EXPECT_THAT(driver_.Calls(), ElementsAre("10: A=10 B<10"));
  queues_[0].TakeFront();
  Begin();
  EXPECT_THAT(Told(), ElementsAre("timer 140"));
}

TEST_F(ConditionGateWithTimeoutTest,
       APacketThatLeavesDuringTheWaitDoesNotCount) {
  Make();
  Arrive(10, 20);
  Arrive(12, 40);
  Look(State::kWait);
  Begin();
  driver_.Bound("B", 11);
  EXPECT_THAT(driver_.Calls(), ElementsAre("10: A=10 B<10"));
  queues_[0].TakeFront();
  // The time of the packet at 10 is up, not that of the packet at 12.
  gate_->EndInputWait(120, State::kWait, queues_, &effects_);
  EXPECT_THAT(driver_.Calls(), IsEmpty());
}

TEST_F(ConditionGateWithTimeoutTest, NeverEndsTheWait) {
  Make(1);
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_EQ(Ask(ConditionResult::Never("x")), Answer::kClose);
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_FALSE(holds_.any());
}

TEST_F(ConditionGateWithTimeoutTest, WithoutItsPolicyThereIsNoWait) {
  Make();
  gate_->ForgetPolicy();
  EXPECT_FALSE(gate_->waits_for_inputs());
}

}  // namespace
}  // namespace syncline
