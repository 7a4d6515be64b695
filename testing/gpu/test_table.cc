#include "testing/gpu/test_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/text_table.h"

namespace syncline {

void TestTable::Add(absl::string_view file, TestOutcome outcome,
                    absl::string_view reason, double milliseconds) {
  Counts& counts = files_[std::string(file)];
  counts.milliseconds += milliseconds;
  switch (outcome) {
    case TestOutcome::kPassed:
      ++counts.passed;
      return;
    case TestOutcome::kFailed:
      ++counts.failed;
      return;
    case TestOutcome::kSkipped:
      ++counts.skipped;
      ++reasons_[std::string(absl::StripAsciiWhitespace(reason))];
      return;
  }
}

TestTable::Counts TestTable::Sum() const {
  Counts sum;
  for (const auto& [file, counts] : files_) {
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.skipped += counts.skipped;
    sum.milliseconds += counts.milliseconds;
  }
  return sum;
}

int TestTable::passed() const { return Sum().passed; }
int TestTable::failed() const { return Sum().failed; }
int TestTable::skipped() const { return Sum().skipped; }

std::string TestTable::ToText() const {
  std::vector<std::pair<std::string, Counts>> files(files_.begin(),
                                                    files_.end());
  std::stable_partition(files.begin(), files.end(), [](const auto& file) {
    return file.second.failed > 0;
  });
  const Counts sum = Sum();
  files.emplace_back("all", sum);
  std::vector<std::vector<std::string>> rows = {
      {"file", "passed", "failed", "skipped", "seconds"}};
  for (const auto& [file, counts] : files) {
    rows.push_back({file, absl::StrCat(counts.passed),
                    absl::StrCat(counts.failed), absl::StrCat(counts.skipped),
                    absl::StrFormat("%.2f", counts.milliseconds / 1000)});
  }
  std::string text = TextTable(rows);
  for (const auto& [reason, number] : reasons_) {
    absl::StrAppend(&text, number, number == 1 ? " test was" : " tests were",
                    " skipped: ", reason, "\n");
  }
  absl::StrAppend(&text, sum.passed, " passed, ", sum.failed, " failed, ",
                  sum.skipped, " skipped\n");
  return text;
}

}  // namespace syncline
