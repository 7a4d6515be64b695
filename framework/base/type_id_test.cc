#include "framework/base/type_id.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "gtest/gtest.h"

namespace syncline {

struct KnownEverywhere {};

namespace {

struct KnownHere {};

TEST(TypeIdTest, EqualTypesAreEqualAndOthersAreNot) {
  EXPECT_EQ(TypeIdOf<int>(), TypeId::Of<int>());
  EXPECT_EQ(TypeIdOf<int>(), kTypeId<int>);
  EXPECT_NE(TypeIdOf<int>(), TypeIdOf<long>());
  EXPECT_NE(TypeIdOf<KnownHere>(), TypeIdOf<KnownEverywhere>());
  EXPECT_NE(TypeIdOf<int[]>(), TypeIdOf<int*>());
  EXPECT_NE(TypeIdOf<int[2]>(), TypeIdOf<int[3]>());
  EXPECT_EQ(TypeId(), TypeIdOf<void>());
}

TEST(TypeIdTest, ReferenceAndConstDoNotCount) {
  EXPECT_EQ(TypeIdOf<const int&>(), TypeIdOf<int>());
  EXPECT_NE(TypeIdOf<const int*>(), TypeIdOf<int*>());
}

TEST(TypeIdTest, NamesAreTheOnesOfTheSource) {
  EXPECT_EQ(TypeIdOf<int>().name(), "int");
  EXPECT_EQ(TypeIdOf<KnownEverywhere>().name(), "syncline::KnownEverywhere");
  EXPECT_EQ(TypeIdOf<KnownHere>().name(),
            "syncline::(anonymous namespace)::KnownHere");
  EXPECT_EQ(TypeIdOf<std::string>().name(), "std::string");
  EXPECT_EQ((TypeIdOf<std::pair<std::string, std::string>>().name()),
            "std::pair<std::string, std::string >");
}

TEST(TypeIdTest, IsAKeyOfContainers) {
  const std::vector<TypeId> types = {TypeIdOf<int>(), TypeIdOf<float>(),
                                     TypeIdOf<int>()};
  EXPECT_EQ(std::set<TypeId>(types.begin(), types.end()).size(), 2u);
  EXPECT_EQ(absl::flat_hash_set<TypeId>(types.begin(), types.end()).size(), 2u);
  EXPECT_EQ(TypeIdOf<int>().hash_code(), kTypeId<int>.hash_code());
}

constexpr TypeId kConstant = TypeIdOf<KnownHere>();

TEST(TypeIdTest, IsAConstant) { EXPECT_EQ(kConstant, TypeIdOf<KnownHere>()); }

}  // namespace
}  // namespace syncline
