#include "calculators/core/split_ranges.h"

#include <algorithm>
#include <vector>

namespace syncline {
namespace {

absl::Status CheckRange(const Range& range, bool element_only) {
  const auto text = [&range] {
    return absl::StrCat("the range of begin ", range.begin(), " and end ",
                        range.end());
  };
  if (range.begin() < 0 || range.end() <= range.begin()) {
    return absl::InvalidArgumentError(absl::StrCat(
        text(),
        " is empty or negative; begin counts from 0, and end is the "
        "index after the last element"));
  }
  if (element_only && range.end() != range.begin() + 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        text(),
        " has more than one element; with element_only each range has "
        "one, so end is begin + 1"));
  }
  return absl::OkStatus();
}

absl::Status CheckNoOverlap(std::vector<SplitRanges::Part> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].begin >= parts[i - 1].end) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the ranges from ", parts[i - 1].begin, " to ", parts[i - 1].end,
        " and from ", parts[i].begin, " to ", parts[i].end,
        " overlap; elements that are moved, or combined in one output, are in "
        "one range only"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SplitRanges> SplitRanges::Create(
    const SplitVectorCalculatorOptions& options, int num_outputs,
    bool moves_elements) {
  SplitRanges result;
  result.combine = options.combine_outputs();
  result.element_only = options.element_only() && !result.combine;
  const int outputs_needed = result.combine ? 1 : options.ranges_size();
  if (options.ranges_size() == 0 || num_outputs != outputs_needed) {
    return absl::InvalidArgumentError(
        absl::StrCat("a split needs ranges, and ",
                     result.combine ? "with combine_outputs one output"
                                    : "an output for each of them",
                     ", but has ", options.ranges_size(), " ranges and ",
                     num_outputs, " outputs"));
  }
  for (const Range& range : options.ranges()) {
    SYNCLINE_RETURN_IF_ERROR(CheckRange(range, result.element_only));
    const Part part{static_cast<std::size_t>(range.begin()),
                    static_cast<std::size_t>(range.end())};
    result.parts.push_back(part);
    result.size_needed = std::max(result.size_needed, part.end);
    result.total += part.end - part.begin;
  }
  if (result.combine || moves_elements) {
    SYNCLINE_RETURN_IF_ERROR(CheckNoOverlap(result.parts));
  }
  return result;
}

absl::Status SplitRanges::CheckSize(std::size_t size) const {
  if (size >= size_needed) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the ranges end at ", size_needed, ", but there are ", size,
                   " elements"));
}

}  // namespace syncline
