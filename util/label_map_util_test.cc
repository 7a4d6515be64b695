// Label maps, and the lines of text that they are made of.

#include "util/label_map_util.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "util/str_util.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Lines(absl::string_view text) {
  std::vector<std::string> lines;
  ForEachLine(text, [&](absl::string_view line) { lines.emplace_back(line); });
  return lines;
}

TEST(StrUtilTest, LinesEndInEitherWay) {
  EXPECT_THAT(Lines(""), ElementsAre());
  EXPECT_THAT(Lines("a"), ElementsAre("a"));
  EXPECT_THAT(Lines("a\nb\r\n\nc\n"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(Lines("\n"), ElementsAre(""));
  EXPECT_THAT(Lines("\r"), ElementsAre(""));
}

TEST(LabelMapUtilTest, ClassesAreCountedFromZero) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto classes,
                                BuildLabelMapFromFiles("cat\ndog\n", ""));
  EXPECT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].name(), "cat");
  EXPECT_FALSE(classes[0].has_display_name());
  EXPECT_EQ(classes[1].name(), "dog");
}

TEST(LabelMapUtilTest, ClassesHaveNamesForPeople) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto classes, BuildLabelMapFromFiles("cat\ndog", "Katze\nHund"));
  EXPECT_EQ(classes[1].name(), "dog");
  EXPECT_EQ(classes[1].display_name(), "Hund");
}

TEST(LabelMapUtilTest, AnotherNumberOfNamesForPeopleIsAnError) {
  for (const char* names : {"Katze", "Katze\nHund\nMaus"}) {
    EXPECT_THAT(BuildLabelMapFromFiles("cat\ndog", names),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("There are 2 labels and")));
  }
}

}  // namespace
}  // namespace syncline
