// Ranges and names for NVIDIA's profilers (Nsight Systems), by NVTX. They cost
// a few nanoseconds while no profiler looks, and do nothing where CUDA is not
// there (cuda_support.h), or was built without the toolkit's nvtx3 headers.
//
// Thread rule: any thread; a range begins and ends on one thread.
// Tested by nvtx_test.

#ifndef SYNCLINE_GPU_NVTX_H_
#define SYNCLINE_GPU_NVTX_H_

#include "gpu/driver.h"

namespace syncline::gpu {

// Whether they do something.
bool BuiltWithNvtx();

void BeginNvtxRange(const char* name);
// Ends the range that this thread began last.
void EndNvtxRange();

// A range of the scope that it is in. Null: none.
class NvtxRange {
 public:
  explicit NvtxRange(const char* name) : is_begun_(name != nullptr) {
    if (is_begun_) BeginNvtxRange(name);
  }
  ~NvtxRange() {
    if (is_begun_) EndNvtxRange();
  }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;

 private:
  const bool is_begun_;
};

// The name under which profilers show a stream of CUDA, not null.
void NameStreamForNvtx(StreamHandle stream, const char* name);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_NVTX_H_
