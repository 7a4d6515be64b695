// The driver on a device.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/memory/allocator.h"
#include "gpu/cuda/cuda_driver.h"
#include "gpu/cuda/kernels_for_driver_tests.h"
#include "gpu/cuda_drivers.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "gpu/kernels_for_tests.h"
#include "gpu/runtime_calls.h"

namespace syncline::gpu::internal {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMillisecond = 1'000'000;

class CudaDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto drivers = MakeCudaDrivers();
    if (!drivers.ok()) GTEST_SKIP() << drivers.status().message();
    drivers_ = *std::move(drivers);
    driver_ = drivers_[0].get();
    stream_ = Stream();
  }

  void TearDown() override {
    if (driver_ == nullptr) return;
    for (StreamHandle stream : streams_) {
      EXPECT_TRUE(driver_->HostWaitForStream(stream).ok());
      driver_->DropStream(stream);
    }
    for (EventHandle event : events_) driver_->DropEvent(event);
    for (const DriverMemory& memory : memories_) {
      driver_->GiveMemoryBack(memory);
    }
    EXPECT_TRUE(driver_->Health().ok());
  }

  StreamHandle Stream(const StreamOptions& options = {.flags = 1}) {
    streams_.push_back(*driver_->MakeStream(options));
    return streams_.back();
  }
  EventHandle Event(bool has_time = false) {
    events_.push_back(*driver_->MakeEvent(has_time));
    return events_.back();
  }
  DriverMemory Memory(MemoryStorageType kind, std::size_t bytes) {
    memories_.push_back(*driver_->TakeMemory(kind, bytes, "test"));
    return memories_.back();
  }
  absl::Status Launch(StreamHandle stream, const Kernel& kernel,
                      const DriverMemory& memory,
                      std::int64_t nanoseconds = -1) {
    const KernelBuffer buffer = {memory.data, memory.size, true};
    const SpinParameters spin = {nanoseconds};
    KernelLaunch launch = {
        .count = static_cast<std::int64_t>(memory.size / sizeof(std::int32_t)),
        .buffers = &buffer,
        .num_buffers = 1};
    if (nanoseconds >= 0) {
      launch.parameters = &spin;
      launch.parameters_size = sizeof(spin);
    }
    return driver_->Launch(stream, kernel, launch);
  }

  std::vector<std::unique_ptr<DeviceDriver>> drivers_;
  DeviceDriver* driver_ = nullptr;
  StreamHandle stream_ = nullptr;
  std::vector<StreamHandle> streams_;
  std::vector<EventHandle> events_;
  std::vector<DriverMemory> memories_;
};

TEST_F(CudaDeviceTest, MemoryOfEachKindIsCopiedAndFilled) {
  for (MemoryStorageType kind :
       {MemoryStorageType::kHost, MemoryStorageType::kDevice,
        MemoryStorageType::kManaged}) {
    const DriverMemory memory = Memory(kind, 1000);
    EXPECT_EQ(memory.storage_type, kind);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data) % 256, 0u);
    const std::string text(500, 'x');
    std::string read(1000, ' ');
    ASSERT_TRUE(driver_->Fill(stream_, memory.data, 'y', 1000, "fill").ok());
    ASSERT_TRUE(
        driver_->Copy(stream_, memory.data, text.data(), 500, "up").ok());
    ASSERT_TRUE(
        driver_->Copy(stream_, read.data(), memory.data, 1000, "down").ok());
    ASSERT_TRUE(driver_->HostWaitForStream(stream_).ok());
    EXPECT_EQ(read, text + std::string(500, 'y'));
  }
}

TEST_F(CudaDeviceTest, NoBytesAreNoWork) {
  const DriverMemory memory = Memory(MemoryStorageType::kDevice, 1);
  EXPECT_TRUE(driver_->Copy(stream_, memory.data, nullptr, 0, "copy").ok());
  EXPECT_TRUE(driver_->Fill(stream_, memory.data, 0, 0, "fill").ok());
}

TEST_F(CudaDeviceTest, TooMuchMemoryIsAnErrorAndTheDeviceGoesOn) {
  const absl::Status status =
      driver_
          ->TakeMemory(MemoryStorageType::kDevice, std::size_t{1} << 50,
                       "everything")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("\"everything\""));
  EXPECT_TRUE(driver_->Health().ok());
}

TEST_F(CudaDeviceTest, TheWorkOfAStreamRunsInOrder) {
  const DriverMemory memory = Memory(MemoryStorageType::kDevice, 4);
  std::int32_t value = 0;
  ASSERT_TRUE(Launch(stream_, kSpinForTests, memory, 20 * kMillisecond).ok());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(Launch(stream_, kCountUpForTests, memory).ok());
  }
  ASSERT_TRUE(driver_->Copy(stream_, &value, memory.data, 4, "down").ok());
  ASSERT_TRUE(driver_->HostWaitForStream(stream_).ok());
  EXPECT_EQ(value, 11);
}

TEST_F(CudaDeviceTest, AStreamWaitsForAnEventOfAnother) {
  const StreamHandle other = Stream({.flags = 1, .priority = -100});
  const DriverMemory memory = Memory(MemoryStorageType::kDevice, 4);
  const DriverMemory pinned = Memory(MemoryStorageType::kHost, 4);
  const EventHandle event = Event();
  ASSERT_TRUE(Launch(stream_, kSpinForTests, memory, 50 * kMillisecond).ok());
  ASSERT_TRUE(driver_->Record(event, stream_).ok());
  EXPECT_FALSE(*driver_->HasEnded(event));
  ASSERT_TRUE(driver_->WaitFor(other, event).ok());
  ASSERT_TRUE(Launch(other, kCountUpForTests, memory).ok());
  ASSERT_TRUE(driver_->Copy(other, pinned.data, memory.data, 4, "down").ok());
  ASSERT_TRUE(driver_->HostWaitForStream(other).ok());
  EXPECT_TRUE(*driver_->HasEnded(event));
  std::int32_t value = 0;
  std::memcpy(&value, pinned.data, 4);
  EXPECT_EQ(value, 2);
}

TEST_F(CudaDeviceTest, AnEventThatNeverRecordedHoldsNobody) {
  const EventHandle event = Event();
  EXPECT_TRUE(driver_->WaitFor(stream_, event).ok());
  EXPECT_TRUE(*driver_->HasEnded(event));
  EXPECT_TRUE(driver_->HostWaitForEvent(event).ok());
}

TEST_F(CudaDeviceTest, EventsMeasureTime) {
  const DriverMemory memory = Memory(MemoryStorageType::kDevice, 4);
  const EventHandle begin = Event(true);
  const EventHandle end = Event(true);
  ASSERT_TRUE(driver_->Record(begin, stream_).ok());
  ASSERT_TRUE(Launch(stream_, kSpinForTests, memory, 20 * kMillisecond).ok());
  ASSERT_TRUE(driver_->Record(end, stream_).ok());
  EXPECT_EQ(driver_->NanosecondsBetween(begin, end).status().code(),
            absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(driver_->HostWaitForEvent(end).ok());
  const std::int64_t time = *driver_->NanosecondsBetween(begin, end);
  EXPECT_GE(time, 19 * kMillisecond);
  EXPECT_LT(time, 2000 * kMillisecond);
}

TEST_F(CudaDeviceTest, AFunctionOfTheHostRunsInItsTurn) {
  const DriverMemory pinned = Memory(MemoryStorageType::kHost, 4);
  std::promise<std::int32_t> seen;
  ASSERT_TRUE(Launch(stream_, kSpinForTests, pinned, 20 * kMillisecond).ok());
  ASSERT_TRUE(driver_
                  ->CallHost(stream_,
                             [&] {
                               std::int32_t value = 0;
                               std::memcpy(&value, pinned.data, 4);
                               seen.set_value(value);
                             })
                  .ok());
  EXPECT_EQ(seen.get_future().get(), 1);
}

TEST_F(CudaDeviceTest, StreamOrderedMemoryIsUsedAgain) {
  const absl::StatusOr<DriverMemory> first =
      driver_->TakeMemoryAsync(stream_, 1 << 20, "first");
  if (absl::IsUnimplemented(first.status())) GTEST_SKIP() << first.status();
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(driver_->Fill(stream_, first->data, 7, 1 << 20, "fill").ok());
  ASSERT_TRUE(driver_->GiveMemoryBackAsync(stream_, *first).ok());
  const RuntimeCallCounts before = CountRuntimeCalls();
  for (int i = 0; i < 100; ++i) {
    const absl::StatusOr<DriverMemory> again =
        driver_->TakeMemoryAsync(stream_, 1 << 20, "again");
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->data, first->data);
    ASSERT_TRUE(Launch(stream_, kCountUpForTests, *again).ok());
    ASSERT_TRUE(driver_->GiveMemoryBackAsync(stream_, *again).ok());
  }
  const RuntimeCallCounts calls = CountRuntimeCalls() - before;
  EXPECT_EQ(calls[RuntimeCall::kAllocate], 0) << calls.ToString();
  EXPECT_EQ(calls[RuntimeCall::kSynchronize], 0) << calls.ToString();
  EXPECT_EQ(calls[RuntimeCall::kAllocateAsync], 100) << calls.ToString();
  EXPECT_EQ(calls[RuntimeCall::kFreeAsync], 100) << calls.ToString();
  EXPECT_EQ(calls[RuntimeCall::kLaunch], 100) << calls.ToString();
}

TEST_F(CudaDeviceTest, AStreamThatIsDroppedFinishesItsWork) {
  const DriverMemory pinned = Memory(MemoryStorageType::kHost, 4);
  const StreamHandle stream = *driver_->MakeStream({.flags = 1});
  ASSERT_TRUE(driver_->Fill(stream, pinned.data, 0, 4, "fill").ok());
  ASSERT_TRUE(Launch(stream, kSpinForTests, pinned, 20 * kMillisecond).ok());
  std::promise<void> done;
  ASSERT_TRUE(driver_->CallHost(stream, [&] { done.set_value(); }).ok());
  driver_->DropStream(stream);
  done.get_future().wait();
  std::int32_t value = 0;
  std::memcpy(&value, pinned.data, 4);
  EXPECT_EQ(value, 1);
}

TEST_F(CudaDeviceTest, DevicesCopyAmongEachOther) {
  if (drivers_.size() < 2) GTEST_SKIP() << "there is one device";
  DeviceDriver& other = *drivers_[1];
  const DriverMemory here = Memory(MemoryStorageType::kDevice, 100);
  const DriverMemory there =
      *other.TakeMemory(MemoryStorageType::kDevice, 100, "there");
  const StreamHandle there_stream = *other.MakeStream({.flags = 1});
  const EventHandle event = Event();
  std::string read(100, ' ');
  ASSERT_TRUE(driver_->Fill(stream_, here.data, 'z', 100, "fill").ok());
  ASSERT_TRUE(driver_->Record(event, stream_).ok());
  ASSERT_TRUE(other.WaitFor(there_stream, event).ok());
  ASSERT_TRUE(
      other.Copy(there_stream, there.data, here.data, 100, "across").ok());
  ASSERT_TRUE(
      other.Copy(there_stream, read.data(), there.data, 100, "down").ok());
  ASSERT_TRUE(other.HostWaitForStream(there_stream).ok());
  EXPECT_EQ(read, std::string(100, 'z'));
  other.DropStream(there_stream);
  other.GiveMemoryBack(there);
}

TEST_F(CudaDeviceTest, ADeviceThatIsNotThereIsNamed) {
  CudaDriver driver({.index = 99});
  const absl::Status status = driver.MakeStream({}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("cuda:99"));
  EXPECT_TRUE(driver_->Health().ok());
}

TEST_F(CudaDeviceTest, StreamsOfPartsOfTheMultiprocessorsWorkAsOthers) {
  std::vector<StreamHandle> parts;
  for (const int index : {0, -1}) {
    const absl::StatusOr<StreamHandle> stream = driver_->MakeStream(
        {.flags = 1, .partition = {.sms_per_partition = 8, .index = index}});
    if (absl::IsUnimplemented(stream.status())) {
      GTEST_SKIP() << stream.status().message();
    }
    ASSERT_TRUE(stream.ok()) << stream.status();
    streams_.push_back(*stream);
    parts.push_back(*stream);
  }
  constexpr std::size_t kBytes = 1 << 20;
  const DriverMemory memory = Memory(MemoryStorageType::kDevice, kBytes);
  const DriverMemory host = Memory(MemoryStorageType::kHost, kBytes);
  ASSERT_TRUE(driver_->Fill(parts[0], memory.data, 3, kBytes, "fill").ok());
  const EventHandle filled = Event();
  ASSERT_TRUE(driver_->Record(filled, parts[0]).ok());
  ASSERT_TRUE(driver_->WaitFor(parts[1], filled).ok());
  ASSERT_TRUE(Launch(parts[1], kCountUpForTests, memory).ok());
  ASSERT_TRUE(
      driver_->Copy(parts[1], host.data, memory.data, kBytes, "copy").ok());
  ASSERT_TRUE(driver_->HostWaitForStream(parts[1]).ok());
  std::int32_t first = 0;
  std::memcpy(&first, host.data, sizeof(first));
  EXPECT_EQ(first, 0x03030303 + 1);
}

}  // namespace
}  // namespace syncline::gpu::internal
