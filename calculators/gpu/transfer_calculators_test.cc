// Frames to a device and back.

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/gpu/graph_on_stand_in_test.h"
#include "calculators/gpu/host_images.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/buffer_cache.h"
#include "gpu/device_service.h"
#include "gpu/gpu_buffer.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::string& Up() {
  static const std::string& node =
      *new std::string(GpuNode("ImageFrameToGpuBufferCalculator", "in", "up"));
  return node;
}
std::string Down(const std::string& from) {
  return GpuNode("GpuBufferToImageFrameCalculator", from, "out");
}

// Of the filters that do something with an image of any format.
std::string FilterChain(int length) {
  std::string nodes = Up();
  for (int i = 0; i < length; ++i) {
    nodes +=
        GpuNode("GpuThresholdCalculator",
                i == 0 ? "up" : absl::StrCat("f", i - 1), absl::StrCat("f", i));
  }
  return nodes + Down(absl::StrCat("f", length - 1));
}

TEST(TransferCalculatorsTest, FramesOfAllFormatsComeBackAsTheyWere) {
  std::mt19937 random(1);
  std::vector<ImageFrame> frames;
  std::vector<ImageFrame> expected;
  for (const auto format :
       {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
        ImageFormat::SBGRA, ImageFormat::GRAY16, ImageFormat::SRGB48,
        ImageFormat::VEC32F1, ImageFormat::VEC32F4, ImageFormat::LAB8}) {
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{
             {0, 0}, {0, 3}, {3, 0}, {1, 1}, {17, 5}, {33, 2}}) {
      frames.push_back(RandomFrame(random, format, width, height));
      expected.emplace_back();
      expected.back().CopyFrom(frames.back(), 1);
    }
  }
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(Up() + Down("up"), std::move(frames)));
  ASSERT_EQ(graph.out().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(graph.out()[i].Timestamp(), Timestamp(static_cast<int>(i)));
    ExpectSameImage(graph.out()[i].Get<ImageFrame>(), expected[i]);
  }
}

TEST(TransferCalculatorsTest, AFrameInPlaceOfAGpuBufferIsPassedOn) {
  std::mt19937 random(2);
  std::vector<ImageFrame> frames;
  frames.push_back(RandomFrame(random, ImageFormat::SRGB, 4, 3));
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(Down("in"), std::move(frames)));
  EXPECT_THAT(graph.out(), SizeIs(1));
  EXPECT_EQ(graph.device().counters().works_submitted, 0);
}

TEST(TransferCalculatorsTest, AnImageGoesToTheDeviceAsItsFrame) {
  std::mt19937 random(12);
  const auto frame = std::make_shared<ImageFrame>(
      RandomFrame(random, ImageFormat::SRGB, 9, 4));
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(graph.Run(Up() + Down("up"),
                               std::vector<Image>{Image(frame), Image(frame)}));
  ASSERT_THAT(graph.out(), SizeIs(2));
  for (const Packet& packet : graph.out()) {
    ExpectSameImage(packet.Get<ImageFrame>(), *frame);
  }
}

TEST(TransferCalculatorsTest, AnImageWithoutPixelsIsRefused) {
  GraphOnStandIn graph;
  const absl::Status status =
      graph.Run(Up() + Down("up"), std::vector<Image>{Image()});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Node \"up_node\" at 0: the packet is an Image"));
}

TEST(TransferCalculatorsTest, NodesInARowAreAChainOnOneStream) {
  static constexpr int kFrames = 5;
  const auto run = [](int length) {
    std::mt19937 random(3);
    std::vector<ImageFrame> frames;
    for (int i = 0; i < kFrames; ++i) {
      frames.push_back(RandomFrame(random, ImageFormat::SRGB, 8, 8));
    }
    GraphOnStandIn graph;
    SYNCLINE_EXPECT_OK(graph.Run(FilterChain(length), std::move(frames)));
    EXPECT_THAT(graph.out(), SizeIs(kFrames));
    const gpu::DeviceCounters counters = graph.device().counters();
    EXPECT_EQ(counters.works_submitted, kFrames * (length + 2));
    // No stream waits for another, and the host waits for downloads only.
    EXPECT_EQ(counters.waits_submitted, 0);
    EXPECT_LE(counters.host_waits, kFrames);
    EXPECT_LE(counters.events_recorded, kFrames);
  };
  run(1);
  run(10);
}

TEST(TransferCalculatorsTest, ANodeWithAPoolHasAStreamOfItsOwn) {
  std::mt19937 random(4);
  std::vector<ImageFrame> frames;
  frames.push_back(RandomFrame(random, ImageFormat::SRGB, 8, 8));
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(
      graph.Run(Up() +
                    GpuNode("GpuThresholdCalculator", "up", "a",
                            "[syncline.CudaStreamPoolOptions.ext] {}") +
                    Down("a"),
                std::move(frames)));
  EXPECT_EQ(graph.device().counters().waits_submitted, 1);
}

TEST(TransferCalculatorsTest, MemoryIsUsedAgain) {
  std::mt19937 random(5);
  constexpr int kFrames = 40;
  std::vector<Packet> packets;
  for (int i = 0; i < kFrames; ++i) {
    packets.push_back(
        MakePacket<ImageFrame>(RandomFrame(random, ImageFormat::SRGB, 8, 8))
            .At(Timestamp(i)));
  }
  GraphOnStandIn graph;
  // One frame at a time is in the graph, and nobody keeps them.
  for (Packet& packet : packets) {
    SYNCLINE_ASSERT_OK(graph.Run(FilterChain(2), {{"in", {packet}}}));
  }
  EXPECT_EQ(graph.device().counters().works_submitted, 4 * kFrames);
  const gpu::DeviceCounters before = graph.device().counters();
  std::vector<Packet> again = packets;
  SYNCLINE_ASSERT_OK(
      graph.Run("max_queue_size: 1 " + FilterChain(2), {{"in", packets}}));
  const auto allocations =
      graph.device().counters().allocations - before.allocations;
  // Frames are kept by the test, and each is pinned memory. Four caches have
  // what waits for its work, and what is used: by a node, in the queue behind
  // it, and by the node after that.
  EXPECT_LE(allocations, kFrames + 4 * (gpu::BufferCache::kMaxWaiting + 3));
}

TEST(TransferCalculatorsTest, AFrameWithoutAnImageIsAnError) {
  std::vector<ImageFrame> frames;
  frames.emplace_back();
  GraphOnStandIn graph;
  const absl::Status status = graph.Run(Up() + Down("up"), std::move(frames));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("Node \"up_node\" at 0"),
                    HasSubstr("the format UNKNOWN")));
}

TEST(TransferCalculatorsTest, AnImageWithoutOneIsAnError) {
  std::vector<GpuBuffer> images(1);
  GraphOnStandIn graph;
  EXPECT_THAT(std::string(graph.Run(Down("in"), images).message()),
              AllOf(HasSubstr("Node \"out_node\" at 0"),
                    HasSubstr("GpuBuffer without image")));
}

TEST(TransferCalculatorsTest, AFullDeviceIsAnErrorWithTheNode) {
  std::mt19937 random(6);
  std::vector<ImageFrame> frames;
  frames.push_back(RandomFrame(random, ImageFormat::SRGB, 64, 64));
  GraphOnStandIn graph({.memory_bytes = 20000});
  const absl::Status status = graph.Run(FilterChain(2), std::move(frames));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("Node \"f0_node\" at 0"), HasSubstr("mask"),
                    HasSubstr("stand_in:0")));
}

std::string Pool(const std::string& name, const std::string& kind,
                 int num_blocks) {
  return absl::StrCat("allocator { name: '", name,
                      "' type: 'BlockMemoryPool' options { "
                      "[syncline.BlockMemoryPoolOptions.ext] { storage_type: ",
                      kind, " block_size: 4096 num_blocks: ", num_blocks,
                      " } } } ");
}

std::string ChainOnPools(int num_blocks) {
  const std::string memory =
      "[syncline.GpuMemoryOptions.ext] { allocator: 'images' host_allocator: "
      "'pinned' }";
  return Pool("images", "DEVICE", num_blocks) + Pool("pinned", "HOST", 4) +
         GpuNode("ImageFrameToGpuBufferCalculator", "in", "up", memory) +
         GpuNode("GpuThresholdCalculator", "up", "a", memory) +
         GpuNode("GpuBufferToImageFrameCalculator", "a", "out", memory);
}

TEST(TransferCalculatorsTest, MemoryMayComeFromPoolsOfTheGraph) {
  std::mt19937 random(11);
  GraphOnStandIn graph;
  for (int i = 0; i < 3; ++i) {
    std::vector<ImageFrame> frames;
    frames.push_back(RandomFrame(random, ImageFormat::SRGB, 32, 20));
    const ImageFrame expected = HostThreshold(frames[0], 127, 255, 0);
    SYNCLINE_ASSERT_OK(graph.Run(ChainOnPools(2), std::move(frames)));
    ASSERT_THAT(graph.out(), SizeIs(1));
    ExpectSameImage(graph.out()[0].Get<ImageFrame>(), expected);
  }
}

TEST(TransferCalculatorsTest, AnExhaustedPoolIsAnErrorThatSaysWhoHasIt) {
  std::mt19937 random(12);
  std::vector<ImageFrame> frames;
  frames.push_back(RandomFrame(random, ImageFormat::SRGB, 32, 20));
  GraphOnStandIn graph;
  const absl::Status status = graph.Run(ChainOnPools(1), std::move(frames));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("a_node"), HasSubstr("\"images\""),
                    HasSubstr("up_node")));
}

TEST(TransferCalculatorsTest, APoolThatIsNotThereIsAnError) {
  std::vector<ImageFrame> frames;
  frames.emplace_back(ImageFormat::SRGB, 2, 2);
  GraphOnStandIn graph;
  EXPECT_THAT(
      std::string(
          graph
              .Run(GpuNode("ImageFrameToGpuBufferCalculator", "in", "up",
                           "[syncline.GpuMemoryOptions.ext] { allocator: 'x' "
                           "}") +
                       Down("up"),
                   std::move(frames))
              .message()),
      AllOf(HasSubstr("up_node"), HasSubstr("\"x\"")));
}

TEST(TransferCalculatorsTest, AKernelThatFailsIsAnErrorAndNothingIsLeft) {
  std::mt19937 random(7);
  std::vector<ImageFrame> frames;
  for (int i = 0; i < 5; ++i) {
    frames.push_back(RandomFrame(random, ImageFormat::SRGB, 8, 8));
  }
  GraphOnStandIn graph;
  graph.devices().stand_in->FailKernel(4);
  const absl::Status status = graph.Run(FilterChain(2), std::move(frames));
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("stand_in:0"));
}

TEST(TransferCalculatorsTest, AnotherDeviceOfTheKindMayDoIt) {
  std::mt19937 random(8);
  std::vector<ImageFrame> frames;
  frames.push_back(RandomFrame(random, ImageFormat::SRGB, 8, 8));
  const std::string second =
      "[syncline.CudaStreamPoolOptions.ext] { dev_id: 1 }";
  GraphOnStandIn graph;
  SYNCLINE_ASSERT_OK(
      graph.Run(GpuNode("ImageFrameToGpuBufferCalculator", "in", "up", second) +
                    GpuNode("GpuThresholdCalculator", "up", "a") + Down("a"),
                std::move(frames)));
  EXPECT_EQ(graph.device(0).counters().works_submitted, 0);
  EXPECT_EQ(graph.device(1).counters().works_submitted, 3);
}

TEST(TransferCalculatorsTest, AKernelOfAnotherDeviceIsAnError) {
  std::mt19937 random(9);
  std::vector<ImageFrame> frames;
  frames.push_back(RandomFrame(random, ImageFormat::SRGB, 8, 8));
  GraphOnStandIn graph;
  EXPECT_THAT(
      std::string(graph
                      .Run(Up() +
                               GpuNode("GpuThresholdCalculator", "up", "a",
                                       "[syncline.CudaStreamPoolOptions."
                                       "ext] { dev_id: 1 }") +
                               Down("a"),
                           std::move(frames))
                      .message()),
      AllOf(HasSubstr("a_node"), HasSubstr("stand_in:0")));
}

TEST(TransferCalculatorsTest, CancelEndsARunAndGivesAllMemoryBack) {
  std::mt19937 random(10);
  const gpu::StandInDevices devices =
      gpu::MakeStandInDevices({.delay_seed = 5});
  {
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(
        graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
            "input_stream: 'in' output_stream: 'out' " + FilterChain(4))));
    SYNCLINE_ASSERT_OK(graph.SetServiceObject(
        gpu::kDeviceService, gpu::DeviceContext::Make(devices.devices)));
    SYNCLINE_ASSERT_OK(graph.StartRun({}));
    for (int i = 0; i < 20; ++i) {
      SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
          "in",
          MakePacket<ImageFrame>(RandomFrame(random, ImageFormat::SRGB, 16, 9))
              .At(Timestamp(i))));
      if (i == 10) graph.Cancel();
      if (i >= 10) break;
    }
    EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
  }
  devices[0]->HostWaitForReleasedMemory();
  EXPECT_EQ(devices.stand_in->BytesInUse(0), 0u);
  EXPECT_EQ(devices.stand_in->PinnedBytesInUse(), 0u);
}

}  // namespace
}  // namespace syncline
