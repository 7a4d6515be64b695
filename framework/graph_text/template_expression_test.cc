#include "framework/graph_text/template_expression.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/template_lexer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// An expression with parentheses around everything.
std::string Shape(const TemplateExpression& e) {
  if (e.op() == "literal") return absl::StrCat("'", e.param(), "'");
  if (e.op().empty()) return e.param();
  std::string text = absl::StrCat("(", e.op());
  for (const auto& arg : e.arg()) absl::StrAppend(&text, " ", Shape(arg));
  return text + ")";
}

std::string Expression(const std::string& text) {
  TemplateLexer lexer(text);
  const auto expression = ParseTemplateExpression(&lexer, "");
  if (!expression.ok()) return std::string(expression.status().message());
  EXPECT_EQ(lexer.token().kind, TemplateToken::kEnd) << lexer.token().text;
  return Shape(*expression);
}

TEST(TemplateExpressionTest, PrecedenceIsThatOfC) {
  EXPECT_EQ(Expression("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(Expression("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(Expression("a - b - c"), "(- a b c)");
  EXPECT_EQ(Expression("a - (b - c)"), "(- a (- b c))");
  EXPECT_EQ(Expression("a + b > c && d || !e"),
            "(|| (&& (> (+ a b) c) d) (! e))");
  EXPECT_EQ(Expression("a == b != c <= d"), "(!= (== a b) (<= c d))");
  EXPECT_EQ(Expression("!a.b.c"), "(! (. (. a 'b') 'c'))");
  EXPECT_EQ(Expression("-a * 2"), "(* (- '0' a) '2')");
}

TEST(TemplateExpressionTest, LiteralsAreNumbersAndTexts) {
  EXPECT_EQ(Expression("\"a\\n\" 'b'"), "'a\nb'");
  EXPECT_EQ(Expression("0x1F"), "'31'");
  EXPECT_EQ(Expression("1.5e-3"), "'1.5e-3'");
  EXPECT_EQ(Expression("true"), "'true'");
  EXPECT_EQ(Expression("1-2"), "(- '1' '2')");
}

TEST(TemplateExpressionTest, FunctionsTakeListsAndDictsTakeKeys) {
  EXPECT_EQ(Expression("min(a, 1 + 2)"), "(min a (+ '1' '2'))");
  EXPECT_EQ(Expression("list()"), "(list)");
  EXPECT_EQ(Expression("dict(a: 1, \"b\": list(2))"),
            "(dict a '1' 'b' (list '2'))");
  EXPECT_EQ(Expression("dict('a', 1, b + 'c': 2)"),
            "(dict 'a' '1' (+ b 'c') '2')");
}

TEST(TemplateExpressionTest, ErrorsNameThePlace) {
  EXPECT_EQ(Expression("a +"),
            "<text>:1:4: expected a value, not the end of the text.");
  EXPECT_THAT(Expression("a +\n  mix(b)"),
              HasSubstr("<text>:2:3: there is no function \"mix\". Did you "
                        "mean"));
  EXPECT_THAT(Expression("(a"), HasSubstr("expected \")\""));
  EXPECT_THAT(Expression("\"a"), HasSubstr("does not end"));
  EXPECT_THAT(Expression("1x"), HasSubstr("is no number"));
  EXPECT_THAT(Expression("size(a, b)"), HasSubstr("takes one value"));
  EXPECT_THAT(Expression("dict(1)"), HasSubstr("expected \":\" after a key"));
  EXPECT_THAT(Expression("a.(1)"), HasSubstr("expected a name after"));
}

TEST(TemplateExpressionTest, DeepExpressionsAreRefused) {
  const std::string deep(100000, '(');
  EXPECT_THAT(Expression(deep), HasSubstr("nested more than"));
  EXPECT_THAT(Expression(std::string(100000, '!')),
              HasSubstr("nested more than"));
  std::string chain = "a";
  std::string alternating = "a";
  for (int i = 0; i < 1000; ++i) {
    chain += " + a";
    alternating += " + a - a";
  }
  EXPECT_EQ(Expression(chain).size(), 2 + 2 * 1001 + 1);
  EXPECT_THAT(Expression(alternating), HasSubstr("nested more than"));
}

}  // namespace
}  // namespace syncline
