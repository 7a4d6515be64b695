#include "tools/lint/graph_comments.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::pair<int, std::string>> CommentsOf(absl::string_view text) {
  std::vector<std::pair<int, std::string>> comments;
  for (const GraphComment& comment : FindGraphComments(text).comments) {
    comments.emplace_back(comment.line, comment.text);
  }
  return comments;
}

std::vector<std::pair<int, int>> BlocksOf(absl::string_view text) {
  std::vector<std::pair<int, int>> blocks;
  for (const TopBlock& block : FindGraphComments(text).blocks) {
    blocks.emplace_back(block.first_line, block.last_line);
  }
  return blocks;
}

TEST(GraphCommentsTest, CommentsHaveTheirLines) {
  EXPECT_THAT(CommentsOf("# one\nnode { # two\n}\n#three"),
              ElementsAre(Pair(1, " one"), Pair(2, " two"), Pair(4, "three")));
}

TEST(GraphCommentsTest, ASignInAStringIsNoComment) {
  EXPECT_THAT(CommentsOf("name: \"a # b\" other: 'c # d'"), IsEmpty());
  EXPECT_THAT(CommentsOf("name: \"a \\\" # b\" # c"),
              ElementsAre(Pair(1, " c")));
}

TEST(GraphCommentsTest, ABlockBeginsWithTheNameOfItsField) {
  EXPECT_THAT(BlocksOf("input_stream: \"in\"\nnode\n{\n  options { a { } }\n}\n"
                       "node: < name: \"b\" >"),
              ElementsAre(Pair(2, 5), Pair(6, 6)));
}

TEST(GraphCommentsTest, BracketsInStringsAndCommentsAreNone) {
  EXPECT_THAT(BlocksOf("node { name: \"}\" # }\n name: '{'\n}"),
              ElementsAre(Pair(1, 3)));
}

TEST(GraphCommentsTest, ARuleOfATemplateComparesAndOpensNothing) {
  EXPECT_THAT(BlocksOf("%if (n < 3)%\nnode { name: % n + \"%>\" % }\n%end%"),
              ElementsAre(Pair(2, 2)));
}

TEST(GraphCommentsTest, BlocksOnOneLineAreSeparate) {
  EXPECT_THAT(BlocksOf("node { } node {\n}"),
              ElementsAre(Pair(1, 1), Pair(1, 2)));
}

TEST(GraphCommentsTest, TextThatIsNoGraphIsReadToItsEnd) {
  for (const char* text : {"", "}", "}}} {", "\"", "\"\\", "%", "%\"", "#",
                           "node {", "node { 'a\n}", "<<<>"}) {
    FindGraphComments(text);
  }
  EXPECT_THAT(BlocksOf("} node { }"), ElementsAre(Pair(1, 1)));
  EXPECT_THAT(BlocksOf("node { name: 'a\n}"), ElementsAre(Pair(1, 2)));
}

}  // namespace
}  // namespace syncline
