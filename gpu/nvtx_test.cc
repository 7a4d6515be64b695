// Ranges do no harm where no profiler looks.

#include "gpu/nvtx.h"

#include <gtest/gtest.h>

namespace syncline::gpu {
namespace {

TEST(NvtxTest, RangesMayBeInOneAnother) {
  const NvtxRange outer("outer");
  const NvtxRange inner("inner");
}

}  // namespace
}  // namespace syncline::gpu
