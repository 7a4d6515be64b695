#include "gpu/cuda_array_interface.h"

#include <cstdint>

#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;

TEST(CudaArrayInterfaceTest, SaysWhereATensorIs) {
  const StandInDevices devices = MakeStandInDevices({.has_threads = false});
  const Stream writer = *Stream::Make(devices[0], {}, "writer");
  const Stream reader = *Stream::Make(devices[0], {}, "reader");
  const DeviceBuffer memory = *DeviceBuffer::Allocate(
      devices[0], MemoryStorageType::kDevice, 96, "tensor");
  SYNCLINE_EXPECT_OK(writer.Fill(Writes(memory), 1));
  const DeviceTensor tensor = *DeviceTensor::Make(
      memory, TensorElement::kFloat32, {3, 4}, {{1, 6}}, 12);
  const CudaArrayInterface array = *ToCudaArrayInterface(tensor, reader);
  EXPECT_THAT(array.shape, ElementsAre(3, 4));
  EXPECT_THAT(array.strides, ElementsAre(4, 24));
  EXPECT_EQ(array.typestr, "<f4");
  EXPECT_EQ(array.data,
            reinterpret_cast<std::uintptr_t>(memory.address()) + 12);
  EXPECT_TRUE(array.is_read_only);
  EXPECT_NE(array.stream, 0u);
  // The reader comes after the writer.
  EXPECT_EQ(devices[0]->counters().waits_submitted, 1);
}

TEST(CudaArrayInterfaceTest, NamesTypesAsNumPyDoes) {
  const StandInDevices devices = MakeStandInDevices({.has_threads = false});
  const Stream stream = *Stream::Make(devices[0], {}, "a");
  const auto type = [&](TensorElement element) {
    return ToCudaArrayInterface(*DeviceTensor::Make({}, element, {0}), stream)
        ->typestr;
  };
  EXPECT_EQ(type(TensorElement::kBool), "|b1");
  EXPECT_EQ(type(TensorElement::kUint8), "|u1");
  EXPECT_EQ(type(TensorElement::kInt16), "<i2");
  EXPECT_EQ(type(TensorElement::kFloat64), "<f8");
  EXPECT_FALSE(ToCudaArrayInterface(DeviceTensor(), stream).ok());
}

}  // namespace
}  // namespace syncline::gpu
