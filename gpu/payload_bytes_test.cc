// Images and tensors of devices in recordings.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/formats/image_frame.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/value_bytes.h"
#include "framework/port/status_matchers.h"
#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/device_memory.h"
#include "gpu/device_tensor.h"
#include "gpu/gpu_buffer.h"
#include "gpu/image_transfer.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PayloadBytesTest : public ::testing::Test {
 protected:
  DeviceBuffer Filled(std::size_t bytes, std::uint8_t value) {
    const DeviceBuffer memory = *DeviceBuffer::Allocate(
        devices_[0], MemoryStorageType::kDevice, bytes, "memory");
    SYNCLINE_EXPECT_OK(stream_.Fill(Writes(memory), value));
    return memory;
  }

  const StandInDevices devices_ = MakeStandInDevices({.num_devices = 2});
  const MemoryDevicesScope scope_{devices_.devices};
  const Stream stream_ = *Stream::Make(devices_[0], {}, "a");
};

TEST_F(PayloadBytesTest, AnImageComesBack) {
  const GpuBuffer image =
      *GpuBuffer::Make(Filled(96, 7), ImageFormat::SRGB, 5, 6, 16);
  const std::string bytes = *BytesOfPacket(MakePacket<GpuBuffer>(image));
  const Packet packet = *PacketFromBytes("::syncline::GpuBuffer", bytes);
  const auto& back = packet.Get<GpuBuffer>();
  EXPECT_EQ(back.ToText(), "SRGB 5 x 6");
  SYNCLINE_EXPECT_OK(stream_.WaitFor(Reads(back.memory())));
  const ImageFrame frame =
      *Download(stream_, back,
                *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kHost,
                                        StagingBytes(back), "staging"));
  EXPECT_EQ(frame.PixelData()[0], 7);
  EXPECT_EQ(frame.PixelData()[5 * frame.WidthStep() + 14], 7);
}

TEST_F(PayloadBytesTest, NoImageAndNoPixelsComeBack) {
  const auto text = [](const GpuBuffer& image) {
    const std::string bytes = *BytesOfPacket(MakePacket<GpuBuffer>(image));
    return PacketFromBytes("::syncline::GpuBuffer", bytes)
        ->Get<GpuBuffer>()
        .ToText();
  };
  EXPECT_EQ(text(GpuBuffer()), "no image");
  EXPECT_EQ(text(*GpuBuffer::Make({}, ImageFormat::GRAY8, 0, 3, 0)),
            "GRAY8 0 x 3");
}

TEST_F(PayloadBytesTest, ATensorComesBackWithoutGaps) {
  const DeviceTensor tensor = *DeviceTensor::Make(
      Filled(96, 1), TensorElement::kInt32, {3, 4}, {{1, 6}}, 12);
  const std::string bytes = *BytesOfPacket(MakePacket<DeviceTensor>(tensor));
  EXPECT_EQ(bytes.size(), 8 + 16 + 48u);
  const Packet packet =
      *PacketFromBytes("::syncline::gpu::DeviceTensor", bytes);
  const auto& back = packet.Get<DeviceTensor>();
  EXPECT_EQ(back.element(), TensorElement::kInt32);
  EXPECT_THAT(back.shape(), ElementsAre(3, 4));
  EXPECT_TRUE(back.is_dense());
  EXPECT_EQ(*BytesOfPacket(packet), bytes);
}

TEST_F(PayloadBytesTest, ABufferComesBack) {
  const Packet packet = MakePacket<DeviceBuffer>(Filled(100, 9));
  const std::string bytes = *BytesOfPacket(packet);
  EXPECT_EQ(bytes, std::string(100, 9));
  const Packet back = *PacketFromBytes("::syncline::gpu::DeviceBuffer", bytes);
  EXPECT_EQ(back.Get<DeviceBuffer>().kind(), MemoryStorageType::kDevice);
  EXPECT_EQ(*BytesOfPacket(back), bytes);
  const Packet none = MakePacket<DeviceBuffer>(DeviceBuffer());
  EXPECT_EQ(*BytesOfPacket(none), "");
  EXPECT_TRUE(PacketFromBytes("::syncline::gpu::DeviceBuffer", "")
                  ->Get<DeviceBuffer>()
                  .is_null());
}

// --- How they are copied

TEST_F(PayloadBytesTest, CopiesTakeTheirMemoryFromAPool) {
  const Packet buffer = MakePacket<DeviceBuffer>(Filled(5000, 1));
  const Packet image = MakePacket<GpuBuffer>(
      *GpuBuffer::Make(Filled(60 * 64, 7), ImageFormat::GRAY8, 64, 60, 64));
  const Packet tensor = MakePacket<DeviceTensor>(
      *DeviceTensor::Make(Filled(4096, 1), TensorElement::kUint8, {4096}));
  const auto copy_all = [&] {
    for (const Packet& packet : {buffer, image, tensor}) {
      SYNCLINE_EXPECT_OK(BytesOfPacket(packet));
    }
  };
  copy_all();
  const DeviceCounters before = devices_[0]->counters();
  for (int i = 0; i < 20; ++i) copy_all();
  const DeviceCounters after = devices_[0]->counters();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.frees, before.frees);
  EXPECT_GT(after.works_submitted, before.works_submitted);
}

TEST_F(PayloadBytesTest, CopiesOfSeveralThreadsAreTheirs) {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) {
    threads.emplace_back(
        [packet = MakePacket<DeviceBuffer>(Filled(3000, i)), i] {
          for (int j = 0; j < 50; ++j) {
            EXPECT_EQ(*BytesOfPacket(packet),
                      std::string(3000, static_cast<char>(i)));
          }
        });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(PayloadBytesTest, TheirMemoryGoesWithTheDevice) {
  std::shared_ptr<StandIn> stand_in;
  {
    const StandInDevices others = MakeStandInDevices({});
    stand_in = others.stand_in;
    DeviceBuffer memory = *DeviceBuffer::Allocate(
        others[0], MemoryStorageType::kDevice, 100, "memory");
    SYNCLINE_ASSERT_OK(
        Stream::Make(others[0], {}, "a")->Fill(Writes(memory), 1));
    const std::weak_ptr<Device> device = others[0];
    SYNCLINE_EXPECT_OK(
        BytesOfPacket(MakePacket<DeviceBuffer>(std::move(memory))));
    EXPECT_GT(stand_in->PinnedBytesInUse(), 0u);
    // The pool and its stream keep nothing.
    EXPECT_EQ(device.use_count(), 1);
  }
  EXPECT_EQ(stand_in->PinnedBytesInUse(), 0u);
}

TEST_F(PayloadBytesTest, TheLogTellsOfThemOnceForADevice) {
  const Packet packet = MakePacket<DeviceBuffer>(*DeviceBuffer::Allocate(
      devices_[1], MemoryStorageType::kManaged, 321, "memory"));
  SYNCLINE_ASSERT_OK(Stream::Make(devices_[1], {}, "b")
                         ->Fill(Writes(packet.Get<DeviceBuffer>()), 1));
  FLAGS_logtostderr = true;
  ::testing::internal::CaptureStderr();
  SYNCLINE_EXPECT_OK(BytesOfPacket(packet));
  SYNCLINE_EXPECT_OK(BytesOfPacket(packet));
  const std::string log = ::testing::internal::GetCapturedStderr();
  const std::string text = "Values on stand_in:1 are copied to the host";
  EXPECT_THAT(
      log, AllOf(HasSubstr(text), HasSubstr("\"payload copies\""),
                 HasSubstr("a pool of pinned memory"), HasSubstr("321 bytes")));
  EXPECT_EQ(log.find(text), log.rfind(text));
}

TEST_F(PayloadBytesTest, AnErrorOfTheDeviceIsTheErrorOfTheCopy) {
  const Packet packet = MakePacket<DeviceBuffer>(Filled(100, 1));
  SYNCLINE_EXPECT_OK(BytesOfPacket(packet));
  devices_.stand_in->RemoveDevice(0);
  EXPECT_THAT(BytesOfPacket(packet), StatusIs(absl::StatusCode::kUnavailable,
                                              HasSubstr("stand_in:0")));
}

TEST_F(PayloadBytesTest, OtherBytesAreRefused) {
  for (const char* const type :
       {"::syncline::GpuBuffer", "::syncline::gpu::DeviceTensor",
        "::syncline::gpu::Statistics"}) {
    EXPECT_EQ(PacketFromBytes(type, "abc").status().code(),
              absl::StatusCode::kInvalidArgument)
        << type;
  }
}

TEST_F(PayloadBytesTest, TensorsOfImpossibleShapesAreRefused) {
  const auto read = [](std::int32_t rank, std::vector<std::int64_t> sizes) {
    std::string bytes;
    packet_internal::AppendNumber(
        static_cast<std::int32_t>(TensorElement::kFloat32), &bytes);
    packet_internal::AppendNumber(rank, &bytes);
    for (const std::int64_t size : sizes) {
      packet_internal::AppendNumber(size, &bytes);
    }
    return PacketFromBytes("::syncline::gpu::DeviceTensor", bytes).status();
  };
  constexpr std::int64_t kMax = std::int64_t{1} << 40;
  SYNCLINE_EXPECT_OK(read(3, {0, kMax, kMax}));
  EXPECT_THAT(read(-1, {}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(read(2, {0, -1}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(read(1 << 30, {1}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(PayloadBytesTest, StatisticsComeBack) {
  const Statistics statistics = {1, 2, 3, 4};
  const std::string bytes = *BytesOfPacket(MakePacket<Statistics>(statistics));
  const Packet packet = *PacketFromBytes("::syncline::gpu::Statistics", bytes);
  EXPECT_EQ(packet.Get<Statistics>().greatest, 4);
}

}  // namespace
}  // namespace syncline::gpu
