// Image files without any library.
#include <fstream>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/image_format.pb.h"
#include "tools/recording/image_file.h"

namespace syncline {

std::string ImageFileExtension(const ImageFrame& frame) {
  return frame.NumberOfChannels() == 1 ? ".pgm" : ".ppm";
}

absl::Status WriteImageFile(const ImageFrame& frame, const std::string& path) {
  const bool is_gray = frame.Format() == ImageFormat::GRAY8;
  if (!is_gray && frame.Format() != ImageFormat::SRGB) {
    return absl::UnimplementedError(absl::StrCat(
        "without OpenCV only images of formats GRAY8 and SRGB can be exported, "
        "not ",
        ImageFormat::Format_Name(frame.Format()),
        ": install it with ./setup, and build again"));
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << (is_gray ? "P5\n" : "P6\n") << frame.Width() << " " << frame.Height()
       << "\n255\n";
  const char* row = reinterpret_cast<const char*>(frame.PixelData());
  for (int y = 0; y < frame.Height(); ++y, row += frame.WidthStep()) {
    file.write(row, std::streamsize{frame.Width()} * frame.NumberOfChannels());
  }
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot write \"", absl::Utf8SafeCHexEscape(path), "\""));
}

}  // namespace syncline
