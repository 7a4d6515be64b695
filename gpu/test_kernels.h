// Kernels for tests, with a form for the stand-in.
//
// Thread rule: constants.

#ifndef SYNCLINE_GPU_TEST_KERNELS_H_
#define SYNCLINE_GPU_TEST_KERNELS_H_

#include <cstdint>

#include "gpu/kernel.h"

namespace syncline::gpu {

struct MixParameters {
  std::uint32_t seed = 0;
};

inline std::uint32_t MixInto(std::uint32_t mixed, std::uint32_t value) {
  return (mixed ^ value) * 0x9e3779b1u + 0x85ebca6bu;
}

// Element i of the last buffer becomes a mix of the seed and of the elements i
// of all buffers, the last one included. Buffers are of uint32.
inline constexpr Kernel kMix = {
    .name = "mix", .stand_in = [](const KernelLaunch& launch) {
      const auto& parameters =
          *static_cast<const MixParameters*>(launch.parameters);
      for (std::int64_t i = 0; i < launch.count; ++i) {
        std::uint32_t mixed = parameters.seed;
        for (int b = 0; b < launch.num_buffers; ++b) {
          const void* const data = launch.buffers[b].data;
          mixed = MixInto(mixed, static_cast<const std::uint32_t*>(data)[i]);
        }
        void* const out = launch.buffers[launch.num_buffers - 1].data;
        static_cast<std::uint32_t*>(out)[i] = mixed;
      }
    }};

// Element i of the last buffer becomes one more than that of the first.
inline constexpr Kernel kAddOne = {
    .name = "add one", .stand_in = [](const KernelLaunch& launch) {
      const auto* const in =
          static_cast<const std::uint32_t*>(launch.buffers[0].data);
      auto* const out = static_cast<std::uint32_t*>(
          launch.buffers[launch.num_buffers - 1].data);
      for (std::int64_t i = 0; i < launch.count; ++i) out[i] = in[i] + 1;
    }};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_TEST_KERNELS_H_
