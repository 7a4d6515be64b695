// Images and tensors of devices in recordings.

#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "framework/formats/image_frame.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/port/status_matchers.h"
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

using ::testing::ElementsAre;

class PayloadBytesTest : public ::testing::Test {
 protected:
  DeviceBuffer Filled(std::size_t bytes, std::uint8_t value) {
    const DeviceBuffer memory = *DeviceBuffer::Allocate(
        devices_[0], MemoryStorageType::kDevice, bytes, "memory");
    SYNCLINE_EXPECT_OK(stream_.Fill(Writes(memory), value));
    return memory;
  }

  const StandInDevices devices_ = MakeStandInDevices({});
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

TEST_F(PayloadBytesTest, OtherBytesAreRefused) {
  for (const char* const type :
       {"::syncline::GpuBuffer", "::syncline::gpu::DeviceTensor",
        "::syncline::gpu::Statistics"}) {
    EXPECT_EQ(PacketFromBytes(type, "abc").status().code(),
              absl::StatusCode::kInvalidArgument)
        << type;
  }
}

TEST_F(PayloadBytesTest, StatisticsComeBack) {
  const Statistics statistics = {1, 2, 3, 4};
  const std::string bytes = *BytesOfPacket(MakePacket<Statistics>(statistics));
  const Packet packet = *PacketFromBytes("::syncline::gpu::Statistics", bytes);
  EXPECT_EQ(packet.Get<Statistics>().greatest, 4);
}

}  // namespace
}  // namespace syncline::gpu
