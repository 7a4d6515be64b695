// The service of OpenGL resources that ported code may ask for. This framework
// has no OpenGL, so nobody can give it: a calculator that requires the service
// makes its graph fail with a status, one that takes it as optional finds that
// it is not available. For CUDA see devices.h.
//
// Thread rule: a constant.
// Tested by ported_names_test.
#ifndef SYNCLINE_GPU_GPU_SERVICE_H_
#define SYNCLINE_GPU_GPU_SERVICE_H_

#include "framework/calculator/service.h"

namespace syncline {

// Cannot be made.
class GpuResources {
 public:
  GpuResources() = delete;
};

inline constexpr GraphService<GpuResources> kGpuService(
    "kGpuService", GraphServiceBase::kDisallowDefaultInitialization);

}  // namespace syncline

#endif  // SYNCLINE_GPU_GPU_SERVICE_H_
