// OpticalFlowTrackerCalculator: boxes follow moving objects, detections that
// come late are applied to their own image, waiting makes the results depend
// only on packets, and bad images and boxes are errors.
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/vision/box.h"
#include "calculators/vision/box_flow.h"
#include "calculators/vision/walkers.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Detections = std::vector<Detection>;

constexpr int kWidth = 384;
constexpr int kHeight = 288;
constexpr int kPeriod = 100000;  // the distance of images, in microseconds

// A walker who moves to the right by 3 pixels in each image.
constexpr Walker kWalker = {100, 250, 150, 30};

double WalkerX(int image) { return kWalker.start_x + 3.0 * image; }

Packet ImageAt(int image) {
  return MakePacket<ImageFrame>(
             DrawWalkers({kWalker}, kWidth, kHeight, 0.1 * image))
      .At(Timestamp(image * kPeriod));
}

Detection BoxAt(double x, double y, double width, double height) {
  Detection detection;
  detection.add_label("person");
  detection.set_track_id("7");
  LocationData& location = *detection.mutable_location_data();
  location.set_format(LocationData::RELATIVE_BOUNDING_BOX);
  auto& box = *location.mutable_relative_bounding_box();
  box.set_xmin(static_cast<float>(x));
  box.set_ymin(static_cast<float>(y));
  box.set_width(static_cast<float>(width));
  box.set_height(static_cast<float>(height));
  return detection;
}

// The box of the walker in an image.
Detection Walking(int image) {
  return BoxAt((WalkerX(image) - 30) / kWidth, 100.0 / kHeight, 60.0 / kWidth,
               150.0 / kHeight);
}

Packet DetectionsAt(int image, Detections detections) {
  return MakePacket<Detections>(std::move(detections))
      .At(Timestamp(image * kPeriod));
}

double MiddleX(const Detection& detection) {
  const auto& box = detection.location_data().relative_bounding_box();
  return (box.xmin() + box.width() / 2) * kWidth;
}

std::string Node(const std::string& options) {
  return absl::StrCat(
      "calculator: 'OpticalFlowTrackerCalculator' input_stream: 'IMAGE:image' "
      "input_stream: 'DETECTIONS:told' output_stream: 'DETECTIONS:moved' "
      "options { [syncline.OpticalFlowTrackerCalculatorOptions.ext] {",
      options, "} }");
}

std::string Graph(const std::string& options) {
  return absl::StrCat("input_stream: 'image' input_stream: 'told' node {",
                      Node(options), "}");
}

// All packets of a stream with detections, as text.
std::string Text(const std::vector<Packet>& packets) {
  std::string text;
  for (const Packet& packet : packets) {
    absl::StrAppend(&text, packet.Timestamp().DebugString(), "\n");
    for (const Detection& detection : packet.Get<Detections>()) {
      absl::StrAppend(&text, detection.ShortDebugString(), "\n");
    }
  }
  return text;
}

class OpticalFlowTrackerTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(OpticalFlowTrackerTest);

TEST_P(OpticalFlowTrackerTest, ABoxStaysOnWhatMoves) {
  GraphHarness graph(Graph(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.FeedPacket("image", ImageAt(0));
  graph.Idle();
  graph.FeedPacket("told", DetectionsAt(0, {Walking(0)}));
  graph.Idle();
  for (int i = 1; i <= 8; ++i) graph.FeedPacket("image", ImageAt(i));
  SYNCLINE_ASSERT_OK(graph.Finish());
  const std::vector<Packet> moved = graph.Packets("moved");
  ASSERT_EQ(moved.size(), 9);
  EXPECT_TRUE(moved[0].Get<Detections>().empty());
  for (int i = 1; i <= 8; ++i) {
    ASSERT_EQ(moved[i].Get<Detections>().size(), 1) << i;
    const Detection& detection = moved[i].Get<Detections>()[0];
    EXPECT_EQ(moved[i].Timestamp(), Timestamp(i * kPeriod));
    EXPECT_EQ(detection.timestamp_usec(), i * kPeriod);
    EXPECT_EQ(detection.label(0), "person");
    EXPECT_EQ(detection.track_id(), "7");
    EXPECT_NEAR(MiddleX(detection), WalkerX(i), 3) << i;
  }
}

TEST_P(OpticalFlowTrackerTest, ALateDetectionCountsFromItsOwnImageOn) {
  GraphHarness graph(Graph(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  for (int i = 0; i <= 5; ++i) graph.FeedPacket("image", ImageAt(i));
  graph.Idle();
  EXPECT_EQ(graph.Count("moved"), 6);
  graph.FeedPacket("told", DetectionsAt(1, {Walking(1)}));
  graph.Idle();
  graph.FeedPacket("image", ImageAt(6));
  SYNCLINE_ASSERT_OK(graph.Finish());
  const std::vector<Packet> moved = graph.Packets("moved");
  ASSERT_EQ(moved.size(), 7);
  EXPECT_TRUE(moved[5].Get<Detections>().empty());
  ASSERT_EQ(moved[6].Get<Detections>().size(), 1);
  EXPECT_NEAR(MiddleX(moved[6].Get<Detections>()[0]), WalkerX(6), 3);
}

TEST_P(OpticalFlowTrackerTest, ANewDetectionReplacesWhatWasCarried) {
  GraphHarness graph(Graph(""), GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.FeedPacket("image", ImageAt(0));
  graph.FeedPacket("told", DetectionsAt(0, {Walking(0), Walking(0)}));
  graph.Idle();
  graph.FeedPacket("image", ImageAt(1));
  graph.Idle();
  EXPECT_EQ(graph.Packets("moved")[1].Get<Detections>().size(), 2);
  graph.FeedPacket("told", DetectionsAt(1, {}));
  graph.Idle();
  graph.FeedPacket("image", ImageAt(2));
  SYNCLINE_ASSERT_OK(graph.Finish());
  EXPECT_TRUE(graph.Packets("moved")[2].Get<Detections>().empty());
}

TEST_P(OpticalFlowTrackerTest, WaitingMakesResultsDependOnPacketsAlone) {
  std::string texts[2];
  for (const bool images_first : {false, true}) {
    GraphHarness graph(Graph("wait_for_detections: true"), GetParam());
    SYNCLINE_ASSERT_OK(graph.Start());
    const auto feed_images = [&graph] {
      for (int i = 0; i <= 6; ++i) graph.FeedPacket("image", ImageAt(i));
    };
    if (images_first) {
      feed_images();
      graph.Idle();
      // There are no detections of time 0 yet, so the second image waits.
      EXPECT_EQ(graph.Count("moved"), 1);
    }
    graph.FeedPacket("told", DetectionsAt(0, {Walking(0)}));
    graph.FeedPacket("told", DetectionsAt(3, {Walking(3), Walking(3)}));
    if (!images_first) feed_images();
    graph.Idle();
    EXPECT_EQ(graph.Count("moved"), 5);
    SYNCLINE_ASSERT_OK(graph.Finish());
    EXPECT_EQ(graph.Count("moved"), 7);
    EXPECT_EQ(graph.Packets("moved")[3].Get<Detections>().size(), 1);
    EXPECT_EQ(graph.Packets("moved")[4].Get<Detections>().size(), 2);
    texts[images_first] = Text(graph.Packets("moved"));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST_P(OpticalFlowTrackerTest, EndsAlthoughItsDetectionsComeFromItself) {
  GraphHarness graph(
      R"pb(
        input_stream: "image"
        node {
          calculator: "OpticalFlowTrackerCalculator"
          input_stream: "IMAGE:image"
          input_stream: "DETECTIONS:told"
          input_stream_info { tag_index: "DETECTIONS" back_edge: true }
          output_stream: "DETECTIONS:moved"
          options {
            [syncline.OpticalFlowTrackerCalculatorOptions.ext] {
              wait_for_detections: true
            }
          }
        }
        node {
          calculator: "PassThroughCalculator"
          input_stream: "moved"
          output_stream: "told"
        })pb",
      GetParam());
  for (int i = 0; i <= 4; ++i) graph.FeedPacket("image", ImageAt(i));
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(graph.Count("moved"), 5);
}

TEST(TrackerTest, BoxesThatLoseTheirPointsEnd) {
  CalculatorHarness harness(Node(""));
  ImageFrame black(ImageFormat::SRGB, kWidth, kHeight);
  black.SetToZero();
  // The box in the corner has its middle outside of the image.
  harness.Feed(
      "IMAGE",
      {ImageAt(0), ImageAt(1),
       MakePacket<ImageFrame>(std::move(black)).At(Timestamp(2 * kPeriod)),
       ImageAt(3)});
  harness.Feed("DETECTIONS",
               {DetectionsAt(0, {Walking(0), BoxAt(-1, -1, 0.5, 0.5),
                                 BoxAt(2, 2, 0.5, 0.5), BoxAt(0.5, 0.5, 0, 0),
                                 BoxAt(0.5, 0.5, 0.001, 0.001)})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& moved = harness.Output("DETECTIONS");
  ASSERT_EQ(moved.size(), 4);
  EXPECT_EQ(moved[1].Get<Detections>().size(), 1);
  EXPECT_EQ(moved[2].Get<Detections>().size(), 0);
  EXPECT_EQ(moved[3].Get<Detections>().size(), 0);
}

// A figure on a background, both with many spots. From image 3 on it is gone:
// then the points stay on the background.
int BoxesOnEmptyGround(const std::string& options) {
  const auto spots = [](int width, int height, int size) {
    cv::Mat few((height + size - 1) / size, (width + size - 1) / size, CV_8UC1);
    cv::randu(few, 0, 255);
    cv::Mat pixels;
    cv::resize(few, pixels, {width, height}, 0, 0, cv::INTER_LINEAR);
    return pixels;
  };
  cv::setRNGSeed(1);
  const cv::Mat ground = spots(kWidth, kHeight, 8);
  const cv::Mat figure = spots(60, 150, 10);
  std::vector<Packet> images;
  for (int i = 0; i < 8; ++i) {
    ImageFrame image(ImageFormat::GRAY8, kWidth, kHeight);
    cv::Mat pixels(kHeight, kWidth, CV_8UC1, image.MutablePixelData(),
                   static_cast<std::size_t>(image.WidthStep()));
    ground.copyTo(pixels);
    if (i < 3) figure.copyTo(pixels({70, 100, 60, 150}));
    images.push_back(
        MakePacket<ImageFrame>(std::move(image)).At(Timestamp(i * kPeriod)));
  }
  CalculatorHarness harness(Node(options));
  harness.Feed("IMAGE", images);
  harness.Feed("DETECTIONS",
               {DetectionsAt(0, {BoxAt(70.0 / kWidth, 100.0 / kHeight,
                                       60.0 / kWidth, 150.0 / kHeight)})});
  SYNCLINE_EXPECT_OK(harness.Run());
  const auto& moved = harness.Output("DETECTIONS");
  EXPECT_EQ(moved[2].Get<Detections>().size(), 1u);
  return static_cast<int>(moved[7].Get<Detections>().size());
}

TEST(TrackerTest, ABoxEndsWhenItNoLongerLooksLikeWhatItHeld) {
  // In one image all points are accepted, whatever happened to them; in the
  // images after it nothing moves.
  const std::string loose = "max_error_px: 1000 min_points: 1 ";
  EXPECT_EQ(BoxesOnEmptyGround(loose + "min_similarity: 0"), 1);
  EXPECT_EQ(BoxesOnEmptyGround(loose), 0);
}

TEST(BoxLookTest, IsComparedWhateverItsBrightness) {
  const BoxFlowParameters parameters;
  // The spots are larger than the pixels of a look.
  cv::Mat spots(10, 8, CV_8UC1), noise;
  cv::randu(spots, 50, 100);
  cv::resize(spots, noise, {40, 60}, 0, 0, cv::INTER_NEAREST);
  const cv::Mat brighter = noise * 2;
  const Box all{0, 0, 40, 60};
  const cv::Mat look = LookOf(MakeFlowImage(noise, parameters), all);
  EXPECT_NEAR(Similarity(look, look), 1, 1e-9);
  EXPECT_GT(Similarity(look, LookOf(MakeFlowImage(brighter, parameters), all)),
            0.95);
  cv::Mat other;
  cv::flip(noise, other, 1);
  EXPECT_LT(Similarity(look, LookOf(MakeFlowImage(other, parameters), all)),
            0.5);
  // Without contrast, and outside of the image, there is nothing to compare.
  const cv::Mat gray(60, 40, CV_8UC1, cv::Scalar(90));
  const cv::Mat flat = LookOf(MakeFlowImage(gray, parameters), all);
  EXPECT_EQ(Similarity(look, flat), 0);
  EXPECT_EQ(Similarity(flat, flat), 1);
  const FlowImage image = MakeFlowImage(noise, parameters);
  EXPECT_TRUE(LookOf(image, {50, 0, 10, 10}).empty());
  EXPECT_EQ(Similarity(look, cv::Mat()), 0);
  // A box partly outside, and one far outside of the image.
  EXPECT_NEAR(Similarity(look, LookOf(image, {-1e9, -1e9, 2e9, 2e9})), 1, 1e-9);
}

TEST(TrackerTest, TakesBoxesInPixelsAndImagesOfAllKinds) {
  CalculatorHarness harness(Node(""));
  const auto image = [](int i) {
    return MakePacket<Image>(std::make_shared<ImageFrame>(DrawWalkers(
                                 {kWalker}, kWidth, kHeight, 0.1 * i)))
        .At(Timestamp(i * kPeriod));
  };
  Detection detection;
  detection.mutable_location_data()->set_format(LocationData::BOUNDING_BOX);
  auto& box = *detection.mutable_location_data()->mutable_bounding_box();
  box.set_xmin(70);
  box.set_ymin(100);
  box.set_width(60);
  box.set_height(150);
  harness.Feed("IMAGE", {image(0), image(1), image(2)});
  harness.Feed("DETECTIONS", {DetectionsAt(0, {detection})});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& moved = harness.Output("DETECTIONS")[2].Get<Detections>();
  ASSERT_EQ(moved.size(), 1);
  EXPECT_NEAR(moved[0].location_data().bounding_box().xmin(), 76, 3);
}

TEST(TrackerTest, BoxesEndWhenTheSizeOfImagesChanges) {
  CalculatorHarness harness(Node(""));
  const auto small = [](int i) {
    return MakePacket<ImageFrame>(DrawWalkers({kWalker}, 200, 200, 0))
        .At(Timestamp(i * kPeriod));
  };
  harness.Feed("IMAGE", {ImageAt(0), ImageAt(1), small(2), small(3)});
  harness.Feed("DETECTIONS", {DetectionsAt(0, {Walking(0)})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("DETECTIONS")[1].Get<Detections>().size(), 1);
  EXPECT_EQ(harness.Output("DETECTIONS")[2].Get<Detections>().size(), 0);
}

TEST(TrackerTest, CountsDetectionsWithoutImage) {
  CalculatorHarness harness(Node("max_history: 2"));
  harness.Feed("IMAGE", {ImageAt(1), ImageAt(2), ImageAt(3), ImageAt(4)});
  harness.Feed("DETECTIONS", {MakePacket<Detections>(Detections{Walking(0)})
                                  .At(Timestamp(kPeriod + 1))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.CounterValue("WithoutImage"), 1);
  EXPECT_TRUE(harness.Output("DETECTIONS")[3].Get<Detections>().empty());
}

TEST(TrackerTest, CarriesNoMoreBoxesThanItMay) {
  CalculatorHarness harness(Node("max_boxes: 1"));
  harness.Feed("IMAGE", {ImageAt(0), ImageAt(1)});
  harness.Feed("DETECTIONS", {DetectionsAt(0, {Walking(0), Walking(0)})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("DETECTIONS")[1].Get<Detections>().size(), 1);
  EXPECT_EQ(harness.CounterValue("TooManyBoxes"), 1);
}

TEST(TrackerTest, WorksWithTheSmallestImages) {
  for (const int size : {1, 2, 3, 16}) {
    CalculatorHarness harness(Node(""));
    std::vector<Packet> images;
    for (int i = 0; i < 3; ++i) {
      images.push_back(MakePacket<ImageFrame>(DrawWalkers({}, size, size, 0))
                           .At(Timestamp(i * kPeriod)));
    }
    harness.Feed("IMAGE", images);
    harness.Feed("DETECTIONS", {DetectionsAt(0, {BoxAt(0, 0, 1, 1)})});
    SYNCLINE_EXPECT_OK(harness.Run()) << size;
    EXPECT_EQ(harness.Output("DETECTIONS").size(), 3);
  }
}

TEST(TrackerTest, RefusesImagesAndBoxesThatCannotBe) {
  CalculatorHarness image(Node(""));
  image.Feed("IMAGE", {MakePacket<ImageFrame>().At(Timestamp(0))});
  EXPECT_THAT(std::string(image.Run().message()), HasSubstr("no pixels"));

  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Detection& bad : {BoxAt(nan, 0, 1, 1), BoxAt(0, 0, -1, 1),
                               BoxAt(0, HUGE_VAL, 1, 1), Detection()}) {
    CalculatorHarness harness(Node(""));
    harness.Feed("IMAGE", {ImageAt(0)});
    harness.Feed("DETECTIONS", {DetectionsAt(0, {bad})});
    EXPECT_THAT(std::string(harness.Run().message()), HasSubstr("box"));
  }
}

TEST(TrackerTest, RefusesOptionsOutOfTheirRange) {
  for (const std::string options :
       {"max_history: 0", "points_per_side: 1", "points_per_side: 100000",
        "min_points: 0", "min_points: 100", "max_error_px: 0",
        "max_error_px: nan", "window_px: 2", "levels: -1", "levels: 31",
        "max_boxes: 0", "min_similarity: -0.1", "min_similarity: 1",
        "min_similarity: nan"}) {
    EXPECT_THAT(std::string(CalculatorHarness(Node(options)).Run().message()),
                HasSubstr("needs max_history"))
        << options;
  }
}

}  // namespace
}  // namespace syncline
