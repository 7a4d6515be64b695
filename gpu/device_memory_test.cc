// Which device the memory of allocators comes from.
#include "gpu/device_memory.h"

#include <memory>

#include "absl/status/status.h"
#include "framework/config/block_memory_pool.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/memory/allocator_registry.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/find_device.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

TEST(DeviceMemoryTest, IsThatOfTheFirstDeviceThereIs) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const FoundDevice found, FindDevice(""));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto device, MemoryDevice({}));
  EXPECT_EQ(device, found.device);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto first, MemoryDevice(0));
  EXPECT_EQ(first, found.device);
  EXPECT_FALSE(MemoryDevice(1000).ok());
  EXPECT_FALSE(MemoryDevice(-1).ok());
}

TEST(DeviceMemoryTest, IsThatOfTheInnermostScope) {
  const StandInDevices outer = MakeStandInDevices({.num_devices = 2});
  const StandInDevices inner = MakeStandInDevices({});
  const MemoryDevicesScope outer_scope(outer.devices);
  EXPECT_EQ(*MemoryDevice({}), outer[0]);
  EXPECT_EQ(*MemoryDevice(1), outer[1]);
  {
    const MemoryDevicesScope inner_scope(inner.devices);
    EXPECT_EQ(*MemoryDevice({}), inner[0]);
    EXPECT_THAT(MemoryDevice(1),
                StatusIs(absl::StatusCode::kNotFound,
                         HasSubstr("no device 1 among the 1")));
  }
  EXPECT_EQ(*MemoryDevice({}), outer[0]);
}

TEST(DeviceMemoryTest, AGraphFileSaysKindAndSizeOfAPool) {
  const StandInDevices devices = MakeStandInDevices({.num_devices = 2});
  const MemoryDevicesScope scope(devices.devices);
  SynclineOptions options;
  BlockMemoryPoolOptions* const pool =
      options.MutableExtension(BlockMemoryPoolOptions::ext);
  pool->set_storage_type(BlockMemoryPoolOptions::DEVICE);
  pool->set_dev_id(1);
  pool->set_block_size_text("1KB");
  pool->set_num_blocks(4);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const auto frames,
      MakeAllocator("", "frames", "nvidia::gxf::BlockMemoryPool", options));
  EXPECT_EQ(frames->capacity_bytes(), 4096);
  EXPECT_GE(devices.stand_in->BytesInUse(1), 4096);
  EXPECT_EQ(devices.stand_in->BytesInUse(0), 0);
}

TEST(DeviceMemoryTest, AFullDeviceIsAnErrorThatNamesPoolAndDevice) {
  const StandInDevices devices =
      MakeStandInDevices({.memory_bytes = std::size_t{1} << 20});
  const MemoryDevicesScope scope(devices.devices);
  SynclineOptions options;
  BlockMemoryPoolOptions* const pool =
      options.MutableExtension(BlockMemoryPoolOptions::ext);
  pool->set_storage_type(BlockMemoryPoolOptions::DEVICE);
  pool->set_block_size_text("512KB");
  pool->set_num_blocks(3);
  EXPECT_THAT(MakeAllocator("", "frames", "BlockMemoryPool", options),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       testing::AllOf(HasSubstr("block 2 of 3"),
                                      HasSubstr("\"frames\""),
                                      HasSubstr("stand_in:0"))));
  EXPECT_EQ(devices.stand_in->BytesInUse(0), 0);
}

}  // namespace
}  // namespace syncline::gpu
