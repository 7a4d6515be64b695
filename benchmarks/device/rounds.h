// MixRounds: arithmetic that takes as long as it is told, for kernels.
//
// Read by nvcc, too.
//
// Thread rule: pure functions.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_ROUNDS_H_
#define SYNCLINE_BENCHMARKS_DEVICE_ROUNDS_H_

#include <cstdint>

#include "gpu/kernel_function.h"

namespace syncline {

// Each round needs the result of the one before, and no compiler knows a
// shorter way.
SYNCLINE_DEVICE_FUNCTION std::uint32_t MixRounds(std::uint32_t number,
                                                 std::int32_t rounds) {
  for (std::int32_t i = 0; i < rounds; ++i) {
    number = number * 1664525u + 1013904223u;
    number ^= number >> 15;
  }
  return number;
}

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_ROUNDS_H_
