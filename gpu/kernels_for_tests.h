// Kernels that tests of kernels and drivers launch.
//
// Thread rule: constants.

#ifndef SYNCLINE_GPU_KERNELS_FOR_TESTS_H_
#define SYNCLINE_GPU_KERNELS_FOR_TESTS_H_

#include <cstdint>

#include "gpu/kernel.h"

namespace syncline::gpu {

struct ScaleForTestsParameters {
  float factor = 1;
  float addend = 0;
};

// out[i] = factor * in[i] + addend, of floats: reads, writes.
extern const Kernel kScaleForTests;

// Adds 1 to each int32: writes. No parameters.
extern const Kernel kCountUpForTests;

// out[i] = in[i] + 1, of uint32: reads, writes. No parameters.
extern const Kernel kAddOneForTests;

// Widens bytes to doubles: reads, writes. No parameters.
extern const Kernel kWidenForTests;

// The sum of floats, in floats, so that the order shows: reads, writes parts
// (floats), writes one float.
extern const Kernel kSumForTests;

// What kIndexesForTests keeps of indexes: how many, their sum, and the
// greatest.
struct IndexesForTests {
  std::int64_t number;
  std::int64_t sum;
  std::int64_t greatest;
};

// Of the indexes of bytes, whatever these are: reads, writes parts
// (IndexesForTests), writes one IndexesForTests.
extern const Kernel kIndexesForTests;

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNELS_FOR_TESTS_H_
