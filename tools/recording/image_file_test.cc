// What an image has in the file is what it had in the frame, whichever of the
// two kinds of files this build writes.
#include "tools/recording/image_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kWidth = 5;
constexpr int kHeight = 3;

// Pixels that all differ, in rows with bytes between them.
ImageFrame Frame(ImageFormat::Format format) {
  ImageFrame frame(format, kWidth, kHeight, /*alignment_boundary=*/16);
  const int row_bytes = kWidth * frame.NumberOfChannels() * frame.ByteDepth();
  EXPECT_GT(frame.WidthStep(), row_bytes);
  std::uint8_t next = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < row_bytes; ++x) {
      frame.MutablePixelData()[y * frame.WidthStep() + x] = ++next;
    }
  }
  return frame;
}

std::string PathFor(const ImageFrame& frame) {
  std::string path =
      absl::StrCat(::testing::TempDir(), "/image", ImageFileExtension(frame));
  std::filesystem::remove(path);
  return path;
}

std::string Contents(const std::string& path) {
  std::stringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

// The pixels of a PNG file are compressed: of these only the sizes in its
// header are looked at.
void ExpectSize(const std::string& file) {
  ASSERT_THAT(file, StartsWith("\x89PNG\r\n"));
  ASSERT_GT(file.size(), 24u);
  EXPECT_EQ(file.substr(16, 8),
            std::string({0, 0, 0, kWidth, 0, 0, 0, kHeight}));
}

TEST(ImageFileTest, GrayAndColouredImagesAreWritten) {
  for (const ImageFormat::Format format :
       {ImageFormat::GRAY8, ImageFormat::SRGB}) {
    const ImageFrame frame = Frame(format);
    const std::string path = PathFor(frame);
    SYNCLINE_ASSERT_OK(WriteImageFile(frame, path));
    const std::string file = Contents(path);
    if (ImageFileExtension(frame) == ".png") {
      ExpectSize(file);
      continue;
    }
    const bool is_gray = format == ImageFormat::GRAY8;
    EXPECT_EQ(ImageFileExtension(frame), is_gray ? ".pgm" : ".ppm");
    std::string pixels;
    for (int i = 1; i <= kWidth * kHeight * (is_gray ? 1 : 3); ++i) {
      pixels += static_cast<char>(i);
    }
    EXPECT_EQ(file,
              absl::StrCat(is_gray ? "P5" : "P6", "\n5 3\n255\n", pixels));
  }
}

TEST(ImageFileTest, AFileThatIsThereIsReplaced) {
  const ImageFrame frame = Frame(ImageFormat::GRAY8);
  const std::string path = PathFor(frame);
  SYNCLINE_ASSERT_OK(WriteImageFile(frame, path));
  const std::string file = Contents(path);
  std::ofstream(path) << std::string(1000, 'x');
  SYNCLINE_ASSERT_OK(WriteImageFile(frame, path));
  EXPECT_EQ(Contents(path), file);
}

TEST(ImageFileTest, AFormatThatFilesDoNotHaveIsUnimplemented) {
  const ImageFrame frame(ImageFormat::VEC32F1, kWidth, kHeight);
  const std::string path = PathFor(frame);
  EXPECT_THAT(WriteImageFile(frame, path),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("VEC32F1")));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ImageFileTest, AFileThatCannotBeWrittenIsNamed) {
  const ImageFrame frame = Frame(ImageFormat::GRAY8);
  EXPECT_THAT(WriteImageFile(frame, absl::StrCat("/no/such/folder/image",
                                                 ImageFileExtension(frame))),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("cannot write \"/no/such/folder/image.")));
}

}  // namespace
}  // namespace syncline
