#include "framework/formats/tensor.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "framework/formats/misuse_test_support.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Each;
using Type = Tensor::ElementType;

TEST(TensorTest, HasATypeAndAShape) {
  const Tensor tensor(Type::kFloat32, Tensor::Shape{4, 2, 3, 7});
  EXPECT_EQ(tensor.element_type(), Type::kFloat32);
  EXPECT_EQ(tensor.shape().num_elements(), 168);
  EXPECT_EQ(tensor.element_size(), 4);
  EXPECT_EQ(tensor.bytes(), 672);
  EXPECT_FALSE(tensor.ready_on_cpu());
  EXPECT_FALSE(tensor.ready_on_gpu());
  EXPECT_EQ(Tensor(Type::kFloat16, {3}).bytes(), 6);
  EXPECT_EQ(Tensor(Type::kUInt8, {3}).bytes(), 3);
  EXPECT_EQ(Tensor(Type::kNone, {3}).bytes(), 0);
  EXPECT_EQ(Tensor::Shape().num_elements(), 1);
  const std::vector<int> dims = {2, 5};
  EXPECT_EQ(Tensor::Shape(dims.begin(), dims.end()), Tensor::Shape({2, 5}));
  EXPECT_TRUE(Tensor::Shape(dims, true).is_dynamic);
}

TEST(TensorTest, ReadsWhatWasWritten) {
  Tensor tensor(Type::kFloat32, Tensor::Shape{2, 2});
  {
    auto view = tensor.GetCpuWriteView();
    float* numbers = view.buffer<float>();
    EXPECT_THAT(std::vector<float>(numbers, numbers + 4), Each(0));
    numbers[3] = 1.5f;
  }
  EXPECT_TRUE(tensor.ready_on_cpu());
  const auto first = tensor.GetCpuReadView();
  const auto second = tensor.GetCpuReadView();
  EXPECT_EQ(first.buffer<float>()[3], 1.5f);
  EXPECT_EQ(second.buffer<void>(), first.buffer<char>());
}

TEST(TensorTest, ABufferHasTheTypeOfTheNumbers) {
  Tensor tensor(Type::kFloat32, Tensor::Shape{2});
  tensor.GetCpuWriteView();
  const auto view = tensor.GetCpuReadView();
  EXPECT_THAT(StatusOf([&] { view.buffer<int>(); }),
              IsMisuse("A tensor of kFloat32 has no buffer of another"));
  EXPECT_NE(view.buffer<uint8_t>(), nullptr);
  struct Pair {
    float a, b;
  };
  EXPECT_EQ(view.buffer<Pair>()->b, 0);
  EXPECT_NE(Tensor(Type::kInt32, {2}).GetCpuWriteView().buffer<int>(), nullptr);
  EXPECT_NE(Tensor(Type::kBool, {2}).GetCpuWriteView().buffer<bool>(), nullptr);
}

TEST(TensorTest, ReadingBeforeWritingIsAMisuse) {
  const Tensor tensor(Type::kInt8, Tensor::Shape{2});
  EXPECT_THAT(StatusOf([&] { tensor.GetCpuReadView(); }),
              IsMisuse("kInt8 [2], was not"));
  // The call that failed gave up its access: otherwise this would wait for
  // ever.
  tensor.GetCpuWriteView();
  tensor.GetCpuReadView();
}

TEST(TensorTest, MovingTakesTheNumbersAlong) {
  Tensor tensor(Type::kInt32, Tensor::Shape{2},
                Tensor::QuantizationParameters(0.5f, 3));
  tensor.GetCpuWriteView().buffer<int>()[1] = 7;
  Tensor moved(std::move(tensor));
  EXPECT_EQ(moved.GetCpuReadView().buffer<int>()[1], 7);
  EXPECT_EQ(moved.quantization_parameters().zero_point, 3);
  // NOLINTBEGIN(bugprone-use-after-move)
  EXPECT_EQ(tensor.element_type(), Type::kNone);
  EXPECT_EQ(tensor.bytes(), 0);
  EXPECT_FALSE(tensor.ready_on_cpu());
  EXPECT_THAT(StatusOf([&] { tensor.GetCpuWriteView(); }),
              IsMisuse("moved away"));
  // NOLINTEND(bugprone-use-after-move)
  tensor = std::move(moved);
  EXPECT_EQ(tensor.GetCpuReadView().buffer<int>()[1], 7);
}

TEST(TensorTest, MemoryIsAligned) {
  for (const int alignment : {1, 16, 256}) {
    const Tensor tensor(Type::kFloat32, {3}, nullptr, alignment);
    const auto view = tensor.GetCpuWriteView();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.buffer<float>()) %
                  static_cast<std::uintptr_t>(alignment),
              0u);
  }
}

TEST(TensorTest, WhatNoTensorCanBeIsAMisuse) {
  const int huge = std::numeric_limits<int>::max();
  const auto make = [](const Tensor::Shape& shape, int alignment) {
    return StatusOf([&] { Tensor(Type::kFloat32, shape, nullptr, alignment); });
  };
  EXPECT_THAT(make({2, -1}, 0), IsMisuse("these are [2, -1]"));
  EXPECT_THAT(make({huge, huge, huge, huge}, 0), IsMisuse("2 GiB"));
  EXPECT_THAT(make({1 << 29}, 0), IsMisuse("2 GiB"));
  EXPECT_THAT(make({65536, 65536, 0}, 0), IsOk());
  EXPECT_THAT(make({2}, 12), IsMisuse("not 12"));
  EXPECT_THAT(make({2}, -16), IsMisuse("not -16"));
  EXPECT_THAT(StatusOf([&] {
                Tensor::Shape({huge, 2}).num_elements();
              }),
              IsMisuse("2 GiB"));
}

TEST(TensorTest, WithoutNumbersItIsATensor) {
  const Tensor tensor(Type::kFloat32, Tensor::Shape{0, 5});
  EXPECT_EQ(tensor.bytes(), 0);
  EXPECT_NE(tensor.GetCpuWriteView().buffer<float>(), nullptr);
}

TEST(TensorTest, ImagesHaveTheirSizes) {
  const Tensor::Shape full = {2, 3, 4, 5};
  EXPECT_EQ(BhwcBatchFromShape(full), 2);
  EXPECT_EQ(BhwcHeightFromShape(full), 3);
  EXPECT_EQ(BhwcWidthFromShape(full), 4);
  EXPECT_EQ(BhwcDepthFromShape(full), 5);
  const Tensor::Shape flat = {2, 5};
  EXPECT_EQ(BhwcBatchFromShape(flat), 2);
  EXPECT_EQ(BhwcHeightFromShape(flat), 1);
  EXPECT_EQ(BhwcWidthFromShape(flat), 1);
  EXPECT_EQ(BhwcDepthFromShape(flat), 5);
  EXPECT_THAT(StatusOf([] { BhwcBatchFromShape({}); }), IsMisuse("has none"));
}

TEST(TensorTest, ThreadsTakeTurnsInWriting) {
  const Tensor tensor(Type::kInt32, Tensor::Shape{1});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&tensor] {
      for (int n = 0; n < 500; ++n) {
        ++*tensor.GetCpuWriteView().buffer<int>();
        EXPECT_GT(*tensor.GetCpuReadView().buffer<int>(), 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(*tensor.GetCpuReadView().buffer<int>(), 2000);
}

TEST(TensorTest, PacketsOfTensorsHaveANameAndASize) {
  std::vector<Tensor> tensors;
  tensors.emplace_back(Type::kFloat32, Tensor::Shape{100});
  EXPECT_GE(PayloadSize<std::vector<Tensor>>::Bytes(tensors), 400u);
  EXPECT_EQ(
      MakePacket<std::vector<Tensor>>(std::move(tensors)).RegisteredTypeName(),
      "::std::vector<::syncline::Tensor>");
}

}  // namespace
}  // namespace syncline
