// What a stand-in device refuses, and what fails on order.
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/driver.h"
#include "gpu/stand_in/stand_in.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::size_t kBytes = 64;

class StandInErrorsTest : public ::testing::Test {
 protected:
  StandInErrorsTest()
      : stand_in_(StandIn::Make({.num_devices = 2,
                                 .memory_bytes = 2 * kBytes,
                                 .has_threads = false})),
        drivers_(stand_in_->MakeDrivers()),
        driver_(*drivers_[0]),
        stream_(*driver_.MakeStream({})) {}

  DriverMemory Take(MemoryStorageType kind = MemoryStorageType::kDevice) {
    return *driver_.TakeMemory(kind, kBytes, "frame");
  }
  absl::Status Launch(DeviceDriver* driver, StreamHandle stream,
                      const DriverMemory& memory) {
    const KernelBuffer buffer = {memory.data, kBytes, true};
    return driver->Launch(stream, kAddOne,
                          {.count = 1, .buffers = &buffer, .num_buffers = 1});
  }

  const std::shared_ptr<StandIn> stand_in_;
  std::vector<std::unique_ptr<DeviceDriver>> drivers_;
  DeviceDriver& driver_;
  const StreamHandle stream_;
};

TEST_F(StandInErrorsTest, MemoryIsCountedForEachDeviceAndForPinnedMemory) {
  const DriverMemory first = Take();
  Take(MemoryStorageType::kManaged);
  EXPECT_EQ(stand_in_->BytesInUse(0), 2 * kBytes);
  EXPECT_THAT(driver_.TakeMemory(MemoryStorageType::kDevice, 1, "third"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("no memory for buffer \"third\" (1 "
                                       "bytes) of stand_in:0"),
                             HasSubstr("128 of 128 bytes are in use"))));
  EXPECT_EQ(stand_in_->BytesInUse(1), 0u);
  SYNCLINE_EXPECT_OK(
      drivers_[1]->TakeMemory(MemoryStorageType::kDevice, 1, "there"));
  Take(MemoryStorageType::kHost);
  EXPECT_EQ(stand_in_->PinnedBytesInUse(), kBytes);
  driver_.GiveMemoryBack(first);
  // Nothing comes back twice.
  driver_.GiveMemoryBack(first);
  EXPECT_EQ(stand_in_->BytesInUse(0), kBytes);
}

TEST_F(StandInErrorsTest, MemoryThatWasGivenBackIsRefused) {
  const DriverMemory memory = Take();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const DriverMemory ordered,
      driver_.TakeMemoryAsync(stream_, kBytes, "ordered"));
  SYNCLINE_ASSERT_OK(driver_.GiveMemoryBackAsync(stream_, ordered));
  EXPECT_THAT(driver_.Fill(stream_, ordered.data, 1, kBytes, "fill"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"fill\" uses buffer \"ordered\""),
                             HasSubstr("was given back"))));
  EXPECT_THAT(driver_.GiveMemoryBackAsync(stream_, ordered),
              StatusIs(absl::StatusCode::kInvalidArgument));
  // The memory is there until the stream has come so far.
  EXPECT_EQ(stand_in_->BytesInUse(0), 2 * kBytes);
  stand_in_->RunAll();
  EXPECT_EQ(stand_in_->BytesInUse(0), kBytes);
  SYNCLINE_EXPECT_OK(Launch(&driver_, stream_, memory));
}

TEST_F(StandInErrorsTest, WorkThatWasSubmittedKeepsItsMemory) {
  const DriverMemory memory = Take();
  SYNCLINE_ASSERT_OK(driver_.Fill(stream_, memory.data, 1, kBytes, "fill"));
  driver_.GiveMemoryBack(memory);
  SYNCLINE_EXPECT_OK(driver_.HostWaitForStream(stream_));
}

TEST_F(StandInErrorsTest, RangesThatAreTooLongAreRefused) {
  const DriverMemory memory = Take();
  EXPECT_THAT(driver_.Fill(stream_, memory.data + 1, 1, kBytes, "fill"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("64 bytes from byte 1 of buffer \"frame\"")));
}

TEST_F(StandInErrorsTest, HandlesOfOthersAreRefused) {
  const StreamHandle there = *drivers_[1]->MakeStream({});
  EXPECT_THAT(driver_.HostWaitForStream(there),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("stand_in:0 has no such stream")));
  driver_.DropStream(stream_);
  EXPECT_THAT(driver_.CallHost(stream_, [] {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  const auto others = StandIn::Make({})->MakeDrivers();
  const EventHandle event = *others[0]->MakeEvent(false);
  EXPECT_THAT(driver_.WaitFor(there, event),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("one of other devices")));
  others[0]->DropEvent(event);
}

TEST_F(StandInErrorsTest, AKernelOnMemoryOfAnotherDeviceIsRefused) {
  const DriverMemory memory = Take();
  const StreamHandle there = *drivers_[1]->MakeStream({});
  EXPECT_THAT(Launch(drivers_[1].get(), there, memory),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("which is another device")));
  SYNCLINE_EXPECT_OK(
      Launch(drivers_[1].get(), there, Take(MemoryStorageType::kHost)));
}

TEST_F(StandInErrorsTest, TheNthCallFails) {
  stand_in_->FailCall(StandInCall::kTakeMemory, 2,
                      absl::ResourceExhaustedError("as ordered"));
  Take();
  EXPECT_THAT(
      driver_.TakeMemory(MemoryStorageType::kDevice, 1, "second"),
      StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("as ordered")));
  Take();
}

TEST_F(StandInErrorsTest, AnExceptionOfAKernelIsAnErrorOfTheDevice) {
  constexpr Kernel kThrow = {.name = "throw",
                             .stand_in = [](const KernelLaunch&) {
                               throw std::runtime_error("a bad pixel");
                             }};
  SYNCLINE_ASSERT_OK(driver_.Launch(stream_, kThrow, {}));
  EXPECT_THAT(driver_.HostWaitForStream(stream_),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("stand_in:0: the kernel \"throw\" "
                                       "failed"),
                             HasSubstr("a bad pixel"))));
  EXPECT_THAT(driver_.Health(), StatusIs(absl::StatusCode::kInternal));
  SYNCLINE_EXPECT_OK(drivers_[1]->Health());
}

TEST_F(StandInErrorsTest, AHostFunctionIsDestroyedIfWorkBeforeItFails) {
  stand_in_->FailKernel(1);
  const auto held = std::make_shared<int>(1);
  SYNCLINE_ASSERT_OK(Launch(&driver_, stream_, Take()));
  SYNCLINE_ASSERT_OK(
      driver_.CallHost(stream_, [held] { ADD_FAILURE() << "called"; }));
  stand_in_->RunAll();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_THAT(driver_.CallHost(stream_, [held] {}),
              StatusIs(absl::StatusCode::kInternal));
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(StandInErrorsTest, ADriverEndsAfterItsWork) {
  bool has_run = false;
  SYNCLINE_ASSERT_OK(driver_.CallHost(stream_, [&] { has_run = true; }));
  drivers_.clear();
  EXPECT_TRUE(has_run);
}

}  // namespace
}  // namespace syncline::gpu
