// Findings stand at their nodes.

#include "tools/lint_remarks.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/model/graph_picture.h"
#include "tools/lint/lint_finding.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(LintRemarksTest, AFindingIsAtItsNode) {
  GraphPicture picture;
  picture.nodes.resize(2);
  const std::vector<LintFinding> findings = {
      {.rule = "unread-output",
       .problem = "nobody reads \"x\"",
       .remedy = "Read it.",
       .node = 1},
      {.rule = "unused-nolint", .problem = "it silences nothing"}};
  AddFindings(findings, &picture);
  EXPECT_THAT(picture.nodes[0].remarks, IsEmpty());
  ASSERT_THAT(picture.nodes[1].remarks, SizeIs(1));
  EXPECT_EQ(picture.nodes[1].remarks[0].kind, PictureRemark::Kind::kLint);
  EXPECT_EQ(picture.nodes[1].remarks[0].text,
            "unread-output: nobody reads \"x\"\nRead it.");
  EXPECT_THAT(picture.remarks, SizeIs(1));
}

}  // namespace
}  // namespace syncline
