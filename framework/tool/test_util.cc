#include "framework/tool/test_util.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/deps/file_helpers.h"
#include "framework/deps/file_path.h"
#include "framework/graph_text/graph_source.h"
#include "framework/port/status_macros.h"
#include "framework/tool/test_image_files.h"
#include "glog/logging.h"

namespace syncline {
namespace {

bool HasAlpha(ImageFormat::Format format) {
  return format == ImageFormat::SRGBA || format == ImageFormat::SRGBA64 ||
         format == ImageFormat::SBGRA;
}

// The values of row `y`, from 0 to 255.
std::vector<float> Row(const ImageFrame& image, int y) {
  const int count = image.Width() * image.NumberOfChannels();
  const std::uint8_t* const row =
      image.PixelData() + std::ptrdiff_t{y} * image.WidthStep();
  std::vector<float> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    float& value = values[static_cast<std::size_t>(i)];
    if (image.ByteDepth() == 1) {
      value = row[i];
    } else if (image.ByteDepth() == 2) {
      value =
          static_cast<float>(reinterpret_cast<const std::uint16_t*>(row)[i]) /
          257.0f;
    } else {
      value = reinterpret_cast<const float*>(row)[i] * 255.0f;
    }
  }
  return values;
}

struct Differences {
  float color = 0;
  float alpha = 0;
  double sum = 0;
  double count = 0;
};

// The differences of all values. Each is also written to `image`, which has the
// same size and channels.
Differences Measure(const ImageFrame& image1, const ImageFrame& image2,
                    ImageFrame* image) {
  Differences differences;
  const int channels = image1.NumberOfChannels();
  const bool has_alpha = HasAlpha(image1.Format());
  for (int y = 0; y < image1.Height(); ++y) {
    const std::vector<float> row1 = Row(image1, y);
    const std::vector<float> row2 = Row(image2, y);
    std::uint8_t* const out =
        image->MutablePixelData() + std::ptrdiff_t{y} * image->WidthStep();
    for (std::size_t i = 0; i < row1.size(); ++i) {
      const bool is_alpha =
          has_alpha && static_cast<int>(i) % channels == channels - 1;
      float difference = std::abs(row1[i] - row2[i]);
      // A NaN differs as much as possible from any number.
      if (std::isnan(difference)) {
        difference = std::isnan(row1[i]) && std::isnan(row2[i]) ? 0 : 255;
      }
      float& largest = is_alpha ? differences.alpha : differences.color;
      largest = std::max(largest, difference);
      differences.sum += difference;
      differences.count += 1;
      out[i] = is_alpha ? 255
                        : static_cast<std::uint8_t>(
                              std::lround(std::min(difference, 255.0f)));
    }
  }
  return differences;
}

ImageFormat::Format EightBits(int channels) {
  return channels == 1   ? ImageFormat::GRAY8
         : channels == 3 ? ImageFormat::SRGB
                         : ImageFormat::SRGBA;
}

// The value of an environment variable, or `otherwise` if it is not set.
std::string Environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

}  // namespace

absl::Status CompareImageFrames(const ImageFrame& image1,
                                const ImageFrame& image2,
                                const ImageFrameComparisonOptions& options,
                                std::unique_ptr<ImageFrame>& diff_image) {
  if (image1.Format() != image2.Format() || image1.Width() != image2.Width() ||
      image1.Height() != image2.Height() || image1.IsEmpty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the images cannot be compared: one is ",
                     ImageFormat::Format_Name(image1.Format()), " of ",
                     image1.Width(), "x", image1.Height(), ", the other ",
                     ImageFormat::Format_Name(image2.Format()), " of ",
                     image2.Width(), "x", image2.Height()));
  }
  const int channels = image1.NumberOfChannels();
  if (channels == 2) {
    return absl::InvalidArgumentError(
        "images of two channels cannot be compared: there is no image format "
        "for their difference");
  }
  diff_image = std::make_unique<ImageFrame>(EightBits(channels), image1.Width(),
                                            image1.Height());
  const Differences found = Measure(image1, image2, diff_image.get());
  std::vector<std::string> errors;
  const auto check = [&errors](absl::string_view what, double value,
                               const absl::optional<float>& limit) {
    if (!limit.has_value() || value <= *limit) return;
    errors.push_back(
        absl::StrCat(what, " is ", value, ", but may be ", *limit));
  };
  check("the largest difference of a color", found.color,
        options.max_color_diff);
  check("the largest difference of alpha", found.alpha, options.max_alpha_diff);
  check("the average difference",
        found.count == 0 ? 0 : found.sum / found.count, options.max_avg_diff);
  if (errors.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(errors, "; "));
}

bool CompareImageFrames(const ImageFrame& image1, const ImageFrame& image2,
                        float max_color_diff, float max_alpha_diff,
                        float max_avg_diff, std::string* error_message) {
  ImageFrameComparisonOptions options;
  options.max_color_diff = max_color_diff;
  options.max_alpha_diff = max_alpha_diff;
  options.max_avg_diff = max_avg_diff;
  std::unique_ptr<ImageFrame> difference;
  const absl::Status status =
      CompareImageFrames(image1, image2, options, difference);
  if (error_message != nullptr) *error_message = std::string(status.message());
  return status.ok();
}

absl::StatusOr<std::unique_ptr<ImageFrame>> CompareAndSaveImageOutput(
    absl::string_view golden_image_path, const ImageFrame& actual,
    const ImageFrameComparisonOptions& options) {
  const absl::string_view name = file::Basename(golden_image_path);
  SYNCLINE_RETURN_IF_ERROR(
      SavePngTestOutput(actual, absl::StrCat(name, "_actual")).status());
  SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<ImageFrame> expected,
                            LoadTestImage(golden_image_path, actual.Format()));
  SYNCLINE_RETURN_IF_ERROR(
      SavePngTestOutput(*expected, absl::StrCat(name, "_expected")).status());
  std::unique_ptr<ImageFrame> difference;
  const absl::Status status =
      CompareImageFrames(actual, *expected, options, difference);
  if (difference != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(
        SavePngTestOutput(*difference, absl::StrCat(name, "_diff")).status());
  }
  if (!status.ok()) return status;
  return difference;
}

absl::StatusOr<std::unique_ptr<ImageFrame>> CompareAndSaveImageOutputDynamic(
    absl::string_view golden_image_path, const ImageFrame& actual,
    const ImageFrameComparisonOptions& options) {
  return CompareAndSaveImageOutput(golden_image_path, actual, options);
}

absl::StatusOr<std::unique_ptr<ImageFrame>> LoadTestImage(
    absl::string_view path, ImageFormat::Format format) {
  SYNCLINE_RETURN_IF_ERROR(file::Exists(path));
  return ReadImageFile(std::string(path), format);
}

std::unique_ptr<ImageFrame> LoadTestPng(absl::string_view path,
                                        ImageFormat::Format format) {
  absl::StatusOr<std::unique_ptr<ImageFrame>> image =
      LoadTestImage(path, format);
  if (image.ok()) return *std::move(image);
  LOG(ERROR) << image.status();
  return nullptr;
}

absl::StatusOr<std::string> SavePngTestOutput(const ImageFrame& image,
                                              absl::string_view prefix) {
  if (image.IsEmpty()) {
    return absl::InvalidArgumentError("An image without pixels is no PNG.");
  }
  const std::string path =
      file::JoinPath(GetTestOutputsDir(), absl::StrCat(prefix, ".png"));
  SYNCLINE_RETURN_IF_ERROR(WritePngFile(path, image));
  return path;
}

std::string GetTestRootDir() {
  return file::JoinPath(Environment("TEST_SRCDIR", ""),
                        Environment("TEST_WORKSPACE", ""));
}

std::string GetTestDataDir(absl::string_view package_base_path) {
  return file::JoinPath(GetTestRootDir(), package_base_path, "testdata/");
}

std::string GetTestFilePath(absl::string_view relative_path) {
  return file::JoinPath(GetTestRootDir(), relative_path);
}

std::string GetTestOutputsDir() {
  return Environment("TEST_UNDECLARED_OUTPUTS_DIR",
                     Environment("TEST_TMPDIR", "/tmp").c_str());
}

bool LoadTestGraph(CalculatorGraphConfig* proto, const std::string& path) {
  absl::StatusOr<GraphSource> source = ReadGraphFile(path);
  if (!source.ok()) {
    LOG(ERROR) << source.status();
    return false;
  }
  *proto = std::move(source)->config;
  return true;
}

std::unique_ptr<ImageFrame> GenerateLuminanceImage(
    const ImageFrame& original_image) {
  const int channels = original_image.NumberOfChannels();
  if (original_image.Format() != ImageFormat::SRGB &&
      original_image.Format() != ImageFormat::SRGBA) {
    return nullptr;
  }
  auto luminance = std::make_unique<ImageFrame>(
      ImageFormat::GRAY8, original_image.Width(), original_image.Height());
  for (int y = 0; y < original_image.Height(); ++y) {
    const std::vector<float> row = Row(original_image, y);
    std::uint8_t* const out = luminance->MutablePixelData() +
                              std::ptrdiff_t{y} * luminance->WidthStep();
    for (int x = 0; x < original_image.Width(); ++x) {
      const float* const pixel = &row[static_cast<std::size_t>(x * channels)];
      // The weights of ITU-R BT.601.
      out[x] = static_cast<std::uint8_t>(std::lround(
          0.299f * pixel[0] + 0.587f * pixel[1] + 0.114f * pixel[2]));
    }
  }
  return luminance;
}

}  // namespace syncline
