#include "gpu/cuda/cuda_status.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"

namespace syncline::gpu::internal {
namespace {

using ::testing::HasSubstr;

TEST(CudaStatusTest, AnErrorNamesTheDeviceTheWorkAndTheNextStep) {
  const absl::Status status = CudaCallStatus(
      cudaErrorMemoryAllocation, "cuda:0", "taking 5 bytes for \"a\"");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(),
            "cuda:0: taking 5 bytes for \"a\": out of memory "
            "(cudaErrorMemoryAllocation); ask for less, or give memory back "
            "first");
}

TEST(CudaStatusTest, WithoutADeviceAllCallsSayTheSame) {
  for (cudaError_t error :
       {cudaErrorNoDevice, cudaErrorInsufficientDriver, cudaErrorStubLibrary}) {
    EXPECT_EQ(CudaCallStatus(error, "cuda:0", "copy"), CudaStatus(error));
  }
  EXPECT_EQ(CudaStatus(cudaErrorNoDevice).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(CudaStatus(cudaErrorStubLibrary).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(CudaStatusTest, ErrorsOfWorkAreSticky) {
  EXPECT_TRUE(IsSticky(cudaErrorIllegalAddress));
  EXPECT_TRUE(IsSticky(cudaErrorLaunchFailure));
  EXPECT_TRUE(IsSticky(cudaErrorMpsClientTerminated));
  EXPECT_FALSE(IsSticky(cudaErrorMemoryAllocation));
  EXPECT_FALSE(IsSticky(cudaErrorNotReady));
  EXPECT_THAT(
      CudaCallStatus(cudaErrorIllegalAddress, "cuda:2", "fill").message(),
      HasSubstr("compute-sanitizer"));
}

TEST(CudaStatusTest, SuccessIsOk) {
  EXPECT_TRUE(CudaStatus(cudaSuccess).ok());
  EXPECT_TRUE(CudaCallStatus(cudaSuccess, "cuda:0", "copy").ok());
}

}  // namespace
}  // namespace syncline::gpu::internal
