#include "framework/port/map_util.h"

#include <map>
#include <memory>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

using Map = std::map<std::string, int>;

TEST(MapUtilTest, FindsOrFallsBack) {
  Map map = {{"a", 1}};
  EXPECT_EQ(FindOrDie(map, "a"), 1);
  const int fallback = 7;
  EXPECT_EQ(FindWithDefault(map, "a", fallback), 1);
  EXPECT_EQ(FindWithDefault(map, "b", fallback), 7);
  EXPECT_EQ(*FindOrNull(map, "a"), 1);
  EXPECT_EQ(FindOrNull(map, "b"), nullptr);
  int copy = 0;
  EXPECT_TRUE(FindCopy(map, "a", &copy));
  EXPECT_EQ(copy, 1);
  EXPECT_FALSE(FindCopy(map, "b", &copy));
  EXPECT_TRUE(ContainsKey(map, "a"));
  EXPECT_FALSE(ContainsKey(std::set<int>({1}), 2));
}

TEST(MapUtilTest, WhatIsFoundInAMapCanBeChanged) {
  Map map = {{"a", 1}};
  FindOrDie(map, "a") = 2;
  *FindOrNull(map, "a") += 1;
  EXPECT_EQ(map["a"], 3);
}

TEST(MapUtilTest, FindPtrOrNullCopiesThePointer) {
  const std::map<int, std::shared_ptr<int>> map = {
      {1, std::make_shared<int>(5)}};
  EXPECT_EQ(*FindPtrOrNull(map, 1), 5);
  EXPECT_EQ(FindPtrOrNull(map, 2), nullptr);
}

TEST(MapUtilTest, InsertsWhatIsNewAndUpdatesOnlyWhereSaid) {
  Map map;
  EXPECT_TRUE(InsertIfNotPresent(&map, "a", 1));
  EXPECT_FALSE(InsertIfNotPresent(&map, "a", 2));
  EXPECT_EQ(map["a"], 1);
  EXPECT_FALSE(InsertOrUpdate(&map, "a", 3));
  EXPECT_TRUE(InsertOrUpdate(&map, "b", 4));
  EXPECT_EQ(map, (Map{{"a", 3}, {"b", 4}}));
  EXPECT_EQ(LookupOrInsert(&map, "b", 9), 4);
  EXPECT_EQ(LookupOrInsert(&map, "c", 9), 9);
}

TEST(MapUtilTest, ReverseMapSaysWhetherValuesRepeat) {
  std::map<int, std::string> reversed;
  EXPECT_TRUE(ReverseMap(Map{{"a", 1}, {"b", 2}}, &reversed));
  EXPECT_EQ(reversed, (std::map<int, std::string>{{1, "a"}, {2, "b"}}));
  EXPECT_FALSE(ReverseMap(Map{{"c", 1}}, &reversed));
}

TEST(MapUtilDeathTest, WhatMustBeThereEndsTheProcessWhenItIsNot) {
  Map map = {{"a", 1}};
  EXPECT_DEATH(FindOrDie(map, "b"), "no such key");
  EXPECT_DEATH(InsertOrDie(&map, "a", 2), "has the key already");
}

}  // namespace
}  // namespace syncline
