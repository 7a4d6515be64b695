#include "calculators/image/jpeg_properties.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/types/optional.h"

namespace syncline {
namespace {

// Bytes that contain numbers, in either byte order. Reading outside of them
// gives nothing.
class Bytes {
 public:
  explicit Bytes(absl::string_view bytes, bool big_endian = true)
      : bytes_(bytes), big_endian_(big_endian) {}

  absl::optional<std::uint32_t> Number(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) return absl::nullopt;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t index = at + (big_endian_ ? i : size - 1 - i);
      number = (number << 8) | static_cast<std::uint8_t>(bytes_[index]);
    }
    return number;
  }

 private:
  absl::string_view bytes_;
  bool big_endian_;
};

// --- Exif: a TIFF file of directories of numbered entries

// The number of entries of a directory that are read, and the bytes of an
// entry.
constexpr std::size_t kCountBytes = 2;
constexpr std::size_t kEntryBytes = 12;

enum Tag : std::uint32_t {
  kExifDirectory = 0x8769,
  kFocalLength = 0x920A,
  kImageWidth = 0xA002,
  kImageHeight = 0xA003,
  kFocalLength35mm = 0xA405,
};
enum Type : std::uint32_t { kShort = 3, kLong = 4, kRational = 5 };

class Tiff {
 public:
  explicit Tiff(absl::string_view bytes)
      : bytes_(bytes, absl::StartsWith(bytes, "MM")) {}

  // Where the first directory is.
  absl::optional<std::uint32_t> FirstDirectory() const {
    return bytes_.Number(4, 4);
  }

  // The first value of an entry of the directory at `directory`.
  absl::optional<double> Find(std::size_t directory, Tag tag) const {
    const auto count = bytes_.Number(directory, kCountBytes);
    for (std::size_t i = 0; i < count.value_or(0); ++i) {
      const std::size_t entry = directory + kCountBytes + i * kEntryBytes;
      const auto found = bytes_.Number(entry, 2);
      if (!found) return absl::nullopt;
      if (*found == tag) return Value(entry);
    }
    return absl::nullopt;
  }

 private:
  absl::optional<double> Value(std::size_t entry) const {
    const auto type = bytes_.Number(entry + 2, 2);
    if (type == kShort) return AsDouble(bytes_.Number(entry + 8, 2));
    if (type == kLong) return AsDouble(bytes_.Number(entry + 8, 4));
    if (type != kRational) return absl::nullopt;
    const auto at = bytes_.Number(entry + 8, 4);
    if (!at) return absl::nullopt;
    const auto above = bytes_.Number(*at, 4);
    const auto below = bytes_.Number(std::size_t{*at} + 4, 4);
    if (!above || below.value_or(0) == 0) return absl::nullopt;
    return static_cast<double>(*above) / *below;
  }
  static absl::optional<double> AsDouble(
      const absl::optional<std::uint32_t>& number) {
    if (!number) return absl::nullopt;
    return *number;
  }

  Bytes bytes_;
};

void ReadExif(absl::string_view exif, ImageFileProperties* properties) {
  const Tiff tiff(exif);
  const auto first = tiff.FirstDirectory();
  if (!first) return;
  const auto directory = tiff.Find(*first, kExifDirectory);
  if (!directory) return;
  const auto at = static_cast<std::size_t>(*directory);
  if (const auto width = tiff.Find(at, kImageWidth)) {
    properties->set_image_width(static_cast<std::uint32_t>(*width));
  }
  if (const auto height = tiff.Find(at, kImageHeight)) {
    properties->set_image_height(static_cast<std::uint32_t>(*height));
  }
  if (const auto length = tiff.Find(at, kFocalLength)) {
    properties->set_focal_length_mm(*length);
  }
  if (const auto length = tiff.Find(at, kFocalLength35mm)) {
    properties->set_focal_length_35mm(*length);
  }
}

// --- JPEG: segments, each with a marker and a length

bool IsFrameHeader(std::uint32_t marker) {
  // The markers DHT, JPG and DAC lie between them and are no frame headers.
  return marker >= 0xFFC0 && marker <= 0xFFCF && marker != 0xFFC4 &&
         marker != 0xFFC8 && marker != 0xFFCC;
}

void ReadSegments(absl::string_view file, ImageFileProperties* properties) {
  constexpr char kExifMark[] = "Exif";
  constexpr std::size_t kExifMarkBytes = 6;  // followed by two zeros
  constexpr std::uint32_t kApp1 = 0xFFE1;
  constexpr std::uint32_t kStartOfScan = 0xFFDA;
  const Bytes bytes(file);
  std::size_t at = 2;
  for (;;) {
    const auto marker = bytes.Number(at, 2);
    // the length includes its own two bytes
    const auto length = bytes.Number(at + 2, 2);
    if (!marker || !length || *marker < 0xFF00 || *length < 2 ||
        *marker == kStartOfScan) {
      return;
    }
    if (*marker == 0xFFFF) {  // filling
      ++at;
      continue;
    }
    const absl::string_view segment = file.substr(at + 4, *length - 2);
    if (*marker == kApp1 && absl::StartsWith(segment, kExifMark) &&
        segment.size() > kExifMarkBytes) {
      ReadExif(segment.substr(kExifMarkBytes), properties);
    } else if (IsFrameHeader(*marker)) {
      // The real size overrides the one that the camera wrote.
      const Bytes frame(segment);
      const auto height = frame.Number(1, 2);
      const auto width = frame.Number(3, 2);
      if (width.value_or(0) > 0) properties->set_image_width(*width);
      if (height.value_or(0) > 0) properties->set_image_height(*height);
      return;
    }
    at += 2 + *length;
  }
}

// The focal length in pixels follows from the width of the sensor: the diagonal
// of 35 mm film is to its focal length as the diagonal of the sensor is to that
// of the lens.
void ComputeFocalLengthInPixels(ImageFileProperties* properties) {
  const double width = properties->image_width();
  const double height = properties->image_height();
  const double length = properties->focal_length_35mm();
  if (width <= 0 || height <= 0 || length <= 0) return;
  const double film_diagonal_mm = std::hypot(36.0, 24.0);
  properties->set_focal_length_pixels(length * std::hypot(width, height) /
                                      film_diagonal_mm);
}

}  // namespace

absl::StatusOr<ImageFileProperties> ReadJpegProperties(absl::string_view file) {
  if (!absl::StartsWith(file, "\xFF\xD8\xFF")) {
    return absl::InvalidArgumentError(
        "The bytes of the image file are no JPEG: those begin with FF D8 FF");
  }
  ImageFileProperties properties;
  ReadSegments(file, &properties);
  ComputeFocalLengthInPixels(&properties);
  return properties;
}

}  // namespace syncline
