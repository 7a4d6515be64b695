// RE2 is found under the names that ported code uses.
#include "framework/port/re2.h"

#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(Re2Test, MatchesAndTakesApart) {
  std::string tag;
  int index = 0;
  EXPECT_TRUE(RE2::FullMatch("IMAGE:3", "([A-Z]+):(\\d+)", &tag, &index));
  EXPECT_EQ(tag, "IMAGE");
  EXPECT_EQ(index, 3);
  EXPECT_FALSE(RE2::FullMatch("image", "[A-Z]+"));
}

}  // namespace
}  // namespace syncline
