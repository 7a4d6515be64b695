#include "framework/plan/topological_sort.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SortTopologicallyTest, NoNodesHaveAnEmptyOrder) {
  const NodeOrder order = SortTopologically(0, {});
  EXPECT_THAT(order.order, IsEmpty());
  EXPECT_THAT(order.cycles, IsEmpty());
}

TEST(SortTopologicallyTest, WithoutArcsTheOrderIsKept) {
  EXPECT_THAT(SortTopologically(4, {}).order, ElementsAre(0, 1, 2, 3));
}

TEST(SortTopologicallyTest, TheSmallestReadyIndexComesNext) {
  // 3 must precede 0; all else stays where it can.
  EXPECT_THAT(SortTopologically(5, {{3, 0}}).order, ElementsAre(1, 2, 3, 0, 4));
  // Both 0 and 2 wait for 4.
  EXPECT_THAT(SortTopologically(5, {{4, 2}, {4, 0}}).order,
              ElementsAre(1, 3, 4, 0, 2));
}

TEST(SortTopologicallyTest, ParallelArcsCountEach) {
  EXPECT_THAT(SortTopologically(2, {{1, 0}, {1, 0}, {1, 0}}).order,
              ElementsAre(1, 0));
}

TEST(SortTopologicallyTest, ASelfLoopIsACycleOfOne) {
  const NodeOrder order = SortTopologically(3, {{0, 1}, {1, 1, 7}});
  EXPECT_THAT(order.order, IsEmpty());
  EXPECT_THAT(order.cycles, ElementsAre(ElementsAre(Arc{1, 1, 7})));
}

TEST(SortTopologicallyTest, ACycleIsListedFromItsSmallestNode) {
  // 0 -> 3 -> 1 -> 2 -> 3; 0 and the tail 4 are not part of it.
  const NodeOrder order = SortTopologically(
      5, {{0, 3, 10}, {3, 1, 11}, {1, 2, 12}, {2, 3, 13}, {2, 4, 14}});
  EXPECT_THAT(order.cycles, ElementsAre(ElementsAre(
                                Arc{1, 2, 12}, Arc{2, 3, 13}, Arc{3, 1, 11})));
}

TEST(SortTopologicallyTest, ANodeBeyondACycleIsNotMistakenForIt) {
  // Node 0 only waits for the cycle of 1 and 2.
  const NodeOrder order = SortTopologically(3, {{1, 2}, {2, 1}, {1, 0}});
  EXPECT_THAT(order.cycles, ElementsAre(ElementsAre(Arc{1, 2}, Arc{2, 1})));
}

TEST(SortTopologicallyTest, CyclesApartFromEachOtherAreAllFound) {
  const NodeOrder order =
      SortTopologically(6, {{0, 1}, {1, 0}, {2, 2}, {5, 4}, {4, 5}, {1, 3}});
  EXPECT_THAT(order.cycles, ElementsAre(ElementsAre(Arc{0, 1}, Arc{1, 0}),
                                        ElementsAre(Arc{2, 2}),
                                        ElementsAre(Arc{4, 5}, Arc{5, 4})));
}

TEST(SortTopologicallyTest, RandomGraphsComeOutInOrderAndLeastFirst) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const int count = 1 + static_cast<int>(random() % 12);
    std::vector<int> hidden(count);
    for (int i = 0; i < count; ++i) hidden[i] = i;
    std::shuffle(hidden.begin(), hidden.end(), random);
    std::vector<Arc> arcs;
    for (int i = 0; i < count * 2; ++i) {
      int a = static_cast<int>(random() % count);
      int b = static_cast<int>(random() % count);
      if (a == b) continue;
      if (a > b) std::swap(a, b);
      arcs.push_back({hidden[a], hidden[b]});
    }
    // The rule, spelled out: at each step the least node all of whose
    // predecessors are out.
    std::vector<int> expected;
    std::vector<bool> out(count, false);
    while (static_cast<int>(expected.size()) < count) {
      for (int node = 0; node < count; ++node) {
        const bool ready =
            !out[node] &&
            std::all_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
              return arc.to != node || out[arc.from];
            });
        if (!ready) continue;
        out[node] = true;
        expected.push_back(node);
        break;
      }
    }
    EXPECT_EQ(SortTopologically(count, arcs).order, expected);
  }
}

TEST(SortTopologicallyTest, ACycleBeginsAtItsSmallestNode) {
  // Node 0 is fed by the cycle, but is not in it.
  const std::vector<Arc> arcs = {{1, 2}, {2, 1}, {2, 0}};
  EXPECT_THAT(SortTopologically(3, arcs).cycles,
              ElementsAre(ElementsAre(Arc{1, 2}, Arc{2, 1})));
}

TEST(SortTopologicallyTest, OfArcsBetweenTheSameNodesTheFirstIsShown) {
  const std::vector<Arc> arcs = {
      {0, 1, 10}, {0, 1, 11}, {1, 0, 12}, {1, 0, 13}};
  EXPECT_THAT(SortTopologically(2, arcs).cycles,
              ElementsAre(ElementsAre(Arc{0, 1, 10}, Arc{1, 0, 12})));
}

}  // namespace
}  // namespace syncline
