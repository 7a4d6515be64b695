// Makes "cuda:0", "cuda:1" and so on devices of this program, where the machine
// has them; else the error of FindDevice("cuda:0") says why there are none.
//
// Accesses are not checked by default, since that costs the host time.

#include "gpu/cuda_drivers.h"
#include "gpu/find_device.h"

namespace syncline::gpu {
namespace {

const DeviceKindRegistration kCuda({
    .name = "cuda",
    .rank = 0,
    .check_access = false,
    .open = internal::MakeCudaDrivers,
});

}  // namespace
}  // namespace syncline::gpu
