#include "framework/graph_text/option_path.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/switch_container.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// `type|field[index]|...`, without the index where there is none.
std::string Parsed(absl::string_view text) {
  const absl::StatusOr<OptionPath> path = ParseOptionPath(text);
  if (!path.ok()) return std::string(path.status().message());
  std::string parsed = path->type;
  for (const OptionPath::Step& step : path->steps) {
    absl::StrAppend(&parsed, "|", step.field);
    if (step.index >= 0) absl::StrAppend(&parsed, "[", step.index, "]");
  }
  return parsed;
}

TEST(OptionPathTest, FieldsAreSeparatedBySlashes) {
  EXPECT_EQ(Parsed("a"), "|a");
  EXPECT_EQ(Parsed("a/b/c"), "|a|b|c");
}

TEST(OptionPathTest, AWordForOptionsMayStandInFront) {
  EXPECT_EQ(Parsed("options"), "");
  EXPECT_EQ(Parsed("OPTIONS/a"), "|a");
  EXPECT_EQ(Parsed("node_options/a"), "|a");
  EXPECT_EQ(Parsed("graph_options/a"), "|a");
  EXPECT_EQ(Parsed("a/options"), "|a|options");
}

TEST(OptionPathTest, AnIndexIsInBracketsOrAPartOfItsOwn) {
  EXPECT_EQ(Parsed("a[2]/b"), "|a[2]|b");
  EXPECT_EQ(Parsed("a/2/b"), "|a[2]|b");
  EXPECT_EQ(Parsed("a[1]/2"), "|a[1]|2");
  EXPECT_THAT(Parsed("a[-1]"), HasSubstr("where an index such as [0] belongs"));
  EXPECT_THAT(Parsed("a[x]"), HasSubstr("\"[x]\" where an index"));
  EXPECT_THAT(Parsed("a[1"), HasSubstr("where an index"));
}

TEST(OptionPathTest, AnOptionsTypeMayComeFirst) {
  EXPECT_EQ(Parsed("options/Ext::mediapipe::SwitchContainerOptions/select"),
            "syncline.SwitchContainerOptions|select");
  EXPECT_EQ(Parsed("[mediapipe.SwitchContainerOptions.ext]/select"),
            "syncline.SwitchContainerOptions|select");
  EXPECT_EQ(Parsed("Ext::::my.Type"), "my.Type");
}

TEST(OptionPathTest, OtherPathsAreRefused) {
  EXPECT_THAT(Parsed("a//b"), HasSubstr("has an empty part"));
  EXPECT_THAT(Parsed(""), HasSubstr("has an empty part"));
  std::string many = "a";
  for (int i = 0; i < 64; ++i) many += "/a";
  EXPECT_THAT(Parsed(many), HasSubstr("has too many parts"));
}

TEST(OptionPathTest, AnOptionValueHasTwoSides) {
  const absl::StatusOr<OptionSides> sides =
      SplitOptionValue("a/b:options/Ext::x.Y/c");
  ASSERT_TRUE(sides.ok());
  EXPECT_EQ(sides->node, "a/b");
  EXPECT_EQ(sides->graph, "options/Ext::x.Y/c");
  for (const char* const text : {"", "a", ":a", "a:", "a:b:c", "a::b"}) {
    EXPECT_FALSE(SplitOptionValue(text).ok()) << text;
  }
  const absl::StatusOr<OptionValue> value = ParseOptionValue("n:g[1]");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->node.steps[0].field, "n");
  EXPECT_EQ(value->graph.steps[0].index, 1);
  EXPECT_FALSE(ParseOptionValue("n:g[x]").ok());
}

std::string Resolved(absl::string_view text) {
  const absl::StatusOr<FieldSteps> steps = ResolveOptionPath(
      ParseOptionPath(text).value(), *SwitchContainerOptions::descriptor());
  if (!steps.ok()) return std::string(steps.status().message());
  std::string resolved;
  for (const FieldStep& step : *steps) {
    absl::StrAppend(&resolved, step.field->name(), "@", step.index, " ");
  }
  return resolved;
}

TEST(OptionPathTest, FieldsAreFound) {
  EXPECT_EQ(Resolved("select"), "select@-1 ");
  EXPECT_EQ(Resolved("contained_node[1]/name"), "contained_node@1 name@-1 ");
  EXPECT_EQ(Resolved("contained_node"), "contained_node@-1 ");
}

TEST(OptionPathTest, AFieldThatIsNotThereHasNearNames) {
  EXPECT_THAT(Resolved("selekt"),
              HasSubstr("message \"syncline.SwitchContainerOptions\" has no "
                        "field \"selekt\". Did you mean \"select\"?"));
}

TEST(OptionPathTest, IndexesBelongToRepeatedFields) {
  EXPECT_THAT(Resolved("select[0]"), HasSubstr("takes no index"));
  EXPECT_THAT(Resolved("contained_node/name"),
              HasSubstr("needs an index here, such as \"contained_node[0]\""));
  EXPECT_THAT(Resolved("select/x"), HasSubstr("has no field \"x\" inside"));
}

TEST(OptionPathTest, AFieldInWords) {
  const auto* const type = SwitchContainerOptions::descriptor();
  EXPECT_EQ(OptionFieldText(*type->FindFieldByName("contained_node")),
            "field \"syncline.SwitchContainerOptions.contained_node\" "
            "(repeated syncline.CalculatorGraphConfig.Node)");
  EXPECT_THAT(OptionFieldText(*type->FindFieldByName("enable")),
              HasSubstr("(bool)"));
  EXPECT_EQ(FindOptionField(*type, "none"), nullptr);
  EXPECT_EQ(FindOptionField(*type, "[a.B]"), nullptr);
}

}  // namespace
}  // namespace syncline
