// What the benchmark of devices does, once by a graph and once by hand.
//
//   transfer   packets of numbers go to the device, through one kernel, and
//              come back, at the same time: one packet goes up while the kernel
//              of the one before runs and the one before that comes down
//   chain      kernels one after another on the same numbers, on one or two
//              streams
//
// Both sides do the same: as many packets, kernels of as many threads and
// rounds, as many buffers in turn. What comes out is checked.
//
// Read by nvcc, too: nothing but the standard library.
//
// Thread rule: values and pure functions.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_WORKLOADS_H_
#define SYNCLINE_BENCHMARKS_DEVICE_WORKLOADS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/device/rounds.h"

namespace syncline {

struct TransferWorkload {
  // Of one packet, each of 32 bits.
  std::int64_t numbers = 0;
  // Of the kernel, for each number.
  std::int32_t rounds = 1;
  // How many packets are under way at a time, at most.
  int in_flight = 4;
  // Packets that are not measured, and those that are.
  int warm_up = 0;
  int packets = 0;
};

struct ChainWorkload {
  std::int64_t numbers = 0;
  std::int32_t rounds = 1;
  // For each kernel of the chain, its stream: 0 or 1.
  std::vector<int> stream_of_kernel;
  // How many buffers the chains use in turn, where they need several.
  int buffers = 8;
  // Chains that are not measured, and those that are.
  int warm_up = 0;
  int packets = 0;
};

// What the measured packets took, and the first and the last number of the last
// packet.
struct DeviceRun {
  double seconds = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// The i-th number that packet `packet` begins with.
SYNCLINE_DEVICE_FUNCTION std::uint32_t NumberOfPacket(std::int64_t packet,
                                                      std::int64_t i) {
  return static_cast<std::uint32_t>(packet * 1000003 + i);
}

// Inputs lie in the memory of the host before the run, one for each packet that
// is under way.
inline std::uint32_t TransferInput(const TransferWorkload& work, int packet,
                                   std::int64_t i) {
  return NumberOfPacket(packet % work.in_flight, i);
}

// What has to come out.
inline std::uint32_t TransferResult(const TransferWorkload& work,
                                    std::int64_t i) {
  return MixRounds(TransferInput(work, work.warm_up + work.packets - 1, i),
                   work.rounds);
}
inline std::uint32_t ChainResult(const ChainWorkload& work, std::int64_t i) {
  std::uint32_t number = NumberOfPacket(work.warm_up + work.packets - 1, i);
  for (std::size_t k = 0; k < work.stream_of_kernel.size(); ++k) {
    number = MixRounds(number, work.rounds);
  }
  return number;
}

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_WORKLOADS_H_
