#include "framework/plan/source_sets.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int> Members(const SourceSets& sets, int set) {
  std::vector<int> members;
  sets.ForEach(set, [&](int source) { members.push_back(source); });
  return members;
}

TEST(SourceSetsTest, EmptySetHasNoMembers) {
  SourceSets sets;
  EXPECT_THAT(Members(sets, SourceSets::kEmpty), IsEmpty());
  EXPECT_EQ(sets.Union({}), SourceSets::kEmpty);
}

TEST(SourceSetsTest, TheSameSourceHasOneSet) {
  SourceSets sets;
  EXPECT_EQ(sets.Single(7), sets.Single(7));
  EXPECT_NE(sets.Single(7), sets.Single(8));
}

TEST(SourceSetsTest, UnionHasEachMemberOnceInOrder) {
  SourceSets sets;
  const int ab = sets.Union({sets.Single(5), sets.Single(1)});
  const int bc = sets.Union({sets.Single(5), sets.Single(3)});
  EXPECT_THAT(Members(sets, sets.Union({bc, ab})), ElementsAre(1, 3, 5));
}

TEST(SourceSetsTest, UnionOfOneSetIsThatSet) {
  SourceSets sets;
  const int a = sets.Single(1);
  EXPECT_EQ(sets.Union({a, SourceSets::kEmpty, a}), a);
}

TEST(SourceSetsTest, EqualUnionsShareOneId) {
  SourceSets sets;
  const int a = sets.Single(1);
  const int b = sets.Single(2);
  const int ab = sets.Union({a, b});
  EXPECT_EQ(sets.Union({b, a}), ab);
  EXPECT_EQ(sets.Union({ab, b}), ab) << "a diamond brings nothing new";
}

TEST(SourceSetsTest, WalkedSetsHaveTheMembersOfFlatOnes) {
  constexpr int kSources = 40;
  SourceSets flat;
  SourceSets walked(/*flat_budget=*/3);
  std::mt19937 random(17);
  std::vector<int> in_flat;
  std::vector<int> in_walked;
  std::vector<std::set<int>> expected;
  for (int i = 0; i < kSources; ++i) {
    in_flat.push_back(flat.Single(i));
    in_walked.push_back(walked.Single(i));
    expected.push_back({i});
  }
  for (int i = 0; i < 300; ++i) {
    const size_t a = random() % in_flat.size();
    const size_t b = random() % in_flat.size();
    in_flat.push_back(flat.Union({in_flat[a], in_flat[b]}));
    in_walked.push_back(walked.Union({in_walked[a], in_walked[b]}));
    std::set<int> both = expected[a];
    both.insert(expected[b].begin(), expected[b].end());
    expected.push_back(both);
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::vector<int> members(expected[i].begin(), expected[i].end());
    EXPECT_EQ(Members(flat, in_flat[i]), members);
    EXPECT_EQ(Members(walked, in_walked[i]), members);
    std::vector<int> visited;
    walked.ForEach(in_walked[i],
                   [&](int source) { visited.push_back(source); });
    EXPECT_EQ(visited, members);
  }
}

TEST(SourceSetsTest, ACombOfManyJoinsStaysSmall) {
  // Each join adds one source to all those before it. As flat lists this would
  // be 5,000,000,000 entries.
  constexpr int kJoins = 100000;
  SourceSets sets;
  int comb = sets.Single(0);
  for (int i = 1; i < kJoins; ++i) comb = sets.Union({comb, sets.Single(i)});
  const std::vector<int> members = Members(sets, comb);
  EXPECT_EQ(members.size(), kJoins);
  EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
}

TEST(SourceSetsTest, SetsBeyondTheBudgetAreSharedAndHaveEachMemberOnce) {
  SourceSets sets(/*flat_budget=*/2);
  const int b = sets.Single(2);
  const int ab = sets.Union({sets.Single(1), b});
  const int joined = sets.Union({ab, b});
  EXPECT_THAT(Members(sets, joined), ElementsAre(1, 2));
  const int size = sets.size();
  EXPECT_EQ(sets.Union({b, ab, b}), joined);
  EXPECT_EQ(sets.Union({joined, joined}), joined);
  EXPECT_EQ(sets.size(), size);
}

}  // namespace
}  // namespace syncline
