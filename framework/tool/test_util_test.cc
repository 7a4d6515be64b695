// Images are compared value by value, in every depth; graphs are read from
// files.
#include "framework/tool/test_util.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// A frame whose bytes all are `value`, those between rows included.
ImageFrame Filled(ImageFormat::Format format, std::uint8_t value) {
  ImageFrame image(format, 5, 3);
  std::fill_n(image.MutablePixelData(), image.PixelDataSize(), value);
  return image;
}

TEST(TestUtilTest, DifferencesOfColorAlphaAndOnAverageAreToldApart) {
  const ImageFrame image1 = Filled(ImageFormat::SRGBA, 100);
  ImageFrame image2 = Filled(ImageFormat::SRGBA, 100);
  std::string message;
  EXPECT_TRUE(CompareImageFrames(image1, image2, 0, 0, 0, &message)) << message;
  // The red value of the second pixel, and its alpha value.
  image2.MutablePixelData()[4] = 130;
  image2.MutablePixelData()[7] = 110;  // and its alpha
  EXPECT_TRUE(CompareImageFrames(image1, image2, 30, 10, 0.7f));
  EXPECT_FALSE(CompareImageFrames(image1, image2, 29, 10, 1, &message));
  EXPECT_THAT(message, HasSubstr("color is 30, but may be 29"));
  EXPECT_FALSE(CompareImageFrames(image1, image2, 30, 9, 1, &message));
  EXPECT_THAT(message, HasSubstr("alpha is 10"));
  EXPECT_FALSE(CompareImageFrames(image1, image2, 30, 10, 0.6f, &message));
  EXPECT_THAT(message, HasSubstr("average"));

  ImageFrameComparisonOptions options;
  std::unique_ptr<ImageFrame> difference;
  SYNCLINE_EXPECT_OK(CompareImageFrames(image1, image2, options, difference));
  EXPECT_EQ(difference->Format(), ImageFormat::SRGBA);
  EXPECT_EQ(difference->PixelData()[4], 30);
  EXPECT_EQ(difference->PixelData()[5], 0);
  EXPECT_EQ(difference->PixelData()[7], 255);
}

TEST(TestUtilTest, DeeperValuesAreScaled) {
  const ImageFrame black = Filled(ImageFormat::GRAY16, 0);
  const ImageFrame white = Filled(ImageFormat::GRAY16, 255);
  EXPECT_TRUE(CompareImageFrames(black, white, 255, 0, 255));
  EXPECT_FALSE(CompareImageFrames(black, white, 254, 0, 255));

  ImageFrame zero = Filled(ImageFormat::VEC32F1, 0);
  ImageFrame one = Filled(ImageFormat::VEC32F1, 0);
  reinterpret_cast<float*>(one.MutablePixelData())[0] = 1.0f;
  EXPECT_TRUE(CompareImageFrames(zero, one, 255, 0, 255));
  EXPECT_FALSE(CompareImageFrames(zero, one, 254, 0, 255));
  reinterpret_cast<float*>(one.MutablePixelData())[0] = NAN;
  EXPECT_FALSE(CompareImageFrames(zero, one, 254, 0, 255));
}

TEST(TestUtilTest, ImagesOfOtherShapesAreNotCompared) {
  std::string message;
  EXPECT_FALSE(CompareImageFrames(Filled(ImageFormat::SRGB, 0),
                                  Filled(ImageFormat::SRGBA, 0), 255, 255, 255,
                                  &message));
  EXPECT_THAT(message, HasSubstr("SRGB of 5x3, the other SRGBA of 5x3"));
  EXPECT_FALSE(CompareImageFrames(ImageFrame(), ImageFrame(), 0, 0, 0));
  EXPECT_FALSE(CompareImageFrames(Filled(ImageFormat::VEC32F2, 0),
                                  Filled(ImageFormat::VEC32F2, 0), 0, 0, 0));
}

TEST(TestUtilTest, LuminanceIsThatOfTheColors) {
  ImageFrame image = Filled(ImageFormat::SRGB, 0);
  image.MutablePixelData()[0] = 255;
  image.MutablePixelData()[4] = 255;
  const std::unique_ptr<ImageFrame> luminance = GenerateLuminanceImage(image);
  ASSERT_NE(luminance, nullptr);
  EXPECT_EQ(luminance->PixelData()[0], 76);
  EXPECT_EQ(luminance->PixelData()[1], 150);
  EXPECT_EQ(luminance->PixelData()[2], 0);
  EXPECT_EQ(GenerateLuminanceImage(Filled(ImageFormat::GRAY8, 0)), nullptr);
}

TEST(TestUtilTest, ImageFilesComeAndGo) {
  ImageFrame image(ImageFormat::SRGB, 3, 2);
  image.SetToZero();
  image.MutablePixelData()[0] = 200;
  const absl::StatusOr<std::string> path = SavePngTestOutput(image, "red");
  if (absl::IsUnimplemented(path.status())) GTEST_SKIP() << path.status();
  SYNCLINE_ASSERT_OK(path);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto again,
                                LoadTestImage(*path, ImageFormat::SRGB));
  EXPECT_TRUE(CompareImageFrames(image, *again, 0, 0, 0));
  EXPECT_EQ(LoadTestPng(*path)->Format(), ImageFormat::SRGBA);
  EXPECT_EQ(LoadTestPng(*path, ImageFormat::GRAY8)->PixelData()[0], 60);
  EXPECT_EQ(LoadTestPng(*path, ImageFormat::VEC32F1), nullptr);

  ImageFrameComparisonOptions exact;
  exact.max_color_diff = 0;
  SYNCLINE_EXPECT_OK(CompareAndSaveImageOutput(*path, image, exact));
  image.MutablePixelData()[0] = 199;
  EXPECT_THAT(CompareAndSaveImageOutputDynamic(*path, image, exact),
              StatusIs(absl::StatusCode::kInvalidArgument));
  SYNCLINE_EXPECT_OK(CompareAndSaveImageOutput(*path, image, {}));
}

TEST(TestUtilTest, AnImageFileThatIsMissingIsSaid) {
  EXPECT_THAT(LoadTestImage("/nowhere.png"),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_EQ(LoadTestPng("/nowhere.png"), nullptr);
  EXPECT_FALSE(SavePngTestOutput(ImageFrame(), "empty").ok());
}

TEST(TestUtilTest, GraphsAreLoadedFromTheFilesOfATest) {
  CalculatorGraphConfig config;
  EXPECT_TRUE(LoadTestGraph(
      &config,
      GetTestFilePath("testing/mediapipe_graphs/read/every_option.binarypb")));
  EXPECT_EQ(config.node_size(), 5);
  EXPECT_FALSE(LoadTestGraph(&config, GetTestFilePath("no_such_file.pbtxt")));
  EXPECT_EQ(GetTestDataDir("framework/tool"),
            GetTestFilePath("framework/tool/testdata/"));
  EXPECT_FALSE(GetTestOutputsDir().empty());
}

}  // namespace
}  // namespace syncline
