#include "gpu/kernel_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "gpu/kernel.h"
#include "gpu/kernels_for_tests.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

TEST(KernelCheckTest, AKernelWithoutAFormIsNamed) {
  const Kernel kernel = {.name = "Draw"};
  const absl::Status status = CheckLaunch("cuda:1", kernel, false, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("cuda:1: kernel Draw has no form"));
  EXPECT_THAT(status.message(), HasSubstr("syncline_cuda_kernel"));
}

TEST(KernelCheckTest, ALaunchThatDoesNotFitIsNamedWithTheReason) {
  const absl::Status status =
      CheckLaunch("stand_in:0", kScaleForTests, true, {.count = 3});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("stand_in:0: kernel Scale is launched with 0 buffers "
                        "and 0 bytes of parameters, and it declares more or "
                        "fewer buffers"));
}

TEST(KernelCheckTest, AKernelWithoutACheckTakesAnything) {
  const Kernel kernel = {.name = "Any"};
  EXPECT_TRUE(CheckLaunch("cuda:0", kernel, true, {.count = -1}).ok());
}

}  // namespace
}  // namespace syncline::gpu
