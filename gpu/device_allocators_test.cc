// The allocators of a device that give any number of bytes: in the order of
// streams, within their maximum, and counted for those who wait.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator_registry.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/allocate_buffer.h"
#include "gpu/byte_budget.h"
#include "gpu/device_allocators.pb.h"
#include "gpu/device_memory.h"
#include "gpu/notices.h"
#include "gpu/rmm_allocator.h"
#include "gpu/stand_in/noting_devices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream_ordered_allocator.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr MemoryStorageType kOnDevice = MemoryStorageType::kDevice;
constexpr MemoryStorageType kPinned = MemoryStorageType::kHost;
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

class DeviceAllocatorsTest : public testing::Test {
 protected:
  void TearDown() override {
    a_ = b_ = Stream();
    SettleDevice();
    EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0);
    EXPECT_EQ(devices_.stand_in->PinnedBytesInUse(), 0);
  }
  std::shared_ptr<StreamOrderedAllocator> Ordered(std::size_t max) {
    return *StreamOrderedAllocator::Make(devices_[0],
                                         {.initial = 0, .max = max}, "ordered");
  }
  std::shared_ptr<RMMAllocator> Rmm(std::size_t max) {
    return *RMMAllocator::Make(devices_[0], {.initial = 0, .max = max},
                               {.initial = 0, .max = max}, "rmm");
  }
  static void WriteAndLetGo(const Stream& stream, Allocator& allocator,
                            std::size_t bytes,
                            MemoryStorageType kind = kOnDevice) {
    const DeviceBuffer buffer =
        AllocateBuffer(stream, allocator, kind, bytes, "b").value();
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(buffer), 1));
  }
  // Looking for the end of work may record an event, which is work, too.
  void SettleDevice() {
    for (int i = 0; i < 3; ++i) {
      devices_.stand_in->RunAll();
      Notices::WaitForPosted();
      devices_[0]->GiveEndedMemoryBack();
    }
  }
  DeviceCounters Count() { return devices_[0]->counters(); }

  const StandInDevices devices_ =
      MakeStandInDevices({.num_devices = 2, .has_threads = false});
  const MemoryDevicesScope scope_{devices_.devices};
  Stream a_ = *Stream::Make(devices_[0], {}, "a");
  Stream b_ = *Stream::Make(devices_[0], {}, "b");
};

// --- Options

TEST_F(DeviceAllocatorsTest, AreMadeByTheirNamesWithSizesAsText) {
  SynclineOptions ordered;
  ordered.MutableExtension(StreamOrderedAllocatorOptions::ext)
      ->set_device_memory_initial_size("32KB");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const auto allocator,
      MakeAllocator("", "m", "nvidia::gxf::StreamOrderedAllocator", ordered));
  EXPECT_EQ(allocator->capacity_bytes(), std::size_t{64} << 10);
  SynclineOptions rmm;
  auto* const given = rmm.MutableExtension(RMMAllocatorOptions::ext);
  given->set_device_memory_initial_size("32B");
  given->set_device_memory_max_size("2MB");
  given->set_host_memory_initial_size("32KB");
  given->set_host_memory_max_size("64GB");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto pools,
                                MakeAllocator("", "m", "RMMAllocator", rmm));
  EXPECT_EQ(pools->capacity_bytes(), 2 * kMegabyte);
}

TEST_F(DeviceAllocatorsTest, HaveTheDefaultsOfGxf) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const PoolSizes sizes,
                                PoolSizes::Parse("device_memory", "", ""));
  EXPECT_GE(sizes.initial, 8 * kMegabyte);
  EXPECT_EQ(sizes.max, 2 * sizes.initial);
}

TEST_F(DeviceAllocatorsTest, TheNameOfTheManualIsTakenWithAWarning) {
  for (const char* type : {"StreamOrderedAllocator", "RMMAllocator"}) {
    SynclineOptions options;
    const bool is_rmm = type[0] == 'R';
    if (is_rmm) {
      options.MutableExtension(RMMAllocatorOptions::ext)
          ->set_device_max_memory_pool_size("64MB");
    } else {
      options.MutableExtension(StreamOrderedAllocatorOptions::ext)
          ->set_device_max_memory_pool_size("64MB");
    }
    testing::internal::CaptureStderr();
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto allocator,
                                  MakeAllocator("", "m", type, options));
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("is called device_memory_max_size"));
    EXPECT_EQ(allocator->capacity_bytes(), 64 * kMegabyte);
    if (is_rmm) {
      options.MutableExtension(RMMAllocatorOptions::ext)
          ->set_device_memory_max_size("64MB");
    } else {
      options.MutableExtension(StreamOrderedAllocatorOptions::ext)
          ->set_device_memory_max_size("64MB");
    }
    EXPECT_THAT(MakeAllocator("", "m", type, options),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("which are the same")));
  }
}

TEST_F(DeviceAllocatorsTest, SizesThatAreNoneAndMaximaThatAreTooLowAreErrors) {
  EXPECT_THAT(PoolSizes::Parse("host_memory", "apples", ""),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("host_memory_initial_size is \"apples\"")));
  EXPECT_THAT(PoolSizes::Parse("host_memory", "2MB", "1MB"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("host_memory_max_size")));
  EXPECT_THAT(PoolSizes::Parse("device_memory", "0B", ""),
              StatusIs(absl::StatusCode::kInvalidArgument));
  SynclineOptions options;
  options.MutableExtension(StreamOrderedAllocatorOptions::ext)
      ->set_release_threshold("much");
  EXPECT_THAT(MakeAllocator("", "m", "StreamOrderedAllocator", options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"m\""), HasSubstr("release_thresh"))));
  EXPECT_THAT(MakeAllocator("", "m", "RMMAllocator", options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("StreamOrderedAllocatorOptions")));
}

TEST_F(DeviceAllocatorsTest, ADeviceWithoutTheInitialSizeIsAnError) {
  const PoolSizes sizes = {.initial = std::size_t{1} << 40,
                           .max = std::size_t{1} << 40};
  EXPECT_THAT(StreamOrderedAllocator::Make(devices_[0], sizes, "m"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("\"m\" is to begin with")));
  EXPECT_THAT(RMMAllocator::Make(devices_[0], sizes, sizes, "m"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("bytes of device memory")));
}

// --- StreamOrderedAllocator

TEST_F(DeviceAllocatorsTest, StreamOrderedMemoryNeedsNoWaitAtAll) {
  const auto allocator = Ordered(kMegabyte);
  const DeviceCounters before = Count();
  for (int i = 0; i < 10; ++i) WriteAndLetGo(a_, *allocator, kMegabyte);
  EXPECT_EQ(Count().events_recorded, before.events_recorded);
  EXPECT_EQ(Count().host_waits, before.host_waits);
}

TEST_F(DeviceAllocatorsTest, ItGoesBackOnTheStreamThatUsedItLast) {
  const auto allocator = Ordered(kMegabyte);
  {
    const DeviceBuffer buffer =
        AllocateBuffer(a_, *allocator, kOnDevice, 64, "b").value();
    SYNCLINE_ASSERT_OK(b_.WaitFor(Writes(buffer)));
    SYNCLINE_ASSERT_OK(b_.Fill(Writes(buffer), 1));
  }
  EXPECT_EQ(Count().waits_submitted, 1) << "stream a waits for nothing";
  // Memory that nobody used, and memory of streams that are gone.
  SYNCLINE_EXPECT_OK(AllocateBuffer(a_, *allocator, kOnDevice, 64, "unused"));
  SYNCLINE_EXPECT_OK(allocator->AllocateFor(StreamUser(a_), 64, kOnDevice, ""));
  {
    DeviceBuffer kept;
    {
      const Stream gone = *Stream::Make(devices_[0], {}, "gone");
      kept = AllocateBuffer(gone, *allocator, kOnDevice, 64, "b").value();
      SYNCLINE_ASSERT_OK(gone.Fill(Writes(kept), 1));
    }
  }
  EXPECT_TRUE(allocator->IsAvailable(kMegabyte));
}

TEST_F(DeviceAllocatorsTest, ForTheHostItWaitsUntilTheMemoryIsThere) {
  const auto allocator = Ordered(kMegabyte);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const MemoryBuffer memory,
                                allocator->Allocate(64, kOnDevice, "table"));
  EXPECT_EQ(memory.pending(), nullptr);
  EXPECT_EQ(Count().host_waits, 1);
}

TEST_F(DeviceAllocatorsTest, OfOtherKindsAndDevicesItGivesNothing) {
  const auto allocator = Ordered(kMegabyte);
  EXPECT_THAT(AllocateBuffer(a_, *allocator, kPinned, 64, "b"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("It gives device memory")));
  EXPECT_THAT(AllocateBuffer(a_, *allocator, kOnDevice, 0, "b"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  const Stream other = *Stream::Make(devices_[1], {}, "other");
  EXPECT_THAT(AllocateBuffer(other, *allocator, kOnDevice, 64, "b"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("of stand_in:0"),
                             HasSubstr("stream \"other\" of stand_in:1"))));
}

// --- RMMAllocator

TEST_F(DeviceAllocatorsTest, AnRmmPoolTakesNothingFromTheDeviceAfterAWhile) {
  const auto allocator = Rmm(kMegabyte);
  for (const MemoryStorageType kind : {kOnDevice, kPinned}) {
    WriteAndLetGo(a_, *allocator, 1000, kind);
    const DeviceCounters before = Count();
    for (int i = 0; i < 10; ++i) WriteAndLetGo(a_, *allocator, 900 + i, kind);
    EXPECT_EQ(Count().allocations, before.allocations);
    EXPECT_EQ(Count().frees, before.frees);
    EXPECT_EQ(Count().host_waits, before.host_waits);
    EXPECT_EQ(Count().events_recorded, before.events_recorded);
    WriteAndLetGo(b_, *allocator, 1000, kind);
    EXPECT_EQ(Count().waits_submitted, before.waits_submitted + 1);
  }
}

TEST_F(DeviceAllocatorsTest, TheHostGetsRmmMemoryThatNoWorkIsPendingOn) {
  const auto allocator = Rmm(kMegabyte);
  WriteAndLetGo(a_, *allocator, 1000, kPinned);
  const DeviceCounters before = Count();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const DeviceBuffer fresh,
      AllocateHostBuffer(*allocator, kPinned, 1000, "b"));
  EXPECT_EQ(Count().allocations, before.allocations + 1);
  devices_.stand_in->RunAll();
  SYNCLINE_EXPECT_OK(AllocateHostBuffer(*allocator, kPinned, 1000, "b"));
  EXPECT_EQ(Count().allocations, before.allocations + 1);
}

TEST_F(DeviceAllocatorsTest, AnRmmPoolLetsGoOfWhatIsInTheWay) {
  const auto allocator = Rmm(kMegabyte);
  WriteAndLetGo(a_, *allocator, kMegabyte);
  devices_.stand_in->RunAll();
  const DeviceBuffer small =
      AllocateBuffer(a_, *allocator, kOnDevice, 1000, "small").value();
  SettleDevice();
  EXPECT_LT(devices_.stand_in->BytesInUse(0), kMegabyte);
}

TEST_F(DeviceAllocatorsTest, TheDeviceGivesAnRmmPoolNoMoreThanItsMaximum) {
  const auto allocator = Rmm(1000);
  std::vector<MemoryBuffer> held;
  while (held.size() < 200) {
    absl::StatusOr<MemoryBuffer> buffer =
        allocator->Allocate(10, kOnDevice, "small");
    if (!buffer.ok()) {
      EXPECT_EQ(buffer.status().code(), absl::StatusCode::kResourceExhausted);
      break;
    }
    held.push_back(*std::move(buffer));
  }
  EXPECT_EQ(held.size(), 100u);
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 1000u);
}

TEST_F(DeviceAllocatorsTest, AnRmmPieceCountsWithAllOfItsBytes) {
  const auto allocator = Rmm(1000);
  { const MemoryBuffer large = *allocator->Allocate(600, kOnDevice, "large"); }
  const MemoryBuffer half = *allocator->Allocate(310, kOnDevice, "half");
  EXPECT_THAT(allocator->Allocate(690, kOnDevice, "rest"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("has 400 of 1000 bytes free"),
                             HasSubstr("600 by \"half\""))));
  const MemoryBuffer rest = *allocator->Allocate(400, kOnDevice, "rest");
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 1000u);
}

// A kept piece that is larger than what is free does not stand in the way of
// what was reserved.
TEST_F(DeviceAllocatorsTest, WhatIsReservedOfRmmComesFromASmallerPiece) {
  const auto allocator = Rmm(1000);
  { const MemoryBuffer large = *allocator->Allocate(600, kOnDevice, "large"); }
  MemoryReservation reservation;
  ASSERT_TRUE(allocator->TryReserve(1000, &reservation));
  ReservationScope scope(&reservation);
  const MemoryBuffer one = *allocator->Allocate(400, kOnDevice, "one");
  const MemoryBuffer two = *allocator->Allocate(600, kOnDevice, "two");
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 1000u);
}

TEST_F(DeviceAllocatorsTest, AnRmmPoolLetsGoOfWhatItKeepsWhereTheDeviceIsFull) {
  const StandInDevices small =
      MakeStandInDevices({.memory_bytes = 10000, .has_threads = false});
  const Stream stream = *Stream::Make(small[0], {}, "s");
  const PoolSizes sizes = {.initial = 0, .max = 100000};
  const auto allocator = *RMMAllocator::Make(small[0], sizes, sizes, "rmm");
  for (const MemoryStorageType kind : {kOnDevice, kPinned}) {
    WriteAndLetGo(stream, *allocator, 8000, kind);
    small.stand_in->RunAll();
    SYNCLINE_EXPECT_OK(allocator->Allocate(3000, kind, "next"));
  }
}

// Memory that is let go of counts until its work is over.
TEST_F(DeviceAllocatorsTest, AnRmmPoolKeepsItsMaximumWhileWorkIsPending) {
  const auto allocator = Rmm(10000);
  for (const std::size_t bytes : {9000, 4000, 1500, 700, 300}) {
    WriteAndLetGo(a_, *allocator, bytes);
    EXPECT_LE(devices_.stand_in->BytesInUse(0), 10000);
  }
  EXPECT_GE(Count().host_waits, 1) << "no memory under work goes back";
}

TEST_F(DeviceAllocatorsTest, AnRmmPoolLetsGoFirstOfWhatNeedsNoWait) {
  const auto allocator = Rmm(10000);
  WriteAndLetGo(a_, *allocator, 4000);
  { const MemoryBuffer unused = *allocator->Allocate(3000, kOnDevice, "u"); }
  const std::int64_t num_waits = Count().host_waits;
  WriteAndLetGo(a_, *allocator, 5000);
  EXPECT_EQ(Count().host_waits, num_waits);
}

// Failures do not make the pool believe that it is full.
TEST_F(DeviceAllocatorsTest, WhatTheDeviceDidNotGiveAnRmmPoolDoesNotCount) {
  const StandInDevices small =
      MakeStandInDevices({.memory_bytes = 10000, .has_threads = false});
  const PoolSizes sizes = {.initial = 0, .max = 20000};
  const auto allocator = *RMMAllocator::Make(small[0], sizes, sizes, "rmm");
  const MemoryBuffer held = *allocator->Allocate(5000, kOnDevice, "held");
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(allocator->Allocate(8000, kOnDevice, "b"),
                StatusIs(absl::StatusCode::kResourceExhausted));
  }
  { const MemoryBuffer kept = *allocator->Allocate(1000, kOnDevice, "kept"); }
  const MemoryBuffer next = *allocator->Allocate(400, kOnDevice, "next");
  EXPECT_EQ(small.stand_in->BytesInUse(0), 6400);
}

// Threads that want the same piece: who is late leaves no byte behind.
TEST_F(DeviceAllocatorsTest, AnRmmPoolOfManyThreadsIsWholeAtTheEnd) {
  for (const int num_threads : {1, 2, 8}) {
    const auto allocator = Rmm(1000);
    std::vector<std::thread> threads;
    for (int t = 0; t < num_threads; ++t) {
      threads.emplace_back([&allocator] {
        for (std::size_t i = 0; i < 2000; ++i) {
          allocator->Allocate(60 + i % 40, kOnDevice, "b").IgnoreError();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(allocator->IsAvailable(1000)) << num_threads << " threads";
    EXPECT_LE(devices_.stand_in->BytesInUse(0), 1000);
  }
}

TEST_F(DeviceAllocatorsTest, ManagedAndSystemMemoryAreNotOfRmm) {
  const auto allocator = Rmm(kMegabyte);
  for (const MemoryStorageType kind :
       {MemoryStorageType::kManaged, MemoryStorageType::kSystem}) {
    EXPECT_THAT(allocator->Allocate(1, kind, "b"),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("It gives device and host memory")));
  }
}

// --- Both

TEST_F(DeviceAllocatorsTest, TheMaximumHoldsAndErrorsNameTheHolders) {
  const std::shared_ptr<Allocator> allocators[] = {Ordered(1000), Rmm(1000)};
  for (const auto& allocator : allocators) {
    EXPECT_THAT(AllocateBuffer(a_, *allocator, kOnDevice, 1001, "b"),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("never has more than 1000 bytes")));
    const WorkOwnerScope scope(
        {std::make_shared<const std::string>("blur"), Timestamp(40)});
    const DeviceBuffer held =
        AllocateBuffer(a_, *allocator, kOnDevice, 600, "blurred").value();
    EXPECT_THAT(AllocateBuffer(b_, *allocator, kOnDevice, 401, "b"),
                StatusIs(absl::StatusCode::kResourceExhausted,
                         AllOf(HasSubstr("has 400 of 1000 bytes free"),
                               HasSubstr("600 by \"blur at 40 on stream a of "
                                         "stand_in:0, blurred\""))));
    SYNCLINE_EXPECT_OK(AllocateBuffer(b_, *allocator, kOnDevice, 400, "b"));
  }
}

TEST_F(DeviceAllocatorsTest, ReservationsAreOfBytesAndListenersAreTold) {
  const std::shared_ptr<Allocator> allocators[] = {Ordered(1000), Rmm(1000)};
  for (const auto& allocator : allocators) {
    int told = 0;
    const Listener listener = allocator->AddReleaseListener([&] { ++told; });
    {
      MemoryReservation reservation;
      ASSERT_TRUE(allocator->TryReserve(700, &reservation));
      EXPECT_TRUE(allocator->IsAvailable(300));
      EXPECT_FALSE(allocator->IsAvailable(301));
      EXPECT_FALSE(AllocateBuffer(a_, *allocator, kOnDevice, 301, "b").ok());
      ReservationScope scope(&reservation);
      const DeviceBuffer mine =
          AllocateBuffer(a_, *allocator, kOnDevice, 500, "b").value();
      EXPECT_EQ(reservation.units(), 200);
      EXPECT_FALSE(allocator->IsAvailable(301));
    }
    EXPECT_EQ(told, 2) << "the buffer and the rest of the reservation";
    EXPECT_TRUE(allocator->IsAvailable(1000));
  }
}

TEST_F(DeviceAllocatorsTest, AFailedDeviceIsAnErrorAndNothingIsCounted) {
  const std::shared_ptr<Allocator> allocators[] = {Ordered(1000), Rmm(1000)};
  devices_.stand_in->RemoveDevice(0);
  for (const auto& allocator : allocators) {
    const absl::Status status =
        AllocateBuffer(a_, *allocator, kOnDevice, 100, "b").status();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()), HasSubstr("on stream a of"));
    EXPECT_TRUE(allocator->IsAvailable(1000));
  }
}

// A stream of another device cannot give memory back, and is not asked to.
TEST_F(DeviceAllocatorsTest, OrderedMemoryGoesBackOnAStreamOfItsDevice) {
  const auto ordered = Ordered(kMegabyte);
  {
    const Stream far = *Stream::Make(devices_[1], {}, "far");
    const DeviceBuffer copy =
        DeviceBuffer::Allocate(devices_[1], kOnDevice, 64, "copy").value();
    DeviceBuffer buffer =
        AllocateBuffer(a_, *ordered, kOnDevice, 64, "b").value();
    SYNCLINE_ASSERT_OK(a_.Fill(Writes(buffer), 1));
    SYNCLINE_ASSERT_OK(far.WaitFor(Reads(buffer)));
    SYNCLINE_ASSERT_OK(far.Copy(Writes(copy), Reads(buffer)));
    SYNCLINE_ASSERT_OK(a_.Synchronize());
    const std::int64_t far_work = devices_[1]->counters().works_submitted;
    buffer = DeviceBuffer();
    EXPECT_EQ(devices_[1]->counters().works_submitted, far_work);
    EXPECT_EQ(Count().frees, 1);
    EXPECT_EQ(devices_.stand_in->BytesInUse(0), 64)
        << "the other device still reads it";
  }
  devices_[1]->HostWaitForReleasedMemory();
}

TEST(StreamOrderedAllocatorTest, ItsPoolKeepsTheThresholdAndWhatItBeginsWith) {
  NotingDevices devices(1);
  const MemoryDevicesScope scope(devices.devices());
  const auto kept = [&](const char* initial, const char* threshold) {
    SynclineOptions options;
    auto* const given =
        options.MutableExtension(StreamOrderedAllocatorOptions::ext);
    given->set_device_memory_initial_size(initial);
    if (threshold != nullptr) given->set_release_threshold(threshold);
    SYNCLINE_EXPECT_OK(
        MakeAllocator("", "m", "StreamOrderedAllocator", options));
    return devices.TakeNotes();
  };
  EXPECT_THAT(kept("1MB", nullptr), Contains("0: pool 4194304"));
  EXPECT_THAT(kept("1MB", "2MB"), Contains("0: pool 2097152"));
  EXPECT_THAT(kept("8MB", "2MB"), Contains("0: pool 8388608"));
}

}  // namespace
}  // namespace syncline::gpu
