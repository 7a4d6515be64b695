#include "gpu/cuda/nvtx.h"

#include "gpu/driver.h"

#if __has_include(<nvtx3/nvToolsExtCudaRt.h>)
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#define SYNCLINE_HAS_NVTX 1
#else
#define SYNCLINE_HAS_NVTX 0
#endif

namespace syncline::gpu::internal {

#if SYNCLINE_HAS_NVTX

namespace {

void Begin(const char* name) { nvtxRangePushA(name); }

void End() { nvtxRangePop(); }

void NameStream(StreamHandle stream, const char* name) {
  nvtxNameCudaStreamA(static_cast<cudaStream_t>(stream), name);
}

}  // namespace

void AddNvtx(CudaSupport* support) {
  support->begin_nvtx_range = Begin;
  support->end_nvtx_range = End;
  support->name_stream = NameStream;
}

#else

void AddNvtx(CudaSupport*) {}

#endif  // SYNCLINE_HAS_NVTX

}  // namespace syncline::gpu::internal
