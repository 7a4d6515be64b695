#include "tools/lint/lint_text.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/exit_status.h"
#include "tools/lint/lint_graph.h"
#include "tools/lint/nolint.h"

namespace syncline {

std::string FindingsText(absl::Span<const LintFinding> findings) {
  std::string text;
  for (const LintFinding& finding : findings) {
    // The chain of subgraphs ends the sentence, as it does in errors.
    const std::size_t chain = finding.location.find("(in subgraph ");
    absl::string_view place =
        absl::string_view(finding.location).substr(0, chain);
    place = absl::StripTrailingAsciiWhitespace(place);
    absl::StrAppend(
        &text, ShownName(place), place.empty() ? "" : ": ",
        "warning: ", ShownName(finding.problem),
        chain == std::string::npos
            ? ""
            : absl::StrCat(" ", ShownName(finding.location.substr(chain))),
        " [", finding.rule, "]\n  remedy: ", ShownName(finding.remedy), "\n");
  }
  return text;
}

absl::StatusOr<std::vector<LintFinding>> LintGraphFile(
    const GraphPlan& plan, const GraphSource& source, const std::string& path) {
  std::vector<LintFinding> findings = LintGraph(plan);
  if (source.positions == nullptr) {
    for (LintFinding& finding : findings) {
      finding.location = absl::StrCat(path, finding.location.empty() ? "" : " ",
                                      finding.location);
    }
    return findings;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)),
                         std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) {
    return absl::UnavailableError(absl::StrCat(
        path,
        ": the graph was read once, and its comments cannot be read "
        "again. See whether the file is still there."));
  }
  return ApplyNolint(std::move(findings), text, path);
}

std::string LintRulesHelp() {
  std::string text;
  for (const LintRule& rule : LintRules()) {
    absl::StrAppendFormat(&text, "    %-25s%s\n", rule.name, rule.finds);
  }
  return text;
}

}  // namespace syncline
