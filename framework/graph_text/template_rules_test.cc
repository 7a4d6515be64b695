#include "framework/graph_text/template_rules.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/template_lexer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TemplateRule Rule(int field, const std::string& op, const std::string& path) {
  TemplateRule rule = {.field = field};
  rule.expression.set_op(op);
  rule.expression.set_path(path);
  return rule;
}

// Each rule as `field op@path`, and `+n` for n rules inside of it.
std::vector<std::string> Texts(const TemplateRules& rules) {
  std::vector<std::string> texts;
  for (const auto& [field, expression] : rules) {
    texts.push_back(
        absl::StrCat(field, " ", expression.op(), "@", expression.path()));
    if (expression.nested_rules() > 0) {
      absl::StrAppend(&texts.back(), "+", expression.nested_rules());
    }
  }
  return texts;
}

TEST(TemplateRulesTest, APathNamesValuesByIndex) {
  const TemplateScope scope = {.path = "/1[2]"};
  EXPECT_EQ(scope.PathTo(3, 0, 1), "/1[2]/3[0]");
  EXPECT_EQ(scope.PathTo(3, 4, 2), "/1[2]/3[4:2]");
  EXPECT_EQ(TemplateScope().PathTo(7, 1, 0), "/7[1:0]");
}

TEST(TemplateRulesTest, ARuleIsAroundWhatCameSinceItBegan) {
  TemplateScope scope = {.path = ""};
  scope.counts = {{1, 3}, {2, 1}, {5, 4}};
  const std::map<int, int> before = {{1, 1}, {5, 4}};
  TemplateRules body;
  body.push_back(Rule(1, "x", "/1[2]/2[0]"));
  TemplateRules rules;
  AddRuleWithBody(Rule(0, "for", "").expression, scope, before, body, &rules);
  EXPECT_THAT(Texts(rules),
              ElementsAre("1 for@/1[1:2]+1", "1 x@/1[2]/2[0]", "2 for@/2[0]"));
}

TEST(TemplateRulesTest, ARuleIsThereForRulesWithoutValues) {
  // The value itself is in its own rule, and not in the config.
  TemplateRules body;
  body.push_back(Rule(4, "if", "/4[0:0]"));
  TemplateRules rules;
  AddRuleWithBody(Rule(0, "if", "").expression, TemplateScope(), {}, body,
                  &rules);
  EXPECT_THAT(Texts(rules), ElementsAre("4 if@/4[0:0]+1", "4 if@/4[0:0]"));
}

TEST(TemplateRulesTest, ParametersStandByThemselves) {
  TemplateRules body;
  body.push_back(Rule(0, "param", ""));
  TemplateRules rules;
  AddRuleWithBody(Rule(0, "for", "").expression, TemplateScope(), {}, body,
                  &rules);
  EXPECT_THAT(Texts(rules), ElementsAre("0 param@"));
}

TEST(TemplateRulesTest, AnEmptyBodyLeavesNothing) {
  TemplateScope scope;
  scope.counts = {{1, 2}};
  TemplateRules rules;
  AddRuleWithBody(Rule(0, "for", "").expression, scope, scope.counts, {},
                  &rules);
  EXPECT_THAT(rules, IsEmpty());
}

TEST(TemplateRulesTest, AValueGoesIntoARuleOfItsOwn) {
  CalculatorGraphConfig::Node node;
  node.set_executor("pool");
  const auto& field = *node.GetDescriptor()->FindFieldByName("executor");
  TemplateToken place;
  place.line = 3;
  place.column = 5;
  TemplateRules own;
  own.push_back(Rule(field.number(), "inner", "p"));
  own.push_back(Rule(0, "param", "q"));
  TemplateRules rules;
  ASSERT_TRUE(
      AddValueRule(field, node, "/1[0]", place, std::move(own), &rules).ok());
  EXPECT_THAT(
      Texts(rules),
      ElementsAre("0 param@q", absl::StrCat(field.number(), " if@/1[0]+1"),
                  absl::StrCat(field.number(), " inner@p")));
  EXPECT_EQ(rules[1].expression.field_value(), "pool");
  EXPECT_EQ(rules[1].expression.line(), 3);
  EXPECT_EQ(rules[1].expression.column(), 5);
}

TEST(TemplateRulesTest, AValueThatIsNotWrittenIsZero) {
  const CalculatorGraphConfig::Node node;
  const auto& field = *node.GetDescriptor()->FindFieldByName("max_in_flight");
  TemplateRules rules;
  ASSERT_TRUE(AddValueRule(field, node, "", TemplateToken(), {}, &rules).ok());
  EXPECT_EQ(rules[0].expression.field_value(), std::string(1, '\0'));
}

}  // namespace
}  // namespace syncline
