// Calculators with tensors, and statistics.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/gpu/graph_on_stand_in_test.h"
#include "calculators/gpu/host_images.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/tensor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device_buffer.h"
#include "gpu/device_tensor.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Copier(const std::string& from, const std::string& to,
                   const std::string& mode) {
  return GpuNode(
      "TensorCopierCalculator", from, to,
      absl::StrCat(
          "[syncline.TensorCopierCalculatorOptions.ext] { mode: ", mode, " }"));
}

std::string UpToTensor(const std::string& options) {
  return GpuNode("ImageFrameToGpuBufferCalculator", "in", "up") +
         GpuNode(
             "GpuImageToTensorCalculator", "up", "tensor",
             absl::StrCat("[syncline.GpuImageToTensorCalculatorOptions.ext] { ",
                          options, " }"));
}

std::vector<float> FloatsOf(const Packet& packet) {
  const auto& tensor = packet.Get<Tensor>();
  const Tensor::CpuReadView view = tensor.GetCpuReadView();
  const auto* const numbers = view.buffer<float>();
  return {numbers, numbers + tensor.shape().num_elements()};
}

TEST(TensorCalculatorsTest, ImagesBecomeTensorsAsOnTheHost) {
  for (const bool is_chw : {false, true}) {
    std::mt19937 random(5);
    std::vector<ImageFrame> frames;
    std::vector<std::vector<float>> expected;
    std::vector<std::vector<int>> shapes;
    for (int i = 0; i < 40; ++i) {
      const ImageFrame frame = RandomFrame(random);
      const int width = frame.Width();
      const int height = frame.Height();
      const int channels = frame.NumberOfChannels();
      std::vector<float> numbers(
          static_cast<std::size_t>(width * height * channels));
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          for (int c = 0; c < channels; ++c) {
            const float byte =
                frame.PixelData()[y * frame.WidthStep() + x * channels + c];
            numbers[is_chw ? (c * height + y) * width + x
                           : (y * width + x) * channels + c] =
                (byte - 120) * 0.017f;
          }
        }
      }
      expected.push_back(std::move(numbers));
      shapes.push_back(is_chw ? std::vector<int>{1, channels, height, width}
                              : std::vector<int>{1, height, width, channels});
      frames.emplace_back();
      frames.back().CopyFrom(frame, 16);
    }
    GraphOnStandIn graph;
    SYNCLINE_ASSERT_OK(
        graph.Run(UpToTensor(absl::StrCat("mean: 120 scale: 0.017 order: ",
                                          is_chw ? "CHW" : "HWC")) +
                      Copier("tensor", "out", "SYSTEM"),
                  std::move(frames)));
    ASSERT_EQ(graph.out().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(graph.out()[i].Get<Tensor>().shape().dims, shapes[i]);
      EXPECT_EQ(FloatsOf(graph.out()[i]), expected[i]);
    }
  }
}

TEST(TensorCalculatorsTest, TensorsBecomeTheSameImagesAgain) {
  for (const char* const order : {"HWC", "CHW"}) {
    std::mt19937 random(6);
    std::vector<ImageFrame> frames;
    std::vector<ImageFrame> expected;
    for (int i = 0; i < 30; ++i) {
      frames.push_back(RandomFrame(random, ImageFormat::SRGBA,
                                   static_cast<int>(random() % 20),
                                   static_cast<int>(random() % 20)));
      expected.push_back(HostConvert(frames.back(), ImageFormat::SRGBA));
    }
    const std::string numbers =
        absl::StrCat("order: ", order,
                     " mean: [ 124, 116, 104, 0 ] scale: [ 0.5, 0.017, 3, 1 ]");
    GraphOnStandIn graph;
    SYNCLINE_ASSERT_OK(graph.Run(
        UpToTensor(numbers) +
            GpuNode("GpuTensorToImageCalculator", "tensor", "image",
                    absl::StrCat("[syncline.GpuTensorToImageCalculatorOptions."
                                 "ext] { ",
                                 numbers, " }")) +
            GpuNode("GpuBufferToImageFrameCalculator", "image", "out"),
        std::move(frames)));
    ASSERT_EQ(graph.out().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ExpectSameImage(graph.out()[i].Get<ImageFrame>(), expected[i]);
    }
  }
}

TEST(TensorCalculatorsTest, CopiesTensorsThereAndBack) {
  for (const char* const mode : {"DEVICE", "HOST"}) {
    std::vector<Tensor> tensors;
    for (int i = 0; i < 5; ++i) {
      tensors.emplace_back(Tensor::ElementType::kFloat32, Tensor::Shape{2, i});
      const auto view = tensors.back().GetCpuWriteView();
      std::fill_n(view.buffer<float>(), 2 * i, 0.5f * i);
    }
    GraphOnStandIn graph;
    SYNCLINE_ASSERT_OK(graph.Run(
        Copier("in", "there", mode) + Copier("there", "out", "SYSTEM"),
        std::move(tensors)));
    ASSERT_EQ(graph.out().size(), 5u);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(FloatsOf(graph.out()[i]), std::vector<float>(2 * i, 0.5f * i));
    }
  }
}

// A matrix of 2 x 3 numbers, and a view of it with gaps.
gpu::DeviceTensor MatrixOn(const GraphOnStandIn& graph, bool transposed) {
  const gpu::DeviceBuffer memory = *gpu::DeviceBuffer::Allocate(
      graph.devices()[0], MemoryStorageType::kHost, 24, "matrix");
  {
    const gpu::HostView view = *memory.ViewForWriting();
    auto* const numbers = reinterpret_cast<float*>(view.mutable_bytes().data());
    for (int i = 0; i < 6; ++i) numbers[i] = static_cast<float>(i);
  }
  if (!transposed) {
    return *gpu::DeviceTensor::Make(memory, gpu::TensorElement::kFloat32,
                                    {2, 3});
  }
  return *gpu::DeviceTensor::Make(memory, gpu::TensorElement::kFloat32, {3, 2},
                                  {{1, 3}});
}

TEST(TensorCalculatorsTest, CopiesAreWithoutGaps) {
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(
      Copier("in", "out", "SYSTEM"),
      std::vector<gpu::DeviceTensor>{MatrixOn(graph, /*transposed=*/true)}));
  ASSERT_EQ(graph.out().size(), 1u);
  EXPECT_THAT(FloatsOf(graph.out()[0]), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(TensorCalculatorsTest, ATensorComesToTheDeviceOfTheNode) {
  const std::string second =
      "[syncline.CudaStreamPoolOptions.ext] { dev_id: 1 }";
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(
      Copier("in", "first", "DEVICE") +
          GpuNode("TensorCopierCalculator", "first", "second", second) +
          Copier("second", "out", "SYSTEM"),
      std::vector<gpu::DeviceTensor>{MatrixOn(graph, false)}));
  ASSERT_EQ(graph.out().size(), 1u);
  EXPECT_THAT(FloatsOf(graph.out()[0]), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_GE(graph.device(1).counters().works_submitted, 2);
}

TEST(TensorCalculatorsTest, StatisticsAreThoseOfTheHost) {
  std::mt19937 random(7);
  std::vector<ImageFrame> frames;
  std::vector<gpu::Statistics> expected;
  for (int i = 0; i < 40; ++i) {
    frames.push_back(RandomFrame(random));
    const ImageFrame& frame = frames.back();
    gpu::Statistics of_frame;
    const int row = frame.Width() * frame.NumberOfChannels();
    const double count = double{1} * row * frame.Height();
    of_frame.least = count == 0 ? 0 : 255;
    for (int y = 0; y < frame.Height(); ++y) {
      for (int x = 0; x < row; ++x) {
        const double value = frame.PixelData()[y * frame.WidthStep() + x];
        of_frame.sum += value;
        of_frame.least = std::min(of_frame.least, value);
        of_frame.greatest = std::max(of_frame.greatest, value);
      }
    }
    of_frame.mean = count == 0 ? 0 : of_frame.sum / count;
    expected.push_back(of_frame);
  }
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(
      GpuNode("ImageFrameToGpuBufferCalculator", "in", "up") +
          "node { calculator: 'GpuStatisticsCalculator' input_stream: "
          "'IMAGE:up' output_stream: 'STATISTICS:out' output_stream: "
          "'TENSOR:on_device' }",
      std::move(frames)));
  ASSERT_EQ(graph.out().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& actual = graph.out()[i].Get<gpu::Statistics>();
    EXPECT_EQ(actual.sum, expected[i].sum);
    EXPECT_EQ(actual.mean, expected[i].mean);
    EXPECT_EQ(actual.least, expected[i].least);
    EXPECT_EQ(actual.greatest, expected[i].greatest);
  }
}

TEST(TensorCalculatorsTest, StatisticsOfTensorsWithGaps) {
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(
      "node { calculator: 'GpuStatisticsCalculator' input_stream: "
      "'TENSOR:in' output_stream: 'STATISTICS:out' }",
      std::vector<gpu::DeviceTensor>{MatrixOn(graph, /*transposed=*/true)}));
  ASSERT_EQ(graph.out().size(), 1u);
  const auto& statistics = graph.out()[0].Get<gpu::Statistics>();
  EXPECT_EQ(statistics.sum, 15);
  EXPECT_EQ(statistics.mean, 2.5);
  EXPECT_EQ(statistics.least, 0);
  EXPECT_EQ(statistics.greatest, 5);
}

TEST(TensorCalculatorsTest, WrongTensorsAreErrorsWithTheNode) {
  GraphOnStandIn graph;
  const auto error = [&graph](const std::string& nodes,
                              gpu::DeviceTensor tensor) {
    return std::string(
        graph.Run(nodes, std::vector<gpu::DeviceTensor>{std::move(tensor)})
            .message());
  };
  EXPECT_THAT(error(GpuNode("GpuTensorToImageCalculator", "in", "out"),
                    MatrixOn(graph, false)),
              AllOf(HasSubstr("Node \"out_node\" at 0: the tensor is float32 "
                              "[2, 3]"),
                    HasSubstr("give a float32 tensor of that shape")));
  EXPECT_THAT(error(Copier("in", "out", "SYSTEM"), gpu::DeviceTensor()),
              HasSubstr("Node \"out_node\" at 0: the packet is a DeviceTensor "
                        "without a tensor"));
  EXPECT_THAT(error(Copier("in", "out", "HOST"), gpu::DeviceTensor()),
              HasSubstr("without a tensor"));
  EXPECT_THAT(error("node { calculator: 'GpuStatisticsCalculator' name: 's' "
                    "input_stream: 'TENSOR:in' output_stream: 'TENSOR:out' }",
                    gpu::DeviceTensor()),
              HasSubstr("its elements can be uint8 or float32"));
  std::vector<ImageFrame> frames;
  frames.emplace_back(ImageFormat::SRGB, 2, 2);
  EXPECT_THAT(std::string(graph
                              .Run(UpToTensor("mean: [ 1, 2 ]") +
                                       Copier("tensor", "out", "SYSTEM"),
                                   std::move(frames))
                              .message()),
              HasSubstr("2 numbers of the mean for 3 channels"));
}

}  // namespace
}  // namespace syncline
