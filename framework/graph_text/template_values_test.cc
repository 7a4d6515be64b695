#include "framework/graph_text/template_values.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/template_expression.h"
#include "framework/graph_text/template_lexer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(TemplateValueTest, ATextThatReadsAsANumberIsOne) {
  EXPECT_EQ(TemplateValue("1.5").AsNumber(), 1.5);
  EXPECT_EQ(TemplateValue(2).AsText(), "2");
  EXPECT_EQ(TemplateValue(0.1).AsText(), "0.1");
  EXPECT_EQ(TemplateValue(1.0 / 3).AsText(), "0.33333333333333331");
  EXPECT_EQ(TemplateValue(1e300).AsText(), "1e+300");
  EXPECT_FALSE(TemplateValue("inf").AsNumber().has_value());
  EXPECT_FALSE(TemplateValue("1x").AsNumber().has_value());
  EXPECT_FALSE(TemplateValue(TemplateValue::List()).AsNumber().has_value());
  EXPECT_FALSE(TemplateValue(TemplateValue::Dict()).AsText().has_value());
}

TEST(TemplateValueTest, ZeroEmptyListsAndWordsForNoAreFalse) {
  for (const TemplateValue& value :
       {TemplateValue(), TemplateValue("0"), TemplateValue("false"),
        TemplateValue("False"), TemplateValue("f"), TemplateValue("no"),
        TemplateValue("n"), TemplateValue(TemplateValue::List()),
        TemplateValue(TemplateValue::Dict())}) {
    EXPECT_EQ(value.AsTruth(), false) << value.Shown();
  }
  for (const TemplateValue& value :
       {TemplateValue(-1), TemplateValue("0.5"), TemplateValue("true"),
        TemplateValue("T"), TemplateValue("yes"), TemplateValue("y"),
        TemplateValue(TemplateValue::List{TemplateValue()}),
        TemplateValue(TemplateValue::Dict{{"a", TemplateValue()}})}) {
    EXPECT_EQ(value.AsTruth(), true) << value.Shown();
  }
  for (const char* const text : {"", "on", "a", "nope"}) {
    EXPECT_FALSE(TemplateValue(text).AsTruth().has_value()) << text;
  }
}

TEST(TemplateValueTest, IsShownInErrors) {
  EXPECT_EQ(TemplateValue("a").Shown(), "\"a\"");
  EXPECT_EQ(TemplateValue(3).Shown(), "3");
  EXPECT_EQ(TemplateValue(TemplateValue::List(2)).Shown(), "a list of 2");
  EXPECT_EQ(TemplateValue(TemplateValue::Dict()).Shown(), "a dictionary");
}

TEST(TemplateValueTest, OnlyTextsCostBytes) {
  EXPECT_EQ(TemplateValue("abc").bytes(), 3);
  EXPECT_EQ(TemplateValue(3).bytes(), 0);
}

// Evaluates expressions in which `n` is 3, `t` a text, `l` a list and `d` a
// dictionary.
class TemplateEvaluatorTest : public testing::Test {
 protected:
  TemplateEvaluatorTest() : evaluator_("a.pbtxt", "T") {
    evaluator_.Define("n", TemplateValue(3));
    evaluator_.Define("t", TemplateValue("text"));
    evaluator_.Define("l", TemplateValue(TemplateValue::List{
                               TemplateValue(1), TemplateValue("b")}));
    evaluator_.Define(
        "d", TemplateValue(TemplateValue::Dict{{"key", TemplateValue("v")}}));
  }

  TemplateValue Value(absl::string_view text) {
    TemplateLexer lexer(text);
    const auto expression = ParseTemplateExpression(&lexer, "");
    EXPECT_TRUE(expression.ok()) << expression.status();
    return expression.ok() ? evaluator_.Evaluate(*expression) : TemplateValue();
  }
  // As a text; "?" for values that have none.
  std::string Text(absl::string_view text) {
    return Value(text).AsText().value_or("?");
  }
  std::string Errors() const {
    return std::string(evaluator_.ToStatus().message());
  }

  TemplateEvaluator evaluator_;
};

TEST_F(TemplateEvaluatorTest, NumbersAreAddedAndTextsJoined) {
  EXPECT_EQ(Text("n + 2 * 2 - 1"), "6");
  EXPECT_EQ(Text("7 / 2"), "3.5");
  EXPECT_EQ(Text("t + n"), "text3");
  EXPECT_EQ(Text("\"1\" + \"2\""), "3");
  EXPECT_EQ(Value("l + n").list()->size(), 3);
  EXPECT_EQ(Value("l + l").list()->size(), 4);
  EXPECT_TRUE(evaluator_.ToStatus().ok());
}

TEST_F(TemplateEvaluatorTest, ComparisonsAreByNumberOrByLetters) {
  EXPECT_EQ(Text("10 > 9"), "1");
  EXPECT_EQ(Text("\"10\" > \"9\""), "1");
  EXPECT_EQ(Text("\"a10\" > \"a9\""), "0");
  EXPECT_EQ(Text("n <= 3 && n >= 3 && n == 3 && !(n != 3) && !(n < 3)"), "1");
}

TEST_F(TemplateEvaluatorTest, WhatDecidesEndsALogicalOperation) {
  EXPECT_EQ(Text("n == 3 || missing"), "1");
  EXPECT_EQ(Text("n == 4 && missing"), "0");
  EXPECT_EQ(Text("0 || 0"), "0");
  EXPECT_EQ(Text("1 && 1"), "1");
  EXPECT_TRUE(evaluator_.ToStatus().ok());
}

TEST_F(TemplateEvaluatorTest, FunctionsGiveTheirValues) {
  EXPECT_EQ(Text("min(3, 1, 2)"), "1");
  EXPECT_EQ(Text("max(\"a\", \"c\", \"b\")"), "c");
  EXPECT_EQ(Text("size(l) + size(d) + size(t)"), "7");
  EXPECT_EQ(Text("uppercase(t) + lowercase(\"A\")"), "TEXTa");
  EXPECT_EQ(Text("concat(t, n)"), "text3");
  EXPECT_EQ(Text("d.key"), "v");
  EXPECT_EQ(Text("dict(a: 1, b: 2).b"), "2");
  EXPECT_EQ(Value("list(1, 2)").list()->size(), 2);
}

TEST_F(TemplateEvaluatorTest, AWrongExpressionIsNotedAndIsZero) {
  EXPECT_EQ(Text("missing + 1"), "1");
  EXPECT_EQ(Text("1 / 0"), "0");
  EXPECT_EQ(Text("t - 1"), "0");
  EXPECT_EQ(Text("l == 1"), "0");
  EXPECT_EQ(Text("n.key"), "0");
  EXPECT_EQ(Text("d.kei"), "0");
  EXPECT_EQ(Text("size(list()) + lowercase(l)"), "0");
  const std::string errors = Errors();
  EXPECT_THAT(errors, HasSubstr("a.pbtxt: template \"T\": parameter "
                                "\"missing\" has no value"));
  EXPECT_THAT(errors, HasSubstr("a division by 0."));
  EXPECT_THAT(errors, HasSubstr("\"text\" is no number, for \"-\"."));
  EXPECT_THAT(errors, HasSubstr("a list of 2 cannot be compared"));
  EXPECT_THAT(errors, HasSubstr("3 has no \"key\": it is no dictionary."));
  EXPECT_THAT(errors, HasSubstr("has no \"kei\". Did you mean \"key\"?"));
  EXPECT_THAT(errors, HasSubstr("\"lowercase\" takes no a list of 2"));
}

TEST_F(TemplateEvaluatorTest, AnErrorIsNotedOnce) {
  Value("1 / 0");
  const std::string once = Errors();
  Value("1 / 0");
  EXPECT_EQ(Errors(), once);
}

TEST_F(TemplateEvaluatorTest, TheCodeIsTheOneThatAllErrorsShare) {
  Value("missing");
  EXPECT_EQ(evaluator_.ToStatus().code(), absl::StatusCode::kNotFound);
  Value("1 / 0");
  EXPECT_EQ(evaluator_.ToStatus().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(TemplateEvaluatorTest, ErrorsHaveThePlaceOfTheRule) {
  TemplateExpression rule;
  rule.set_line(4);
  rule.set_column(7);
  evaluator_.SetRule(&rule);
  Value("1 / 0");
  EXPECT_EQ(Errors(), "a.pbtxt:4:7: template \"T\": a division by 0.");
}

TEST_F(TemplateEvaluatorTest, TooMuchWorkEndsAllOfIt) {
  while (evaluator_.Spend(size_t{1} << 20)) {
  }
  EXPECT_TRUE(evaluator_.gave_up());
  EXPECT_EQ(Text("n"), "0");
  EXPECT_EQ(evaluator_.ToStatus().code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(TemplateEvaluatorTest, TheVariableOfALoopIsGivenBack) {
  auto before = evaluator_.Exchange("n", TemplateValue("inner"));
  EXPECT_EQ(Text("n"), "inner");
  evaluator_.Exchange("n", std::move(before));
  EXPECT_EQ(Text("n"), "3");
  EXPECT_FALSE(evaluator_.Exchange("new", TemplateValue(1)).has_value());
  evaluator_.Exchange("new", absl::nullopt);
  EXPECT_FALSE(evaluator_.IsDefined("new"));
}

TEST_F(TemplateEvaluatorTest, ArgumentsAreParameters) {
  TemplateDict arguments;
  auto* argument = arguments.add_arg();
  argument->set_key("a");
  argument->mutable_value()->add_element()->set_num(2);
  argument->mutable_value()->add_element()->set_str("x");
  argument = arguments.add_arg();
  argument->set_key("none");
  argument->mutable_value();
  evaluator_.Define(arguments);
  EXPECT_EQ(Text("size(a)"), "2");
  EXPECT_EQ(Text("size(none)"), "0");
}

}  // namespace
}  // namespace syncline
