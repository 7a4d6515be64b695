#include "tools/build_description.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "framework/base/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

TEST(BuildDescriptionTest, EachLineTellsOneThing) {
  const std::vector<std::string> lines =
      absl::StrSplit(DescribeBuild("program"), '\n');
  // The last one is empty: the text ends with the end of a line.
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "program (Syncline " SYNCLINE_VERSION_STRING ")");
  EXPECT_THAT(lines[1], MatchesRegex("compiler: (g\\+\\+|clang) [0-9]+\\..*"));
  EXPECT_THAT(lines[2], MatchesRegex("libraries: Protobuf [0-9]+\\.[0-9.]+, "
                                     "Abseil [0-9]+"));
  EXPECT_THAT(lines[3], StartsWith("devices: "));
  EXPECT_EQ(lines[4], "");
}

TEST(BuildDescriptionTest, TheModeIsThatOfTheBuild) {
  const std::vector<std::string> lines =
      absl::StrSplit(DescribeBuild("program"), '\n');
#ifdef NDEBUG
  EXPECT_THAT(lines[1], HasSubstr(", optimised"));
#else
  EXPECT_THAT(lines[1], HasSubstr(", with checks for developers"));
#endif
#if defined(__SANITIZE_ADDRESS__)
  EXPECT_THAT(lines[1], EndsWith(", address sanitizer"));
#elif defined(__SANITIZE_THREAD__)
  EXPECT_THAT(lines[1], EndsWith(", thread sanitizer"));
#else
  EXPECT_THAT(lines[1], Not(HasSubstr("sanitizer")));
#endif
#if defined(__clang__)
  EXPECT_THAT(lines[1], StartsWith("compiler: clang "));
#else
  EXPECT_THAT(lines[1], StartsWith("compiler: g++ " __VERSION__ ","));
#endif
}

}  // namespace
}  // namespace syncline
