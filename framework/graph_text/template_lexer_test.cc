#include "framework/graph_text/template_lexer.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Each token as its kind, place and text: `n1:1 name`.
std::vector<std::string> Tokens(absl::string_view text) {
  static constexpr absl::string_view kKinds = "en#\"s";
  std::vector<std::string> tokens;
  for (TemplateLexer lexer(text); lexer.token().kind != TemplateToken::kEnd;
       lexer.Next()) {
    const TemplateToken& token = lexer.token();
    EXPECT_EQ(text.substr(token.offset, token.text.size()), token.text);
    EXPECT_EQ(token.end(), token.offset + token.text.size());
    tokens.push_back(absl::StrCat(kKinds.substr(token.kind, 1), token.line, ":",
                                  token.column, " ", token.text));
  }
  return tokens;
}

TEST(TemplateLexerTest, TokensHaveTheirKindsAndPlaces) {
  EXPECT_THAT(
      Tokens("node { a_1: -12\n  b: \"x\" }"),
      ElementsAre("n1:1 node", "s1:6 {", "n1:8 a_1", "s1:11 :", "s1:13 -",
                  "#1:14 12", "n2:3 b", "s2:4 :", "\"2:6 \"x\"", "s2:10 }"));
}

TEST(TemplateLexerTest, SpaceAndCommentsAreSkipped) {
  EXPECT_THAT(Tokens("  # all of it"), IsEmpty());
  EXPECT_THAT(Tokens("a # rest { \n\t b"), ElementsAre("n1:1 a", "n2:3 b"));
}

TEST(TemplateLexerTest, NumbersEndWhereTheyEnd) {
  EXPECT_THAT(Tokens("1.5e-3f+0x1F .5"),
              ElementsAre("#1:1 1.5e-3f", "s1:8 +", "#1:9 0x1F", "#1:14 .5"));
  // An exponent of a hexadecimal number is a digit, and has no sign.
  EXPECT_THAT(Tokens("0x1e+1"), ElementsAre("#1:1 0x1e", "s1:5 +", "#1:6 1"));
  EXPECT_THAT(Tokens(". 5"), ElementsAre("s1:1 .", "#1:3 5"));
}

TEST(TemplateLexerTest, StringsEndAtTheirQuoteOrTheEndOfTheLine) {
  EXPECT_THAT(Tokens(R"('a"b' "c\"d")"),
              ElementsAre(R"("1:1 'a"b')", R"("1:7 "c\"d")"));
  EXPECT_THAT(Tokens("\"open\nnext"), ElementsAre("\"1:1 \"open", "n2:1 next"));
  EXPECT_THAT(Tokens("'x\\"), ElementsAre("\"1:1 'x\\"));
  // A '#' in a string begins no comment.
  EXPECT_THAT(Tokens("'#' b"), ElementsAre("\"1:1 '#'", "n1:5 b"));
}

TEST(TemplateLexerTest, InBracketsEverythingIsOneName) {
  TemplateLexer lexer("[ a.b/c d ] e");
  ASSERT_TRUE(lexer.token().Is("["));
  lexer.NextInBrackets();
  EXPECT_EQ(lexer.token().kind, TemplateToken::kName);
  EXPECT_EQ(lexer.token().text, "a.b/c d ");
  lexer.Next();
  EXPECT_TRUE(lexer.token().Is("]"));
  TemplateLexer open("[a.b\nc");
  open.NextInBrackets();
  EXPECT_EQ(open.token().text, "a.b");
}

TEST(TemplateLexerTest, ACopyLooksAhead) {
  TemplateLexer lexer("a b");
  TemplateLexer ahead = lexer;
  ahead.Next();
  EXPECT_EQ(ahead.token().text, "b");
  EXPECT_EQ(lexer.token().text, "a");
}

TEST(TemplateLexerTest, IsComparesNamesAndSymbolsOnly) {
  EXPECT_TRUE(TemplateLexer("end").token().Is("end"));
  EXPECT_FALSE(TemplateLexer("1").token().Is("1"));
  EXPECT_FALSE(TemplateLexer("").token().Is(""));
}

}  // namespace
}  // namespace syncline
