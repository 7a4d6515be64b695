#include "framework/port/topologicalsorter.h"

#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Edges = std::vector<std::pair<int, int>>;

struct Result {
  std::vector<int> order;
  bool cyclic = false;
  std::vector<int> cycle;
};

Result Sort(int count, const Edges& edges) {
  TopologicalSorter sorter(count);
  for (const auto& [from, to] : edges) sorter.AddEdge(from, to);
  Result result;
  int node = -1;
  while (sorter.GetNext(&node, &result.cyclic, &result.cycle)) {
    result.order.push_back(node);
  }
  return result;
}

TEST(TopologicalSorterTest, TakesTheSmallestNodeThatIsReady) {
  EXPECT_THAT(Sort(4, {}).order, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Sort(4, {{3, 0}, {2, 1}}).order, ElementsAre(2, 1, 3, 0));
  EXPECT_THAT(Sort(3, {{2, 0}, {2, 0}}).order, ElementsAre(1, 2, 0));
  EXPECT_THAT(Sort(0, {}).order, IsEmpty());
}

TEST(TopologicalSorterTest, WithoutACycleNoneIsGiven) {
  const Result result = Sort(2, {{1, 0}});
  EXPECT_FALSE(result.cyclic);
  EXPECT_THAT(result.cycle, IsEmpty());
}

TEST(TopologicalSorterTest, GivesTheNodesOfACycleInOrder) {
  const Edges edges = {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}};
  const Result result = Sort(5, edges);
  EXPECT_THAT(result.order, ElementsAre(0));
  EXPECT_TRUE(result.cyclic);
  ASSERT_EQ(result.cycle.size(), 3u);
  const std::set<std::pair<int, int>> known(edges.begin(), edges.end());
  for (std::size_t i = 0; i < result.cycle.size(); ++i) {
    const int next = result.cycle[(i + 1) % result.cycle.size()];
    EXPECT_EQ(known.count({result.cycle[i], next}), 1u);
  }
}

TEST(TopologicalSorterTest, ACycleBeginsWhereAWalkFromTheSmallestNodeClosesIt) {
  EXPECT_THAT(Sort(3, {{0, 1}, {1, 2}, {2, 0}}).cycle, ElementsAre(0, 1, 2));
  EXPECT_THAT(Sort(3, {{2, 1}, {1, 0}, {0, 2}}).cycle, ElementsAre(0, 2, 1));
  // Node 0 leads to the cycle and is returned before it.
  EXPECT_THAT(Sort(4, {{0, 3}, {3, 1}, {1, 3}}).cycle, ElementsAre(1, 3));
  // Of two cycles, the one whose edge was added first.
  EXPECT_THAT(Sort(3, {{0, 2}, {2, 0}, {0, 1}, {1, 0}}).cycle,
              ElementsAre(0, 2));
  // Node 0 follows a cycle, and what leads to no cycle is walked only once.
  EXPECT_THAT(Sort(6, {{2, 0}, {2, 3}, {3, 4}, {2, 4}, {2, 5}, {5, 2}}).cycle,
              ElementsAre(2, 5));
}

TEST(TopologicalSorterTest, ACycleMayBeLong) {
  constexpr int kNodes = 200000;
  Edges edges;
  for (int i = 0; i < kNodes; ++i) edges.emplace_back(i, (i + 1) % kNodes);
  const Result result = Sort(kNodes, edges);
  ASSERT_EQ(result.cycle.size(), static_cast<std::size_t>(kNodes));
  EXPECT_EQ(result.cycle.front(), 0);
  EXPECT_EQ(result.cycle.back(), kNodes - 1);
}

TEST(TopologicalSorterTest, ANodeThatFollowsItselfIsACycle) {
  const Result result = Sort(2, {{1, 1}});
  EXPECT_TRUE(result.cyclic);
  EXPECT_THAT(result.cycle, ElementsAre(1));
}

TEST(TopologicalSorterDeathTest, AnEdgeToANodeThatIsNoneEndsTheProcess) {
  TopologicalSorter sorter(2);
  EXPECT_DEATH(sorter.AddEdge(0, 2), "edge from 0 to 2 of 2 nodes");
}

}  // namespace
}  // namespace syncline
