// A kernel that fails. The device is of no use to its process after that, so
// the test runs in a process of its own: googletest's "threadsafe" style starts
// the program anew.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>

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

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

// Ends the process, with 0 if the driver behaves.
void FailAndLookAround() {
  auto drivers = MakeCudaDrivers();
  DeviceDriver& driver = *(*drivers)[0];
  const StreamHandle stream = *driver.MakeStream({.flags = 1});
  const DriverMemory memory =
      *driver.TakeMemory(MemoryStorageType::kDevice, 16, "memory");
  Require(driver.Health().ok(), "the device is well before");
  Require(driver.Launch(stream, kTrapForTests, {.count = 1}).ok(), "launched");
  bool has_run = false;
  std::promise<void> is_destroyed;
  auto teller = std::make_shared<TellsItsEnd>(&is_destroyed);
  // Either the call brings the error already, or the function never runs.
  driver.CallHost(stream, [&has_run, teller] { has_run = true; }).IgnoreError();
  teller.reset();

  // Nobody asks the driver for anything meanwhile.
  Require(is_destroyed.get_future().wait_for(std::chrono::seconds(30)) ==
              std::future_status::ready,
          "the function of the host is destroyed");
  Require(!has_run, "and did not run");

  const absl::Status status = driver.HostWaitForStream(stream);
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  Require(status.code() == absl::StatusCode::kInternal, "the wait fails");
  Require(driver.Health() == status, "so says the device");
  Require(driver.Fill(stream, memory.data, 0, 16, "fill") == status, "work");
  Require(driver.MakeStream({}).status() == status, "a stream");
  Require(driver.CallHost(stream, [] {}) == status, "a function");
  driver.GiveMemoryBack(memory);
  driver.DropStream(stream);
  std::exit(0);
}

TEST(CudaDriverFailureTest, AnErrorOfWorkStaysAndNothingHangs) {
  const auto drivers = MakeCudaDrivers();
  if (!drivers.ok()) GTEST_SKIP() << drivers.status().message();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(FailAndLookAround(), ::testing::ExitedWithCode(0), "cuda:0");
}

}  // namespace
}  // namespace syncline::gpu::internal
