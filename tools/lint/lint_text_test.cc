#include "tools/lint/lint_text.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string WrittenGraph(const std::string& name, const std::string& text) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/", name);
  std::ofstream(path) << text;
  return path;
}

absl::StatusOr<std::vector<LintFinding>> LintFile(const std::string& path) {
  absl::StatusOr<GraphSource> source = ReadGraphFile(path);
  if (!source.ok()) return source.status();
  const absl::StatusOr<GraphPlan> plan = Compile(*source);
  if (!plan.ok()) return plan.status();
  return LintGraphFile(*plan, *source, path);
}

constexpr char kUnread[] =
    "node { calculator: \"TestSource\" output_stream: \"out\" }";

TEST(LintTextTest, AFindingIsTwoLines) {
  EXPECT_EQ(FindingsText({{.rule = "a-rule",
                           .location = "g.pbtxt:3",
                           .problem = "\"x\" stands still",
                           .remedy = "Let it go on."}}),
            "g.pbtxt:3: warning: \"x\" stands still [a-rule]\n"
            "  remedy: Let it go on.\n");
}

TEST(LintTextTest, TheChainOfSubgraphsEndsTheSentence) {
  EXPECT_THAT(
      FindingsText({{.rule = "a-rule",
                     .location = "s.pbtxt:3 (in subgraph \"s\" (S) at g:1)",
                     .problem = "\"x\" stands still"}}),
      HasSubstr("s.pbtxt:3: warning: \"x\" stands still (in subgraph \"s\" (S) "
                "at g:1) [a-rule]\n"));
}

TEST(LintTextTest, AnUnknownPlaceIsLeftOut) {
  EXPECT_THAT(FindingsText({{.rule = "a-rule", .problem = "it is so"}}),
              HasSubstr("warning: it is so [a-rule]\n"));
}

TEST(LintTextTest, NothingIsACommandToATerminal) {
  const std::string text = FindingsText({{.rule = "a-rule",
                                          .location = "g\033[1m:3",
                                          .problem = "\033[2J\n",
                                          .remedy = "\007"}});
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(text.find('\007'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(LintTextTest, CommentsAreReadFromTheFile) {
  const auto found = LintFile(WrittenGraph("unread.pbtxt", kUnread));
  SYNCLINE_ASSERT_OK(found.status());
  EXPECT_THAT(*found, SizeIs(1));
  const auto silenced = LintFile(WrittenGraph(
      "silenced.pbtxt", absl::StrCat(kUnread, "  # NOLINT(unread-output)\n")));
  SYNCLINE_ASSERT_OK(silenced.status());
  EXPECT_THAT(*silenced, IsEmpty());
}

TEST(LintTextTest, ABinaryGraphHasNoCommentsAndNoLines) {
  const auto source = ReadGraphText(kUnread);
  SYNCLINE_ASSERT_OK(source.status());
  const std::string path =
      WrittenGraph("unread.binarypb", source->config.SerializeAsString());
  const auto found = LintFile(path);
  SYNCLINE_ASSERT_OK(found.status());
  ASSERT_THAT(*found, SizeIs(1));
  EXPECT_EQ((*found)[0].location, path);
}

TEST(LintTextTest, AFileThatIsGoneIsAnError) {
  const auto source = ReadGraphText(kUnread, "gone.pbtxt");
  SYNCLINE_ASSERT_OK(source.status());
  const auto plan = Compile(*source);
  SYNCLINE_ASSERT_OK(plan.status());
  const absl::Status error =
      LintGraphFile(*plan, *source, "/nowhere/gone.pbtxt").status();
  EXPECT_TRUE(absl::IsUnavailable(error)) << error;
  EXPECT_THAT(error.message(), HasSubstr("/nowhere/gone.pbtxt"));
}

TEST(LintTextTest, TheHelpHasEachRule) {
  EXPECT_THAT(LintRulesHelp(),
              HasSubstr("    unsettled-join           a join with an input"));
}

}  // namespace
}  // namespace syncline
