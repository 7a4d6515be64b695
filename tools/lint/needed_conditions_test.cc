#include "tools/lint/needed_conditions.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"

namespace syncline {
namespace {

constexpr char kWaitsForTwo[] =
    "condition { name: \"two\" type: \"MessageAvailableCondition\" options { "
    "[syncline.MessageAvailableConditionOptions.ext] { min_size: 2 } } } ";
constexpr char kCounts[] =
    "condition { name: \"count\" type: \"CountCondition\" } ";

GraphPlan PlanWithConditions(const std::string& fields) {
  return LintPlanOf(absl::StrCat(
      "input_stream: \"a\" node { name: \"n\" calculator: \"PromisingNode\" "
      "input_stream: \"a\" ",
      fields, " }"));
}

// The condition of which everything is said, if that keeps the node from calls.
std::string NamedNever(const std::string& fields, const std::string& never) {
  const GraphPlan plan = PlanWithConditions(fields);
  const NeededConditions conditions(plan, LintNode(plan, "n"));
  const auto found = conditions.FindNeverMet(
      [&](const PlanCondition& condition,
          const ConditionBase&) -> absl::optional<NeededConditions::NeverMet> {
        if (never != "all" && condition.name != never) return absl::nullopt;
        return NeededConditions::NeverMet{condition.name, ""};
      });
  return found.has_value() ? found->reason : "";
}

TEST(NeededConditionsTest, ANodeWithoutConditionsNeedsNone) {
  const GraphPlan plan = PlanWithConditions("");
  EXPECT_TRUE(NeededConditions(plan, LintNode(plan, "n")).needs().empty());
  EXPECT_EQ(NamedNever("", "all"), "");
}

TEST(NeededConditionsTest, PacketsOfAConditionAreNeeded) {
  const GraphPlan plan =
      PlanWithConditions(absl::StrCat(kWaitsForTwo, kCounts));
  const NeededConditions conditions(plan, LintNode(plan, "n"));
  ASSERT_EQ(conditions.needs().size(), 1);
  EXPECT_EQ(conditions.needs()[0].packets.min_packets, 2);
  EXPECT_EQ(conditions.needs()[0].condition->name, "two");
}

TEST(NeededConditionsTest, PacketsOfOneOfSeveralAreNot) {
  const GraphPlan plan =
      PlanWithConditions(absl::StrCat("any_of { ", kWaitsForTwo, kCounts, "}"));
  EXPECT_TRUE(NeededConditions(plan, LintNode(plan, "n")).needs().empty());
}

TEST(NeededConditionsTest, OneOfOneIsNeeded) {
  const GraphPlan plan =
      PlanWithConditions(absl::StrCat("any_of { ", kWaitsForTwo, "}"));
  EXPECT_EQ(NeededConditions(plan, LintNode(plan, "n")).needs().size(), 1);
}

TEST(NeededConditionsTest, OneOfAllKeepsTheNodeFromCalls) {
  const std::string all = absl::StrCat(kWaitsForTwo, kCounts);
  EXPECT_EQ(NamedNever(all, "two"), "two");
  EXPECT_EQ(NamedNever(all, "count"), "count");
  EXPECT_EQ(NamedNever(all, "other"), "");
}

TEST(NeededConditionsTest, OfAnyOfAllHaveToBeNever) {
  const std::string any = absl::StrCat("any_of { ", kWaitsForTwo, kCounts, "}");
  EXPECT_EQ(NamedNever(any, "two"), "");
  EXPECT_EQ(NamedNever(any, "all"), "two");
  const std::string nested =
      absl::StrCat("any_of { ", kWaitsForTwo, "all_of { ", kCounts, "} }");
  EXPECT_EQ(NamedNever(nested, "count"), "");
  EXPECT_EQ(NamedNever(nested, "all"), "two");
}

TEST(NeededConditionsTest, EachNodeHasItsOwn) {
  const GraphPlan plan = LintPlanOf(
      absl::StrCat("input_stream: \"a\" node { calculator: \"PromisingNode\" "
                   "input_stream: \"a\" } node { calculator: \"PromisingNode\" "
                   "input_stream: \"a\" ",
                   kWaitsForTwo, "}"));
  const auto all = FindNeededConditions(plan);
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].needs().size(), 0);
  EXPECT_EQ(all[1].needs().size(), 1);
}

}  // namespace
}  // namespace syncline
