// CheckLaunch: what every driver asks before it launches a kernel.
//
// Thread rule: a pure function.
// Tested by kernel_check_test.

#ifndef SYNCLINE_GPU_KERNEL_CHECK_H_
#define SYNCLINE_GPU_KERNEL_CHECK_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gpu/kernel.h"

namespace syncline::gpu {

// OK if the kernel can be launched so on `device`, whose form is there if
// `has_form`.
//   UNIMPLEMENTED     the kernel has no form for the device
//   INVALID_ARGUMENT  the launch does not fit the kernel's function
// Both name the device and the kernel.
absl::Status CheckLaunch(absl::string_view device, const Kernel& kernel,
                         bool has_form, const KernelLaunch& launch);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KERNEL_CHECK_H_
