// There is no hand-written CUDA program in a build without CUDA.

#include <memory>

#include "benchmarks/device/hand_written.h"

namespace syncline {

std::unique_ptr<HandWritten> MakeHandWrittenForCuda(int /*device*/) {
  return nullptr;
}

}  // namespace syncline
