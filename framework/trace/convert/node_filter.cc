#include "framework/trace/convert/node_filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

// The standard library calls itself for each bracket when it reads an
// expression, and for each state when it matches one.
constexpr std::ptrdiff_t kMaxBrackets = 100;
constexpr std::int64_t kMaxStates = 2000;

// The states of the expression with all its repetitions written out, or more.
std::int64_t StatesAtMost(absl::string_view expression) {
  auto states = static_cast<std::int64_t>(expression.size());
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] != '{') continue;
    std::int64_t most = 1;
    std::int64_t count = 0;
    for (++i; i < expression.size() &&
              (absl::ascii_isdigit(expression[i]) || expression[i] == ',');
         ++i) {
      count = expression[i] == ','
                  ? 0
                  : std::min(count * 10 + (expression[i] - '0'), kMaxStates);
      most = std::max(most, count + 1);
    }
    --i;
    states = std::min(states * most, kMaxStates + 1);
  }
  return states;
}

absl::Status Refused(absl::string_view expression, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(
      "calculator_filter \"", expression, "\" ", why,
      "; a filter such as \"detect.*|draw\" matches whole names of nodes"));
}

}  // namespace

absl::StatusOr<NodeFilter> NodeFilter::Make(absl::string_view expression) {
  NodeFilter filter;
  if (expression.empty()) return filter;
  if (StatesAtMost(expression) > kMaxStates) {
    return Refused(expression.substr(0, 100), "is too large");
  }
  if (std::count(expression.begin(), expression.end(), '(') > kMaxBrackets) {
    return Refused(expression.substr(0, 100), "has more than 100 brackets");
  }
  if (expression.find("(?=") != expression.npos ||
      expression.find("(?!") != expression.npos) {
    return Refused(expression, "looks ahead, which RE2 does not know either");
  }
  try {
    // The matcher that goes over the name once, and knows no references back.
    filter.regex_.emplace(std::string(expression),
                          std::regex::ECMAScript | std::regex::nosubs |
                              std::regex_constants::__polynomial);
  } catch (const std::regex_error& error) {
    return Refused(expression,
                   absl::StrCat("is no regular expression: ", error.what()));
  }
  return filter;
}

bool NodeFilter::Matches(absl::string_view name) const {
  return !regex_.has_value() ||
         std::regex_match(name.begin(), name.end(), *regex_);
}

}  // namespace syncline
