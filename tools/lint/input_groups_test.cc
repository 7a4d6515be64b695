#include "tools/lint/input_groups.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

GraphPlan ThreeInputs(const std::string& handler,
                      const std::string& options = "") {
  return LintPlanOf(absl::StrCat(R"(
    input_stream: "a" input_stream: "b" input_stream: "c"
    node { name: "n" calculator: "PromisingNode" input_stream: "A:a"
           input_stream: "B:b" input_stream: "C:c"
           input_stream_handler { input_stream_handler: ")",
                                 handler, "\" ", options, "} }"));
}

InputGroups SettledBy(const std::string& handler,
                      const std::string& options = "") {
  return SettledTogether(LintNode(ThreeInputs(handler, options), "n"));
}

InputGroups FirstCallOf(const std::string& handler) {
  return NeededForFirstCall(LintNode(ThreeInputs(handler), "n"));
}

std::vector<int> PortsOfGroup(std::vector<int> ports) { return ports; }

TEST(InputGroupsTest, TheDefaultHandlerNeedsAllInputs) {
  EXPECT_THAT(SettledBy("DefaultInputStreamHandler"),
              ElementsAre(PortsOfGroup({0, 1, 2})));
  EXPECT_THAT(FirstCallOf("DefaultInputStreamHandler"),
              ElementsAre(PortsOfGroup({0, 1, 2})));
}

TEST(InputGroupsTest, SyncSetsAreApart) {
  EXPECT_THAT(
      SettledBy("SyncSetInputStreamHandler",
                "options { [syncline.SyncSetInputStreamHandlerOptions.ext] { "
                "sync_set { tag_index: \"B\" } } } "),
      ElementsAre(PortsOfGroup({1}), PortsOfGroup({0, 2})));
}

TEST(InputGroupsTest, TheImmediateHandlerWaitsForNobody) {
  EXPECT_THAT(
      SettledBy("ImmediateInputStreamHandler"),
      ElementsAre(PortsOfGroup({0}), PortsOfGroup({1}), PortsOfGroup({2})));
}

TEST(InputGroupsTest, ABarrierNeedsAllInputsForItsFirstCallOnly) {
  EXPECT_THAT(FirstCallOf("BarrierInputStreamHandler"),
              ElementsAre(PortsOfGroup({0, 1, 2})));
  EXPECT_EQ(SettledBy("BarrierInputStreamHandler").size(), 3);
}

TEST(InputGroupsTest, LatestHasAMainInput) {
  const GraphPlan plan =
      ThreeInputs("LatestInputStreamHandler",
                  "options { [syncline.LatestInputStreamHandlerOptions.ext] { "
                  "main_tag_index: \"C\" } } ");
  EXPECT_EQ(MainInput(LintNode(plan, "n")), 2);
  EXPECT_EQ(MainInput(LintNode(ThreeInputs("DefaultInputStreamHandler"), "n")),
            -1);
}

TEST(InputGroupsTest, ANodeWithoutInputsHasNoGroups) {
  const GraphPlan plan = LintPlanOf(
      "node { name: \"n\" calculator: \"TestSource\" output_stream: \"a\" }");
  EXPECT_THAT(SettledTogether(LintNode(plan, "n")), IsEmpty());
}

TEST(InputGroupsTest, TheTypeIsWithoutItsPackage) {
  const GraphPlan plan = LintPlanOf(R"(input_stream: "a"
    node { name: "n" calculator: "mediapipe.PassThroughCalculator"
           input_stream: "a" output_stream: "b" })");
  EXPECT_EQ(PlainType(LintNode(plan, "n")), "PassThroughCalculator");
}

}  // namespace
}  // namespace syncline
