#include "gpu/buffer_cache.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

constexpr std::size_t kCacheBytes = 10000;

class BufferCacheTest : public ::testing::Test {
 protected:
  DeviceBuffer Take(const Stream& stream) {
    return *cache_->TakeFor(stream, kCacheBytes, "a");
  }

  const StandInDevices devices_ =
      MakeStandInDevices({.memory_bytes = 20 * 12288, .has_threads = false});
  const Stream one_ = *Stream::Make(devices_[0], {}, "one");
  const Stream two_ = *Stream::Make(devices_[0], {}, "two");
  std::shared_ptr<BufferCache> cache_ =
      BufferCache::Make(devices_[0], MemoryStorageType::kDevice);
};

TEST_F(BufferCacheTest, MemoryIsUsedAgainOnOneStreamWithoutAnEvent) {
  const std::byte* address = nullptr;
  for (int i = 0; i < 5; ++i) {
    const DeviceBuffer buffer = Take(one_);
    EXPECT_EQ(buffer.size(), kCacheBytes);
    SYNCLINE_EXPECT_OK(one_.Fill(Writes(buffer), 1));
    if (i > 0) {
      EXPECT_EQ(buffer.address(), address);
    }
    address = buffer.address();
  }
  EXPECT_EQ(devices_[0]->counters().allocations, 1);
  EXPECT_EQ(devices_[0]->counters().events_recorded, 0);
}

TEST_F(BufferCacheTest, AnotherStreamGetsOtherMemoryAsLongAsThereIsSome) {
  const std::byte* address = nullptr;
  {
    const DeviceBuffer buffer = Take(one_);
    SYNCLINE_EXPECT_OK(one_.Fill(Writes(buffer), 1));
    address = buffer.address();
  }
  const DeviceBuffer other = Take(two_);
  SYNCLINE_EXPECT_OK(two_.Fill(Writes(other), 2));
  EXPECT_NE(other.address(), address);
  EXPECT_EQ(Take(one_).address(), address);
  EXPECT_EQ(devices_[0]->counters().waits_submitted, 0);
}

TEST_F(BufferCacheTest, AtMostEightPiecesWaitForTheirWork) {
  std::vector<DeviceBuffer> buffers;
  for (std::size_t i = 0; i < BufferCache::kMaxWaiting; ++i) {
    buffers.push_back(Take(one_));
    SYNCLINE_EXPECT_OK(one_.Fill(Writes(buffers.back()), 1));
  }
  const std::byte* const oldest = buffers.front().address();
  for (DeviceBuffer& buffer : buffers) buffer = DeviceBuffer();
  // The device waits.
  const DeviceBuffer buffer = Take(two_);
  EXPECT_EQ(buffer.address(), oldest);
  EXPECT_EQ(devices_[0]->counters().waits_submitted, 1);
  EXPECT_EQ(devices_[0]->counters().host_waits, 0);
  SYNCLINE_EXPECT_OK(two_.Fill(Writes(buffer), 2));
}

TEST_F(BufferCacheTest, TheHostGetsMemoryThatNobodyUses) {
  cache_ = BufferCache::Make(devices_[0], MemoryStorageType::kHost);
  const DeviceBuffer target = *DeviceBuffer::Allocate(
      devices_[0], MemoryStorageType::kDevice, kCacheBytes, "target");
  const std::byte* first = nullptr;
  for (int i = 0; i < 3; ++i) {
    const DeviceBuffer staging = *cache_->TakeForHost(kCacheBytes, "staging");
    SYNCLINE_EXPECT_OK(staging.ViewForWriting().status());
    SYNCLINE_EXPECT_OK(one_.Copy(Writes(target), Reads(staging)));
    // The device may still read the first one until the host has waited.
    if (i == 0) first = staging.address();
    if (i == 1) {
      EXPECT_NE(staging.address(), first);
      SYNCLINE_EXPECT_OK(one_.Synchronize());
    }
    if (i == 2) {
      EXPECT_EQ(staging.address(), first);
    }
  }
}

TEST_F(BufferCacheTest, TheHostWaitsForNothingWhereTheDeviceKeepsUp) {
  cache_ = BufferCache::Make(devices_[0], MemoryStorageType::kHost);
  for (int i = 0; i < 40; ++i) {
    {
      const DeviceBuffer staging = *cache_->TakeForHost(kCacheBytes, "staging");
      SYNCLINE_EXPECT_OK(staging.ViewForWriting().status());
      SYNCLINE_EXPECT_OK(one_.Fill(Writes(staging), 1));
    }
    // At times the device is some pieces behind.
    if (i % 3 == 2) devices_.stand_in->RunAll();
  }
  EXPECT_EQ(devices_[0]->counters().host_waits, 0);
  EXPECT_LE(devices_[0]->counters().allocations,
            static_cast<std::int64_t>(BufferCache::kMaxWaiting) + 1);
}

TEST_F(BufferCacheTest, TheHostWaitsForADeviceThatIsEightPiecesBehind) {
  cache_ = BufferCache::Make(devices_[0], MemoryStorageType::kHost);
  const std::byte* oldest = nullptr;
  for (std::size_t i = 0; i < BufferCache::kMaxWaiting; ++i) {
    const DeviceBuffer staging = *cache_->TakeForHost(kCacheBytes, "staging");
    SYNCLINE_EXPECT_OK(one_.Fill(Writes(staging), 1));
    if (i == 0) oldest = staging.address();
  }
  EXPECT_EQ(cache_->TakeForHost(kCacheBytes, "staging")->address(), oldest);
  EXPECT_EQ(devices_[0]->counters().host_waits, 1);
  EXPECT_EQ(devices_[0]->counters().allocations,
            static_cast<std::int64_t>(BufferCache::kMaxWaiting));
}

// Few of the pieces that wait are of the size that is wanted.
TEST_F(BufferCacheTest, TheHostWaitsForNoPieceWhereAnotherIsOver) {
  cache_ = BufferCache::Make(devices_[0], MemoryStorageType::kHost);
  const std::byte* over = nullptr;
  {
    std::vector<DeviceBuffer> small;
    for (std::size_t i = 2; i < BufferCache::kMaxWaiting; ++i) {
      small.push_back(*cache_->TakeForHost(100, "small"));
    }
    DeviceBuffer busy = *cache_->TakeForHost(kCacheBytes, "busy");
    const DeviceBuffer idle = *cache_->TakeForHost(kCacheBytes, "idle");
    over = idle.address();
    SYNCLINE_EXPECT_OK(two_.Fill(Writes(idle), 1));
    // An event of stream two, which ends.
    SYNCLINE_EXPECT_OK(one_.WaitFor(two_.Now()));
    devices_.stand_in->RunAll();
    SYNCLINE_EXPECT_OK(one_.Fill(Writes(busy), 1));
    busy = DeviceBuffer();
  }
  EXPECT_EQ(cache_->TakeForHost(kCacheBytes, "staging")->address(), over);
  EXPECT_EQ(devices_[0]->counters().host_waits, 0);
}

TEST_F(BufferCacheTest, AFullDeviceIsAnErrorAndUnusedMemoryGoesBackBefore) {
  {
    std::vector<DeviceBuffer> buffers;
    absl::Status status;
    while (status.ok()) {
      absl::StatusOr<DeviceBuffer> buffer =
          cache_->TakeFor(one_, kCacheBytes, "a");
      status = buffer.status();
      if (buffer.ok()) buffers.push_back(*buffer);
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(buffers.size(), 20u);
  }
  // Larger than what is left beside the pieces that are kept.
  SYNCLINE_EXPECT_OK(cache_->TakeFor(one_, 15 * 12288, "large").status());
}

TEST_F(BufferCacheTest, NoBytesAreRefused) {
  EXPECT_EQ(cache_->TakeFor(one_, 0, "a").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(BufferCacheTest, BuffersOutliveIt) {
  {
    const DeviceBuffer buffer = Take(one_);
    cache_ = nullptr;
    SYNCLINE_EXPECT_OK(one_.Fill(Writes(buffer), 1));
  }
  devices_[0]->HostWaitForReleasedMemory();
  EXPECT_EQ(devices_.stand_in->BytesInUse(0), 0u);
}

TEST_F(BufferCacheTest, ANodeHasOneForEachKind) {
  BufferCaches caches;
  const auto device = caches.For(devices_[0], MemoryStorageType::kDevice);
  EXPECT_EQ(caches.For(devices_[0], MemoryStorageType::kDevice), device);
  EXPECT_NE(caches.For(devices_[0], MemoryStorageType::kHost), device);
}

}  // namespace
}  // namespace syncline::gpu
