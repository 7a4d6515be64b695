#include "calculators/audio/wav_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/audio/audio_reader.h"
#include "calculators/audio/wav_header.h"
#include "framework/formats/matrix.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

// The limit for the samples: a RIFF file gives its size in 32 bits, and its
// header has 44 bytes.
constexpr std::int64_t kMaxDataBytes = 0xFFFFFFFF - 44;

int BytesOf(WavSample sample) {
  switch (sample) {
    case WavSample::kUnsigned8:
      return 1;
    case WavSample::kInt16:
      return 2;
    case WavSample::kInt24:
      return 3;
    case WavSample::kInt32:
    case WavSample::kFloat32:
      return 4;
    case WavSample::kFloat64:
      return 8;
  }
  return 0;
}

absl::Status About(absl::string_view path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("Cannot read \"", path,
                                                  "\": ", status.message()));
}

// Makes the highest of 32 bits of the `bytes` of an integer, lowest first, so
// that all integer formats have the same scale.
std::int32_t HighBits(const unsigned char* from, int bytes) {
  std::uint32_t bits = 0;
  for (int i = 0; i < bytes; ++i) {
    bits |= static_cast<std::uint32_t>(from[i]) << (8 * (4 - bytes + i));
  }
  return static_cast<std::int32_t>(bits);
}

float ReadSample(WavSample sample, const unsigned char* from) {
  std::uint64_t bits = 0;
  switch (sample) {
    case WavSample::kUnsigned8:
      return static_cast<float>(*from - 128) / 128.0f;
    case WavSample::kFloat32:
    case WavSample::kFloat64:
      for (int i = 0; i < BytesOf(sample); ++i) {
        bits |= static_cast<std::uint64_t>(from[i]) << (8 * i);
      }
      return sample == WavSample::kFloat64
                 ? static_cast<float>(std::bit_cast<double>(bits))
                 : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default:
      return static_cast<float>(HighBits(from, BytesOf(sample))) * 0x1p-31f;
  }
}

void AppendSample(WavSample sample, float value, std::string* to) {
  std::uint64_t bits = 0;
  const int bytes = BytesOf(sample);
  if (sample == WavSample::kFloat32) {
    bits = std::bit_cast<std::uint32_t>(value);
  } else if (sample == WavSample::kFloat64) {
    bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
  } else {
    const double scale = std::ldexp(1.0, 8 * bytes - 1);
    const double scaled =
        std::isnan(value) ? 0 : std::round(static_cast<double>(value) * scale);
    auto number =
        static_cast<std::int64_t>(std::clamp(scaled, -scale, scale - 1));
    if (sample == WavSample::kUnsigned8) number += 128;
    bits = static_cast<std::uint64_t>(number);
  }
  for (int i = 0; i < bytes; ++i) {
    to->push_back(static_cast<char>(bits >> (8 * i) & 0xFF));
  }
}

}  // namespace

int WavFormat::bytes_per_frame() const { return channels * BytesOf(sample); }

absl::StatusOr<WavReader> WavReader::Open(absl::string_view path) {
  WavReader reader;
  reader.path_ = std::string(path);
  SYNCLINE_ASSIGN_OR_RETURN(reader.file_, OpenForReading(path));
  struct stat about = {};
  if (fstat(fileno(reader.file_.get()), &about) != 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("Cannot read \"", path, "\""));
  }
  const auto header = ReadWavHeader(reader.file_.get(), about.st_size);
  if (!header.ok()) return About(path, header.status());
  reader.format_ = header->format;
  reader.data_begin_ = header->data_begin;
  const std::int64_t there =
      std::max<std::int64_t>(0, about.st_size - header->data_begin);
  reader.promised_bytes_ = header->data_bytes < 0 ? there : header->data_bytes;
  reader.available_bytes_ = std::min(reader.promised_bytes_, there);
  reader.frames_ = reader.available_bytes_ / reader.format_.bytes_per_frame();
  SYNCLINE_RETURN_IF_ERROR(reader.Seek(0));
  return reader;
}

absl::Status WavReader::CheckComplete() const {
  if (available_bytes_ < promised_bytes_) {
    return absl::DataLossError(
        absl::StrCat("\"", path_, "\" is cut off: its header promises ",
                     promised_bytes_, " bytes of samples, but there are ",
                     available_bytes_, " (", frames_, " frames)"));
  }
  if (available_bytes_ % format_.bytes_per_frame() != 0) {
    return absl::DataLossError(absl::StrCat(
        "\"", path_, "\" has ", available_bytes_,
        " bytes of samples, which end in the middle of a frame of ",
        format_.bytes_per_frame(), " bytes"));
  }
  return absl::OkStatus();
}

absl::Status WavReader::Seek(std::int64_t frame) {
  position_ = std::min(frame, frames_);
  if (fseeko(file_.get(), data_begin_ + position_ * format_.bytes_per_frame(),
             SEEK_SET) == 0) {
    return absl::OkStatus();
  }
  return absl::ErrnoToStatus(
      errno,
      absl::StrCat("Cannot find frame ", position_, " in \"", path_, "\""));
}

absl::StatusOr<Matrix> WavReader::Read(std::int64_t frames) {
  const std::int64_t count = std::min(frames, frames_left());
  buffer_.resize(static_cast<std::size_t>(count * format_.bytes_per_frame()));
  if (std::fread(buffer_.data(), 1, buffer_.size(), file_.get()) !=
      buffer_.size()) {
    return absl::DataLossError(absl::StrCat(
        "Cannot read \"", path_, "\" from frame ", position_, " on: it had ",
        frames_, " frames when it was opened, and is shorter now"));
  }
  position_ += count;
  Matrix samples(format_.channels, count);
  const int bytes = BytesOf(format_.sample);
  const unsigned char* from = buffer_.data();
  for (Eigen::Index i = 0; i < samples.size(); ++i, from += bytes) {
    samples.data()[i] = ReadSample(format_.sample, from);
  }
  return samples;
}

absl::StatusOr<WavWriter> WavWriter::Create(absl::string_view path,
                                            const WavFormat& format) {
  SYNCLINE_RETURN_IF_ERROR(CheckWavFormat(format));
  WavWriter writer;
  writer.path_ = std::string(path);
  writer.format_ = format;
  writer.file_.reset(std::fopen(writer.path_.c_str(), "wb"));
  if (writer.file_ == nullptr) return writer.Error("create");
  SYNCLINE_RETURN_IF_ERROR(writer.WriteHeader());
  return writer;
}

absl::Status WavWriter::Error(absl::string_view doing) const {
  return absl::ErrnoToStatus(
      errno, absl::StrCat("Cannot ", doing, " \"", path_, "\""));
}

absl::Status WavWriter::WriteHeader() {
  const std::string header = WriteWavHeader(format_, data_bytes_);
  if (fseeko(file_.get(), 0, SEEK_SET) != 0 ||
      std::fwrite(header.data(), 1, header.size(), file_.get()) !=
          header.size() ||
      fseeko(file_.get(), 0, SEEK_END) != 0 || std::fflush(file_.get()) != 0) {
    return Error("write the header of");
  }
  return absl::OkStatus();
}

absl::Status WavWriter::Write(const Matrix& samples) {
  if (samples.rows() != format_.channels) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", path_, "\" has ", format_.channels,
                     " channels, but the samples ", samples.rows()));
  }
  const std::int64_t bytes =
      static_cast<std::int64_t>(samples.size()) * BytesOf(format_.sample);
  if (bytes > kMaxDataBytes - data_bytes_) {
    return absl::ResourceExhaustedError(
        absl::StrCat("\"", path_, "\" is full: a WAV file ends at 4 GiB"));
  }
  buffer_.clear();
  for (Eigen::Index i = 0; i < samples.size(); ++i) {
    AppendSample(format_.sample, samples.data()[i], &buffer_);
  }
  // Writes the samples before the header: until then the old header is valid.
  const std::int64_t end = 44 + data_bytes_;
  if (fseeko(file_.get(), end, SEEK_SET) != 0 ||
      std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) !=
          buffer_.size() ||
      std::fflush(file_.get()) != 0) {
    return Error("write to");
  }
  data_bytes_ += bytes;
  return WriteHeader();
}

absl::Status WavWriter::Close() {
  // A chunk of an odd number of bytes is followed by one more.
  const bool is_written =
      data_bytes_ % 2 == 0 || std::fputc(0, file_.get()) != EOF;
  const bool is_closed = std::fclose(file_.release()) == 0;
  return is_written && is_closed ? absl::OkStatus() : Error("close");
}

}  // namespace syncline
