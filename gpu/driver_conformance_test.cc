// The tests of driver_conformance_test.h.

#include "gpu/driver_conformance_test.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline::gpu {

TEST_P(DriverConformanceTest, SaysWhatItIs) {
  EXPECT_THAT(std::string(driver_->name()), ::testing::EndsWith(":0"));
  EXPECT_GT(driver_->info().memory_bytes, 0);
  SYNCLINE_EXPECT_OK(driver_->Health());
}

TEST_P(DriverConformanceTest, GivesMemoryOfEachKindAligned) {
  for (const auto kind : {MemoryStorageType::kHost, MemoryStorageType::kDevice,
                          MemoryStorageType::kManaged}) {
    const std::byte* const data = Take(kind);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 256, 0u);
  }
  EXPECT_THAT(driver_->TakeMemory(MemoryStorageType::kSystem, 1, "memory"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(driver_->TakeMemory(MemoryStorageType::kDevice, 0, "memory"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_P(DriverConformanceTest, MemoryThatDoesNotFitIsExhaustion) {
  EXPECT_THAT(driver_->TakeMemory(MemoryStorageType::kDevice,
                                  std::size_t{1} << 50, "huge"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       ::testing::HasSubstr("huge")));
  SYNCLINE_EXPECT_OK(driver_->Health());
  Take(MemoryStorageType::kDevice);
}

TEST_P(DriverConformanceTest, CopiesBetweenAllKindsOfMemory) {
  std::byte* const device = Take(MemoryStorageType::kDevice);
  std::byte* const pinned = Take(MemoryStorageType::kHost);
  std::byte* const managed = Take(MemoryStorageType::kManaged);
  std::byte* const second = Take(MemoryStorageType::kDevice);
  SYNCLINE_ASSERT_OK(Upload(device, 7));
  SYNCLINE_ASSERT_OK(driver_->Copy(stream_, pinned, device, kBytes, "a"));
  SYNCLINE_ASSERT_OK(driver_->Copy(stream_, managed, pinned, kBytes, "b"));
  SYNCLINE_ASSERT_OK(driver_->Copy(stream_, second, managed, kBytes, "c"));
  EXPECT_THAT(Download(second), ::testing::Each(7u));
  std::uint32_t value = 0;
  std::memcpy(&value, pinned + kBytes - sizeof(value), sizeof(value));
  EXPECT_EQ(value, 7u);
}

TEST_P(DriverConformanceTest, MemoryThatIsReadAtOnceIsTheCallersAgain) {
  std::byte* const device = Take(MemoryStorageType::kDevice);
  std::vector<std::uint32_t> values(kCount);
  const bool reads_at_once = driver_->ReadsAtOnce(values.data());
  for (std::uint32_t i = 0; i < 20; ++i) {
    values.assign(kCount, i);
    SYNCLINE_ASSERT_OK(
        driver_->Copy(stream_, device, values.data(), kBytes, "upload"));
    if (reads_at_once) values.assign(kCount, 99u);
    EXPECT_THAT(Download(device), ::testing::Each(i));
  }
  EXPECT_FALSE(driver_->ReadsAtOnce(Take(MemoryStorageType::kHost)));
  EXPECT_FALSE(driver_->ReadsAtOnce(Take(MemoryStorageType::kManaged)));
}

TEST_P(DriverConformanceTest, CopiesBetweenDevices) {
  if (drivers_.size() < 2) GTEST_SKIP() << "one device only";
  std::byte* const here = Take(MemoryStorageType::kDevice);
  std::byte* const there = Take(MemoryStorageType::kDevice, drivers_[1].get());
  SYNCLINE_ASSERT_OK(Upload(here, 8));
  SYNCLINE_ASSERT_OK(driver_->Copy(stream_, there, here, kBytes, "there"));
  EXPECT_THAT(Download(there), ::testing::Each(8u));
}

TEST_P(DriverConformanceTest, FillsBytes) {
  std::byte* const device = Take(MemoryStorageType::kDevice);
  SYNCLINE_ASSERT_OK(Upload(device, 0));
  SYNCLINE_ASSERT_OK(driver_->Fill(stream_, device + 4, 0xab, 4, "fill"));
  const std::vector<std::uint32_t> values = Download(device);
  EXPECT_EQ(values[0], 0u);
  EXPECT_EQ(values[1], 0xababababu);
  EXPECT_EQ(values[2], 0u);
}

TEST_P(DriverConformanceTest, KernelsGetTheirBuffersAndRunInOrder) {
  std::byte* const a = Take(MemoryStorageType::kDevice);
  std::byte* const b = Take(MemoryStorageType::kDevice);
  SYNCLINE_ASSERT_OK(Upload(a, 0));
  for (int i = 0; i < 10; ++i) {
    SYNCLINE_ASSERT_OK(AddOne(stream_, a, b));
    SYNCLINE_ASSERT_OK(AddOne(stream_, b, a));
  }
  EXPECT_THAT(Download(a), ::testing::Each(20u));
  EXPECT_THAT(driver_->Launch(stream_, {.name = "elsewhere"}, {}),
              StatusIs(absl::StatusCode::kUnimplemented,
                       ::testing::HasSubstr("elsewhere")));
}

TEST_P(DriverConformanceTest, AStreamWaitsForAnEvent) {
  std::byte* const a = Take(MemoryStorageType::kDevice);
  std::byte* const b = Take(MemoryStorageType::kDevice);
  for (std::uint32_t i = 0; i < 20; ++i) {
    SYNCLINE_ASSERT_OK(Upload(a, i));
    const EventHandle event = MakeEvent();
    SYNCLINE_ASSERT_OK(driver_->Record(event, stream_));
    SYNCLINE_ASSERT_OK(driver_->WaitFor(other_, event));
    SYNCLINE_ASSERT_OK(AddOne(other_, a, b));
    // An event is recorded anew; who was told to wait waits for the old one.
    SYNCLINE_ASSERT_OK(driver_->Record(event, other_));
    SYNCLINE_ASSERT_OK(driver_->WaitFor(stream_, event));
    EXPECT_THAT(Download(b), ::testing::Each(i + 1));
  }
}

TEST_P(DriverConformanceTest, AnEventThatWasNeverRecordedHasEnded) {
  const EventHandle event = MakeEvent();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool has_ended, driver_->HasEnded(event));
  EXPECT_TRUE(has_ended);
  SYNCLINE_EXPECT_OK(driver_->WaitFor(stream_, event));
  SYNCLINE_EXPECT_OK(driver_->HostWaitForEvent(event));
}

TEST_P(DriverConformanceTest, TheHostWaitsForAnEvent) {
  std::byte* const pinned = Take(MemoryStorageType::kHost);
  SYNCLINE_ASSERT_OK(driver_->Fill(stream_, pinned, 9, kBytes, "fill"));
  const EventHandle event = MakeEvent();
  SYNCLINE_ASSERT_OK(driver_->Record(event, stream_));
  SYNCLINE_ASSERT_OK(driver_->HostWaitForEvent(event));
  EXPECT_EQ(pinned[kBytes - 1], std::byte{9});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool has_ended, driver_->HasEnded(event));
  EXPECT_TRUE(has_ended);
}

TEST_P(DriverConformanceTest, EventsTellTheTimeBetweenThem) {
  std::byte* const a = Take(MemoryStorageType::kDevice);
  const EventHandle begin = MakeEvent(/*has_time=*/true);
  const EventHandle end = MakeEvent(/*has_time=*/true);
  SYNCLINE_ASSERT_OK(driver_->Record(begin, stream_));
  SYNCLINE_ASSERT_OK(Upload(a, 1));
  SYNCLINE_ASSERT_OK(AddOne(stream_, a, a));
  SYNCLINE_ASSERT_OK(driver_->Record(end, stream_));
  SYNCLINE_ASSERT_OK(driver_->HostWaitForEvent(end));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::int64_t forth,
                                driver_->NanosecondsBetween(begin, end));
  EXPECT_GT(forth, 0);
}

TEST_P(DriverConformanceTest, CallsAFunctionOfTheHostOnce) {
  std::byte* const pinned = Take(MemoryStorageType::kHost);
  SYNCLINE_ASSERT_OK(driver_->Fill(stream_, pinned, 3, kBytes, "fill"));
  std::atomic<int> sum{0};
  auto held = std::make_shared<int>(1);
  SYNCLINE_ASSERT_OK(driver_->CallHost(stream_, [&sum, pinned, held] {
    sum += static_cast<int>(pinned[0]) + *held;
  }));
  SYNCLINE_ASSERT_OK(driver_->HostWaitForStream(stream_));
  EXPECT_EQ(sum.load(), 4);
  EXPECT_EQ(held.use_count(), 1);
}

TEST_P(DriverConformanceTest, WorkOfADroppedStreamStillRuns) {
  std::byte* const pinned = Take(MemoryStorageType::kHost);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const StreamHandle dropped,
                                driver_->MakeStream({.flags = 1}));
  SYNCLINE_ASSERT_OK(driver_->Fill(dropped, pinned, 6, kBytes, "fill"));
  const EventHandle event = MakeEvent();
  SYNCLINE_ASSERT_OK(driver_->Record(event, dropped));
  driver_->DropStream(dropped);
  SYNCLINE_ASSERT_OK(driver_->HostWaitForEvent(event));
  EXPECT_EQ(pinned[0], std::byte{6});
}

TEST_P(DriverConformanceTest, AnyPriorityAndTheDefaultStreamAreTaken) {
  for (const int priority : {-1000, -1, 0, 1000}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const StreamHandle stream,
                                  driver_->MakeStream({.priority = priority}));
    SYNCLINE_EXPECT_OK(driver_->HostWaitForStream(stream));
    driver_->DropStream(stream);
  }
  std::byte* const pinned = Take(MemoryStorageType::kHost);
  SYNCLINE_ASSERT_OK(driver_->Fill(nullptr, pinned, 2, kBytes, "fill"));
  SYNCLINE_ASSERT_OK(driver_->HostWaitForStream(nullptr));
  EXPECT_EQ(pinned[0], std::byte{2});
}

TEST_P(DriverConformanceTest, MemoryInStreamOrder) {
  std::byte* const kept = Take(MemoryStorageType::kDevice);
  for (std::uint32_t i = 0; i < 20; ++i) {
    const absl::StatusOr<DriverMemory> memory =
        driver_->TakeMemoryAsync(stream_, kBytes, "short");
    if (absl::IsUnimplemented(memory.status())) GTEST_SKIP() << "no pools";
    SYNCLINE_ASSERT_OK(memory);
    SYNCLINE_ASSERT_OK(Upload(memory->data, i));
    SYNCLINE_ASSERT_OK(AddOne(stream_, memory->data, kept));
    SYNCLINE_ASSERT_OK(driver_->GiveMemoryBackAsync(stream_, *memory));
  }
  EXPECT_THAT(Download(kept), ::testing::Each(20u));
}

}  // namespace syncline::gpu
