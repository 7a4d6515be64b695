// DriverConformanceTest: what every DeviceDriver has to do. A driver's test
// says how to make drivers, and gets all of it:
//
//   INSTANTIATE_TEST_SUITE_P(StandIn, DriverConformanceTest,
//                            ::testing::Values(DriverCase{"threads", ...}));
//
// The tests are in a source of their own, so that a program may have them for
// several drivers.
//
// Thread rule: one thread at a time.

#ifndef SYNCLINE_GPU_DRIVER_CONFORMANCE_TEST_H_
#define SYNCLINE_GPU_DRIVER_CONFORMANCE_TEST_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "framework/memory/allocator.h"
#include "framework/port/status_matchers.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "gtest/gtest.h"

namespace syncline::gpu {

using DeviceDrivers = std::vector<std::unique_ptr<DeviceDriver>>;

struct DriverCase {
  std::string name;
  // At least one; or the reason to skip.
  std::function<absl::StatusOr<DeviceDrivers>()> make;
  // Element i of the last buffer, of uint32, becomes one more than that of the
  // first.
  Kernel add_one;
};

class DriverConformanceTest : public ::testing::TestWithParam<DriverCase> {
 protected:
  static constexpr std::size_t kCount = 1000;
  static constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);

  void SetUp() override {
    absl::StatusOr<DeviceDrivers> drivers = GetParam().make();
    if (!drivers.ok()) GTEST_SKIP() << drivers.status();
    drivers_ = *std::move(drivers);
    driver_ = drivers_[0].get();
    SYNCLINE_ASSERT_OK_AND_ASSIGN(stream_, driver_->MakeStream({.flags = 1}));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(other_, driver_->MakeStream({.flags = 1}));
  }
  void TearDown() override {
    if (driver_ == nullptr) return;
    driver_->HostWaitForStream(stream_).IgnoreError();
    driver_->HostWaitForStream(other_).IgnoreError();
    for (const auto& [owner, memory] : memory_) owner->GiveMemoryBack(memory);
    for (const EventHandle event : events_) driver_->DropEvent(event);
    driver_->DropStream(stream_);
    driver_->DropStream(other_);
  }

  std::byte* Take(MemoryStorageType kind, DeviceDriver* driver = nullptr) {
    if (driver == nullptr) driver = driver_;
    const absl::StatusOr<DriverMemory> memory =
        driver->TakeMemory(kind, kBytes, "memory");
    SYNCLINE_EXPECT_OK(memory);
    memory_.emplace_back(driver, *memory);
    return memory->data;
  }
  EventHandle MakeEvent(bool has_time = false) {
    events_.push_back(*driver_->MakeEvent(has_time));
    return events_.back();
  }
  absl::Status Upload(std::byte* to, std::uint32_t value) {
    const std::vector<std::uint32_t> values(kCount, value);
    const bool reads_at_once = driver_->ReadsAtOnce(values.data());
    SYNCLINE_RETURN_IF_ERROR(
        driver_->Copy(stream_, to, values.data(), kBytes, "upload"));
    return reads_at_once ? absl::OkStatus()
                         : driver_->HostWaitForStream(stream_);
  }
  // Waits for the stream.
  std::vector<std::uint32_t> Download(const std::byte* from) {
    std::vector<std::uint32_t> values(kCount);
    SYNCLINE_EXPECT_OK(
        driver_->Copy(stream_, values.data(), from, kBytes, "download"));
    SYNCLINE_EXPECT_OK(driver_->HostWaitForStream(stream_));
    return values;
  }
  absl::Status AddOne(StreamHandle stream, std::byte* from, std::byte* to) {
    const KernelBuffer buffers[] = {{from, kBytes, false}, {to, kBytes, true}};
    return driver_->Launch(
        stream, GetParam().add_one,
        {.count = kCount, .buffers = buffers, .num_buffers = 2});
  }
  DeviceDrivers drivers_;
  DeviceDriver* driver_ = nullptr;
  StreamHandle stream_ = nullptr;
  StreamHandle other_ = nullptr;
  std::vector<std::pair<DeviceDriver*, DriverMemory>> memory_;
  std::vector<EventHandle> events_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DRIVER_CONFORMANCE_TEST_H_
