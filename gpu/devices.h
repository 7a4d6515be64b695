// Which CUDA devices this build and this machine have.
//
// The first question about any GPU trouble, answered the same way everywhere:
// `run_graph --version` prints DescribeDevices(), tests that need a device skip
// with the reason of ListDevices().  Asking creates no CUDA context and takes
// no device memory.
//
// Thread rule: safe from any thread.

#ifndef SYNCLINE_GPU_DEVICES_H_
#define SYNCLINE_GPU_DEVICES_H_

#include <string>

#include "absl/status/statusor.h"
#include "gpu/device_list.h"

namespace syncline::gpu {

// Whether CUDA is there: linked in, or as an installed plug-in.  It is left out
// where no toolkit is found when building, or with
// --repo_env=SYNCLINE_NO_CUDA=1.
bool BuiltWithCuda();

// The devices of this machine, at least one.  Errors, each with the reason:
//   UNIMPLEMENTED        CUDA is not there; the text says how to have it
//   FAILED_PRECONDITION  no driver, or one that is too old for the runtime
//   NOT_FOUND            a driver, but no device that it shows to this process
//   INTERNAL             anything else that the CUDA runtime reports
absl::StatusOr<DeviceList> ListDevices();

// One line without a newline, for version texts and logs:
//   1 CUDA device: 0 "NVIDIA H200" (compute 9.0, 139.8 GiB); CUDA runtime 13.0,
//   driver 13.0
// or `no CUDA device: ` and the reason.
std::string DescribeDevices();
std::string DescribeDevices(const absl::StatusOr<DeviceList>& list);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICES_H_
