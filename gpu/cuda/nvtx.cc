// NVTX is headers only: a profiler puts its functions in at run time.

#include "gpu/nvtx.h"

#include "gpu/driver.h"

#if __has_include(<nvtx3/nvToolsExtCudaRt.h>)
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#define SYNCLINE_HAS_NVTX 1
#else
#define SYNCLINE_HAS_NVTX 0
#endif

namespace syncline::gpu {

#if SYNCLINE_HAS_NVTX

bool BuiltWithNvtx() { return true; }

void BeginNvtxRange(const char* name) { nvtxRangePushA(name); }

void EndNvtxRange() { nvtxRangePop(); }

void NameStreamForNvtx(StreamHandle stream, const char* name) {
  nvtxNameCudaStreamA(static_cast<cudaStream_t>(stream), name);
}

#else

bool BuiltWithNvtx() { return false; }

void BeginNvtxRange(const char*) {}

void EndNvtxRange() {}

void NameStreamForNvtx(StreamHandle, const char*) {}

#endif  // SYNCLINE_HAS_NVTX

}  // namespace syncline::gpu
