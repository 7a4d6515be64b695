// Names of gpu/ that others know without being linked with it.
//
// A program whose graph uses no device has nothing of gpu/ in it. It still has
// to tell a graph that does, and the plug-in with CUDA from one with
// calculators.
//
// Thread rule: constants.
// Tested by device_service_test and cuda_support_test.

#ifndef SYNCLINE_GPU_KNOWN_NAMES_H_
#define SYNCLINE_GPU_KNOWN_NAMES_H_

namespace syncline::gpu {

// The key of the service that nodes on devices ask for (device_service.h).
inline constexpr char kDeviceServiceKey[] = "syncline.Device";

namespace internal {

// The plug-in with CUDA (cuda_support.h).
inline constexpr char kCudaPlugin[] = "cuda";

}  // namespace internal
}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_KNOWN_NAMES_H_
