#include "calculators/video/image_files_capture.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "calculators/image/image_file.h"
#include "calculators/image/opencv_calls.h"
#include "framework/calculator_framework.h"
#include "framework/deps/file_helpers.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/videoio.hpp"

namespace syncline {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDigits = 9;

// The parts of the pattern before and after the number, and the smallest number
// of digits.
struct Pattern {
  std::string folder;
  std::string before;
  std::string after;
  int digits;
};

absl::optional<Pattern> ParsePattern(absl::string_view path) {
  const fs::path whole = std::string(path);
  const std::string name = whole.filename().string();
  const std::size_t percent = name.find('%');
  if (percent == std::string::npos) return absl::nullopt;
  std::size_t end = percent + 1;
  while (end < name.size() &&
         std::isdigit(static_cast<unsigned char>(name[end]))) {
    ++end;
  }
  if (end == name.size() || name[end] != 'd' ||
      name.find('%', end) != std::string::npos) {
    return absl::nullopt;
  }
  Pattern pattern{whole.parent_path().string(), name.substr(0, percent),
                  name.substr(end + 1), 1};
  const std::string width = name.substr(percent + 1, end - percent - 1);
  if (!width.empty() &&
      (width[0] != '0' || !absl::SimpleAtoi(width, &pattern.digits) ||
       pattern.digits < 1 || pattern.digits > kMaxDigits)) {
    return absl::nullopt;
  }
  return pattern;
}

// The number in a file's name; nothing if the name does not match the pattern.
absl::optional<int> NumberIn(const std::string& name, const Pattern& pattern) {
  const std::size_t around = pattern.before.size() + pattern.after.size();
  if (name.size() <= around || !absl::StartsWith(name, pattern.before) ||
      !absl::EndsWith(name, pattern.after)) {
    return absl::nullopt;
  }
  const std::string digits =
      name.substr(pattern.before.size(), name.size() - around);
  int number = 0;
  if (digits.size() > kMaxDigits || !absl::SimpleAtoi(digits, &number) ||
      digits != absl::StrFormat("%0*d", pattern.digits, number)) {
    return absl::nullopt;
  }
  return number;
}

}  // namespace

bool IsNumberedFiles(absl::string_view path) {
  return ParsePattern(path).has_value();
}

absl::StatusOr<std::unique_ptr<ImageFilesCapture>> ImageFilesCapture::Create(
    absl::string_view path, double frame_rate, bool allow_truncated) {
  const Pattern pattern = *ParsePattern(path);
  std::vector<File> files;
  std::error_code error;
  const fs::path folder = pattern.folder.empty() ? "." : pattern.folder;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const absl::optional<int> number =
        NumberIn(entry->path().filename().string(), pattern);
    if (number.has_value()) files.push_back({*number, entry->path().string()});
  }
  if (files.empty()) {
    return absl::NotFoundError(absl::StrCat(
        "There is no file of the form \"", absl::Utf8SafeCHexEscape(path), "\"",
        error ? absl::StrCat(": ", error.message()) : std::string()));
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.number < b.number; });
  auto capture = std::unique_ptr<ImageFilesCapture>(
      new ImageFilesCapture(std::move(files), frame_rate, allow_truncated));
  // The size of the first image is that of the video.
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv(
      absl::StrCat("reading \"", absl::Utf8SafeCHexEscape(path), "\""), [&] {
        capture->Read(capture->files_[0]);
        return absl::OkStatus();
      }));
  return capture;
}

void ImageFilesCapture::Read(const File& file) {
  std::string bytes;
  absl::Status status = file::GetContents(file.path, &bytes);
  if (status.ok()) {
    absl::StatusOr<cv::Mat> image =
        DecodeImage(bytes, cv::IMREAD_UNCHANGED, allow_truncated_);
    if (image.ok()) image_ = *std::move(image);
    status = image.status();
  }
  if (status.ok()) return;
  CV_Error(cv::Error::StsBadArg,
           absl::StrCat("\"", absl::Utf8SafeCHexEscape(file.path),
                        "\" cannot be taken: ", status.message(),
                        absl::IsDataLoss(status)
                            ? "; allow_truncated takes it as it is"
                            : ""));
}

bool ImageFilesCapture::grab() {
  if (grabbed_ == files_.size()) return false;
  if (grabbed_ > 0) Read(files_[grabbed_]);
  ++grabbed_;
  return true;
}

bool ImageFilesCapture::retrieve(cv::OutputArray image, int /*flag*/) {
  image.assign(image_);
  return !image_.empty();
}

double ImageFilesCapture::get(int property) const {
  switch (property) {
    case cv::CAP_PROP_FRAME_WIDTH:
      return image_.cols;
    case cv::CAP_PROP_FRAME_HEIGHT:
      return image_.rows;
    case cv::CAP_PROP_FPS:
      return frame_rate_;
    case cv::CAP_PROP_FRAME_COUNT:
      return static_cast<double>(files_.size());
    case cv::CAP_PROP_POS_MSEC: {
      const File& file = files_[grabbed_ == 0 ? 0 : grabbed_ - 1];
      return 1000.0 * (file.number - files_[0].number) / frame_rate_;
    }
    default:
      return 0;
  }
}

}  // namespace syncline
