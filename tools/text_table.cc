#include "tools/text_table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace syncline {
namespace {

constexpr std::size_t kPageWidth = 100;
// Where columns leave less room, lines are longer than the page.
constexpr std::size_t kMinTextWidth = 30;

// `text` in lines of at most `width` letters, but for longer words.
std::vector<std::string> Lines(absl::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \n\t"), absl::SkipEmpty())) {
    if (!lines.back().empty() &&
        lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back();
    }
    absl::StrAppend(&lines.back(), lines.back().empty() ? "" : " ", word);
  }
  return lines;
}

}  // namespace

std::string TextTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      absl::StrAppend(&line, row[i],
                      std::string(widths[i] - row[i].size() + 2, ' '));
    }
    const std::size_t indent = line.size();
    const std::size_t width = indent + kMinTextWidth > kPageWidth
                                  ? kMinTextWidth
                                  : kPageWidth - indent;
    for (const std::string& part :
         Lines(row.empty() ? "" : row.back(), width)) {
      absl::StrAppend(&line, part);
      absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
      line = std::string(indent, ' ');
    }
  }
  return text;
}

}  // namespace syncline
