// CudaForm: the form for CUDA of a kernel whose own library has none, since
// CUDA is a part of its own (cuda_support.h). A static object beside the form
// makes it known.
//
// This header is read by nvcc, too, and includes nothing but the standard
// library.
//
// Thread rule: any thread. A form that goes, with its library, is not in use.
// Tested by kernel_forms_test.

#ifndef SYNCLINE_GPU_KERNEL_FORMS_H_
#define SYNCLINE_GPU_KERNEL_FORMS_H_

#include <atomic>

#include "gpu/kernel.h"

namespace syncline::gpu::internal {

class CudaForm {
 public:
  // As Kernel::cuda.
  using Launch = int (*)(void* stream, const KernelLaunch& launch);

  // `kernel` has a form for the host, by which it is known again.
  CudaForm(const Kernel& kernel, Launch launch);
  ~CudaForm();
  CudaForm(const CudaForm&) = delete;
  CudaForm& operator=(const CudaForm&) = delete;

  // The kernel's own form, or one that was made known; null if there is none.
  static Launch Of(const Kernel& kernel);

 private:
  void (*const stand_in_)(const KernelLaunch& launch);
  const Launch launch_;
  std::atomic<CudaForm*> next_{nullptr};
};

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_KERNEL_FORMS_H_
