// When the gate of a node asks its conditions, what it decides, what it tells
// others, and what it counts as a hold.

#include "framework/node/condition_gate.h"

#include <utility>

#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/condition_gate_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr GateState kAll[] = {GateState::kAtRest, GateState::kAsking,
                              GateState::kAskingAgain, GateState::kHeld};

TEST(GateStateTest, HasTheArrowsOfTheDiagram) {
  const std::pair<GateState, GateState> arrows[] = {
      {GateState::kAtRest, GateState::kAsking},
      {GateState::kAsking, GateState::kAtRest},
      {GateState::kAsking, GateState::kAskingAgain},
      {GateState::kAsking, GateState::kHeld},
      {GateState::kAskingAgain, GateState::kAsking},
      {GateState::kAskingAgain, GateState::kAtRest},
      {GateState::kHeld, GateState::kAsking},
      {GateState::kHeld, GateState::kAtRest},
  };
  for (const GateState from : kAll) {
    for (const GateState to : kAll) {
      bool has_arrow = false;
      for (const auto& arrow : arrows) {
        if (arrow == std::make_pair(from, to)) has_arrow = true;
      }
      EXPECT_EQ(IsLegalTransition(from, to), has_arrow)
          << GateStateName(from) << " -> " << GateStateName(to);
    }
  }
}

TEST(GateStateTest, ChangesTheState) {
  GateState state = GateState::kAtRest;
  ChangeState(GateState::kAsking, &state);
  EXPECT_EQ(state, GateState::kAsking);
}

#ifndef NDEBUG
TEST(GateStateDeathTest, NamesATransitionThatIsWrong) {
  GateState state = GateState::kAtRest;
  EXPECT_DEATH(ChangeState(GateState::kHeld, &state), "at rest -> held");
}
#endif

// --- The gate

TEST_F(ConditionGateTest, WhatIsReadyWaitsForConditions) {
  Make(1);
  EXPECT_NE(gate_->conditions(), nullptr);
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_EQ(AskReady(), Answer::kStart);
  EXPECT_TRUE(gate_->is_at_rest());
  gate_->GivePermit();
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  // The permit was for that.
  gate_->TakePermitBack(&effects_);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
}

TEST_F(ConditionGateTest, APermitThatNobodyUsesIsUndone) {
  Make(1);
  AskReady();
  Told();
  gate_->GivePermit();
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  gate_->TakePermitBack(&effects_);
  EXPECT_THAT(Told(), ElementsAre("undo"));
  EXPECT_FALSE(gate_->is_at_rest());
  gate_->AbandonAsk(/*is_open=*/true, &effects_);
  EXPECT_TRUE(gate_->is_at_rest());
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
}

TEST_F(ConditionGateTest, AHeldNodeWaitsForItsTimeAndKeepsTheRunBusy) {
  Make(1);
  Look(State::kProcess);
  Told();
  EXPECT_EQ(Ask(ConditionResult::WaitUntil(50, "x")), Answer::kNothing);
  EXPECT_THAT(Told(), ElementsAre("timer 50"));
  EXPECT_TRUE(gate_->is_held());
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().state, ConditionState::kWaitTime);
  EXPECT_EQ(gate_->HeldBy().reason, "x");
  EXPECT_EQ(gate_->HeldBy().target_ns, 50);
  EXPECT_EQ(gate_->NextTarget(), 50);
  EXPECT_FALSE(gate_->HoldIsDue(49));
  EXPECT_TRUE(gate_->HoldIsDue(50));
  gate_->EndHoldTime(/*has_batch=*/false);
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_EQ(gate_->HeldBy().reason, "x") << "until it is asked again";
  EXPECT_EQ(gate_->HeldBy().target_ns, kNone);
  EXPECT_FALSE(gate_->batch_is_due());
  gate_->Ask(&effects_);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  AskReady();
  gate_->GivePermit();
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  EXPECT_FALSE(holds_.any());
}

TEST_F(ConditionGateTest, WhatKeepsTheRunBusy) {
  Make(1);
  Ask(ConditionResult::Wait("room"));
  EXPECT_FALSE(holds_.any());
  Ask(ConditionResult::WaitForEvent("event"));
  EXPECT_TRUE(holds_.any());
  Ask(ConditionResult::Wait("room"));
  EXPECT_FALSE(holds_.any());
}

TEST_F(ConditionGateTest, WhereTimeIsSimulatedOnlyAnEventFromOutsideDoes) {
  Make(1, /*max_batch_size=*/1, nullptr, /*time_passes=*/false);
  Ask(ConditionResult::WaitUntil(50, "time"));
  EXPECT_FALSE(holds_.any());
  Ask(ConditionResult::WaitForEvent("event"));
  EXPECT_FALSE(holds_.any());
  Ask(ConditionResult::WaitForEvent("event", /*holds_time=*/true));
  EXPECT_TRUE(holds_.any());
}

TEST_F(ConditionGateTest, WhatChangesMeanwhileIsAskedForAgain) {
  Make(1);
  gate_->Ask(&effects_);
  ASSERT_NE(gate_->BeginAsk(true, 5, queues_), nullptr);
  gate_->Ask(&effects_);
  gate_->Ask(&effects_);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  EXPECT_EQ(
      gate_->FinishAsk(ConditionResult::Wait("x"), false, true, &effects_),
      Answer::kNothing);
  EXPECT_FALSE(gate_->is_held());
  EXPECT_THAT(Told(), ElementsAre("ask"));
  // What came before the facts were taken is among them.
  gate_->Ask(&effects_);
  gate_->BeginAsk(true, 5, queues_)->has_input_set = true;
  gate_->FinishAsk(ConditionResult::Wait("x"), false, true, &effects_);
  EXPECT_TRUE(gate_->is_held());
}

TEST_F(ConditionGateTest, WithoutAnInputSetNothingIsHeld) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(Ask(ConditionResult::Wait("x"), /*has_input_set=*/false),
            Answer::kNothing);
  EXPECT_TRUE(gate_->is_at_rest());
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), kNone);
  // Ready, but what it takes was gone.
  EXPECT_EQ(Ask(ConditionResult::Ready()), Answer::kNothing);
  EXPECT_TRUE(gate_->is_at_rest());
}

TEST_F(ConditionGateTest, NeverClosesTheNode) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  EXPECT_FALSE(gate_->is_over());
  EXPECT_EQ(Ask(ConditionResult::Never("x")), Answer::kClose);
  EXPECT_TRUE(gate_->is_over());
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(Look(State::kWait), Decision::kClose);
  EXPECT_EQ(Look(State::kProcess), Decision::kClose);
  // Nothing is asked any more.
  gate_->Ask(&effects_);
  EXPECT_EQ(gate_->BeginAsk(true, 5, queues_), nullptr);
  EXPECT_TRUE(gate_->is_at_rest());
}

TEST_F(ConditionGateTest, ANodeThatIsNotOpenAsksNothing) {
  Make(1);
  gate_->Ask(&effects_);
  EXPECT_EQ(gate_->BeginAsk(/*is_open=*/false, 5, queues_), nullptr);
  EXPECT_TRUE(gate_->is_at_rest());
}

TEST_F(ConditionGateTest, AnAnswerForANodeThatHasClosedIsUndone) {
  Make(1);
  gate_->Ask(&effects_);
  gate_->BeginAsk(true, 5, queues_)->has_input_set = true;
  Told();
  EXPECT_EQ(gate_->FinishAsk(ConditionResult::Ready(), /*is_dispatched=*/true,
                             /*is_open=*/false, &effects_),
            Answer::kNothing);
  EXPECT_THAT(Told(), ElementsAre("undo"));
  EXPECT_FALSE(gate_->is_at_rest());
  gate_->AbandonAsk(/*is_open=*/false, &effects_);
  gate_->Ask(&effects_);
  gate_->BeginAsk(true, 5, queues_)->has_input_set = true;
  Told();
  EXPECT_EQ(
      gate_->FinishAsk(ConditionResult::Wait("x"), false, false, &effects_),
      Answer::kNothing);
  EXPECT_TRUE(gate_->is_at_rest());
  // Nobody closes it once more.
  gate_->Ask(&effects_);
  gate_->BeginAsk(true, 5, queues_);
  EXPECT_EQ(
      gate_->FinishAsk(ConditionResult::Never("x"), false, false, &effects_),
      Answer::kNothing);
  EXPECT_FALSE(gate_->is_over());
  EXPECT_TRUE(gate_->is_at_rest());
}

TEST_F(ConditionGateTest, AnAskMayBeAbandoned) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  gate_->Ask(&effects_);
  gate_->Ask(&effects_);
  Told();
  gate_->AbandonAsk(/*is_open=*/true, &effects_);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  EXPECT_FALSE(holds_.any());
  gate_->Ask(&effects_);
  gate_->AbandonAsk(/*is_open=*/false, &effects_);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_TRUE(gate_->is_at_rest());
}

TEST_F(ConditionGateTest, WhatIsNotAskedIsNotAbandoned) {
  Make(1);
  gate_->AbandonAsk(/*is_open=*/true, &effects_);
  EXPECT_TRUE(gate_->is_at_rest());
  EXPECT_EQ(gate_->BeginAsk(/*is_open=*/true, 5, queues_), nullptr);
  Look(State::kProcess);
  Ask(ConditionResult::WaitUntil(50, "x"));
  Told();
  gate_->AbandonAsk(/*is_open=*/true, &effects_);
  EXPECT_TRUE(gate_->is_held());
  EXPECT_TRUE(holds_.any());
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(ConditionGateTest, ASourceRunsWhenItMay) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  Told();
  EXPECT_EQ(AskReady(), Answer::kStart);
  Told();
  gate_->LetSourceRun(&effects_);
  EXPECT_THAT(Told(), ElementsAre("source"));
  EXPECT_FALSE(holds_.any());
}

TEST_F(ConditionGateTest, AHeldSourceIsReleased) {
  Make(1);
  gate_->ReleaseSource(/*is_open=*/true, &effects_);
  EXPECT_THAT(Told(), IsEmpty());
  Ask(ConditionResult::WaitUntil(50, "x"));
  Told();
  gate_->ReleaseSource(/*is_open=*/false, &effects_);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_FALSE(holds_.any());
  EXPECT_TRUE(gate_->is_held());
  gate_->ReleaseSource(/*is_open=*/true, &effects_);
  EXPECT_THAT(Told(), ElementsAre("source"));
  EXPECT_TRUE(gate_->is_at_rest());
}

TEST_F(ConditionGateTest, WhatWasHeldMayBeGone) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(Look(State::kClose), Decision::kPass);
  EXPECT_FALSE(holds_.any());
}

}  // namespace
}  // namespace syncline
