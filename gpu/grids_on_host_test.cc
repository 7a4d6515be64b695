// The CUDA forms of kernels without CUDA: this compiles what nvcc would, by the
// C++ compiler, and runs each thread of a block as a thread of the host, one
// block after the other. So their arithmetic, their order and their barriers
// are tested on every machine, and by thread sanitizer, which sees a missing
// barrier.
//
// What this cannot show is how nvcc compiles them, and the launch itself.

#include <gtest/gtest.h>

#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "gpu/kernel.h"
#include "gpu/kernel_function.h"
#include "gpu/kernels_for_tests.h"
#include "gpu/reduction_parts.h"

// --- as much of CUDA as the forms use

#define __global__
#define __device__
#define __grid_constant__
#define __shared__ static

struct IndexOfCuda {
  unsigned x = 0;
};
static thread_local IndexOfCuda threadIdx;
static thread_local IndexOfCuda blockIdx;
static IndexOfCuda blockDim;
static IndexOfCuda gridDim;

static std::barrier<>* barrier_of_block;
static void __syncthreads() { barrier_of_block->arrive_and_wait(); }

using cudaError_t = int;
using cudaStream_t = void*;
using dim3 = unsigned;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
[[maybe_unused]] static cudaError_t cudaGetLastError() { return 0; }
[[maybe_unused]] static cudaError_t cudaLaunchKernel(const void*, dim3, dim3,
                                                     void**, std::size_t,
                                                     cudaStream_t) {
  return 0;
}

#define __CUDACC__ 1
#include "gpu/element_kernel.h"
#include "gpu/reduction_kernel.h"

// Names for the forms, instead of kernels.
#undef SYNCLINE_KERNEL_OF_FORMS
#define SYNCLINE_KERNEL_OF_FORMS(kernel, name, ...) \
  using kernel##Forms [[maybe_unused]] = __VA_ARGS__
#include "gpu/kernels_for_tests.cu"
#undef __CUDACC__

namespace syncline::gpu {
namespace {

template <typename Grid>
void RunGrid(unsigned blocks, unsigned threads, const Grid& grid) {
  gridDim.x = blocks;
  blockDim.x = threads;
  for (unsigned block = 0; block < blocks; ++block) {
    std::barrier<> barrier(threads);
    barrier_of_block = &barrier;
    std::vector<std::thread> running;
    for (unsigned i = 0; i < threads; ++i) {
      running.emplace_back([&grid, i, block] {
        threadIdx.x = i;
        blockIdx.x = block;
        grid();
      });
    }
    for (std::thread& thread : running) thread.join();
  }
}

// By R on the host and by R's grids: the parts and the results.
template <typename R>
void ExpectSameReduction(const std::vector<typename R::Element>& in) {
  using Value = typename R::Value;
  using Result = typename R::Result;
  const std::int64_t count = static_cast<std::int64_t>(in.size());
  const std::int64_t parts = internal::NumParts(count);
  std::vector<Value> values(parts);
  std::vector<Value> grid_values(parts);
  Result result;
  Result grid_result;
  const KernelBuffer buffers[] = {
      {const_cast<typename R::Element*>(in.data()),
       in.size() * sizeof(typename R::Element), false},
      {values.data(), values.size() * sizeof(Value), true},
      {&result, sizeof(Result), true}};
  internal::ReductionForms<R>::StandIn(
      {.count = count, .buffers = buffers, .num_buffers = 3});

  const Elements<Value> grid_parts = {grid_values.data(), parts};
  RunGrid(static_cast<unsigned>(parts), internal::kLanes, [&] {
    internal::PartsGrid<R>(count, {}, {in.data(), count}, grid_parts);
  });
  RunGrid(1, internal::kLanes, [&] {
    internal::ResultGrid<R>(count, parts, {}, grid_parts, {&grid_result, 1});
  });
  EXPECT_EQ(std::memcmp(values.data(), grid_values.data(),
                        values.size() * sizeof(Value)),
            0)
      << count;
  EXPECT_EQ(std::memcmp(&result, &grid_result, sizeof(Result)), 0) << count;
}

TEST(GridsOnHostTest, AReductionIsEqualToTheBit) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-1000, 1000);
  for (std::size_t count : {0, 1, 255, 257, 2048, 2049, 9001}) {
    std::vector<float> in(count);
    for (float& value : in) value = values(random);
    ExpectSameReduction<Sum>(in);
    ExpectSameReduction<Indexes>(std::vector<std::uint8_t>(count));
  }
}

TEST(GridsOnHostTest, EachElementIsVisitedOnceByAnyGrid) {
  for (unsigned blocks : {1, 2, 3, 7}) {
    std::vector<std::int32_t> values(200);
    RunGrid(blocks, 32, [&] {
      internal::ElementGrid<
          &internal::WithoutParameters<&CountUp, std::int32_t>::Call,
          NoParameters, std::int32_t>(150, {}, {values.data(), 200});
    });
    for (int i = 0; i < 200; ++i) EXPECT_EQ(values[i], i < 150 ? 1 : 0) << i;
  }
}

TEST(GridsOnHostTest, ParametersAndBuffersComeInTheirOrder) {
  const std::vector<float> in = {1, 2, 3, 4, 5};
  std::vector<float> out(5);
  RunGrid(2, 2, [&] {
    internal::ElementGrid<&Scale, ScaleForTestsParameters, const float, float>(
        5, {.factor = 2, .addend = 1}, {in.data(), 5}, {out.data(), 5});
  });
  EXPECT_EQ(out, (std::vector<float>{3, 5, 7, 9, 11}));
}

}  // namespace
}  // namespace syncline::gpu
