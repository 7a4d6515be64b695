#include "gpu/kernels/run_kernel.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/memory/allocator.h"
#include "gpu/cuda_drivers.h"
#include "gpu/driver.h"
#include "gpu/kernel.h"

namespace syncline::gpu {
namespace {

using Drivers = std::vector<std::unique_ptr<DeviceDriver>>;

const absl::StatusOr<Drivers>& CudaDrivers() {
  static const absl::StatusOr<Drivers>& drivers =
      *new absl::StatusOr<Drivers>(internal::MakeCudaDrivers());
  return drivers;
}

using Contents = std::vector<std::vector<std::byte>>;

Contents ContentsOf(const KernelLaunch& launch) {
  Contents contents;
  for (int b = 0; b < launch.num_buffers; ++b) {
    const std::byte* data =
        static_cast<const std::byte*>(launch.buffers[b].data);
    contents.emplace_back(data, data + launch.buffers[b].size);
  }
  return contents;
}

// What the buffers hold after the CUDA form of the kernel.
Contents RunOnCuda(DeviceDriver& driver, const Kernel& kernel,
                   KernelLaunch launch, Contents contents) {
  const StreamHandle stream = *driver.MakeStream({.flags = 1});
  std::vector<DriverMemory> memories;
  std::vector<KernelBuffer> buffers;
  for (int b = 0; b < launch.num_buffers; ++b) {
    // No memory has 0 bytes.
    memories.push_back(*driver.TakeMemory(MemoryStorageType::kDevice,
                                          contents[b].size() + 1, "test"));
    buffers.push_back(
        {memories[b].data, contents[b].size(), launch.buffers[b].may_write});
    EXPECT_TRUE(driver
                    .Copy(stream, memories[b].data, contents[b].data(),
                          contents[b].size(), "up")
                    .ok());
  }
  launch.buffers = buffers.data();
  const absl::Status launched = driver.Launch(stream, kernel, launch);
  EXPECT_TRUE(launched.ok()) << launched;
  for (int b = 0; b < launch.num_buffers; ++b) {
    EXPECT_TRUE(driver
                    .Copy(stream, contents[b].data(), memories[b].data,
                          contents[b].size(), "down")
                    .ok());
  }
  const absl::Status ended = driver.HostWaitForStream(stream);
  EXPECT_TRUE(ended.ok()) << ended;
  for (const DriverMemory& memory : memories) driver.GiveMemoryBack(memory);
  driver.DropStream(stream);
  return contents;
}

}  // namespace

absl::Status CanCompareWithCuda() { return CudaDrivers().status(); }

void RunKernel(const Kernel& kernel, const KernelLaunch& launch) {
  ASSERT_NE(kernel.stand_in, nullptr) << kernel.name;
  ASSERT_EQ(kernel.why_not(launch), nullptr) << kernel.name;
  Contents before = ContentsOf(launch);
  kernel.stand_in(launch);
  if (!CudaDrivers().ok()) return;
  const Contents on_cuda =
      RunOnCuda(*(*CudaDrivers())[0], kernel, launch, std::move(before));
  EXPECT_EQ(ContentsOf(launch), on_cuda) << kernel.name;
}

ImageForTest RandomImage(std::mt19937& random, int width, int height,
                         int channels) {
  ImageForTest image;
  image.layout = {
      .width = width,
      .height = height,
      .channels = channels,
      .pitch = std::int64_t{width} * channels +
               static_cast<std::int64_t>(random() % 3 * (random() % 20)),
      .offset = static_cast<std::int64_t>(random() % 2 * (random() % 50))};
  const std::int64_t rows =
      width > 0 && height > 0
          ? (height - 1) * image.layout.pitch + std::int64_t{width} * channels
          : 0;
  image.bytes.resize(image.layout.offset + rows);
  for (std::uint8_t& byte : image.bytes) {
    byte = static_cast<std::uint8_t>(random());
  }
  return image;
}

int RandomSide(std::mt19937& random) {
  switch (random() % 8) {
    case 0:
      return 1;
    case 1:
      return static_cast<int>(random() % 3);
    default:
      return 1 + static_cast<int>(random() % 70);
  }
}

}  // namespace syncline::gpu
