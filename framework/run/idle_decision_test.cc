#include "framework/run/idle_decision.h"

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(IdleDecisionTest, FinishesWhenNothingCanCome) {
  EXPECT_EQ(DecideWhenIdle({}), IdleAction::kFinish);
}

TEST(IdleDecisionTest, WaitsForOpenInputs) {
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true}), IdleAction::kWait);
}

TEST(IdleDecisionTest, AnErrorFinishesWhateverElseThereIs) {
  EXPECT_EQ(DecideWhenIdle({.has_error = true,
                            .has_open_inputs = true,
                            .active_sources = 2,
                            .pending_sources = 3,
                            .lower_layer_is_unopened = true,
                            .has_full_input = true,
                            .has_full_queue = true}),
            IdleAction::kFinish);
}

TEST(IdleDecisionTest, StartsTheNextLayerOnceTheOneBeforeHasEnded) {
  EXPECT_EQ(DecideWhenIdle({.pending_sources = 1}), IdleAction::kStartSources);
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true, .pending_sources = 1}),
            IdleAction::kStartSources);
  EXPECT_EQ(
      DecideWhenIdle(
          {.active_sources = 1, .pending_sources = 1, .has_full_queue = true}),
      IdleAction::kRelieve);
}

TEST(IdleDecisionTest, ALowerLayerThatCannotOpenIsADeadlock) {
  EXPECT_EQ(
      DecideWhenIdle({.pending_sources = 1, .lower_layer_is_unopened = true}),
      IdleAction::kLayersWaitForEachOther);
}

TEST(IdleDecisionTest, ALowerLayerThatAnInputMayStillOpenIsWaitedFor) {
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true,
                            .pending_sources = 1,
                            .lower_layer_is_unopened = true}),
            IdleAction::kWait);
}

TEST(IdleDecisionTest, ALowerLayerThatAHeldNodeMayStillOpenIsWaitedFor) {
  IdleState state = {.waits_for_outside = true,
                     .is_held = true,
                     .pending_sources = 1,
                     .lower_layer_is_unopened = true};
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kWait);
  state.waits_for_idle_time = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kAdvanceClock);
}

TEST(IdleDecisionTest, FullQueuesOfNodesAreRelieved) {
  EXPECT_EQ(DecideWhenIdle({.active_sources = 1, .has_full_queue = true}),
            IdleAction::kRelieve);
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true,
                            .has_full_input = true,
                            .has_full_queue = true}),
            IdleAction::kRelieve);
}

TEST(IdleDecisionTest, AtTheCeilingTheApplicationMayStillHelp) {
  const IdleState at_ceiling = {
      .active_sources = 1, .has_full_queue = true, .at_ceiling = true};
  EXPECT_EQ(DecideWhenIdle(at_ceiling), IdleAction::kStalled);
  IdleState state = at_ceiling;
  state.has_open_inputs = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kWait);
  state = at_ceiling;
  state.has_full_poller = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kWait);
}

TEST(IdleDecisionTest, AGraphMayWantToHearOfFullQueuesAtOnce) {
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true,
                            .active_sources = 1,
                            .has_full_queue = true,
                            .reports_deadlock = true}),
            IdleAction::kStalled);
}

TEST(IdleDecisionTest, AnApplicationThatWaitsForAFullQueueCannotHelp) {
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true,
                            .has_full_input = true,
                            .has_full_queue = true,
                            .at_ceiling = true,
                            .has_full_poller = true,
                            .application_waits = true}),
            IdleAction::kStalled);
}

TEST(IdleDecisionTest, ANodeThatLacksRoomIsGivenSomeThoughNoQueueIsFull) {
  IdleState state = {.active_sources = 1,
                     .held_sources = 1,
                     .waits_for_room = true,
                     .lacks_room = true,
                     .is_held = true};
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kRelieve);
  state.at_ceiling = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kStalled);
  state.at_ceiling = false;
  state.has_open_inputs = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kWait);
  state.application_waits = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kRelieve);
  state.has_open_inputs = false;
  state.reports_deadlock = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kStalled);
  state.waits_for_outside = true;
  EXPECT_EQ(DecideWhenIdle(state), IdleAction::kWait);
}

TEST(IdleDecisionTest, ANodeThatHasItsRoomAndWaitsForElseIsNotRelieved) {
  EXPECT_EQ(DecideWhenIdle({.active_sources = 1,
                            .held_sources = 1,
                            .waits_for_room = true,
                            .is_held = true}),
            IdleAction::kFinish);
}

TEST(IdleDecisionTest, FullQueuesOfPollersAreLeftToTheApplication) {
  EXPECT_EQ(DecideWhenIdle({.active_sources = 1}), IdleAction::kWait);
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true, .has_full_input = true}),
            IdleAction::kWait);
}

TEST(IdleDecisionTest, PacketsThatNoCallCanTakeKeepARunFromEndingWell) {
  EXPECT_EQ(DecideWhenIdle({.has_packets_left = true}),
            IdleAction::kPacketsLeft);
  EXPECT_EQ(DecideWhenIdle({.has_error = true, .has_packets_left = true}),
            IdleAction::kFinish);
  EXPECT_EQ(DecideWhenIdle({.has_open_inputs = true, .has_packets_left = true}),
            IdleAction::kWait);
  EXPECT_EQ(DecideWhenIdle({.is_held = true,
                            .reports_deadlock = true,
                            .has_packets_left = true}),
            IdleAction::kHeld);
}

TEST(IdleDecisionTest, OfAStateNothingIsTrueUnlessItIsSaid) {
  EXPECT_EQ(DecideWhenIdle({}), IdleAction::kFinish);
  EXPECT_EQ(DecideWhenIdle({.has_full_queue = true}), IdleAction::kFinish)
      << "nobody waits for room";
  EXPECT_EQ(DecideWhenIdle({.reports_deadlock = true}), IdleAction::kFinish)
      << "no node is held";
}

}  // namespace
}  // namespace syncline
