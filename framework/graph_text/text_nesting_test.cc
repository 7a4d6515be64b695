#include "framework/graph_text/text_nesting.h"

#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr size_t kNone = absl::string_view::npos;

TEST(TextNestingTest, FindsTheFirstBracketThatIsTooDeep) {
  EXPECT_EQ(FindTooDeep("", 0), kNone);
  EXPECT_EQ(FindTooDeep("a { b { } }", 2), kNone);
  EXPECT_EQ(FindTooDeep("a { b { } }", 1), 6);
  EXPECT_EQ(FindTooDeep("a < b { > }", 1), 6);
  EXPECT_EQ(FindTooDeep("{", 0), 0);
}

TEST(TextNestingTest, BracketsThatAreClosedDoNotCount) {
  EXPECT_EQ(FindTooDeep("{ } { } < >", 1), kNone);
  // One too many that closes is no room for a further one.
  EXPECT_EQ(FindTooDeep("} } { {", 1), 6);
}

TEST(TextNestingTest, BracketsInStringsAndCommentsDoNotCount) {
  EXPECT_EQ(FindTooDeep("'{' \"<\" # {", 0), kNone);
  EXPECT_EQ(FindTooDeep(R"('\'{' {)", 0), 6);
  EXPECT_EQ(FindTooDeep(R"("\\" {)", 0), 5);
}

TEST(TextNestingTest, StringsAndCommentsEndWithTheirLine) {
  EXPECT_EQ(FindTooDeep("'open\n{", 0), 6);
  EXPECT_EQ(FindTooDeep("'open\\\n{", 0), 7);
  EXPECT_EQ(FindTooDeep("# comment\n{", 0), 10);
  // Protobuf takes a zero for an end of the line, too.
  EXPECT_EQ(FindTooDeep(absl::string_view("'a\0{", 4), 0), 3);
  EXPECT_EQ(FindTooDeep(absl::string_view("#a\0{", 4), 0), 3);
}

}  // namespace
}  // namespace syncline
