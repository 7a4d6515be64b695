#include "calculators/audio/wav_header.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

constexpr std::uint32_t kPcm = 1;
constexpr std::uint32_t kFloat = 3;
constexpr std::uint32_t kExtensible = 0xFFFE;
// Programs that write to a pipe cannot go back, and leave this as the size. In
// RF64 the chunk ds64 has the true size.
constexpr std::int64_t kUnknownSize = 0xFFFFFFFF;

// In an extensible header, these bytes follow the format's number if the number
// has the same meaning as in a plain header.
constexpr unsigned char kPlainSubformat[14] = {0x00, 0x00, 0x00, 0x00, 0x10,
                                               0x00, 0x80, 0x00, 0x00, 0xAA,
                                               0x00, 0x38, 0x9B, 0x71};

std::uint64_t LittleEndian(const unsigned char* bytes, int count) {
  std::uint64_t result = 0;
  for (int i = count - 1; i >= 0; --i) result = result << 8 | bytes[i];
  return result;
}

void AppendLittleEndian(std::uint64_t value, int count, std::string* out) {
  for (int i = 0; i < count; ++i) {
    out->push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  }
}

absl::string_view NameOfCompression(std::uint32_t tag) {
  switch (tag) {
    case 0x0002:
      return ", Microsoft ADPCM";
    case 0x0006:
      return ", A-law";
    case 0x0007:
      return ", mu-law";
    case 0x0011:
      return ", IMA ADPCM";
    case 0x0031:
      return ", GSM 6.10";
    case 0x0055:
      return ", MP3";
    default:
      return "";
  }
}

// How the samples are coded: `tag` with so many bytes for each.
absl::StatusOr<WavSample> SampleOf(std::uint32_t tag, std::int64_t bytes,
                                   std::int64_t bits) {
  if (tag != kPcm && tag != kFloat) {
    return absl::UnimplementedError(
        absl::StrCat("its samples are compressed (format 0x",
                     absl::Hex(tag, absl::kZeroPad4), NameOfCompression(tag),
                     "); convert it to PCM"));
  }
  if (bits > 8 * bytes || bits <= 8 * (bytes - 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "its header says ", bits, " bits for samples of ", bytes, " bytes"));
  }
  if (tag == kFloat && bytes == 4) return WavSample::kFloat32;
  if (tag == kFloat && bytes == 8) return WavSample::kFloat64;
  if (tag == kPcm && bytes == 1) return WavSample::kUnsigned8;
  if (tag == kPcm && bytes == 2) return WavSample::kInt16;
  if (tag == kPcm && bytes == 3) return WavSample::kInt24;
  if (tag == kPcm && bytes == 4) return WavSample::kInt32;
  return absl::UnimplementedError(absl::StrCat(
      "it has ", tag == kPcm ? "PCM" : "floating point", " samples of ", bits,
      " bits; PCM has 8 to 32, floating point 32 or 64"));
}

// Reads the chunk "fmt ", of which `size` bytes are there.
absl::StatusOr<WavFormat> ParseFormat(const unsigned char* chunk,
                                      std::int64_t size) {
  if (size < 16) {
    return absl::InvalidArgumentError(absl::StrCat(
        "its format chunk has ", size, " bytes, but needs at least 16"));
  }
  std::uint32_t tag = static_cast<std::uint32_t>(LittleEndian(chunk, 2));
  WavFormat format;
  format.channels = static_cast<int>(LittleEndian(chunk + 2, 2));
  format.sample_rate = static_cast<std::int64_t>(LittleEndian(chunk + 4, 4));
  const auto frame_bytes =
      static_cast<std::int64_t>(LittleEndian(chunk + 12, 2));
  const auto bits = static_cast<std::int64_t>(LittleEndian(chunk + 14, 2));
  if (tag == kExtensible) {
    if (size < 40) {
      return absl::InvalidArgumentError(
          absl::StrCat("its format chunk is extensible and has ", size,
                       " bytes, but needs 40"));
    }
    if (std::memcmp(chunk + 26, kPlainSubformat, sizeof(kPlainSubformat)) !=
        0) {
      return absl::UnimplementedError(
          "its extensible format is one that no plain header has; convert it "
          "to PCM");
    }
    tag = static_cast<std::uint32_t>(LittleEndian(chunk + 24, 2));
  }
  if (format.channels == 0 || format.sample_rate == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("its header says ", format.channels, " channels at ",
                     format.sample_rate, " Hz"));
  }
  if (tag != kPcm && tag != kFloat) return SampleOf(tag, 0, bits).status();
  if (frame_bytes == 0 || frame_bytes % format.channels != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("its header says ", frame_bytes, " bytes for samples of ",
                     format.channels, " channels"));
  }
  SYNCLINE_ASSIGN_OR_RETURN(format.sample,
                            SampleOf(tag, frame_bytes / format.channels, bits));
  return format;
}

// Reads the chunks of a file one after another.
class ChunkReader {
 public:
  ChunkReader(std::FILE* file, std::int64_t file_bytes)
      : file_(file), file_bytes_(file_bytes) {}

  // Reads up to `size` bytes at `place`; returns how many there were.
  std::size_t ReadAt(std::int64_t place, void* to, std::size_t size) {
    if (place > file_bytes_ || fseeko(file_, place, SEEK_SET) != 0) return 0;
    return std::fread(to, 1, size, file_);
  }

  // "RIFF", or whatever the file has at this place.
  absl::Status ReadContainer() {
    unsigned char start[12] = {};
    if (ReadAt(0, start, 12) < 12) {
      return absl::InvalidArgumentError(
          absl::StrCat("it is no WAV file: it has ", file_bytes_,
                       " bytes, and the header alone has more"));
    }
    const absl::string_view kind(reinterpret_cast<const char*>(start), 4);
    const absl::string_view content(reinterpret_cast<const char*>(start) + 8,
                                    4);
    if (kind == "RIFX") {
      return absl::UnimplementedError(
          "it is a RIFX file, with the bytes of numbers in the opposite order; "
          "convert it to RIFF");
    }
    has_long_sizes_ = kind == "RF64" || kind == "BW64";
    if ((kind != "RIFF" && !has_long_sizes_) || content != "WAVE") {
      return absl::InvalidArgumentError(absl::StrCat(
          "it is no WAV file: it begins with \"", absl::CEscape(kind),
          "\", and \"", absl::CEscape(content), "\" behind the size"));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<WavHeader> ReadChunks() {
    WavHeader header;
    bool has_format = false;
    std::int64_t long_data_bytes = -1;
    for (std::int64_t place = 12;;) {
      unsigned char start[8];
      if (ReadAt(place, start, 8) < 8) {
        return absl::InvalidArgumentError(
            absl::StrCat("it ends at byte ", file_bytes_, " without ",
                         has_format ? "samples (there is no data chunk)"
                                    : "a format chunk"));
      }
      const absl::string_view name(reinterpret_cast<const char*>(start), 4);
      const auto size = static_cast<std::int64_t>(LittleEndian(start + 4, 4));
      place += 8;
      if (name == "data") {
        if (!has_format) {
          return absl::InvalidArgumentError(
              "its samples come before the format chunk that describes them");
        }
        header.data_begin = place;
        header.data_bytes = size != kUnknownSize ? size
                            : has_long_sizes_    ? long_data_bytes
                                                 : -1;
        return header;
      }
      unsigned char chunk[40];
      const auto there = static_cast<std::int64_t>(
          name == "fmt " || name == "ds64"
              ? ReadAt(
                    place, chunk,
                    static_cast<std::size_t>(std::min<std::int64_t>(size, 40)))
              : 0);
      if (name == "fmt ") {
        SYNCLINE_ASSIGN_OR_RETURN(header.format, ParseFormat(chunk, there));
        has_format = true;
      } else if (name == "ds64" && there >= 16) {
        const std::uint64_t bytes = LittleEndian(chunk + 8, 8);
        long_data_bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(
            bytes, std::numeric_limits<std::int64_t>::max()));
      }
      // Chunks begin at even places in the file.
      place += size + size % 2;
    }
  }

 private:
  std::FILE* file_;
  const std::int64_t file_bytes_;
  bool has_long_sizes_ = false;
};

}  // namespace

absl::StatusOr<WavHeader> ReadWavHeader(std::FILE* file,
                                        std::int64_t file_bytes) {
  ChunkReader reader(file, file_bytes);
  SYNCLINE_RETURN_IF_ERROR(reader.ReadContainer());
  return reader.ReadChunks();
}

absl::Status CheckWavFormat(const WavFormat& format) {
  if (format.channels >= 1 && format.channels <= 0xFFFF &&
      format.bytes_per_frame() <= 0xFFFF && format.sample_rate >= 1 &&
      // A plain header also has the number of bytes in a second.
      format.sample_rate <= 0xFFFFFFFF / format.bytes_per_frame()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("A WAV file cannot have ", format.channels, " channels at ",
                   format.sample_rate, " Hz"));
}

std::string WriteWavHeader(const WavFormat& format, std::int64_t data_bytes) {
  const bool is_float = format.sample == WavSample::kFloat32 ||
                        format.sample == WavSample::kFloat64;
  const auto frame_bytes = static_cast<std::uint64_t>(format.bytes_per_frame());
  const auto bytes = static_cast<std::uint64_t>(data_bytes);
  const auto rate = static_cast<std::uint64_t>(format.sample_rate);
  std::string header = "RIFF";
  AppendLittleEndian(36 + bytes + bytes % 2, 4, &header);
  header += "WAVEfmt ";
  AppendLittleEndian(16, 4, &header);
  AppendLittleEndian(is_float ? kFloat : kPcm, 2, &header);
  AppendLittleEndian(static_cast<std::uint64_t>(format.channels), 2, &header);
  AppendLittleEndian(rate, 4, &header);
  AppendLittleEndian(rate * frame_bytes, 4, &header);
  AppendLittleEndian(frame_bytes, 2, &header);
  AppendLittleEndian(
      8 * frame_bytes / static_cast<std::uint64_t>(format.channels), 2,
      &header);
  header += "data";
  AppendLittleEndian(bytes, 4, &header);
  return header;
}

}  // namespace syncline
