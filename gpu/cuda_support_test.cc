// CUDA as a part that may be missing.
#include "gpu/cuda_support.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/name_registry.h"
#include "gmock/gmock.h"
#include "gpu/cuda_drivers.h"
#include "gpu/devices.h"
#include "gpu/nvtx.h"
#include "gtest/gtest.h"

namespace syncline::gpu::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string>& Notes() {
  static std::vector<std::string>& notes = *new std::vector<std::string>;
  return notes;
}

constexpr CudaSupport kNoted = {
    .query_devices = []() -> absl::StatusOr<DeviceList> {
      return absl::NotFoundError("this machine is for tests");
    },
    .make_drivers =
        []() -> absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> {
      return absl::NotFoundError("it has no drivers");
    },
    .begin_nvtx_range = [](const char* name) { Notes().push_back(name); },
    .end_nvtx_range = [] { Notes().push_back("end"); },
    .name_stream = [](StreamHandle,
                      const char* name) { Notes().push_back(name); },
};

TEST(CudaSupportTest, WithoutItTheErrorSaysWhatToInstall) {
  EXPECT_EQ(KnownCudaSupport(), nullptr);
  const absl::Status status = OpenCudaPlugin("/nonexistent/plugins");
  EXPECT_TRUE(absl::IsUnimplemented(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("install the package syncline-plugin-cuda"),
                    HasSubstr("$CUDA_HOME")));
  EXPECT_EQ(ListDevices().status(), status);
  EXPECT_EQ(MakeCudaDrivers().status(), status);
  EXPECT_FALSE(BuiltWithNvtx());
  const NvtxRange range("nobody looks");
  NameStreamForNvtx(nullptr, "nobody looks");
}

TEST(CudaSupportTest, APluginThatCannotBeOpenedIsAnErrorWithItsFile) {
  const std::string folder =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/broken_cuda");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/cuda.so") << "no library";
  EXPECT_THAT(std::string(OpenCudaPlugin(folder).message()),
              HasSubstr(folder + "/cuda.so"));
}

TEST(CudaSupportTest, WhatIsRegisteredIsAsked) {
  {
    const RegistrationErrors counted;
    const Unregister cuda(RegisterCudaSupport(&kNoted));
    // So that a plug-in with this is not said to add nothing.
    EXPECT_TRUE(counted.has_new());
    EXPECT_TRUE(BuiltWithCuda());
    EXPECT_EQ(ListDevices().status().message(), "this machine is for tests");
    EXPECT_EQ(MakeCudaDrivers().status().message(), "it has no drivers");
    EXPECT_TRUE(BuiltWithNvtx());
    {
      const NvtxRange range("blur");
      NameStreamForNvtx(nullptr, "stream of blur");
    }
    EXPECT_THAT(Notes(), ElementsAre("blur", "stream of blur", "end"));
  }
  EXPECT_EQ(KnownCudaSupport(), nullptr);
}

}  // namespace
}  // namespace syncline::gpu::internal
