// PeopleDetectorCalculator and CascadeDetectorCalculator: their detections,
// which are the same for any number of OpenCV's threads, and bad images, files
// and options.
#include <sys/stat.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/vision/walkers.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Detections = std::vector<Detection>;

constexpr char kFaces[] =
    "/usr/share/opencv4/haarcascades/haarcascade_frontalface_default.xml";

std::string Node(const std::string& type, const std::string& options) {
  return absl::StrCat("calculator: '", type,
                      "' input_stream: 'IMAGE:in' output_stream: "
                      "'DETECTIONS:out' options { [syncline.",
                      type, "Options.ext] {", options, "} }");
}

ImageFrame TwoWalkers() {
  return DrawWalkers({{120, 220, 130, 40}, {280, 250, 150, -40}}, 384, 288, 0);
}

// The detections for one packet with an image.
absl::StatusOr<Detections> Detect(const std::string& node, Packet image) {
  CalculatorHarness harness(node);
  harness.Feed("IMAGE", {std::move(image).At(Timestamp(7))});
  SYNCLINE_RETURN_IF_ERROR(harness.Run());
  if (harness.Output("DETECTIONS").size() != 1 ||
      harness.Output("DETECTIONS")[0].Timestamp() != Timestamp(7)) {
    return absl::InternalError("not one packet at 7");
  }
  return harness.Output("DETECTIONS")[0].Get<Detections>();
}

// Whether the box contains a point of the image.
bool Contains(const Detection& detection, double x, double y) {
  const auto& box = detection.location_data().relative_bounding_box();
  return box.xmin() < x && x < box.xmin() + box.width() && box.ymin() < y &&
         y < box.ymin() + box.height();
}

// The number of OpenCV's own threads. They synchronize by atomics that thread
// sanitizer cannot see, since OpenCV is not compiled with it.
#if defined(__SANITIZE_THREAD__)
constexpr int kOpenCvThreads[] = {1};
#else
constexpr int kOpenCvThreads[] = {1, 2, 8};
#endif

TEST(PeopleDetectorTest, FindsWhoWalksThere) {
  const std::string node = Node("PeopleDetectorCalculator", "");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Detections found,
      Detect(node, MakePacket<ImageFrame>(TwoWalkers())));
  ASSERT_EQ(found.size(), 2);
  // Sorted by upper border: the lower half of the first body, and that of the
  // second.
  EXPECT_TRUE(Contains(found[0], 120.0 / 384, 160.0 / 288));
  EXPECT_TRUE(Contains(found[1], 280.0 / 384, 180.0 / 288));
  for (const Detection& detection : found) {
    EXPECT_EQ(detection.label(0), "person");
    EXPECT_GT(detection.score(0), 0.5);
    EXPECT_LT(detection.score(0), 1);
    EXPECT_EQ(detection.timestamp_usec(), 7);
    EXPECT_LT(detection.location_data().relative_bounding_box().width(), 0.3);
  }
}

TEST(PeopleDetectorTest, FindsTheSameInAnImageAndInGray) {
  const std::string node = Node("PeopleDetectorCalculator", "label: 'walker'");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Detections found,
      Detect(node,
             MakePacket<Image>(std::make_shared<ImageFrame>(TwoWalkers()))));
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].label(0), "walker");

  const ImageFrame color = TwoWalkers();
  ImageFrame gray(ImageFormat::GRAY8, color.Width(), color.Height());
  for (int y = 0; y < color.Height(); ++y) {
    for (int x = 0; x < color.Width(); ++x) {
      gray.MutablePixelData()[y * gray.WidthStep() + x] =
          color.PixelData()[y * color.WidthStep() + 3 * x];
    }
  }
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Detections in_gray,
      Detect(node, MakePacket<ImageFrame>(std::move(gray))));
  EXPECT_EQ(in_gray.size(), 2);
}

TEST(PeopleDetectorTest, FindsTheSameWithAnyNumberOfThreads) {
  const int threads_before = cv::getNumThreads();
  std::vector<std::string> found;
  for (const int threads : kOpenCvThreads) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      cv::setNumThreads(threads);
      SYNCLINE_ASSERT_OK_AND_ASSIGN(
          const Detections detections,
          Detect(Node("PeopleDetectorCalculator", "min_neighbors: 0"),
                 MakePacket<ImageFrame>(TwoWalkers())));
      EXPECT_GT(detections.size(), 4);
      std::string text;
      for (const Detection& detection : detections) {
        absl::StrAppend(&text, detection.SerializeAsString());
      }
      found.push_back(text);
    }
  }
  cv::setNumThreads(threads_before);
  for (const std::string& other : found) EXPECT_EQ(other, found[0]);
}

TEST(PeopleDetectorTest, SearchesASmallerImage) {
  // At half the size the figures are too small to be found.
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const Detections found,
      Detect(Node("PeopleDetectorCalculator", "input_width: 150"),
             MakePacket<ImageFrame>(TwoWalkers())));
  EXPECT_TRUE(found.empty());
}

TEST(PeopleDetectorTest, FindsNobodyInAnImageSmallerThanAPerson) {
  for (const int size : {1, 2, 63, 127}) {
    ImageFrame image(ImageFormat::SRGB, size, size);
    image.SetToZero();
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const Detections found,
        Detect(Node("PeopleDetectorCalculator", ""),
               MakePacket<ImageFrame>(std::move(image))));
    EXPECT_TRUE(found.empty()) << size;
  }
}

TEST(DetectorsTest, RefuseImagesThatTheyCannotWorkWith) {
  const std::vector<std::string> nodes = {
      Node("PeopleDetectorCalculator", ""),
      Node("CascadeDetectorCalculator",
           absl::StrCat("cascade_path: '", kFaces, "'"))};
  for (const std::string& node : nodes) {
    for (const Packet& empty :
         {MakePacket<ImageFrame>(), MakePacket<Image>(),
          MakePacket<Image>(std::make_shared<ImageFrame>()),
          MakePacket<ImageFrame>(ImageFormat::SRGB, 0, 0),
          MakePacket<ImageFrame>(ImageFormat::SRGB, 0, 5)}) {
      EXPECT_THAT(std::string(Detect(node, empty).status().message()),
                  HasSubstr("no pixels"));
    }
    for (const ImageFormat::Format format :
         {ImageFormat::GRAY16, ImageFormat::VEC32F1, ImageFormat::SRGB48}) {
      EXPECT_THAT(
          std::string(Detect(node, MakePacket<ImageFrame>(format, 80, 160))
                          .status()
                          .message()),
          HasSubstr(ImageFormat::Format_Name(format)));
    }
  }
}

TEST(DetectorsTest, RefuseOptionsOutOfTheirRange) {
  for (const std::string options :
       {"input_width: -1", "scale: 1", "scale: nan", "scale: inf", "stride: 0",
        "stride: 5", "stride: 1000000", "hit_threshold: nan",
        "min_neighbors: -1"}) {
    EXPECT_THAT(std::string(Detect(Node("PeopleDetectorCalculator", options),
                                   MakePacket<ImageFrame>(TwoWalkers()))
                                .status()
                                .message()),
                HasSubstr("needs input_width"))
        << options;
  }
  for (const std::string options :
       {"scale: 0.5", "scale: nan", "min_neighbors: -1", "min_size: -1",
        "min_size: 10 max_size: 5"}) {
    EXPECT_THAT(std::string(Detect(Node("CascadeDetectorCalculator",
                                        absl::StrCat("cascade_path: '", kFaces,
                                                     "' ", options)),
                                   MakePacket<ImageFrame>(TwoWalkers()))
                                .status()
                                .message()),
                HasSubstr("needs scale"))
        << options;
  }
}

// --- Cascades

std::string Cascade(const std::string& path, const std::string& options = "") {
  return Node("CascadeDetectorCalculator",
              absl::StrCat("cascade_path: '", path, "' ", options));
}

TEST(CascadeDetectorTest, ReadsHaarAndLbpCascades) {
  for (const std::string& path : {std::string(kFaces),
                                  std::string("/usr/share/opencv4/haarcascades/"
                                              "haarcascade_fullbody.xml"),
                                  std::string("/usr/share/opencv4/lbpcascades/"
                                              "lbpcascade_frontalface.xml")}) {
    SYNCLINE_EXPECT_OK(
        Detect(Cascade(path), MakePacket<ImageFrame>(TwoWalkers())).status());
  }
}

TEST(CascadeDetectorTest, FindsTheSameWithAnyNumberOfThreads) {
  const int threads_before = cv::getNumThreads();
  std::vector<std::string> found;
  for (const int threads : kOpenCvThreads) {
    cv::setNumThreads(threads);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const Detections detections,
        Detect(Cascade("/usr/share/opencv4/haarcascades/"
                       "haarcascade_fullbody.xml",
                       "min_neighbors: 0 scale: 1.03 label: 'body'"),
               MakePacket<ImageFrame>(TwoWalkers())));
    std::string text;
    for (const Detection& detection : detections) {
      EXPECT_EQ(detection.label(0), "body");
      EXPECT_GT(detection.score(0), 0);
      EXPECT_LT(detection.score(0), 1);
      absl::StrAppend(&text, detection.SerializeAsString());
    }
    EXPECT_GT(detections.size(), 0);
    found.push_back(text);
  }
  cv::setNumThreads(threads_before);
  for (const std::string& other : found) EXPECT_EQ(other, found[0]);
}

TEST(CascadeDetectorTest, TakesItsFileFromASidePacket) {
  CalculatorHarness harness(
      "calculator: 'CascadeDetectorCalculator' input_stream: 'IMAGE:in' "
      "input_side_packet: 'CASCADE_PATH:path' output_stream: "
      "'DETECTIONS:out'");
  harness.SetSidePacket("CASCADE_PATH", MakePacket<std::string>(kFaces));
  SYNCLINE_EXPECT_OK(harness.Run());
  harness.SetSidePacket("CASCADE_PATH", MakePacket<std::string>("/no/file"));
  EXPECT_THAT(std::string(harness.Run().message()),
              HasSubstr("\"/no/file\" cannot be read"));
}

TEST(CascadeDetectorTest, NeedsExactlyOneFile) {
  EXPECT_THAT(std::string(Detect(Node("CascadeDetectorCalculator", ""),
                                 MakePacket<ImageFrame>(TwoWalkers()))
                              .status()
                              .message()),
              HasSubstr("needs a file"));
}

TEST(CascadeDetectorTest, SaysWhatIsWrongWithAFile) {
  std::ifstream faces(kFaces);
  const std::string good((std::istreambuf_iterator<char>(faces)),
                         std::istreambuf_iterator<char>());
  ASSERT_GT(good.size(), 1000);
  const std::string path = absl::StrCat(::testing::TempDir(), "/cascade.xml");
  std::string garbled = good;
  for (std::size_t i = 500; i < garbled.size(); i += 97) garbled[i] = '<';
  for (const std::string& bad :
       {std::string(), std::string("not a cascade"), good.substr(0, 1000),
        good.substr(0, good.size() / 2), garbled,
        std::string("<?xml version=\"1.0\"?><opencv_storage><cascade/>"
                    "</opencv_storage>"),
        std::string("%YAML:1.0\n---\na: 1\n")}) {
    std::ofstream(path) << bad;
    const absl::Status status =
        Detect(Cascade(path), MakePacket<ImageFrame>(TwoWalkers())).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << bad.substr(0, 80);
    EXPECT_THAT(std::string(status.message()), HasSubstr(path));
  }
  EXPECT_EQ(
      Detect(Cascade("/no/such/file.xml"), MakePacket<ImageFrame>(TwoWalkers()))
          .status()
          .code(),
      absl::StatusCode::kNotFound);
  // Reading the last two would never end.
  const std::string pipe = absl::StrCat(::testing::TempDir(), "/cascade_pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& bad :
       {::testing::TempDir(), pipe, std::string("/dev/zero")}) {
    EXPECT_THAT(
        std::string(Detect(Cascade(bad), MakePacket<ImageFrame>(TwoWalkers()))
                        .status()
                        .message()),
        HasSubstr(bad));
  }
}

}  // namespace
}  // namespace syncline
