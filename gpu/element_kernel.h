// SYNCLINE_ELEMENT_KERNEL: a kernel, written once as a function of one element.
//
//   scale_kernel.h, for calculators and for the .cu file:
//     struct ScaleParameters { float factor; };
//     extern const syncline::gpu::Kernel kScale;
//
//   scale_kernel.cu:
//     #include "gpu/element_kernel.h"
//     SYNCLINE_DEVICE_FUNCTION void Scale(
//         std::int64_t i, const ScaleParameters& parameters,
//         syncline::gpu::Elements<const float> in,
//         syncline::gpu::Elements<float> out) {
//       out[i] = parameters.factor * in[i];
//     }
//     SYNCLINE_ELEMENT_KERNEL(kScale, Scale);
//
//   BUILD, or CMake:
//     syncline_cuda_kernel(name = "scale_kernel", srcs = ["scale_kernel.cu"],
//                          hdrs = ["scale_kernel.h"])
//     syncline_add_kernel(my_plugin scale_kernel.cu)
//
// The .cu file is compiled twice: by the C++ compiler, which makes the kernel
// and its form for the host, a loop; and, where there is a CUDA toolkit, by
// nvcc, which makes the form for CUDA, a grid. So both do the same arithmetic.
// The rules switch off the fusing of a multiplication with an addition in both
// compilers: then float results are equal to the bit, too. (Functions such as
// exp and sin differ in the last places.)
//
// The function is called once for each i from 0 to the launch's count, in any
// order and many at a time, so no two may write the same element. The buffers
// come in the order of their declaration, Elements<const T> for those that are
// declared as read. Without parameters, leave out the second argument. Its name
// is the kernel's in messages.
//
// This header is for .cu files, and includes nothing but the standard library.
//
// Thread rule: kernels are constants.
// Tested by element_kernel_test and grids_on_host_test.

#ifndef SYNCLINE_GPU_ELEMENT_KERNEL_H_
#define SYNCLINE_GPU_ELEMENT_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gpu/kernel.h"
#include "gpu/kernel_forms.h"
#include "gpu/kernel_function.h"

namespace syncline::gpu::internal {

#ifdef __CUDACC__

constexpr int kElementThreads = 256;

// A thread takes every (number of threads)-th element. The parameters stay
// where the launch has put them, where tables in them can be looked up.
template <auto kCall, typename P, typename... T>
__global__ void ElementGrid(std::int64_t count,
                            const __grid_constant__ P parameters,
                            Elements<T>... buffers) {
  const std::int64_t threads =
      static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i =
           static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < count; i += threads) {
    kCall(i, parameters, buffers...);
  }
}

// Returns the error of this launch, and leaves none behind for other calls.
template <typename... Arguments>
int LaunchGrid(void (*grid)(Arguments...), std::int64_t blocks, int threads,
               void* stream, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  const cudaError_t error = cudaLaunchKernel(
      reinterpret_cast<const void*>(grid), dim3(static_cast<unsigned>(blocks)),
      dim3(threads), pointers, 0, static_cast<cudaStream_t>(stream));
  if (error != cudaSuccess) cudaGetLastError();
  return error;
}

#endif  // __CUDACC__

template <auto kCall, typename P, typename... T>
struct ElementForms {
  using Shape = LaunchShape<P, T...>;

  static const char* WhyNot(const KernelLaunch& launch) {
    return Shape::WhyNot(launch);
  }

  static void StandIn(const KernelLaunch& launch) {
    RequireThatItFits("of elements", WhyNot(launch));
    OnHost(launch, std::index_sequence_for<T...>());
  }

#ifdef __CUDACC__
  static int Cuda(void* stream, const KernelLaunch& launch) {
    if (WhyNot(launch) != nullptr) return cudaErrorInvalidValue;
    if (launch.count == 0) return cudaSuccess;
    return Grid(stream, launch, std::index_sequence_for<T...>());
  }
#endif

 private:
  template <std::size_t... kIndex>
  static void OnHost(const KernelLaunch& launch,
                     std::index_sequence<kIndex...>) {
    Loop(launch.count, Shape::ParametersOf(launch),
         Shape::template BufferOf<T>(launch, kIndex)...);
  }

  // Copies, so that the compiler sees that no element is one of them.
  static void Loop(std::int64_t count, const P parameters,
                   const Elements<T>... buffers) {
    for (std::int64_t i = 0; i < count; ++i) kCall(i, parameters, buffers...);
  }

#ifdef __CUDACC__
  template <std::size_t... kIndex>
  static int Grid(void* stream, const KernelLaunch& launch,
                  std::index_sequence<kIndex...>) {
    // More would gain nothing: a thread takes several elements then.
    constexpr std::int64_t kMaxBlocks = std::int64_t{1} << 20;
    const std::int64_t blocks =
        (launch.count + kElementThreads - 1) / kElementThreads;
    return LaunchGrid(
        &ElementGrid<kCall, P, T...>, blocks < kMaxBlocks ? blocks : kMaxBlocks,
        kElementThreads, stream, launch.count, Shape::ParametersOf(launch),
        Shape::template BufferOf<T>(launch, kIndex)...);
  }
#endif
};

// Gives a function without parameters the argument that it leaves out.
template <auto kFunction, typename... T>
struct WithoutParameters {
  static SYNCLINE_DEVICE_FUNCTION void Call(std::int64_t i, const NoParameters&,
                                            Elements<T>... buffers) {
    kFunction(i, buffers...);
  }
};

// The forms that fit the type of kFunction.
template <auto kFunction>
struct FormsOf;

template <typename P, typename... T,
          void (*kFunction)(std::int64_t, const P&, Elements<T>...)>
struct FormsOf<kFunction> : ElementForms<kFunction, P, T...> {};

template <typename... T, void (*kFunction)(std::int64_t, Elements<T>...)>
struct FormsOf<kFunction>
    : ElementForms<&WithoutParameters<kFunction, T...>::Call, NoParameters,
                   T...> {};

}  // namespace syncline::gpu::internal

// Makes the kernel `kernel` of forms that have the functions StandIn, WhyNot
// and Cuda. `name` is a string; the forms come last, since templates have
// commas. Where the forms for CUDA lie apart, the kernel does not refer to
// them.
#if defined(__CUDACC__) && SYNCLINE_KERNELS_HAVE_CUDA_APART
#define SYNCLINE_KERNEL_OF_FORMS(kernel, name, ...)              \
  extern const ::syncline::gpu::Kernel kernel;                   \
  static const ::syncline::gpu::internal::CudaForm kernel##Form( \
      kernel, &__VA_ARGS__::Cuda)
#elif defined(__CUDACC__)
#define SYNCLINE_KERNEL_OF_FORMS(kernel, name, ...)               \
  int kernel##Cuda(void* stream,                                  \
                   const ::syncline::gpu::KernelLaunch& launch) { \
    return __VA_ARGS__::Cuda(stream, launch);                     \
  }                                                               \
  static_assert(true)
#elif SYNCLINE_KERNELS_HAVE_CUDA
#define SYNCLINE_KERNEL_OF_FORMS(kernel, name, ...)                     \
  int kernel##Cuda(void* stream, const ::syncline::gpu::KernelLaunch&); \
  extern const ::syncline::gpu::Kernel kernel;                          \
  constinit const ::syncline::gpu::Kernel kernel = {                    \
      name, &__VA_ARGS__::StandIn, &kernel##Cuda, &__VA_ARGS__::WhyNot}
#else
#define SYNCLINE_KERNEL_OF_FORMS(kernel, name, ...)  \
  extern const ::syncline::gpu::Kernel kernel;       \
  constinit const ::syncline::gpu::Kernel kernel = { \
      name, &__VA_ARGS__::StandIn, nullptr, &__VA_ARGS__::WhyNot}
#endif

#define SYNCLINE_ELEMENT_KERNEL(kernel, ...)     \
  SYNCLINE_KERNEL_OF_FORMS(kernel, #__VA_ARGS__, \
                           ::syncline::gpu::internal::FormsOf<&__VA_ARGS__>)

#endif  // SYNCLINE_GPU_ELEMENT_KERNEL_H_
