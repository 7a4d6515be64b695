// The driver where there is no device, and mistakes that need none.

#include "gpu/cuda/cuda_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/memory/allocator.h"
#include "gpu/cuda_drivers.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "gpu/kernels_for_tests.h"
#include "gpu/notice_thread.h"

namespace syncline::gpu::internal {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

// What each call of the driver says.
std::vector<absl::Status> EveryCall(DeviceDriver& driver) {
  const DriverMemory memory;
  int value = 0;
  const std::vector<KernelBuffer> buffers = {{&value, sizeof(value), true}};
  const KernelLaunch launch = {
      .count = 1, .buffers = buffers.data(), .num_buffers = 1};
  driver.GiveMemoryBack({reinterpret_cast<std::byte*>(&value), 4});
  driver.DropStream(&value);
  driver.DropEvent(&value);
  return {driver.TakeMemory(MemoryStorageType::kDevice, 16, "a").status(),
          driver.TakeMemory(MemoryStorageType::kHost, 16, "b").status(),
          driver.TakeMemory(MemoryStorageType::kManaged, 16, "c").status(),
          driver.TakeMemoryAsync(nullptr, 16, "d").status(),
          driver.GiveMemoryBackAsync(nullptr, memory),
          driver.MakeStream({}).status(),
          driver.Copy(nullptr, &value, &value, 4, "e"),
          driver.Fill(nullptr, &value, 0, 4, "f"),
          driver.Launch(nullptr, kCountUpForTests, launch),
          driver.CallHost(nullptr, [] {}),
          driver.MakeEvent(true).status(),
          driver.Record(nullptr, nullptr),
          driver.WaitFor(nullptr, nullptr),
          driver.HasEnded(nullptr).status(),
          driver.NanosecondsBetween(nullptr, nullptr).status(),
          driver.HostWaitForEvent(nullptr),
          driver.HostWaitForStream(nullptr),
          driver.Health()};
}

TEST(CudaDriverTest, WithoutADeviceEveryCallSaysWhy) {
  const absl::StatusOr<DeviceList> list = QueryDevices();
  if (list.ok()) GTEST_SKIP() << "there is a device";
  EXPECT_EQ(MakeCudaDrivers().status(), list.status());
  CudaDriver driver({.index = 0, .name = "none"});
  EXPECT_EQ(driver.name(), "cuda:0");
  EXPECT_EQ(driver.info().name, "none");
  EXPECT_THAT(EveryCall(driver), Each(list.status()));
  // Again, in case the first one was only late.
  EXPECT_THAT(EveryCall(driver), Each(list.status()));
}

TEST(CudaDriverTest, WithoutADeviceAFunctionOfTheHostIsDestroyed) {
  if (QueryDevices().ok()) GTEST_SKIP() << "there is a device";
  CudaDriver driver({.index = 0});
  const auto held = std::make_shared<int>();
  EXPECT_FALSE(driver.CallHost(nullptr, [held] {}).ok());
  NoticeThread::WaitForPosted();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(CudaDriverTest, MistakesAreFoundBeforeTheDeviceIsAsked) {
  CudaDriver driver({.index = 0});
  const absl::Status memory =
      driver.TakeMemory(MemoryStorageType::kSystem, 1, "frame").status();
  EXPECT_EQ(memory.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(memory.message(), HasSubstr("cuda:0: \"frame\" asks for system"));
  EXPECT_EQ(
      driver.TakeMemory(MemoryStorageType::kDevice, 0, "frame").status().code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(driver.TakeMemoryAsync(nullptr, 0, "frame").status().code(),
            absl::StatusCode::kInvalidArgument);
  const absl::Status stream = driver.MakeStream({.flags = 6}).status();
  EXPECT_EQ(stream.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(stream.message(), HasSubstr("flags 6"));
  const Kernel nothing = {.name = "Nothing"};
  EXPECT_EQ(driver.Launch(nullptr, nothing, {}).code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver.Launch(nullptr, kCountUpForTests, {}).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace syncline::gpu::internal
