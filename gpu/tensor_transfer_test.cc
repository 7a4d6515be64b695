#include "gpu/tensor_transfer.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/formats/tensor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/device_tensor.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::HasSubstr;

class TensorTransferTest : public ::testing::Test {
 protected:
  DeviceBuffer Memory(MemoryStorageType kind, std::size_t bytes) {
    return *DeviceBuffer::Allocate(devices_[0], kind, bytes, "memory");
  }
  DeviceBuffer Staging(std::size_t bytes) {
    return Memory(MemoryStorageType::kHost, bytes);
  }
  // On the device: 0, 1, 2, ...
  DeviceTensor Counting(DeviceTensor::Sizes shape) {
    const std::size_t bytes =
        *DeviceTensor::BytesOf(TensorElement::kInt32, shape);
    Tensor tensor(Tensor::ElementType::kInt32,
                  Tensor::Shape(shape.begin(), shape.end()));
    auto* const numbers = tensor.GetCpuWriteView().buffer<std::int32_t>();
    for (std::size_t i = 0; i < bytes / 4; ++i) {
      numbers[i] = static_cast<std::int32_t>(i);
    }
    const DeviceTensor on_device =
        *DeviceTensor::Make(Memory(MemoryStorageType::kDevice, bytes),
                            TensorElement::kInt32, shape);
    SYNCLINE_EXPECT_OK(Upload(stream_, tensor, Staging(bytes), on_device));
    return on_device;
  }

  const StandInDevices devices_ = MakeStandInDevices({});
  const Stream stream_ = *Stream::Make(devices_[0], {}, "a");
};

TEST_F(TensorTransferTest, ThereAndBackItIsTheSameTensor) {
  for (const auto type :
       {Tensor::ElementType::kFloat32, Tensor::ElementType::kFloat16,
        Tensor::ElementType::kUInt8, Tensor::ElementType::kInt8,
        Tensor::ElementType::kInt32, Tensor::ElementType::kBool}) {
    Tensor tensor(type, Tensor::Shape{2, 3, 5});
    auto* const bytes = tensor.GetCpuWriteView().buffer<std::uint8_t>();
    for (int i = 0; i < tensor.bytes(); ++i) {
      bytes[i] = static_cast<std::uint8_t>(i % 2);
    }
    const std::size_t size = static_cast<std::size_t>(tensor.bytes());
    const DeviceTensor on_device =
        *DeviceTensor::Make(Memory(MemoryStorageType::kDevice, size),
                            *ElementOf(type), ShapeOf(tensor));
    SYNCLINE_ASSERT_OK(Upload(stream_, tensor, Staging(size), on_device));
    const Tensor back = *Download(stream_, on_device, Staging(size));
    EXPECT_EQ(back.element_type(), type);
    EXPECT_EQ(back.shape(), tensor.shape());
    EXPECT_EQ(
        std::memcmp(back.GetCpuReadView().buffer<std::uint8_t>(), bytes, size),
        0);
  }
}

TEST_F(TensorTransferTest, NothingIsCopiedOfATensorWithoutElements) {
  const DeviceTensor empty =
      *DeviceTensor::Make({}, TensorElement::kFloat32, {3, 0});
  const Tensor back = *Download(stream_, empty, {});
  EXPECT_EQ(back.shape(), (Tensor::Shape{3, 0}));
  EXPECT_EQ(devices_[0]->counters().works_submitted, 0);
}

TEST_F(TensorTransferTest, CopiesTakeOutGaps) {
  const DeviceTensor matrix = Counting({4, 6});
  // Transposed, without the first row, backwards.
  const DeviceTensor view =
      *DeviceTensor::Make(matrix.memory(), TensorElement::kInt32, {6, 3},
                          {{-1, 6}}, 11 * sizeof(std::int32_t));
  const DeviceTensor dense = *DeviceTensor::Make(
      Memory(MemoryStorageType::kDevice, 72), TensorElement::kInt32, {6, 3});
  SYNCLINE_ASSERT_OK(CopyTensor(stream_, view, dense));
  const Tensor back = *Download(stream_, dense, Staging(72));
  const auto* const numbers = back.GetCpuReadView().buffer<std::int32_t>();
  for (int x = 0; x < 6; ++x) {
    for (int y = 0; y < 3; ++y) {
      EXPECT_EQ(numbers[x * 3 + y], (y + 1) * 6 + 5 - x);
    }
  }
}

TEST_F(TensorTransferTest, WhatDoesNotFitIsRefused) {
  const DeviceTensor matrix = Counting({4, 6});
  const auto text = [](const absl::Status& status) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  const Tensor other(Tensor::ElementType::kInt32, Tensor::Shape{5});
  EXPECT_THAT(text(Upload(stream_, other, Staging(96), matrix)),
              HasSubstr("another number of bytes"));
  const Tensor unwritten(Tensor::ElementType::kInt32, Tensor::Shape{4, 6});
  EXPECT_THAT(text(Upload(stream_, unwritten, Staging(96), matrix)),
              HasSubstr("never written"));
  EXPECT_THAT(text(Download(stream_, matrix, Staging(95)).status()),
              HasSubstr("95 bytes; give 96"));
  const DeviceTensor view = *DeviceTensor::Make(
      matrix.memory(), TensorElement::kInt32, {6, 4}, {{1, 6}});
  EXPECT_THAT(text(Download(stream_, view, Staging(96)).status()),
              HasSubstr("CopyTensor()"));
  EXPECT_THAT(text(CopyTensor(stream_, matrix, view)),
              HasSubstr("int32 [4, 6] to int32 [6, 4]"));
  const DeviceTensor doubles =
      *DeviceTensor::Make(matrix.memory(), TensorElement::kFloat64, {12});
  EXPECT_THAT(text(Download(stream_, doubles, Staging(96)).status()),
              HasSubstr("float64 [12]: the host's Tensor has no such"));
  EXPECT_THAT(text(ElementOf(Tensor::ElementType::kNone).status()),
              HasSubstr("without a type"));
}

}  // namespace
}  // namespace syncline::gpu
