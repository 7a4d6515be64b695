// The service of OpenGL resources that ported code may ask for. Syncline has no
// OpenGL, so the service does not exist: a graph with a calculator that
// requires it fails with an error, and a calculator for which it is optional
// sees that it is not available. For CUDA see devices.h.
//
// Thread rule: a constant.
// Tested by ported_names_test.
#ifndef SYNCLINE_GPU_GPU_SERVICE_H_
#define SYNCLINE_GPU_GPU_SERVICE_H_

#include "framework/calculator/service.h"

namespace syncline {

// Objects of this class do not exist.
class GpuResources {
 public:
  GpuResources() = delete;
};

inline constexpr GraphService<GpuResources> kGpuService(
    "kGpuService", GraphServiceBase::kDisallowDefaultInitialization);

}  // namespace syncline

#endif  // SYNCLINE_GPU_GPU_SERVICE_H_
