// For tests of calculators that work on images, and of graphs in files.
//
//   ImageFrameComparisonOptions options;
//   options.max_color_diff = 2;
//   std::unique_ptr<ImageFrame> difference;
//   SYNCLINE_EXPECT_OK(
//       CompareImageFrames(*actual, *expected, options, difference));
//
// Reading and writing image files takes OpenCV; where it is not installed,
// these functions say so as UNIMPLEMENTED.
//
// Thread rule: free functions.
// Tested by test_util_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_TEST_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_TEST_UTIL_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"

namespace syncline {

// How much two images may differ. Values count from 0 to 255 for every format:
// values of 16 bits, and floats from 0 to 1, are scaled to that. A limit that
// is not set is not checked.
struct ImageFrameComparisonOptions {
  // The largest difference of any value that is not alpha.
  absl::optional<float> max_color_diff;
  // The largest difference of any alpha value.
  absl::optional<float> max_alpha_diff;
  // The average difference of all values.
  absl::optional<float> max_avg_diff;
};

// INVALID_ARGUMENT if a difference is too large, which the message gives, or if
// sizes or formats differ. Unless sizes or formats differ, *diff_image becomes
// an image of 8 bits and the same channels: the differences, with alpha at 255.
absl::Status CompareImageFrames(const ImageFrame& image1,
                                const ImageFrame& image2,
                                const ImageFrameComparisonOptions& options,
                                std::unique_ptr<ImageFrame>& diff_image);

// The same as a bool, with the message of the status.
bool CompareImageFrames(const ImageFrame& image1, const ImageFrame& image2,
                        float max_color_diff, float max_alpha_diff,
                        float max_avg_diff = 1.0f,
                        std::string* error_message = nullptr);

// Compares an image with the image in a file, which is read in the same format,
// and writes both and their difference to GetTestOutputsDir(). Returns the
// difference.
absl::StatusOr<std::unique_ptr<ImageFrame>> CompareAndSaveImageOutput(
    absl::string_view golden_image_path, const ImageFrame& actual,
    const ImageFrameComparisonOptions& options);
// The same, for files whose names are known only while the test runs.
absl::StatusOr<std::unique_ptr<ImageFrame>> CompareAndSaveImageOutputDynamic(
    absl::string_view golden_image_path, const ImageFrame& actual,
    const ImageFrameComparisonOptions& options);

// Reads a PNG or JPEG file as SRGBA, SRGB or GRAY8.
absl::StatusOr<std::unique_ptr<ImageFrame>> LoadTestImage(
    absl::string_view path, ImageFormat::Format format = ImageFormat::SRGBA);
// The same; an error is logged, and null returned.
std::unique_ptr<ImageFrame> LoadTestPng(
    absl::string_view path, ImageFormat::Format format = ImageFormat::SRGBA);
// Writes PREFIX.png to GetTestOutputsDir(); returns its path.
absl::StatusOr<std::string> SavePngTestOutput(const ImageFrame& image,
                                              absl::string_view prefix);

// The folders and files that a test depends on: the root of the project among
// them, a folder below it, a file below it.
std::string GetTestRootDir();
std::string GetTestDataDir(absl::string_view package_base_path);
std::string GetTestFilePath(absl::string_view relative_path);
// The folder where a test may leave files for people to look at.
std::string GetTestOutputsDir();

// Reads a graph, as text or binary. On failure it writes a line to the log and
// returns false.
bool LoadTestGraph(CalculatorGraphConfig* proto, const std::string& path);

// The brightness of an SRGB or SRGBA image, as a GRAY8 image. Null for other
// formats.
std::unique_ptr<ImageFrame> GenerateLuminanceImage(
    const ImageFrame& original_image);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TEST_UTIL_H_
