// Sums and differences of times that stay in range: what a file or a timestamp
// says may be any number, and a result that does not fit is the nearest one
// that does.
//
// Thread rule: pure functions.
// Tested by trace_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_SUM_IN_RANGE_H_
#define SYNCLINE_FRAMEWORK_TRACE_SUM_IN_RANGE_H_

#include <cstdint>
#include <limits>

namespace syncline {

inline std::int64_t SumInRange(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

inline std::int64_t DifferenceInRange(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_SUM_IN_RANGE_H_
