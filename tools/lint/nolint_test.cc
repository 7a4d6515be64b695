#include "tools/lint/nolint.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_finding.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Findings of these rules about the node of `line`, in g.pbtxt, after the
// comments of `text`: "RULE LOCATION", and for comments "PROBLEM LOCATION".
std::vector<std::string> LeftOf(absl::string_view text,
                                const std::vector<std::string>& locations,
                                const std::string& rule = "unsettled-join") {
  std::vector<LintFinding> findings;
  for (const std::string& location : locations) {
    findings.push_back({.rule = rule, .location = location});
  }
  std::vector<std::string> left;
  for (const LintFinding& finding : ApplyNolint(findings, text, "g.pbtxt")) {
    left.push_back(
        absl::StrCat(finding.problem.empty() ? finding.rule : finding.problem,
                     " ", finding.location));
  }
  return left;
}

TEST(NolintTest, FindingsStayWithoutAComment) {
  EXPECT_THAT(LeftOf("node {\n}\n", {"g.pbtxt:1", ""}),
              ElementsAre("unsettled-join g.pbtxt:1", "unsettled-join "));
}

TEST(NolintTest, ACommentInsideANodeSilencesIt) {
  for (const char* text :
       {"node { # NOLINT(unsettled-join)\n}", "node {\n # NOLINT\n}",
        "node {\n a { # NOLINT(unsettled-join)\n }\n}",
        "node {\n} # NOLINT: known", "node { }  # as said: NOLINT",
        "node {\n # NOLINT(unread-output, unsettled-join,unused-nolint)\n}"}) {
    EXPECT_THAT(LeftOf(text, {"g.pbtxt:1"}), IsEmpty()) << text;
  }
}

TEST(NolintTest, ACommentIsForItsNodeOnly) {
  EXPECT_THAT(
      LeftOf("node {\n}\nnode { # NOLINT\n}\nnode {\n}",
             {"g.pbtxt:1", "g.pbtxt:3", "g.pbtxt:5"}),
      ElementsAre("unsettled-join g.pbtxt:1", "unsettled-join g.pbtxt:5"));
}

TEST(NolintTest, TheNextLineIsTheNextLine) {
  EXPECT_THAT(
      LeftOf("# NOLINTNEXTLINE(unsettled-join)\nnode {\n}", {"g.pbtxt:2"}),
      IsEmpty());
  EXPECT_THAT(LeftOf("# NOLINTNEXTLINE\nnode { }", {"g.pbtxt:2"}), IsEmpty());
  EXPECT_THAT(LeftOf("# NOLINTNEXTLINE\n\nnode { }", {"g.pbtxt:3"}),
              ElementsAre("unsettled-join g.pbtxt:3",
                          "NOLINTNEXTLINE silences nothing here g.pbtxt:1"));
}

TEST(NolintTest, AFileIsSilencedByRule) {
  EXPECT_THAT(LeftOf("node { }\nnode { }\n# NOLINTFILE(unsettled-join)",
                     {"g.pbtxt:1", "g.pbtxt:2"}),
              IsEmpty());
  EXPECT_THAT(LeftOf("# NOLINTFILE\nnode { }", {"g.pbtxt:2"}),
              ElementsAre("unsettled-join g.pbtxt:2",
                          "NOLINTFILE names no rule g.pbtxt:1"));
}

TEST(NolintTest, AnotherRuleIsNotMeant) {
  EXPECT_THAT(
      LeftOf("node { # NOLINT(unread-output)\n}", {"g.pbtxt:1"}),
      ElementsAre("unsettled-join g.pbtxt:1",
                  "NOLINT(unread-output) silences nothing here g.pbtxt:1"));
}

TEST(NolintTest, OfSeveralRulesEachHasToBeOfUse) {
  EXPECT_THAT(
      LeftOf("node { # NOLINT(unread-output, unsettled-join)\n}",
             {"g.pbtxt:1"}),
      ElementsAre("NOLINT(unread-output) silences nothing here g.pbtxt:1"));
}

TEST(NolintTest, ARuleThatThereIsNotIsFound) {
  const std::vector<LintFinding> found =
      ApplyNolint({}, "\n# NOLINT(unsetled-join)", "g.pbtxt");
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].rule, "unused-nolint");
  EXPECT_EQ(found[0].location, "g.pbtxt:2");
  EXPECT_EQ(found[0].problem,
            "NOLINT names the rule \"unsetled-join\", which is none");
  EXPECT_THAT(found[0].remedy, HasSubstr("Did you mean \"unsettled-join\""));
}

TEST(NolintTest, FindingsAboutCommentsCanBeSilenced) {
  EXPECT_THAT(LeftOf("# NOLINTFILE(unused-nolint)\nnode { # NOLINT\n}", {}),
              IsEmpty());
  EXPECT_THAT(LeftOf("node { # NOLINT(unread-output, unused-nolint)\n}", {}),
              IsEmpty());
}

TEST(NolintTest, AWordThatOnlyBeginsOrEndsLikeItIsNone) {
  EXPECT_THAT(LeftOf("# NOLINTER xNOLINT NO LINT nolint\nnode { }", {}),
              IsEmpty());
}

TEST(NolintTest, AnEmptyListSilencesAll) {
  EXPECT_THAT(LeftOf("node { # NOLINT()\n}", {"g.pbtxt:1"}), IsEmpty());
  EXPECT_THAT(LeftOf("node { # NOLINT(unsettled-join\n}", {"g.pbtxt:1"}),
              IsEmpty());
}

TEST(NolintTest, ANodeInASubgraphBelongsToTheSubgraphsNode) {
  const std::string inside =
      "sub.pbtxt:7 (in subgraph \"a\" (A) at mid.pbtxt:1, in subgraph \"b\" "
      "(B) at g.pbtxt:2)";
  EXPECT_THAT(LeftOf("\nnode { # NOLINT\n}", {inside}), IsEmpty());
  EXPECT_THAT(LeftOf("node { } # NOLINT", {inside}),
              ElementsAre("unsettled-join " + inside,
                          "NOLINT silences nothing here g.pbtxt:1"));
}

TEST(NolintTest, APlaceMayHaveAColumn) {
  EXPECT_THAT(LeftOf("node { } # NOLINT", {"g.pbtxt:1:3"}), IsEmpty());
}

TEST(NolintTest, PlacesInOtherFilesAreNotSilenced) {
  EXPECT_THAT(
      LeftOf("node { } # NOLINT(unsettled-join)",
             {"other.pbtxt:1", "g.pbtxt:x", "g.pbtxt"}),
      ElementsAre("unsettled-join other.pbtxt:1", "unsettled-join g.pbtxt:x",
                  "unsettled-join g.pbtxt",
                  "NOLINT(unsettled-join) silences nothing here g.pbtxt:1"));
}

}  // namespace
}  // namespace syncline
