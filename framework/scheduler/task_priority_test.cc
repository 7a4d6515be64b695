#include "framework/scheduler/task_priority.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace syncline {
namespace {

// In the order in which they are to run.
std::vector<TaskPriority> InOrder() {
  constexpr int kMax = std::numeric_limits<int>::max();
  return {
      TaskPriority::ForOpen(0),
      TaskPriority::ForOpen(1),
      TaskPriority::ForOpen(kMax),
      TaskPriority::ForNode(kMax),
      TaskPriority::ForNode(2),
      TaskPriority::ForNode(1),
      TaskPriority::ForNode(0),
      TaskPriority::ForSource(std::numeric_limits<int>::min(), 7, 3),
      TaskPriority::ForSource(-4, 0, 3),
      TaskPriority::ForSource(-1, 9, 3),
      TaskPriority::ForSource(0, std::numeric_limits<std::int64_t>::min(), 9),
      TaskPriority::ForSource(0, -1, 9),
      TaskPriority::ForSource(0, 5, 0),
      TaskPriority::ForSource(0, 5, 1),
      TaskPriority::ForSource(0, 6, 0),
      TaskPriority::ForSource(1, -7, 0),
      TaskPriority::ForSource(2, -8, 0),
      TaskPriority::ForSource(3, -9, 0),
      TaskPriority::ForSource(4, 0, 0),
      TaskPriority::ForSource(5, 0, kMax - 1),
      TaskPriority::ForSource(kMax, -1, 0),
      TaskPriority::ForSource(kMax, 0, kMax - 1),
  };
}

TEST(TaskPriorityTest, OpensThenNodesFromTheOutputsThenSourcesByLayer) {
  const std::vector<TaskPriority> order = InOrder();
  for (size_t a = 0; a < order.size(); ++a) {
    for (size_t b = 0; b < order.size(); ++b) {
      EXPECT_EQ(order[a].Before(order[b]), a < b) << a << ", " << b;
    }
  }
}

TEST(TaskPriorityTest, KeysHaveTheSameOrderButBetweenSources) {
  const std::vector<TaskPriority> order = InOrder();
  for (size_t a = 0; a < order.size(); ++a) {
    EXPECT_NE(order[a].Key(), 0u);
    for (size_t b = a + 1; b < order.size(); ++b) {
      if (order[a].IsSource() && order[b].IsSource()) continue;
      EXPECT_GT(order[a].Key(), order[b].Key()) << a << ", " << b;
    }
  }
}

TEST(TaskPriorityTest, KnowsSources) {
  EXPECT_TRUE(TaskPriority::ForSource(-1000000, 0, 0).IsSource());
  EXPECT_TRUE(TaskPriority::ForSource(1000000, 0, 0).IsSource());
  EXPECT_FALSE(TaskPriority::ForNode(0).IsSource());
  EXPECT_FALSE(TaskPriority::ForOpen(0).IsSource());
}

}  // namespace
}  // namespace syncline
