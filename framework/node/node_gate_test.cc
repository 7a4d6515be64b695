#include "framework/node/node_gate.h"

#include <utility>

#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr GateState kAll[] = {GateState::kIdle, GateState::kAsking,
                              GateState::kAskingAgain, GateState::kHeld};

TEST(GateStateTest, HasTheArrowsOfTheDiagram) {
  const std::pair<GateState, GateState> arrows[] = {
      {GateState::kIdle, GateState::kAsking},
      {GateState::kAsking, GateState::kIdle},
      {GateState::kAsking, GateState::kAskingAgain},
      {GateState::kAsking, GateState::kHeld},
      {GateState::kAskingAgain, GateState::kAsking},
      {GateState::kAskingAgain, GateState::kIdle},
      {GateState::kHeld, GateState::kAsking},
      {GateState::kHeld, GateState::kIdle},
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
  GateState state = GateState::kIdle;
  ChangeState(GateState::kAsking, &state);
  EXPECT_EQ(state, GateState::kAsking);
}

#ifndef NDEBUG
TEST(GateStateDeathTest, NamesATransitionThatIsWrong) {
  GateState state = GateState::kIdle;
  EXPECT_DEATH(ChangeState(GateState::kHeld, &state), "idle -> held");
}
#endif

}  // namespace
}  // namespace syncline
