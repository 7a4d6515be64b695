// What the stream helpers add to a graph, and that it runs.

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "calculators/util/detections_to_rects_calculator.pb.h"
#include "framework/api2/builder.h"
#include "framework/api2/function_runner.h"
#include "framework/api2/packet.h"
#include "framework/api2/stream/concatenate.h"
#include "framework/api2/stream/detections_to_rects.h"
#include "framework/api2/stream/get_vector_item.h"
#include "framework/api2/stream/image_size.h"
#include "framework/api2/stream/landmarks_projection.h"
#include "framework/api2/stream/landmarks_to_detection.h"
#include "framework/api2/stream/loopback.h"
#include "framework/api2/stream/merge.h"
#include "framework/api2/stream/presence.h"
#include "framework/api2/stream/rect_transformation.h"
#include "framework/api2/stream/segmentation_smoothing.h"
#include "framework/api2/stream/smoothing.h"
#include "framework/api2/stream/split.h"
#include "framework/api2/stream/threshold.h"
#include "framework/config/calculator.pb.h"
#include "framework/deps/message_matchers.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/landmark.pb.h"
#include "framework/plan/compile.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using ::testing::ElementsAre;
using Floats = std::vector<float>;
using ImageSize = std::pair<int, int>;

auto IsConfig(const std::string& text) {
  return EqualsProto(ParseTextProtoOrDie<CalculatorGraphConfig>(text));
}

// The config. Fails unless it compiles.
CalculatorGraphConfig RunnableConfig(Graph& graph) {
  CalculatorGraphConfig config = graph.GetConfig();
  SYNCLINE_EXPECT_OK(Compile(config).status());
  return config;
}

template <typename T>
Packet<T> Made(T value) {
  return MakePacket<T>(std::move(value));
}

// --- helpers that run here

TEST(StreamHelpersTest, SplitGivesElements) {
  auto runner = Runner::For([](Stream<Floats> in, Graph& graph) {
                  std::vector<Stream<float>> parts = Split(in, {2, 0}, graph);
                  return std::make_tuple(parts[0], parts[1]);
                }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  const auto result = runner->Run(Made(Floats{1, 2, 3}));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(std::get<0>(*result).Get(), 3);
  EXPECT_EQ(std::get<1>(*result).Get(), 1);
}

TEST(StreamHelpersTest, SplitGivesRangesAndCombinations) {
  auto runner = Runner::For([](Stream<Floats> in, Graph& graph) {
                  auto ranges = SplitToRanges(in, {{0, 2}, {1, 4}}, graph);
                  return std::make_tuple(
                      ranges[0], ranges[1], SplitAndCombine(in, {3, 0}, graph),
                      SplitAndCombineRanges(in, {{2, 4}, {0, 1}}, graph));
                }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  const auto result = runner->Run(Made(Floats{1, 2, 3, 4}));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_THAT(std::get<0>(*result).Get(), ElementsAre(1, 2));
  EXPECT_THAT(std::get<1>(*result).Get(), ElementsAre(2, 3, 4));
  EXPECT_THAT(std::get<2>(*result).Get(), ElementsAre(4, 1));
  EXPECT_THAT(std::get<3>(*result).Get(), ElementsAre(3, 4, 1));
}

TEST(StreamHelpersTest, SplitKnowsTheNamesOfItsFamily) {
  Graph graph;
  Split(graph.In("A").Cast<NormalizedLandmarkList>(), {0}, graph);
  Split(graph.In("B").Cast<std::vector<std::uint64_t>>(), {0}, graph);
  const CalculatorGraphConfig config = graph.GetConfig();
  EXPECT_EQ(config.node(0).calculator(),
            "SplitNormalizedLandmarkListCalculator");
  EXPECT_EQ(config.node(1).calculator(), "SplitUint64tVectorCalculator");
}

TEST(StreamHelpersTest, ConcatenateMakesVectorsOfElementsAndOfVectors) {
  auto runner = Runner::For([](Stream<float> a, Stream<float> b, Graph& graph) {
                  std::vector<Stream<float>> in = {a, b};
                  std::vector<Stream<Floats>> twice = {Concatenate(in, graph),
                                                       Concatenate(in, graph)};
                  return std::make_tuple(Concatenate(twice, graph),
                                         ConcatenateIfAllPresent(in, graph));
                }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  auto result = runner->Run(Made(1.f), Made(2.f));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_THAT(std::get<0>(*result).Get(), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(std::get<1>(*result).Get(), ElementsAre(1, 2));
  result = runner->Run(Made(1.f), Packet<float>());
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_THAT(std::get<0>(*result).Get(), ElementsAre(1, 1));
  EXPECT_TRUE(std::get<1>(*result).IsEmpty());
}

TEST(StreamHelpersTest, ConcatenateTakesListsAsCollectionsAndAsElements) {
  Graph graph;
  const std::vector<Stream<NormalizedLandmarkList>> lists = {
      graph.In("A").Cast<NormalizedLandmarkList>()};
  Stream<NormalizedLandmarkList> list = Concatenate(lists, graph);
  using Lists = std::vector<NormalizedLandmarkList>;
  Stream<Lists> vector = Concatenate<Lists>(lists, graph);
  EXPECT_TRUE(list != vector);
  const CalculatorGraphConfig config = graph.GetConfig();
  EXPECT_EQ(config.node(0).calculator(),
            "ConcatenateNormalizedLandmarkListCalculator");
  EXPECT_EQ(config.node(1).calculator(),
            "ConcatenateNormalizedLandmarkListVectorCalculator");
}

TEST(StreamHelpersTest, GetItemTakesAnIndexOrAStreamOfThem) {
  using Lists = std::vector<NormalizedLandmarkList>;
  auto runner =
      Runner::For([](Stream<Lists> in, Stream<int> index, Graph& graph) {
        return std::make_tuple(GetItem(in, 1, graph),
                               GetItem(in, index, graph));
      }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  Lists lists(3);
  for (int i = 0; i < 3; ++i) {
    lists[i].add_landmark()->set_x(static_cast<float>(i));
  }
  const auto result = runner->Run(Made(lists), Made(2));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(std::get<0>(*result)->landmark(0).x(), 1);
  EXPECT_EQ(std::get<1>(*result)->landmark(0).x(), 2);
}

TEST(StreamHelpersTest, LoopbackGivesWhatCameOfThePacketBefore) {
  auto runner =
      Runner::For([](Stream<int> tick, Stream<std::string> data, Graph& graph) {
        auto [previous, set_loop] = GetLoopbackData<std::string>(tick, graph);
        set_loop(data);
        return previous;
      }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  auto result = runner->Run(Made(1), Made(std::string("first")));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_TRUE(result->IsEmpty());
  result = runner->Run(Made(2), Made(std::string("second")));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(result->Get(), "first");
}

TEST(StreamHelpersTest, ALoopThatIsNotClosedIsAnError) {
  Graph graph;
  GetLoopbackData<int>(graph.In("TICK").Cast<int>(), graph);
  EXPECT_FALSE(graph.BuildConfig().ok());
}

TEST(StreamHelpersTest, MergeTakesTheFirstThatIsThere) {
  auto runner = Runner::For([](Stream<int> a, Stream<int> b, Graph& graph) {
                  return Merge(a, b, graph);
                }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_EQ(runner->Run(Made(1), Made(2))->Get(), 1);
  EXPECT_EQ(runner->Run(Packet<int>(), Made(2))->Get(), 2);
  EXPECT_TRUE(runner->Run(Packet<int>(), Packet<int>())->IsEmpty());
}

TEST(StreamHelpersTest, IsPresentSaysWhetherThereIsAPacket) {
  auto runner = Runner::For(&IsPresent<int>).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_TRUE(runner->Run(Made(1))->Get());
  EXPECT_FALSE(runner->Run(Packet<int>())->Get());
}

TEST(StreamHelpersTest, IsOverThresholdCompares) {
  auto runner = Runner::For([](Stream<float> value, Graph& graph) {
                  return IsOverThreshold(value, 0.5, graph);
                }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_TRUE(runner->Run(Made(0.6f))->Get());
  EXPECT_FALSE(runner->Run(Made(0.5f))->Get());
}

TEST(StreamHelpersTest, GetImageSizeGivesWidthAndHeight) {
  auto runner = Runner::For([](Stream<ImageFrame> frame, Graph& graph) {
                  return GetImageSize(frame, graph);
                }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  const auto size =
      runner->Run(MakePacket<ImageFrame>(ImageFormat::SRGB, 4, 3));
  SYNCLINE_ASSERT_OK(size.status());
  EXPECT_EQ(size->Get(), ImageSize(4, 3));
}

TEST(StreamHelpersTest, FollowsADetectionThroughACropAndBack) {
  // Makes a crop around the detection, twice as large; projects the landmarks
  // of the crop back to the image, smooths them, and makes a detection of them.
  auto runner =
      Runner::For([](Stream<Detection> detection,
                     Stream<NormalizedLandmarkList> in_crop,
                     Stream<ImageSize> size, Graph& graph) {
        auto rect = ConvertDetectionToRect(detection, size, 0, 1, 0, graph);
        auto crop = ScaleAndMakeSquare(rect, size, 2, 2, graph);
        auto landmarks = ProjectLandmarks(in_crop, crop, graph);
        auto visible = SmoothLandmarksVisibility(landmarks, 0.5f, graph);
        auto calm = SmoothLandmarks(visible, crop, size, {}, graph);
        return ConvertLandmarksToDetection(calm, graph);
      }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  const auto result = runner->Run(
      Made(ParseTextProtoOrDie<Detection>(R"pb(
        location_data {
          format: RELATIVE_BOUNDING_BOX
          relative_bounding_box { xmin: 0.4 ymin: 0.4 width: 0.2 height: 0.2 }
          relative_keypoints { x: 0.4 y: 0.5 }
          relative_keypoints { x: 0.6 y: 0.5 }
        }
      )pb")),
      Made(ParseTextProtoOrDie<NormalizedLandmarkList>(R"pb(
        landmark { x: 0 y: 0 }
        landmark { x: 1 y: 0.5 }
      )pb")),
      Made(ImageSize(200, 100)));
  SYNCLINE_ASSERT_OK(result.status());
  // The detection is 40 pixels wide: the crop is 80 x 80 around the middle of
  // 200 x 100.
  const auto& box = result->Get().location_data().relative_bounding_box();
  EXPECT_NEAR(box.xmin(), 0.3, 1e-5);
  EXPECT_NEAR(box.ymin(), 0.1, 1e-5);
  EXPECT_NEAR(box.width(), 0.4, 1e-5);
  EXPECT_NEAR(box.height(), 0.4, 1e-5);
}

// --- the nodes that helpers add

TEST(StreamHelpersTest, RectanglesAreMadeOfDetections) {
  Graph graph;
  Stream<Detection> one = graph.In("ONE").SetName("one").Cast<Detection>();
  auto many = graph.In("MANY").SetName("many").Cast<std::vector<Detection>>();
  auto size = graph.In("SIZE").SetName("size").Cast<ImageSize>();
  ConvertAlignmentPointsDetectionToRect(one, size, 0, 1, 90, graph)
      .SetName("a");
  ConvertAlignmentPointsDetectionsToRect(many, size, 0, 1, 90, graph)
      .SetName("b");
  ConvertDetectionToRect(one, size, 0, 1, 90, graph).SetName("c");
  ConvertDetectionsToRects(many, size, 0, 1, 90, graph).SetName("d");
  ConvertDetectionsToRectUsingKeypoints(many, size, 2, 3, 0, graph)
      .SetName("e");

  struct Expected {
    const char* calculator;
    const char* input;
    const char* output;
  };
  const std::vector<Expected> expected = {
      {"AlignmentPointsRectsCalculator", "DETECTION:one", "NORM_RECT:a"},
      {"AlignmentPointsRectsCalculator", "DETECTIONS:many", "NORM_RECT:b"},
      {"DetectionsToRectsCalculator", "DETECTION:one", "NORM_RECT:c"},
      {"DetectionsToRectsCalculator", "DETECTIONS:many", "NORM_RECTS:d"},
      {"DetectionsToRectsCalculator", "DETECTIONS:many", "NORM_RECT:e"}};
  const CalculatorGraphConfig config = RunnableConfig(graph);
  ASSERT_EQ(config.node_size(), 5);
  for (int i = 0; i < 5; ++i) {
    const CalculatorGraphConfig::Node& node = config.node(i);
    EXPECT_EQ(node.calculator(), expected[i].calculator);
    EXPECT_THAT(node.input_stream(),
                ElementsAre(expected[i].input, "IMAGE_SIZE:size"));
    EXPECT_THAT(node.output_stream(), ElementsAre(expected[i].output));
    const auto& options =
        node.options().GetExtension(DetectionsToRectsCalculatorOptions::ext);
    const bool is_last = i == 4;
    EXPECT_EQ(options.rotation_vector_start_keypoint_index(), is_last ? 2 : 0);
    EXPECT_EQ(options.rotation_vector_end_keypoint_index(), is_last ? 3 : 1);
    EXPECT_EQ(options.rotation_vector_target_angle_degrees(), is_last ? 0 : 90);
    EXPECT_EQ(options.conversion_mode(),
              is_last ? DetectionsToRectsCalculatorOptions::USE_KEYPOINTS
                      : DetectionsToRectsCalculatorOptions::DEFAULT);
  }
}

TEST(StreamHelpersTest, RectanglesAreTransformed) {
  Graph graph;
  auto rect = graph.In("RECT").SetName("rect").Cast<NormalizedRect>();
  auto rects =
      graph.In("RECTS").SetName("rects").Cast<std::vector<NormalizedRect>>();
  auto size = graph.In("SIZE").SetName("size").Cast<ImageSize>();
  ScaleAndMakeSquare(rect, size, 2, 3, graph).SetName("a");
  ScaleAndShiftAndMakeSquareLong(rects, size, 2, 3, 4, 5, graph).SetName("b");
  Scale(rect, size, 2, 3, graph).SetName("c");

  EXPECT_THAT(RunnableConfig(graph), IsConfig(R"pb(
                input_stream: "RECT:rect"
                input_stream: "RECTS:rects"
                input_stream: "SIZE:size"
                node {
                  calculator: "RectTransformationCalculator"
                  input_stream: "IMAGE_SIZE:size"
                  input_stream: "NORM_RECT:rect"
                  output_stream: "a"
                  options {
                    [syncline.RectTransformationCalculatorOptions.ext] {
                      scale_x: 2
                      scale_y: 3
                      square_long: true
                    }
                  }
                }
                node {
                  calculator: "RectTransformationCalculator"
                  input_stream: "IMAGE_SIZE:size"
                  input_stream: "NORM_RECTS:rects"
                  output_stream: "b"
                  options {
                    [syncline.RectTransformationCalculatorOptions.ext] {
                      scale_x: 2
                      scale_y: 3
                      shift_x: 4
                      shift_y: 5
                      square_long: true
                    }
                  }
                }
                node {
                  calculator: "RectTransformationCalculator"
                  input_stream: "IMAGE_SIZE:size"
                  input_stream: "NORM_RECT:rect"
                  output_stream: "c"
                  options {
                    [syncline.RectTransformationCalculatorOptions.ext] {
                      scale_x: 2
                      scale_y: 3
                    }
                  }
                }
              )pb"));
}

TEST(StreamHelpersTest, LandmarksAreProjectedAndEnclosed) {
  Graph graph;
  auto landmarks =
      graph.In("LANDMARKS").SetName("landmarks").Cast<NormalizedLandmarkList>();
  auto rect = graph.In("RECT").SetName("rect").Cast<NormalizedRect>();
  auto matrix =
      graph.In("MATRIX").SetName("matrix").Cast<std::array<float, 16>>();
  ProjectLandmarks(landmarks, rect, graph).SetName("a");
  ProjectLandmarks(landmarks, matrix, graph).SetName("b");
  ConvertLandmarksToDetection(landmarks, graph).SetName("c");

  EXPECT_THAT(RunnableConfig(graph), IsConfig(R"pb(
                input_stream: "LANDMARKS:landmarks"
                input_stream: "MATRIX:matrix"
                input_stream: "RECT:rect"
                node {
                  calculator: "LandmarkProjectionCalculator"
                  input_stream: "NORM_LANDMARKS:landmarks"
                  input_stream: "NORM_RECT:rect"
                  output_stream: "NORM_LANDMARKS:a"
                }
                node {
                  calculator: "LandmarkProjectionCalculator"
                  input_stream: "NORM_LANDMARKS:landmarks"
                  input_stream: "PROJECTION_MATRIX:matrix"
                  output_stream: "NORM_LANDMARKS:b"
                }
                node {
                  calculator: "LandmarksToDetectionCalculator"
                  input_stream: "NORM_LANDMARKS:landmarks"
                  output_stream: "DETECTION:c"
                }
              )pb"));
}

TEST(StreamHelpersTest, LandmarksAreSmoothed) {
  Graph graph;
  auto landmarks =
      graph.In("LANDMARKS").SetName("landmarks").Cast<NormalizedLandmarkList>();
  auto roi = graph.In("ROI").SetName("roi").Cast<NormalizedRect>();
  auto size = graph.In("SIZE").SetName("size").Cast<ImageSize>();
  SmoothLandmarks(landmarks, roi, size, {.min_cutoff = 0.25f, .beta = 80},
                  graph)
      .SetName("a");
  SmoothLandmarks(graph.In("WORLD").SetName("world").Cast<LandmarkList>(),
                  absl::nullopt, {.disable_value_scaling = true}, graph)
      .SetName("b");
  SmoothMultiLandmarks(
      graph.In("MANY")
          .SetName("many")
          .Cast<std::vector<NormalizedLandmarkList>>(),
      graph.In("IDS").SetName("ids").Cast<std::vector<std::int64_t>>(),
      absl::nullopt, size, {}, graph)
      .SetName("c");
  SmoothLandmarksVisibility(landmarks, 0.5f, graph).SetName("d");

  EXPECT_THAT(RunnableConfig(graph), IsConfig(R"pb(
                input_stream: "IDS:ids"
                input_stream: "LANDMARKS:landmarks"
                input_stream: "MANY:many"
                input_stream: "ROI:roi"
                input_stream: "SIZE:size"
                input_stream: "WORLD:world"
                node {
                  calculator: "LandmarksSmoothingCalculator"
                  input_stream: "IMAGE_SIZE:size"
                  input_stream: "NORM_LANDMARKS:landmarks"
                  input_stream: "OBJECT_SCALE_ROI:roi"
                  output_stream: "NORM_FILTERED_LANDMARKS:a"
                  options {
                    [syncline.LandmarksSmoothingCalculatorOptions.ext] {
                      one_euro_filter {
                        frequency: 30
                        min_cutoff: 0.25
                        beta: 80
                        derivate_cutoff: 1
                        min_allowed_object_scale: 1e-6
                        disable_value_scaling: false
                      }
                    }
                  }
                }
                node {
                  calculator: "LandmarksSmoothingCalculator"
                  input_stream: "LANDMARKS:world"
                  output_stream: "FILTERED_LANDMARKS:b"
                  options {
                    [syncline.LandmarksSmoothingCalculatorOptions.ext] {
                      one_euro_filter {
                        frequency: 30
                        min_cutoff: 1
                        beta: 0
                        derivate_cutoff: 1
                        min_allowed_object_scale: 1e-6
                        disable_value_scaling: true
                      }
                    }
                  }
                }
                node {
                  calculator: "MultiLandmarksSmoothingCalculator"
                  input_stream: "IMAGE_SIZE:size"
                  input_stream: "NORM_LANDMARKS:many"
                  input_stream: "TRACKING_IDS:ids"
                  output_stream: "NORM_FILTERED_LANDMARKS:c"
                  options {
                    [syncline.LandmarksSmoothingCalculatorOptions.ext] {
                      one_euro_filter {
                        frequency: 30
                        min_cutoff: 1
                        beta: 0
                        derivate_cutoff: 1
                        min_allowed_object_scale: 1e-6
                        disable_value_scaling: false
                      }
                    }
                  }
                }
                node {
                  calculator: "VisibilitySmoothingCalculator"
                  input_stream: "NORM_LANDMARKS:landmarks"
                  output_stream: "NORM_FILTERED_LANDMARKS:d"
                  options {
                    [syncline.VisibilitySmoothingCalculatorOptions.ext] {
                      low_pass_filter { alpha: 0.5 }
                    }
                  }
                }
              )pb"));
}

TEST(StreamHelpersTest, ImagesHaveSizesAndMasksAreSmoothed) {
  Graph graph;
  auto image = graph.In("IMAGE").SetName("image").Cast<Image>();
  auto frame = graph.In("FRAME").SetName("frame").Cast<ImageFrame>();
  GetImageSize(image, graph).SetName("a");
  GetImageSize(frame, graph).SetName("b");
  SmoothSegmentationMask(image, image, 0.75f, graph).SetName("c");

  EXPECT_THAT(RunnableConfig(graph), IsConfig(R"pb(
                input_stream: "FRAME:frame"
                input_stream: "IMAGE:image"
                node {
                  calculator: "ImagePropertiesCalculator"
                  input_stream: "IMAGE:image"
                  output_stream: "SIZE:a"
                }
                node {
                  calculator: "ImagePropertiesCalculator"
                  input_stream: "IMAGE_CPU:frame"
                  output_stream: "SIZE:b"
                }
                node {
                  calculator: "SegmentationSmoothingCalculator"
                  input_stream: "MASK:image"
                  input_stream: "MASK_PREVIOUS:image"
                  output_stream: "MASK_SMOOTHED:c"
                  options {
                    [syncline.SegmentationSmoothingCalculatorOptions.ext] {
                      combine_with_previous_ratio: 0.75
                    }
                  }
                }
              )pb"));
}

}  // namespace
}  // namespace builder
}  // namespace api2
}  // namespace syncline
