#include "framework/plan/suggestions.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/plan/node_names.h"

namespace syncline {
namespace {

// Longer names are not compared: nobody mistypes them by hand, and the distance
// costs length x length.
constexpr size_t kMaxLength = 64;
constexpr size_t kMaxCandidates = 10000;
constexpr size_t kMaxShown = 3;

constexpr int kMaxDistance = 4;

// Insertions, deletions, replacements and swaps of neighbours that turn `a`
// into `b`; `limit + 1` when there are more than `limit`. Only the cells within
// `limit` of the diagonal are computed.
int EditDistance(absl::string_view a, absl::string_view b, int limit) {
  const int rows = static_cast<int>(a.size());
  const int columns = static_cast<int>(b.size());
  if (std::abs(rows - columns) > limit) return limit + 1;
  int two_back[kMaxLength + 2];
  int last[kMaxLength + 2];
  int row[kMaxLength + 2];
  for (int j = 0; j <= columns; ++j) last[j] = two_back[j] = j;
  for (int i = 1; i <= rows; ++i) {
    const int from = std::max(1, i - limit);
    const int to = std::min(columns, i + limit);
    row[from - 1] = from == 1 ? i : limit + 1;
    int best = row[from - 1];
    for (int j = from; j <= to; ++j) {
      row[j] = std::min(last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1),
                        row[j - 1] + 1);
      if (j < i + limit) row[j] = std::min(row[j], last[j] + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_back[j - 2] + 1);
      }
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
    std::copy(last + from - 1, last + to + 1, two_back + from - 1);
    std::copy(row + from - 1, row + to + 1, last + from - 1);
  }
  return std::min(last[columns], limit + 1);
}

template <typename Name>
std::string Suggest(absl::string_view name, absl::Span<const Name> candidates) {
  if (name.size() > kMaxLength) return "";
  const int limit =
      std::clamp(static_cast<int>(name.size()) / 3, 1, kMaxDistance);
  std::vector<std::pair<int, absl::string_view>> near;
  for (const Name& candidate :
       candidates.subspan(0, std::min(candidates.size(), kMaxCandidates))) {
    if (candidate.empty() || candidate.size() > kMaxLength) continue;
    const int distance = EditDistance(name, candidate, limit);
    if (distance <= limit) near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  std::vector<std::string> shown;
  for (const auto& [distance, candidate] : near) {
    std::string quoted = Quoted(candidate);
    if (std::find(shown.begin(), shown.end(), quoted) != shown.end()) continue;
    shown.push_back(std::move(quoted));
    if (shown.size() == kMaxShown) break;
  }
  if (shown.empty()) return "";
  return absl::StrCat(" Did you mean ", absl::StrJoin(shown, " or "), "?");
}

}  // namespace

std::string DidYouMean(absl::string_view name,
                       absl::Span<const absl::string_view> candidates) {
  return Suggest(name, candidates);
}

std::string DidYouMean(absl::string_view name,
                       absl::Span<const std::string> candidates) {
  return Suggest(name, candidates);
}

}  // namespace syncline
