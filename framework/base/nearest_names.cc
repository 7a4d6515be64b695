#include "framework/base/nearest_names.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

// Of a longer name only the end is compared: packages stand at the front.
constexpr std::size_t kComparedLetters = 64;
// No two names further apart than this are near.
constexpr int kFar = 8;

std::string Comparable(absl::string_view name) {
  if (name.size() > kComparedLetters) {
    name.remove_prefix(name.size() - kComparedLetters);
  }
  return absl::AsciiStrToLower(name);
}

absl::string_view LastPart(absl::string_view name) {
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0
}

// How many letters have to be inserted, deleted, replaced or swapped with their
// neighbour to turn `a` into `b`; at most kFar.
int EditDistance(absl::string_view a, absl::string_view b) {
  const int length_difference =
      std::abs(static_cast<int>(a.size()) - static_cast<int>(b.size()));
  if (length_difference >= kFar) return kFar;
  // Rows of the usual table: for the current prefix of `a` and the two before.
  std::array<int, kComparedLetters + 1> rows[3];
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_above[j - 2] + 1);
      }
    }
  }
  return std::min(kFar, rows[a.size() % 3][b.size()]);
}

// A third of the letters may be wrong, up to a limit.
int Tolerance(absl::string_view name) {
  return std::min(kFar - 1, static_cast<int>(name.size()) / 3);
}

// `"a", "b" or "c"`, where `last` is ` or `.
std::string QuotedList(absl::Span<const std::string> names,
                       absl::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) absl::StrAppend(&text, i + 1 == names.size() ? last : ", ");
    absl::StrAppend(&text, "\"", names[i], "\"");
  }
  return text;
}

// kFar when the names do not resemble each other.
int Distance(absl::string_view name, absl::string_view candidate) {
  int distance = EditDistance(name, candidate);
  if (distance > Tolerance(name)) distance = kFar;
  const absl::string_view name_part = LastPart(name);
  const absl::string_view candidate_part = LastPart(candidate);
  if (name_part.size() != name.size() ||
      candidate_part.size() != candidate.size()) {
    const int of_parts = EditDistance(name_part, candidate_part);
    if (of_parts <= Tolerance(name_part)) {
      distance = std::min(distance, of_parts + 1);
    }
  }
  constexpr std::size_t kShortestStart = 4;
  if (name_part.size() >= kShortestStart &&
      absl::StartsWith(candidate_part, name_part)) {
    distance = std::min(distance, 2);
  }
  return distance;
}

}  // namespace

std::vector<std::string> NearestNames(absl::string_view name,
                                      absl::Span<const std::string> candidates,
                                      std::size_t max) {
  const std::string wanted = Comparable(name);
  std::vector<std::pair<int, absl::string_view>> near;
  for (const std::string& candidate : candidates) {
    const int distance = Distance(wanted, Comparable(candidate));
    if (distance < kFar) near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  near.resize(std::min(max, near.size()));
  std::vector<std::string> result;
  for (const auto& [distance, found] : near) result.emplace_back(found);
  return result;
}

std::string DidYouMeanText(absl::Span<const std::string> names) {
  if (names.empty()) return "";
  return absl::StrCat(" Did you mean ", QuotedList(names, " or "), "?");
}

std::string KnownNamesText(absl::Span<const std::string> names) {
  constexpr std::size_t kMaxListed = 12;
  if (names.empty()) return "";
  if (names.size() == 1) {
    return absl::StrCat(" The only one is ", QuotedList(names, ""), ".");
  }
  if (names.size() <= kMaxListed) {
    return absl::StrCat(" Known are ", QuotedList(names, " and "), ".");
  }
  return absl::StrCat(" Known are ",
                      QuotedList(names.subspan(0, kMaxListed), ", "), " and ",
                      names.size() - kMaxListed, " more.");
}

std::string DidYouMeanOrKnownText(absl::string_view name,
                                  absl::Span<const std::string> candidates) {
  constexpr std::size_t kMaxSuggested = 3;
  const std::string near =
      DidYouMeanText(NearestNames(name, candidates, kMaxSuggested));
  return near.empty() ? KnownNamesText(candidates) : near;
}

}  // namespace syncline
