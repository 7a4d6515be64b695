// SYNCLINE_REDUCTION_KERNEL: a kernel that makes one result of all elements, in
// an order that depends on their number only. So its result is the same on
// every device and in every run, for floats, too.
//
//   sum_kernel.h:
//     extern const syncline::gpu::Kernel kSum;
//
//   sum_kernel.cu:
//     struct Sum {
//       using Parameters = syncline::gpu::NoParameters;
//       using Element = float;   // of the buffer that is read
//       using Value = double;    // of a part
//       using Result = float;    // of the buffer that is written
//       SYNCLINE_DEVICE_FUNCTION static Value Nothing() { return 0; }
//       SYNCLINE_DEVICE_FUNCTION static Value Of(
//           std::int64_t i, const Parameters&,
//           syncline::gpu::Elements<const Element> in) { return in[i]; }
//       SYNCLINE_DEVICE_FUNCTION static Value Both(Value a, Value b) {
//         return a + b;
//       }
//       SYNCLINE_DEVICE_FUNCTION static Result Finish(
//           Value all, std::int64_t count, const Parameters&) { return all; }
//     };
//     SYNCLINE_REDUCTION_KERNEL(kSum, Sum);
//
// A launch declares three buffers: the elements (read), room for the parts
// (written, at least ReductionPartsBytes<Value>() bytes), and one Result
// (written).
//
// ORDER. The elements are cut into parts, at most 1,024. In a part, each of 256
// lanes takes every 256th element, in order; then neighbours are paired: lane l
// with l + 128, with l + 64, and so on. The parts are put together the same
// way. On CUDA a part is a block of threads, and the lanes meet in shared
// memory.
//
// This header is for .cu files, and includes nothing but the standard library.
//
// Thread rule: kernels are constants.
// Tested by reduction_kernel_test and grids_on_host_test.

#ifndef SYNCLINE_GPU_REDUCTION_KERNEL_H_
#define SYNCLINE_GPU_REDUCTION_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gpu/element_kernel.h"
#include "gpu/kernel.h"
#include "gpu/kernel_function.h"
#include "gpu/reduction_parts.h"

namespace syncline::gpu::internal {

constexpr int kLanes = 256;

// Elements per part, a multiple of kLanes; the last part may have fewer.
SYNCLINE_DEVICE_FUNCTION std::int64_t PartLength(std::int64_t count,
                                                 std::int64_t parts) {
  const std::int64_t rounds = (count + parts * kLanes - 1) / (parts * kLanes);
  return rounds * kLanes;
}

inline std::int64_t NumParts(std::int64_t count) {
  const std::int64_t parts = (count + 8 * kLanes - 1) / (8 * kLanes);
  return parts < 1                    ? 1
         : parts < kMaxReductionParts ? parts
                                      : kMaxReductionParts;
}

// What one lane makes of its share of the elements of a part.
template <typename R>
SYNCLINE_DEVICE_FUNCTION typename R::Value LaneOfElements(
    int lane, std::int64_t part, std::int64_t length, std::int64_t count,
    const typename R::Parameters& parameters,
    Elements<const typename R::Element> in) {
  const std::int64_t begin = part * length;
  const std::int64_t end = begin + length < count ? begin + length : count;
  typename R::Value value = R::Nothing();
  for (std::int64_t i = begin + lane; i < end; i += kLanes) {
    value = R::Both(value, R::Of(i, parameters, in));
  }
  return value;
}

// The same of the parts.
template <typename R>
SYNCLINE_DEVICE_FUNCTION typename R::Value LaneOfParts(
    int lane, std::int64_t parts, Elements<typename R::Value> values) {
  typename R::Value value = R::Nothing();
  for (std::int64_t i = lane; i < parts; i += kLanes) {
    value = R::Both(value, values[i]);
  }
  return value;
}

#ifdef __CUDACC__

// Every thread of the block calls it; thread 0 gets the result.
template <typename R>
__device__ typename R::Value PairInBlock(typename R::Value value) {
  __shared__ typename R::Value lanes[kLanes];
  const int lane = threadIdx.x;
  lanes[lane] = value;
  for (int half = kLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) lanes[lane] = R::Both(lanes[lane], lanes[lane + half]);
  }
  return lanes[lane];
}

template <typename R>
__global__ void PartsGrid(std::int64_t count,
                          const __grid_constant__
                          typename R::Parameters parameters,
                          Elements<const typename R::Element> in,
                          Elements<typename R::Value> values) {
  const std::int64_t length = PartLength(count, gridDim.x);
  const typename R::Value value = PairInBlock<R>(LaneOfElements<R>(
      threadIdx.x, blockIdx.x, length, count, parameters, in));
  if (threadIdx.x == 0) values[blockIdx.x] = value;
}

template <typename R>
__global__ void ResultGrid(std::int64_t count, std::int64_t parts,
                           const __grid_constant__
                           typename R::Parameters parameters,
                           Elements<typename R::Value> values,
                           Elements<typename R::Result> result) {
  const typename R::Value all =
      PairInBlock<R>(LaneOfParts<R>(threadIdx.x, parts, values));
  if (threadIdx.x == 0) result[0] = R::Finish(all, count, parameters);
}

#endif  // __CUDACC__

template <typename R>
struct ReductionForms {
  using Value = typename R::Value;
  using Shape = LaunchShape<typename R::Parameters, const typename R::Element,
                            Value, typename R::Result>;
  static_assert(std::is_trivially_default_constructible_v<Value>,
                "values lie in shared memory, which no constructor fills");

  static const char* WhyNot(const KernelLaunch& launch) {
    if (const char* reason = Shape::WhyNot(launch)) return reason;
    if (launch.buffers[1].size <
        static_cast<std::size_t>(NumParts(launch.count)) * sizeof(Value)) {
      return "its second buffer is too small for the parts of a reduction";
    }
    if (launch.buffers[2].size < sizeof(typename R::Result)) {
      return "its third buffer is too small for the result";
    }
    return nullptr;
  }

  static void StandIn(const KernelLaunch& launch) {
    RequireThatItFits("of a reduction", WhyNot(launch));
    const typename R::Parameters parameters = Shape::ParametersOf(launch);
    const auto in =
        Shape::template BufferOf<const typename R::Element>(launch, 0);
    const auto values = Shape::template BufferOf<Value>(launch, 1);
    const std::int64_t parts = NumParts(launch.count);
    const std::int64_t length = PartLength(launch.count, parts);
    for (std::int64_t part = 0; part < parts; ++part) {
      values[part] = PairLanes([&](int lane) {
        return LaneOfElements<R>(lane, part, length, launch.count, parameters,
                                 in);
      });
    }
    const Value all = PairLanes(
        [&](int lane) { return LaneOfParts<R>(lane, parts, values); });
    Shape::template BufferOf<typename R::Result>(launch, 2)[0] =
        R::Finish(all, launch.count, parameters);
  }

#ifdef __CUDACC__
  static int Cuda(void* stream, const KernelLaunch& launch) {
    if (WhyNot(launch) != nullptr) return cudaErrorInvalidValue;
    const typename R::Parameters parameters = Shape::ParametersOf(launch);
    const auto values = Shape::template BufferOf<Value>(launch, 1);
    const std::int64_t parts = NumParts(launch.count);
    const int error = LaunchGrid(
        &PartsGrid<R>, parts, kLanes, stream, launch.count, parameters,
        Shape::template BufferOf<const typename R::Element>(launch, 0), values);
    if (error != cudaSuccess) return error;
    return LaunchGrid(&ResultGrid<R>, 1, kLanes, stream, launch.count, parts,
                      parameters, values,
                      Shape::template BufferOf<typename R::Result>(launch, 2));
  }
#endif

 private:
  template <typename LaneValue>
  static Value PairLanes(const LaneValue& lane_value) {
    Value lanes[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = lane_value(lane);
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) {
        lanes[lane] = R::Both(lanes[lane], lanes[lane + half]);
      }
    }
    return lanes[0];
  }
};

}  // namespace syncline::gpu::internal

#define SYNCLINE_REDUCTION_KERNEL(kernel, ...) \
  SYNCLINE_KERNEL_OF_FORMS(                    \
      kernel, #__VA_ARGS__,                    \
      ::syncline::gpu::internal::ReductionForms<__VA_ARGS__>)

#endif  // SYNCLINE_GPU_REDUCTION_KERNEL_H_
