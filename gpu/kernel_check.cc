#include "gpu/kernel_check.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gpu/kernel.h"

namespace syncline::gpu {

absl::Status CheckLaunch(absl::string_view device, const Kernel& kernel,
                         bool has_form, const KernelLaunch& launch) {
  if (!has_form) {
    return absl::UnimplementedError(absl::StrCat(
        device, ": kernel ", kernel.name,
        " has no form for this kind of device; build its .cu file with "
        "syncline_cuda_kernel where the CUDA toolkit is, or choose another "
        "device"));
  }
  const char* reason =
      kernel.why_not == nullptr ? nullptr : kernel.why_not(launch);
  if (reason == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(device, ": kernel ", kernel.name, " is launched with ",
                   launch.num_buffers, " buffers and ", launch.parameters_size,
                   " bytes of parameters, and ", reason,
                   "; declare what its function takes, in that order"));
}

}  // namespace syncline::gpu
