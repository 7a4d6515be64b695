#include "tools/lint_remarks.h"

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "pages/model/graph_picture.h"
#include "pages/model/make_picture.h"
#include "tools/lint/lint_finding.h"

namespace syncline {

void AddFindings(absl::Span<const LintFinding> findings,
                 GraphPicture* picture) {
  for (const LintFinding& finding : findings) {
    AddRemark(finding.node,
              {PictureRemark::Kind::kLint,
               absl::StrCat(finding.rule, ": ", finding.problem, "\n",
                            finding.remedy)},
              picture);
  }
}

}  // namespace syncline
