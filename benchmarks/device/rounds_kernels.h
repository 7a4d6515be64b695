// The kernels that the graphs of the benchmark launch. One element is a number
// of 32 bits.
//
// Thread rule: constants.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_ROUNDS_KERNELS_H_
#define SYNCLINE_BENCHMARKS_DEVICE_ROUNDS_KERNELS_H_

#include <cstdint>

#include "gpu/kernel.h"

namespace syncline {

struct RoundsParameters {
  std::int32_t rounds = 1;
};

struct BeginRoundsParameters {
  std::int64_t packet = 0;
  std::int32_t rounds = 1;
};

// out[i] = MixRounds(in[i]): reads, writes.
extern const gpu::Kernel kMapRounds;
// numbers[i] = MixRounds(NumberOfPacket(packet, i)): writes.
extern const gpu::Kernel kBeginRounds;
// numbers[i] = MixRounds(numbers[i]): writes.
extern const gpu::Kernel kGoOnRounds;

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_ROUNDS_KERNELS_H_
