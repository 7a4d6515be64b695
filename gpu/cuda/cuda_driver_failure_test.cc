// A kernel that fails: the device is of no use to this process after it.

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/memory/allocator.h"
#include "gpu/cuda/kernels_for_driver_tests.h"
#include "gpu/cuda_drivers.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"

namespace syncline::gpu::internal {
namespace {

// Tells when it is destroyed.
class TellsItsEnd {
 public:
  explicit TellsItsEnd(std::promise<void>* end) : end_(end) {}
  ~TellsItsEnd() { end_->set_value(); }

 private:
  std::promise<void>* end_;
};

TEST(CudaDriverFailureTest, AnErrorOfWorkStaysAndNothingHangs) {
  auto drivers = MakeCudaDrivers();
  if (!drivers.ok()) GTEST_SKIP() << drivers.status().message();
  DeviceDriver& driver = *(*drivers)[0];
  const StreamHandle stream = *driver.MakeStream({.flags = 1});
  const DriverMemory memory =
      *driver.TakeMemory(MemoryStorageType::kDevice, 16, "memory");
  EXPECT_TRUE(driver.Health().ok());

  ASSERT_TRUE(driver.Launch(stream, kTrapForTests, {.count = 1}).ok());
  bool has_run = false;
  std::promise<void> is_destroyed;
  auto teller = std::make_shared<TellsItsEnd>(&is_destroyed);
  // Either the call brings the error already, or the function never runs.
  driver.CallHost(stream, [&has_run, teller] { has_run = true; }).IgnoreError();
  teller.reset();

  // Nobody asks the driver for anything meanwhile.
  ASSERT_EQ(is_destroyed.get_future().wait_for(std::chrono::seconds(30)),
            std::future_status::ready);
  EXPECT_FALSE(has_run);

  const absl::Status status = driver.HostWaitForStream(stream);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
  EXPECT_EQ(driver.Health(), status);
  EXPECT_EQ(driver.Fill(stream, memory.data, 0, 16, "fill"), status);
  EXPECT_EQ(driver.MakeStream({}).status(), status);
  EXPECT_EQ(driver.CallHost(stream, [] {}), status);
  driver.GiveMemoryBack(memory);
  driver.DropStream(stream);
}

}  // namespace
}  // namespace syncline::gpu::internal
