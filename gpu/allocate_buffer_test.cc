// Buffers from allocators: memory goes back at once, and who gets it next comes
// after what is pending; a pool that forgets that is found.
#include "gpu/allocate_buffer.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/unbounded_allocator.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_memory.h"
#include "gpu/notices.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/test_kernels.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr MemoryStorageType kDevice = MemoryStorageType::kDevice;
constexpr MemoryStorageType kHost = MemoryStorageType::kHost;
constexpr MemoryStorageType kManaged = MemoryStorageType::kManaged;
constexpr std::size_t kBlock = 64;

WorkOwner OwnerAt(const char* node, int timestamp) {
  return {std::make_shared<const std::string>(node), Timestamp(timestamp)};
}

std::shared_ptr<BlockMemoryPool> PoolOf(MemoryStorageType kind,
                                        std::size_t num_blocks,
                                        absl::optional<int> dev_id = {}) {
  return BlockMemoryPool::Create({.name = "frames",
                                  .storage_type = kind,
                                  .dev_id = dev_id,
                                  .block_size = kBlock,
                                  .num_blocks = num_blocks})
      .value();
}

class AllocateBufferTest : public testing::Test {
 protected:
  void TearDown() override {
    a_ = b_ = Stream();
    // Looking for the end of work may record an event, which is work, too.
    for (int i = 0; i < 3; ++i) {
      devices_.stand_in->RunAll();
      Notices::WaitForPosted();
      for (const auto& device : devices_.devices) device->GiveEndedMemoryBack();
    }
    EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0);
    EXPECT_EQ(devices_.stand_in->BytesInUse(1), 0);
    EXPECT_EQ(devices_.stand_in->PinnedBytesInUse(), 0);
  }
  // Takes a buffer, writes it on `stream` and lets it go at once.
  static std::byte* WriteAndDrop(const Stream& stream, Allocator& pool,
                                 MemoryStorageType kind) {
    const DeviceBuffer buffer =
        AllocateBuffer(stream, pool, kind, kBlock, "frame").value();
    SYNCLINE_EXPECT_OK(stream.Fill(Writes(buffer), 7));
    return buffer.address();
  }
  DeviceCounters Counters() { return devices_[0]->counters(); }

  const StandInDevices devices_ =
      MakeStandInDevices({.num_devices = 2, .has_threads = false});
  const MemoryDevicesScope scope_{devices_.devices};
  Stream a_ = *Stream::Make(devices_[0], {}, "a");
  Stream b_ = *Stream::Make(devices_[0], {}, "b");
};

TEST_F(AllocateBufferTest, EachKindOfMemoryComesFromTheDevice) {
  for (const MemoryStorageType kind : {kDevice, kHost, kManaged}) {
    const auto pool = PoolOf(kind, 2);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer buffer,
                                  AllocateBuffer(a_, *pool, kind, 10, "frame"));
    EXPECT_EQ(buffer.kind(), kind);
    EXPECT_EQ(buffer.size(), 10);
    EXPECT_EQ(buffer.device(), devices_[0]);
    EXPECT_EQ(pool->num_available(), 1);
  }
}

TEST_F(AllocateBufferTest, OneStreamUsesABlockAgainWithoutAnyWait) {
  const auto pool = PoolOf(kDevice, 1);
  const DeviceCounters before = Counters();
  for (int i = 0; i < 10; ++i) WriteAndDrop(a_, *pool, kDevice);
  EXPECT_EQ(Counters().events_recorded, before.events_recorded);
  EXPECT_EQ(Counters().waits_submitted, before.waits_submitted);
  EXPECT_EQ(Counters().host_waits, before.host_waits);
  EXPECT_EQ(Counters().allocations, before.allocations);
}

TEST_F(AllocateBufferTest, AnotherStreamWaitsOnTheDeviceAndTheHostDoesNot) {
  for (const MemoryStorageType kind : {kDevice, kHost, kManaged}) {
    const auto pool = PoolOf(kind, 1);
    const DeviceCounters before = Counters();
    std::byte* const block = WriteAndDrop(a_, *pool, kind);
    EXPECT_EQ(WriteAndDrop(b_, *pool, kind), block);
    EXPECT_EQ(Counters().waits_submitted, before.waits_submitted + 1);
    EXPECT_EQ(Counters().host_waits, before.host_waits);
    // And back again.
    WriteAndDrop(a_, *pool, kind);
    EXPECT_EQ(Counters().waits_submitted, before.waits_submitted + 2);
    devices_.stand_in->RunAll();
  }
}

// A condition asks for the memory, and is told yes; before the node takes it,
// its stream gets more work, and a later event of that is the newest.
TEST_F(AllocateBufferTest, ABlockThatWasOverStaysOverForTheChecker) {
  const auto pool = PoolOf(kHost, 1);
  const DeviceBuffer pixels =
      *DeviceBuffer::Allocate(devices_[0], kDevice, kBlock, "pixels");
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const DeviceBuffer frame,
        AllocateHostBuffer(*pool, kHost, kBlock, "frame"));
    SYNCLINE_ASSERT_OK(a_.Copy(Writes(pixels), Reads(frame)));
  }
  SYNCLINE_ASSERT_OK(b_.WaitFor(a_.Now()));
  devices_.stand_in->RunAll();
  EXPECT_TRUE(pool->IsAvailable(kBlock));
  SYNCLINE_ASSERT_OK(a_.Fill(Writes(pixels), 1));
  SYNCLINE_ASSERT_OK(b_.WaitFor(a_.Now()));
  SYNCLINE_EXPECT_OK(AllocateHostBuffer(*pool, kHost, kBlock, "next"));
}

TEST_F(AllocateBufferTest, WhoWaitsForMemoryIsToldThoughTheDriverRefuses) {
  const auto pool = PoolOf(kHost, 1);
  WriteAndDrop(a_, *pool, kHost);
  std::atomic<int> told = 0;
  Listener listener = pool->AddReleaseListener([&] { ++told; });
  // An event, when the memory is looked at; one more, and the notice's stream.
  for (const StandInCall call : {StandInCall::kMakeEvent, StandInCall::kRecord,
                                 StandInCall::kMakeStream}) {
    devices_.stand_in->FailCall(call, 1,
                                absl::ResourceExhaustedError("as ordered"));
  }
  MemoryReservation reservation;
  EXPECT_FALSE(pool->TryReserve(kBlock, &reservation));
  Notices::WaitForPosted();
  EXPECT_GE(told, 1);
  EXPECT_EQ(devices_.stand_in->NumReady(), 0) << "its work has been done";
  EXPECT_TRUE(pool->TryReserve(kBlock, &reservation));
  listener.End();
}

TEST_F(AllocateBufferTest, TheHostWaitsForABlockThoughTheDriverRefuses) {
  const auto pool = PoolOf(kDevice, 1);
  WriteAndDrop(a_, *pool, kDevice);
  // An event to look, and one to wait.
  devices_.stand_in->FailCall(StandInCall::kMakeEvent, 1,
                              absl::ResourceExhaustedError("as ordered"));
  devices_.stand_in->FailCall(StandInCall::kRecord, 1,
                              absl::ResourceExhaustedError("as ordered"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const MemoryBuffer memory,
                                pool->Allocate(kBlock, kDevice, "host"));
  EXPECT_EQ(devices_.stand_in->NumReady(), 0) << "its work has been done";
}

TEST_F(AllocateBufferTest, ABlockThatWasNotUsedIsStillAfterItsFormerWork) {
  const auto pool = PoolOf(kDevice, 1);
  WriteAndDrop(a_, *pool, kDevice);
  // It waits for a, and does nothing.
  SYNCLINE_EXPECT_OK(AllocateBuffer(b_, *pool, kDevice, kBlock, "unused"));
  const Stream c = *Stream::Make(devices_[0], {}, "c");
  WriteAndDrop(c, *pool, kDevice);
  // Nobody has run so far, and the checker had nothing to say.
  EXPECT_GE(devices_.stand_in->NumReady(), 1u);
}

TEST_F(AllocateBufferTest, TheHostGetsOnlyWhatNoWorkIsPendingOn) {
  const auto pool = PoolOf(kHost, 1);
  WriteAndDrop(a_, *pool, kHost);
  EXPECT_THAT(AllocateHostBuffer(*pool, kHost, kBlock, "frame"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("1 with work pending on stream \"a\" of "
                                 "stand_in:0")));
  devices_.stand_in->RunAll();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const DeviceBuffer buffer,
      AllocateHostBuffer(*pool, kHost, kBlock, "frame"));
  SYNCLINE_EXPECT_OK(buffer.ViewForWriting());
}

TEST_F(AllocateBufferTest, ListenersHearWhenTheHostCanHaveABlock) {
  const auto pool = PoolOf(kHost, 1);
  WriteAndDrop(a_, *pool, kHost);
  std::atomic<int> told{0};
  const Listener listener = pool->AddReleaseListener([&] { ++told; });
  EXPECT_FALSE(pool->IsAvailable(kBlock));
  Notices::WaitForPosted();
  EXPECT_EQ(told, 0);
  devices_.stand_in->RunAll();
  Notices::WaitForPosted();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(pool->IsAvailable(kBlock));
}

TEST_F(AllocateBufferTest, ListenersHearAlsoWhenTheWorkOnABlockFails) {
  const auto pool = PoolOf(kHost, 1);
  devices_.stand_in->FailKernel(1);
  {
    const DeviceBuffer buffer =
        AllocateBuffer(a_, *pool, kHost, kBlock, "frame").value();
    SYNCLINE_ASSERT_OK(
        a_.Launch(kAddOne, 1, NoParameters{}, {Reads(buffer), Writes(buffer)}));
  }
  std::atomic<int> told{0};
  const Listener listener = pool->AddReleaseListener([&] { ++told; });
  EXPECT_FALSE(pool->IsAvailable(kBlock));
  devices_.stand_in->RunAll();
  Notices::WaitForPosted();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(pool->IsAvailable(kBlock)) << "no work uses it any more";
}

TEST_F(AllocateBufferTest, AnEventOfLaterWorkDoesNotHideTheEndOfTheBlocks) {
  const auto pool = PoolOf(kHost, 1);
  WriteAndDrop(a_, *pool, kHost);
  std::atomic<int> told{0};
  const Listener listener = pool->AddReleaseListener([&] { ++told; });
  EXPECT_FALSE(pool->IsAvailable(kBlock));
  // Later work of the stream, with an event: that one is asked from now on.
  std::atomic<bool> go{false};
  SYNCLINE_ASSERT_OK(a_.CallHost([&] { EXPECT_TRUE(go); }));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool has_ended, a_.Now().HasEnded());
  EXPECT_FALSE(has_ended);
  // All that is ready but the last work of the stream.
  for (int i = 0; i < 20 && told == 0; ++i) {
    const std::size_t num_ready = devices_.stand_in->NumReady();
    if (num_ready == 0) break;
    if (i > 0 && num_ready == 1) break;
    devices_.stand_in->Step(num_ready - 1);
    Notices::WaitForPosted();
  }
  go = true;
  devices_.stand_in->RunAll();
  Notices::WaitForPosted();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(pool->IsAvailable(kBlock));
}

TEST_F(AllocateBufferTest, AnExhaustedPoolNamesNodeStreamAndTimestamp) {
  const auto pool = PoolOf(kDevice, 2);
  const WorkOwnerScope blur(OwnerAt("blur", 40));
  const DeviceBuffer first =
      AllocateBuffer(a_, *pool, kDevice, kBlock, "blurred").value();
  const DeviceBuffer second =
      AllocateHostBuffer(*pool, kDevice, kBlock, "table").value();
  const WorkOwnerScope edges(OwnerAt("edges", 50));
  EXPECT_THAT(
      AllocateBuffer(b_, *pool, kDevice, kBlock, "edges"),
      StatusIs(absl::StatusCode::kResourceExhausted,
               AllOf(HasSubstr("request by \"edges at 50 on stream b of "
                               "stand_in:0, edges\""),
                     HasSubstr("1 by \"blur at 40 on stream a of stand_in:0, "
                               "blurred\""),
                     HasSubstr("1 by \"blur at 40, table\""))));
}

TEST_F(AllocateBufferTest, APoolOfAnotherDeviceIsFoundByTheFirstKernel) {
  const auto pool = PoolOf(kDevice, 1, /*dev_id=*/1);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const DeviceBuffer buffer,
      AllocateBuffer(a_, *pool, kDevice, kBlock, "frame"));
  EXPECT_EQ(buffer.device(), devices_[1]);
  EXPECT_THAT(
      a_.Launch(kAddOne, 1, NoParameters{}, {Reads(buffer), Writes(buffer)}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("the buffer is memory of stand_in:1")));
}

TEST_F(AllocateBufferTest, APoolOfAnotherRunIsRefused) {
  const auto pool = PoolOf(kDevice, 1);
  const StandInDevices others = MakeStandInDevices({.has_threads = false});
  const Stream other = *Stream::Make(others[0], {}, "other");
  const WorkOwnerScope scope(OwnerAt("blur", 40));
  EXPECT_THAT(AllocateBuffer(other, *pool, kDevice, kBlock, "frame"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("node \"blur\" at 40"),
                             HasSubstr("allocator \"frames\""),
                             HasSubstr("stream \"other\""),
                             HasSubstr("two kinds or of two runs"))));
  EXPECT_EQ(pool->num_available(), 1);
}

TEST_F(AllocateBufferTest, APoolOfTheWrongKindIsRefused) {
  UnboundedAllocator heap("heap");
  EXPECT_THAT(
      AllocateBuffer(a_, heap, MemoryStorageType::kSystem, kBlock, "frame"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("gives system memory of no device")));
  const auto pool = PoolOf(kHost, 1);
  EXPECT_THAT(AllocateBuffer(a_, *pool, kDevice, kBlock, "frame"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("of host memory is asked")));
}

TEST_F(AllocateBufferTest, ADeviceOutOfRangeIsAnErrorOfThePool) {
  for (const int dev_id : {2, -1}) {
    EXPECT_THAT(
        BlockMemoryPool::Create({.name = "frames",
                                 .storage_type = kDevice,
                                 .dev_id = dev_id,
                                 .block_size = 1,
                                 .num_blocks = 1}),
        StatusIs(absl::StatusCode::kNotFound,
                 AllOf(HasSubstr("\"frames\""), HasSubstr("no device"))));
  }
}

TEST_F(AllocateBufferTest, BuffersOutliveTheirPoolAndWorkTheirBuffers) {
  auto pool = PoolOf(kDevice, 2);
  WriteAndDrop(a_, *pool, kDevice);
  DeviceBuffer kept = AllocateBuffer(a_, *pool, kDevice, kBlock, "k").value();
  pool.reset();
  SYNCLINE_EXPECT_OK(a_.Fill(Writes(kept), 1));
  kept = DeviceBuffer();
  EXPECT_GT(devices_.stand_in->BytesInUse(0), 0);
  // TearDown sees that all of it has gone back after the work.
}

TEST_F(AllocateBufferTest, UnboundedMemoryIsGivenBackWithoutAWait) {
  UnboundedAllocator heap("heap");
  const DeviceCounters before = Counters();
  for (const MemoryStorageType kind : {kDevice, kHost, kManaged}) {
    WriteAndDrop(a_, heap, kind);
  }
  EXPECT_EQ(Counters().host_waits, before.host_waits);
  EXPECT_EQ(heap.bytes_held(), 0);
  EXPECT_GT(devices_.stand_in->BytesInUse(0), 0) << "work is pending on it";
}

// --- Planted mistakes

// A pool that says nothing of what is pending on its blocks.
class ForgetfulPool : public Allocator {
 public:
  explicit ForgetfulPool(std::shared_ptr<Allocator> pool)
      : Allocator("forgetful"), pool_(std::move(pool)) {}
  absl::StatusOr<MemoryBuffer> Allocate(std::size_t bytes,
                                        MemoryStorageType kind,
                                        absl::string_view label) override {
    return Forget(pool_->AllocateFor(MemoryUser(), bytes, kind, label));
  }
  absl::StatusOr<MemoryBuffer> AllocateFor(const MemoryUser& user,
                                           std::size_t bytes,
                                           MemoryStorageType kind,
                                           absl::string_view label) override {
    return Forget(pool_->AllocateFor(user, bytes, kind, label));
  }
  bool IsAvailable(std::size_t) const override { return true; }
  bool TryReserve(std::size_t, MemoryReservation*) override { return true; }
  absl::optional<std::size_t> capacity_bytes() const override { return {}; }
  Listener AddReleaseListener(std::function<void()>) override { return {}; }

 private:
  static absl::StatusOr<MemoryBuffer> Forget(
      absl::StatusOr<MemoryBuffer> memory) {
    if (memory.ok()) memory->set_pending(nullptr);
    return memory;
  }
  const std::shared_ptr<Allocator> pool_;
};

TEST_F(AllocateBufferTest, ABlockThatIsGivenOutTooEarlyIsFound) {
  ForgetfulPool pool(PoolOf(kDevice, 1));
  {
    const WorkOwnerScope scope(OwnerAt("blur", 40));
    WriteAndDrop(a_, pool, kDevice);
  }
  const WorkOwnerScope scope(OwnerAt("edges", 50));
  EXPECT_THAT(AllocateBuffer(b_, pool, kDevice, kBlock, "edges"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("node \"edges\" at 50"),
                             HasSubstr("for stream \"b\" of stand_in:0"),
                             HasSubstr("node \"blur\" at 40, which writes it"),
                             HasSubstr("on stream \"a\" of stand_in:0"),
                             HasSubstr("pass on the work"))));
}

TEST_F(AllocateBufferTest, ABlockThatIsGivenToTheHostTooEarlyIsFound) {
  ForgetfulPool pool(PoolOf(kHost, 1));
  WriteAndDrop(a_, pool, kHost);
  EXPECT_THAT(AllocateHostBuffer(pool, kHost, kBlock, "frame"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("for the host, and nothing orders this")));
  devices_.stand_in->RunAll();
  SYNCLINE_EXPECT_OK(AllocateHostBuffer(pool, kHost, kBlock, "frame"));
}

TEST_F(AllocateBufferTest, WhatIsOrderedAnyhowIsNoFalseAlarm) {
  ForgetfulPool pool(PoolOf(kDevice, 1));
  WriteAndDrop(a_, pool, kDevice);
  WriteAndDrop(a_, pool, kDevice);
  SYNCLINE_ASSERT_OK(b_.WaitFor(a_.Now()));
  WriteAndDrop(b_, pool, kDevice);
  SYNCLINE_ASSERT_OK(b_.Synchronize());
  WriteAndDrop(a_, pool, kDevice);
}

}  // namespace
}  // namespace syncline::gpu
