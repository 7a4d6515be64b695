#include "gpu/host_dlpack.h"

#include <dlpack/dlpack.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/formats/tensor.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Type = Tensor::ElementType;

Tensor Numbers() {
  Tensor tensor(Type::kInt32, Tensor::Shape{2, 3});
  {
    const Tensor::CpuWriteView view = tensor.GetCpuWriteView();
    for (int i = 0; i < 6; ++i) view.buffer<std::int32_t>()[i] = i;
  }
  return tensor;
}

std::vector<int> ValuesOf(const Tensor& tensor) {
  const Tensor::CpuReadView view = tensor.GetCpuReadView();
  const auto* const numbers = view.buffer<std::int32_t>();
  return {numbers, numbers + tensor.shape().num_elements()};
}

// A tensor of another library, of the numbers 0 to 11, which counts the calls
// of its deleter.
struct ForeignTensor {
  ForeignTensor() {
    managed.dl_tensor = {.data = numbers,
                         .device = {kDLCPU, 0},
                         .ndim = 2,
                         .dtype = {kDLInt, 32, 1},
                         .shape = shape,
                         .strides = nullptr,
                         .byte_offset = 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) {
      ++static_cast<ForeignTensor*>(self->manager_ctx)->deleted;
    };
  }
  DLTensor& tensor() { return managed.dl_tensor; }
  absl::StatusOr<Tensor> Import() {
    absl::StatusOr<Tensor> result =
        HostTensorFromDlpack(DlpackTensor(&managed));
    EXPECT_EQ(deleted, 1);
    return result;
  }
  std::string Error() {
    const absl::Status status = Import().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  std::int32_t numbers[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::int64_t shape[3] = {2, 3, 1};
  std::int64_t strides[3] = {3, 1, 1};
  DLManagedTensor managed{};
  int deleted = 0;
};

TEST(HostDlpackTest, ATensorThatIsGivenUpIsExportedItself) {
  Tensor tensor = Numbers();
  const void* const data = tensor.GetCpuReadView().buffer<void>();
  const DlpackTensor out = *HostTensorToDlpack(std::move(tensor));
  const DLTensor& there = out->dl_tensor;
  EXPECT_EQ(there.data, data);
  EXPECT_EQ(there.device.device_type, kDLCPU);
  EXPECT_EQ(there.dtype.code, kDLInt);
  EXPECT_EQ(there.dtype.bits, 32);
  EXPECT_EQ(there.dtype.lanes, 1);
  EXPECT_THAT(std::vector<std::int64_t>(there.shape, there.shape + 2),
              ElementsAre(2, 3));
  EXPECT_THAT(std::vector<std::int64_t>(there.strides, there.strides + 2),
              ElementsAre(3, 1));
}

TEST(HostDlpackTest, APacketIsExportedItselfIfItIsTheOnlyCopy) {
  Packet packet = MakePacket<Tensor>(Numbers());
  const void* const data = packet.Get<Tensor>().GetCpuReadView().buffer<void>();
  {
    const Packet shared = packet;
    const DlpackTensor out = *HostTensorToDlpack(shared);
    EXPECT_NE(out->dl_tensor.data, data);
    // The other library may change what it got.
    static_cast<std::int32_t*>(out->dl_tensor.data)[0] = 77;
  }
  EXPECT_THAT(ValuesOf(packet.Get<Tensor>()), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ((*HostTensorToDlpack(std::move(packet)))->dl_tensor.data, data);
}

TEST(HostDlpackTest, WhatIsNoTensorIsNotExported) {
  EXPECT_FALSE(HostTensorToDlpack(MakePacket<int>(3)).ok());
  Tensor moved = Numbers();
  const Tensor taken = std::move(moved);
  EXPECT_FALSE(HostTensorToDlpack(std::move(moved)).ok());
  const Packet unwritten =
      MakePacket<Tensor>(Tensor(Type::kInt32, Tensor::Shape{2}));
  const Packet shared = unwritten;
  EXPECT_THAT(std::string(HostTensorToDlpack(shared).status().message()),
              HasSubstr("never written"));
}

TEST(HostDlpackTest, ATensorComesBackAsItWas) {
  const Tensor back = *HostTensorFromDlpack(*HostTensorToDlpack(Numbers()));
  EXPECT_EQ(back.element_type(), Type::kInt32);
  EXPECT_THAT(back.shape().dims, ElementsAre(2, 3));
  EXPECT_THAT(ValuesOf(back), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(HostDlpackTest, AnImportedTensorHasNoGaps) {
  ForeignTensor plain;
  EXPECT_THAT(ValuesOf(*plain.Import()), ElementsAre(0, 1, 2, 3, 4, 5));
  ForeignTensor transposed;
  transposed.strides[0] = 1;
  transposed.strides[1] = 2;
  transposed.tensor().strides = transposed.strides;
  transposed.tensor().byte_offset = 4;
  EXPECT_THAT(ValuesOf(*transposed.Import()), ElementsAre(1, 3, 5, 2, 4, 6));
  ForeignTensor backwards;
  backwards.strides[0] = -4;
  backwards.strides[1] = 0;
  backwards.tensor().strides = backwards.strides;
  backwards.tensor().data = backwards.numbers + 8;
  EXPECT_THAT(ValuesOf(*backwards.Import()), ElementsAre(8, 8, 8, 4, 4, 4));
}

TEST(HostDlpackTest, EmptyTensorsAndScalarsComeIn) {
  ForeignTensor empty;
  empty.shape[1] = 0;
  empty.tensor().data = nullptr;
  EXPECT_THAT((*empty.Import()).shape().dims, ElementsAre(2, 0));
  ForeignTensor scalar;
  scalar.tensor().ndim = 0;
  EXPECT_THAT(ValuesOf(*scalar.Import()), ElementsAre(0));
  ForeignTensor pinned;
  pinned.tensor().device = {kDLCUDAHost, 0};
  EXPECT_TRUE(pinned.Import().ok());
}

TEST(HostDlpackTest, TheStrideOfASingleElementDoesNotMatter) {
  ForeignTensor single;
  single.tensor().ndim = 3;
  single.strides[2] = std::numeric_limits<std::int64_t>::max();
  single.tensor().strides = single.strides;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Tensor tensor, single.Import());
  EXPECT_THAT(ValuesOf(tensor), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(HostDlpackTest, OtherTensorsAreRefusedAndDeleted) {
  ForeignTensor of_device;
  of_device.tensor().device = {kDLCUDA, 1};
  EXPECT_THAT(of_device.Error(), HasSubstr("device type 2, number 1"));
  ForeignTensor longs;
  longs.tensor().dtype = {kDLInt, 64, 1};
  EXPECT_THAT(longs.Error(), HasSubstr("int64"));
  ForeignTensor lanes;
  lanes.tensor().dtype.lanes = 4;
  EXPECT_THAT(lanes.Error(), HasSubstr("4 lanes"));
  ForeignTensor negative;
  negative.shape[0] = -1;
  EXPECT_THAT(negative.Error(), HasSubstr("size -1"));
  ForeignTensor large;
  large.shape[0] = std::int64_t{1} << 30;
  EXPECT_THAT(large.Error(), HasSubstr("2 GiB"));
  ForeignTensor long_row;
  long_row.shape[0] = 0;
  long_row.shape[1] = std::int64_t{1} << 32;
  EXPECT_THAT(long_row.Error(), HasSubstr("2 GiB"));
  ForeignTensor many_of_nothing;
  for (std::int64_t& size : many_of_nothing.shape) size = (1 << 30);
  many_of_nothing.shape[2] = 0;
  many_of_nothing.tensor().ndim = 3;
  many_of_nothing.tensor().strides = many_of_nothing.strides;
  EXPECT_THAT(many_of_nothing.Error(), HasSubstr("2 GiB"));
  // It would be read outside of its memory.
  ForeignTensor far;
  far.strides[0] = (std::int64_t{1} << 40) + 1;
  far.tensor().strides = far.strides;
  EXPECT_THAT(far.Error(), HasSubstr("2^40"));
  ForeignTensor far_back;
  far_back.shape[0] = 3;
  far_back.strides[0] = -(std::int64_t{1} << 40);
  far_back.tensor().strides = far_back.strides;
  EXPECT_THAT(far_back.Error(), HasSubstr("2^40"));
  ForeignTensor no_numbers;
  no_numbers.tensor().data = nullptr;
  EXPECT_THAT(no_numbers.Error(), HasSubstr("address 0"));
  ForeignTensor no_sizes;
  no_sizes.tensor().shape = nullptr;
  EXPECT_THAT(no_sizes.Error(), HasSubstr("no list of sizes"));
  ForeignTensor negative_rank;
  negative_rank.tensor().ndim = -1;
  EXPECT_THAT(negative_rank.Error(), HasSubstr("-1 dimensions"));
  EXPECT_EQ(HostTensorFromDlpack(nullptr).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace syncline::gpu
