// Quantiles of values that are in order.
//
// Thread rule: free functions.
// Tested by latency_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_LATENCY_QUANTILES_H_
#define SYNCLINE_FRAMEWORK_TRACE_LATENCY_QUANTILES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace syncline {

// The value below or at which this share of the values is: the nearest rank.
// 0 of no values. REQUIRES: `sorted` is in order, and 0 <= share <= 1.
inline std::int64_t Quantile(absl::Span<const std::int64_t> sorted,
                             double share) {
  if (sorted.empty()) return 0;
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  const auto position = static_cast<std::size_t>(std::max(1.0, rank)) - 1;
  return sorted[std::min(position, sorted.size() - 1)];
}

// The middle one, or the mean of the two in the middle.
inline std::int64_t Median(absl::Span<const std::int64_t> sorted) {
  if (sorted.empty()) return 0;
  const std::int64_t upper = sorted[sorted.size() / 2];
  if (sorted.size() % 2 == 1) return upper;
  const std::int64_t lower = sorted[sorted.size() / 2 - 1];
  return lower + (upper - lower) / 2;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_LATENCY_QUANTILES_H_
