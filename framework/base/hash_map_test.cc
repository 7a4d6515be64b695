#include "framework/base/hash_map.h"

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(HashMapTest, ATableOfStringsIsSearchedByViews) {
  HashMap<std::string, int> map = {{"a", 1}, {"b", 2}};
  const absl::string_view text = "ab";
  EXPECT_EQ(map.find(text.substr(1))->second, 2);
  EXPECT_TRUE(map.contains(text.substr(0, 1)));
  EXPECT_FALSE(map.contains(text));
  HashSet<std::string> set = {"a"};
  EXPECT_EQ(set.count(text.substr(0, 1)), 1);
  EXPECT_EQ(set.count(text), 0);
}

TEST(HashMapTest, OtherKeysAreHashedByAbseil) {
  HashMap<absl::string_view, int> views;
  views.try_emplace("a", 1);
  views.try_emplace("a", 2);
  EXPECT_THAT(views, UnorderedElementsAre(Pair("a", 1)));
  HashSet<std::pair<int, std::string>> pairs;
  EXPECT_TRUE(pairs.emplace(1, "a").second);
  EXPECT_FALSE(pairs.emplace(1, "a").second);
  EXPECT_TRUE(pairs.emplace(2, "a").second);
}

}  // namespace
}  // namespace syncline
