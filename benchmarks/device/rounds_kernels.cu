// The kernels of rounds_kernels.h.

#include <cstdint>

#include "benchmarks/device/rounds.h"
#include "benchmarks/device/rounds_kernels.h"
#include "benchmarks/device/workloads.h"
#include "gpu/element_kernel.h"

namespace syncline {
namespace {

using gpu::Elements;

SYNCLINE_DEVICE_FUNCTION void MapRounds(std::int64_t i,
                                        const RoundsParameters& parameters,
                                        Elements<const std::uint32_t> in,
                                        Elements<std::uint32_t> out) {
  out[i] = MixRounds(in[i], parameters.rounds);
}

SYNCLINE_DEVICE_FUNCTION void BeginRounds(
    std::int64_t i, const BeginRoundsParameters& parameters,
    Elements<std::uint32_t> numbers) {
  numbers[i] =
      MixRounds(NumberOfPacket(parameters.packet, i), parameters.rounds);
}

SYNCLINE_DEVICE_FUNCTION void GoOnRounds(std::int64_t i,
                                         const RoundsParameters& parameters,
                                         Elements<std::uint32_t> numbers) {
  numbers[i] = MixRounds(numbers[i], parameters.rounds);
}

}  // namespace

SYNCLINE_ELEMENT_KERNEL(kMapRounds, MapRounds);
SYNCLINE_ELEMENT_KERNEL(kBeginRounds, BeginRounds);
SYNCLINE_ELEMENT_KERNEL(kGoOnRounds, GoOnRounds);

}  // namespace syncline
