// Graph templates from text: the rules that come out, and what is wrong with
// text that is none, with its place.

#include "framework/graph_text/template_text.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CalculatorGraphTemplate Read(const std::string& text) {
  absl::StatusOr<CalculatorGraphTemplate> result = ReadTemplateText(text);
  EXPECT_TRUE(result.ok()) << result.status() << "\n" << text;
  return result.ok() ? *result : CalculatorGraphTemplate();
}

// `op@path` of each rule; the name of a parameter instead of an op.
std::vector<std::string> Rules(const std::string& text) {
  const CalculatorGraphTemplate read = Read(text);
  std::vector<std::string> rules;
  for (const TemplateExpression& rule : read.rule()) {
    rules.push_back(absl::StrCat(rule.has_op() ? rule.op() : rule.param(), "@",
                                 rule.path()));
    if (rule.has_nested_rules() && rule.nested_rules() > 0) {
      absl::StrAppend(&rules.back(), "+", rule.nested_rules());
    }
  }
  return rules;
}

TEST(TemplateTextTest, RulesAreFoundOutsideOfStringsAndComments) {
  EXPECT_TRUE(HasTemplateRules("num_threads: % n %"));
  EXPECT_FALSE(HasTemplateRules("# 100% \ntype: \"50%\" package: '%\"'"));
  EXPECT_FALSE(HasTemplateRules("type: \"a\\\"%\""));
}

TEST(TemplateTextTest, AValueGetsAPathAndThePlaceInTheText) {
  const CalculatorGraphTemplate read = Read(
      "num_threads: %n%\n"
      "node { name: \"a\" }\n"
      "node { input_stream: \"x\"  input_stream: % \"T:\" + n % }");
  ASSERT_EQ(read.rule_size(), 2);
  EXPECT_EQ(read.rule(0).path(), "/8[0]");
  EXPECT_EQ(read.rule(0).field_type(), FieldDescriptorProto::TYPE_INT32);
  EXPECT_EQ(read.rule(1).path(), "/1[1]/3[1]");
  EXPECT_EQ(read.rule(1).op(), "+");
  EXPECT_EQ(read.rule(1).line(), 3);
  EXPECT_EQ(read.rule(1).column(), 41);
  // The rest is the config.
  EXPECT_EQ(read.config().node_size(), 2);
  EXPECT_EQ(read.config().node(1).input_stream(0), "x");
}

TEST(TemplateTextTest, RulesReachIntoOptionsOfAllKinds) {
  EXPECT_THAT(Rules(R"(
        node {
          options { [mediapipe.NodeChainSubgraphOptions.ext] { chain_length: %n% } }
          node_options: {
            [type.googleapis.com/mediapipe.NodeChainSubgraphOptions] { node_type: %t% }
          }
        }
        node < input_stream: ["a", %b%] >
      )"),
              ElementsAre("n@/1[0]/7[0]/167210579[0]/2[0]",
                          "t@/1[0]/8[0]/2[0]/1[0]", "b@/1[1]/3[1]"));
}

TEST(TemplateTextTest, ALoopHasItsFieldsAndTheRulesInThem) {
  EXPECT_THAT(Rules(R"(
                node { name: "before" }
                %for (x : xs)%
                  node { name: %x% }
                  node {
                    %if (x)% input_stream: "a" input_stream: "b" %end%
                  }
                  input_stream: "c"
                %end%
                node { name: %last% }
              )"),
              ElementsAre("for@/1[1:2]+2", "x@/1[1]/1[0]", "if@/1[2]/3[0:2]",
                          "for@/10[0]", "last@/1[3]/1[0]"));
}

TEST(TemplateTextTest, WhatAConfigCanHoldOnceIsInItsRule) {
  const CalculatorGraphTemplate read =
      Read("%if (a)% num_threads: 1 %end% %if (!a)% num_threads: %n% %end%");
  EXPECT_EQ(read.config().num_threads(), 0);
  ASSERT_EQ(read.rule_size(), 5);
  EXPECT_EQ(read.rule(0).path(), "/8[0:0]");
  EXPECT_EQ(read.rule(0).nested_rules(), 1);
  EXPECT_EQ(read.rule(1).field_value(), "\x01");
  EXPECT_EQ(read.rule(2).nested_rules(), 2);
  EXPECT_EQ(read.rule(3).field_value(), std::string(1, '\0'));
  EXPECT_EQ(read.rule(4).param(), "n");
}

TEST(TemplateTextTest, ParametersStandByThemselves) {
  EXPECT_THAT(Rules("%param a% %for (x : a)% %param b: 2% node { } %end%"),
              ElementsAre("param@", "param@", "for@/1[0]"));
}

TEST(TemplateTextTest, ErrorsNameThePlace) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"node {\n  name: % %\n}", "t.pbtxt:2:11: expected a value"},
      {"node {\n  name: % a + %\n}", "t.pbtxt:2:15: expected a value"},
      {"type: %a", "t.pbtxt:1:9: expected \"%\" after the expression"},
      {"%end%", "t.pbtxt:1:1: %end% without"},
      {"%if (a)%\nnode { }", "t.pbtxt:1:1: %if% has no %end%"},
      {"%for x : xs% %end%", "t.pbtxt:1:6: expected \"(\" after \"for\""},
      {"%for (x, xs)% %end%", "t.pbtxt:1:8: expected \":\""},
      {"%for (1 : xs)% %end%", "t.pbtxt:1:7: expected a name"},
      {"%if (a) node { } %end%", "t.pbtxt:1:9: expected \"%\""},
      {"%foo%", "t.pbtxt:1:2: expected for, if, param or end"},
      {"type: \"a\" %b%", "t.pbtxt:1:11: to join texts, write % \"a\" + ... %"},
      {"node: %a%",
       "t.pbtxt:1:7: an expression gives no "
       "\"syncline.CalculatorGraphConfig.Node\""},
      {"node { %if (a)% } %end%", "t.pbtxt:1:8: %if% has no %end%"},
      {"%if (a)% node { %end% }", "t.pbtxt:1:17: %end% without"},
      {"node { %a: 1", "expected for, if"},
      {"%if (a)%%end% node {", "t.pbtxt:1:20: \"{\" is not closed"},
      {"type: %a% }", "\"}\" without"},
      {"type: %a% nodes { }",
       "t.pbtxt:1:17: message "
       "\"syncline.CalculatorGraphConfig\" has no field "
       "\"nodes\". Did you mean \"node\"?"},
      {"%if (a)%\n num_threads: \"x\" %end%", "t.pbtxt:2:15: "},
      {"type: %a% type: \"b\"", "t.pbtxt:1:11: field \"type\" takes one value"},
      {"%if (a)% node_options { } %end% node { name: %b% }", "node_options"},
      {"node { node_options { %if (a)% [type.googleapis.com/"
       "syncline.NodeChainSubgraphOptions] { } %end% } }",
       "t.pbtxt:1:32: a rule cannot stand around the type of an Any"},
      {"node { name: } %a%", "t.pbtxt:1:14: expected a value, not \"}\""},
      {"[a", "after the name of a type"},
  };
  for (const auto& c : cases) {
    const absl::Status status = ReadTemplateText(c.text, "t.pbtxt").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.error)) << c.text;
  }
}

TEST(TemplateTextTest, DeepAndLongTextsEnd) {
  std::string deep = "%if (a)%";
  for (int i = 0; i < 100000; ++i) deep += "%if (a)%";
  EXPECT_THAT(std::string(ReadTemplateText(deep).status().message()),
              HasSubstr("nested more than"));
  std::string many = "type: %a%";
  for (int i = 0; i < 200000; ++i) many += "%if (a)%%end%";
  EXPECT_TRUE(ReadTemplateText(many).ok());
  many = "";
  for (int i = 0; i < 150000; ++i) many += "%param a%";
  EXPECT_THAT(std::string(ReadTemplateText(many).status().message()),
              HasSubstr("more than 100000 rules"));
}

}  // namespace
}  // namespace syncline
