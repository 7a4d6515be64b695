#include "gpu/device_tensor.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/device_work.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class DeviceTensorTest : public ::testing::Test {
 protected:
  DeviceBuffer Memory(std::size_t bytes) {
    return *DeviceBuffer::Allocate(devices_[0], MemoryStorageType::kDevice,
                                   bytes, "tensor");
  }
  std::string Refused(TensorElement element, DeviceTensor::Sizes shape,
                      absl::optional<DeviceTensor::Sizes> strides = {},
                      std::size_t offset = 0) {
    const absl::Status status =
        DeviceTensor::Make(Memory(96), element, shape, strides, offset)
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  const StandInDevices devices_ = MakeStandInDevices({.has_threads = false});
};

TEST_F(DeviceTensorTest, SaysWhatItHas) {
  const DeviceTensor tensor =
      *DeviceTensor::Make(Memory(96), TensorElement::kFloat32, {2, 3, 4});
  EXPECT_TRUE(tensor);
  EXPECT_THAT(tensor.shape(), ElementsAre(2, 3, 4));
  EXPECT_THAT(tensor.strides(), ElementsAre(12, 4, 1));
  EXPECT_EQ(tensor.num_elements(), 24);
  EXPECT_EQ(tensor.bytes(), 96u);
  EXPECT_TRUE(tensor.is_dense());
  EXPECT_EQ(tensor.ToText(), "float32 [2, 3, 4]");
}

TEST_F(DeviceTensorTest, ViewsHaveStridesAndAnOffset) {
  // The transposed second half of a 4 x 6 matrix.
  const DeviceTensor part = *DeviceTensor::Make(
      Memory(96), TensorElement::kInt32, {3, 4}, {{1, 6}}, 12);
  EXPECT_FALSE(part.is_dense());
  EXPECT_EQ(part.bytes(), 48u);
  // Backwards, and one element for all.
  SYNCLINE_EXPECT_OK(DeviceTensor::Make(Memory(96), TensorElement::kInt32,
                                        {24, 100}, {{-1, 0}}, 92)
                         .status());
  // The stride of a single element is not looked at.
  EXPECT_TRUE(
      DeviceTensor::Make(Memory(96), TensorElement::kInt32, {1, 24}, {{7, 1}})
          ->is_dense());
}

TEST_F(DeviceTensorTest, ATensorMayHaveOneElementOrNone) {
  const DeviceTensor scalar =
      *DeviceTensor::Make(Memory(8), TensorElement::kFloat64, {});
  EXPECT_EQ(scalar.num_elements(), 1);
  const DeviceTensor empty =
      *DeviceTensor::Make({}, TensorElement::kUint8, {5, 0});
  EXPECT_TRUE(empty);
  EXPECT_EQ(empty.bytes(), 0u);
  EXPECT_TRUE(empty.memory().is_null());
  EXPECT_FALSE(DeviceTensor());
  EXPECT_EQ(DeviceTensor().ToText(), "no tensor");
}

TEST_F(DeviceTensorTest, TheStridesOfNoElementsDoNotOverflow) {
  constexpr std::int64_t kMax = std::int64_t{1} << 40;
  const DeviceTensor empty =
      *DeviceTensor::Make({}, TensorElement::kFloat32, {0, kMax, kMax, kMax});
  EXPECT_THAT(empty.strides(), testing::ElementsAre(kMax, kMax, kMax, 1));
  EXPECT_TRUE(empty.is_dense());
  EXPECT_EQ(empty.num_elements(), 0);
}

TEST_F(DeviceTensorTest, WhatCannotBeIsRefused) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_THAT(Refused(TensorElement::kNone, {1}), HasSubstr("no type"));
  EXPECT_THAT(Refused(TensorElement::kInt8, {-1}), HasSubstr("size"));
  EXPECT_THAT(Refused(TensorElement::kInt8, {kHuge}), HasSubstr("size"));
  EXPECT_THAT(Refused(TensorElement::kInt64, {1 << 30, 1 << 30}),
              HasSubstr("2^40 bytes"));
  EXPECT_THAT(Refused(TensorElement::kFloat32, {25}),
              HasSubstr("from element 0 to 24 of its memory, which has 24"));
  EXPECT_THAT(Refused(TensorElement::kFloat32, {2, 3}, {{1}}),
              HasSubstr("1 strides"));
  EXPECT_THAT(Refused(TensorElement::kFloat32, {2}, {{-1}}),
              HasSubstr("from element -1"));
  EXPECT_THAT(Refused(TensorElement::kFloat32, {2, 2}, {{kHuge, kHuge}}),
              HasSubstr("2^40"));
  EXPECT_THAT(Refused(TensorElement::kFloat32, {1}, {}, 2),
              HasSubstr("byte 2 of 96; give a multiple of 4"));
  EXPECT_THAT(Refused(TensorElement::kFloat32, {1}, {}, 400),
              HasSubstr("byte 400"));
}

TEST_F(DeviceTensorTest, ElementsHaveNamesAndSizes) {
  EXPECT_EQ(ElementName(TensorElement::kNone), "none");
  EXPECT_EQ(ElementName(TensorElement::kFloat64), "float64");
  EXPECT_EQ(ElementBytes(TensorElement::kBool), 1u);
  EXPECT_EQ(ElementBytes(TensorElement::kFloat16), 2u);
  EXPECT_EQ(ElementBytes(TensorElement::kUint32), 4u);
  EXPECT_EQ(ElementBytes(TensorElement::kUint64), 8u);
}

TEST_F(DeviceTensorTest, APacketKnowsTheWorkOnIt) {
  const Stream stream = *Stream::Make(devices_[0], {}, "a");
  const DeviceTensor tensor =
      *DeviceTensor::Make(Memory(96), TensorElement::kFloat32, {24});
  SYNCLINE_EXPECT_OK(stream.Fill(Writes(tensor.memory()), 1));
  EXPECT_THAT(
      PendingWorkOf(MakePacket<DeviceTensor>(tensor)).PointsBeforeReading(),
      SizeIs(1));
}

}  // namespace
}  // namespace syncline::gpu
