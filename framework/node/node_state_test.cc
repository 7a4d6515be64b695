#include "framework/node/node_state.h"

#include <utility>

#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr NodeState kAll[] = {NodeState::kWaiting, NodeState::kOpening,
                              NodeState::kOpen, NodeState::kClosing,
                              NodeState::kClosed};

TEST(NodeStateTest, HasTheArrowsOfTheDiagram) {
  const std::pair<NodeState, NodeState> arrows[] = {
      {NodeState::kWaiting, NodeState::kOpening},
      {NodeState::kWaiting, NodeState::kClosed},
      {NodeState::kOpening, NodeState::kOpen},
      {NodeState::kOpening, NodeState::kClosed},
      {NodeState::kOpen, NodeState::kClosing},
      {NodeState::kClosing, NodeState::kClosed},
  };
  for (const NodeState from : kAll) {
    for (const NodeState to : kAll) {
      bool has_arrow = false;
      for (const auto& arrow : arrows) {
        if (arrow == std::make_pair(from, to)) has_arrow = true;
      }
      EXPECT_EQ(IsLegalTransition(from, to), has_arrow)
          << NodeStateName(from) << " -> " << NodeStateName(to);
    }
  }
}

TEST(NodeStateTest, ChangesTheState) {
  NodeState state = NodeState::kWaiting;
  ChangeState(NodeState::kWaiting, NodeState::kOpening, &state);
  EXPECT_EQ(state, NodeState::kOpening);
}

#ifndef NDEBUG
TEST(NodeStateDeathTest, NamesATransitionThatIsWrong) {
  NodeState state = NodeState::kClosed;
  EXPECT_DEATH(ChangeState(NodeState::kClosed, NodeState::kOpen, &state),
               "closed -> open");
  EXPECT_DEATH(ChangeState(NodeState::kWaiting, NodeState::kOpening, &state),
               "closed, waiting -> opening");
}
#endif

}  // namespace
}  // namespace syncline
