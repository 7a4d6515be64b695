#include "gpu/host_addresses.h"

#include <cstddef>
#include <memory>

#include "gpu/device_buffer.h"
#include "gpu/driver.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

class HostAddressesTest : public ::testing::Test {
 protected:
  std::shared_ptr<BufferState> Make() {
    return DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kHost, 8, "b")
        ->state();
  }

  const StandInDevices devices_ = MakeStandInDevices({.has_threads = false});
  std::byte memory_[32];
  HostAddresses addresses_;
};

TEST_F(HostAddressesTest, ABufferIsFoundByEachOfItsAddressesAndByNoOther) {
  const auto one = Make();
  const auto two = Make();
  addresses_.Add(memory_ + 8, 8, one);
  addresses_.Add(memory_ + 16, 4, two);
  EXPECT_EQ(addresses_.Find(memory_ + 7), nullptr);
  EXPECT_EQ(addresses_.Find(memory_ + 8), one);
  EXPECT_EQ(addresses_.Find(memory_ + 15), one);
  EXPECT_EQ(addresses_.Find(memory_ + 16), two);
  EXPECT_EQ(addresses_.Find(memory_ + 20), nullptr);
}

TEST_F(HostAddressesTest, OnlyItsOwnerTakesABufferOut) {
  const auto one = Make();
  const auto next = Make();
  addresses_.Add(memory_, 8, one);
  addresses_.Add(memory_, 8, next);
  addresses_.Remove(memory_, one.get());
  EXPECT_EQ(addresses_.Find(memory_), next);
  addresses_.Remove(memory_, next.get());
  EXPECT_TRUE(addresses_.empty());
}

TEST_F(HostAddressesTest, ABufferThatIsGoneIsNotFound) {
  auto one = Make();
  addresses_.Add(memory_, 8, one);
  one = nullptr;
  EXPECT_EQ(addresses_.Find(memory_), nullptr);
}

// What the group of the device knows of buffers while they have memory.
TEST_F(HostAddressesTest, TheGroupKnowsMemoryThatTheHostCanSee) {
  DeviceGroup& group = devices_[0]->group();
  for (const MemoryStorageType kind :
       {MemoryStorageType::kHost, MemoryStorageType::kManaged}) {
    DeviceBuffer buffer = *DeviceBuffer::Allocate(devices_[0], kind, 8, "b");
    const std::byte* const address = buffer.address();
    std::shared_ptr<BufferState> found;
    {
      MutexLock lock(&group.mutex);
      found = group.host_addresses.Find(address + 7);
    }
    EXPECT_EQ(found, buffer.state());
    found = nullptr;
    buffer = DeviceBuffer();
    MutexLock lock(&group.mutex);
    EXPECT_TRUE(group.host_addresses.empty());
  }
  const DeviceBuffer device_memory =
      *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice, 8, "b");
  MutexLock lock(&group.mutex);
  EXPECT_TRUE(group.host_addresses.empty());
}

}  // namespace
}  // namespace syncline::gpu
