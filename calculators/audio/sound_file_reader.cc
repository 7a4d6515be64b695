// Reads FLAC, AIFF, Ogg and other files with libsndfile.
//
// It reads only formats in which a file that was cut off can be recognised.
// libsndfile itself takes most cut-off files for shorter ones. So this file
// compares the size that a container states with the size of the file.
//
// Thread rule: a reader is for one thread at a time.
// Tested by sound_file_test.
#include <sndfile.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "calculators/audio/audio_file.h"
#include "calculators/audio/audio_reader.h"
#include "framework/formats/matrix.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

// How many frames one call of libsndfile reads. A header may promise more
// frames than fit in memory, so memory is allocated as the frames come.
constexpr std::int64_t kFramesPerPiece = 1024;
constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

struct SoundFileCloser {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using SoundFile = std::unique_ptr<SNDFILE, SoundFileCloser>;

std::uint64_t BigEndian(absl::string_view bytes) {
  std::uint64_t result = 0;
  for (const char c : bytes)
    result = result << 8 | static_cast<unsigned char>(c);
  return result;
}
std::uint64_t LittleEndian(absl::string_view bytes) {
  return BigEndian(std::string(bytes.rbegin(), bytes.rend()));
}

// The size that the file should have, by its first 24 bytes; nothing if these
// do not say it.
absl::optional<std::uint64_t> PromisedBytes(absl::string_view start) {
  // Programs that write to a pipe cannot go back, and leave this as the size.
  constexpr std::uint64_t kNotWritten = 0xFFFFFFFF;
  const absl::string_view kind = start.substr(0, 4);
  const absl::string_view field = start.substr(4, 4);
  std::uint64_t size = kNotWritten;
  std::uint64_t before = 8;
  if (kind == "FORM" || kind == "RIFX") size = BigEndian(field);
  if (kind == "RIFF") size = LittleEndian(field);
  if (kind == ".snd") {
    before = BigEndian(field);
    size = BigEndian(start.substr(8, 4));
  }
  if (kind == "riff") return LittleEndian(start.substr(16, 8));
  if (size == kNotWritten) return absl::nullopt;
  return before + size;
}

absl::Status CheckSize(const std::string& path) {
  SYNCLINE_ASSIGN_OR_RETURN(const OpenFile file, OpenForReading(path));
  struct stat about = {};
  if (fstat(fileno(file.get()), &about) != 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("Cannot read \"", path, "\""));
  }
  std::array<char, 24> bytes = {};
  const std::size_t read =
      std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (read < bytes.size()) return absl::OkStatus();
  const auto promised =
      PromisedBytes(absl::string_view(bytes.data(), bytes.size()));
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (!promised.has_value() || *promised <= size) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("\"", path, "\" is cut off: its header promises ", *promised,
                   " bytes, but there are ", size));
}

bool IsRead(int format) {
  switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_AIFF:
    case SF_FORMAT_AU:
    case SF_FORMAT_CAF:
    case SF_FORMAT_FLAC:
    case SF_FORMAT_MPEG:
    case SF_FORMAT_OGG:
    case SF_FORMAT_SVX:
    case SF_FORMAT_W64:
    case SF_FORMAT_WAV:
    case SF_FORMAT_WAVEX:
      return true;
    default:
      return false;
  }
}

class SoundFileReader : public AudioReader {
 public:
  SoundFileReader(const std::string& path, SoundFile file, const SF_INFO& info)
      : path_(path),
        file_(std::move(file)),
        channels_(info.channels),
        sample_rate_(info.samplerate),
        frames_(info.frames),
        complete_(CheckSize(path)) {
    // The last page of an Ogg stream says how long the stream is.
    if (info.frames == kUnknown &&
        (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG) {
      complete_ = absl::DataLossError(absl::StrCat(
          "\"", path_, "\" is cut off: its stream of samples has no end"));
    }
  }

  int channels() const override { return channels_; }
  std::int64_t sample_rate() const override { return sample_rate_; }
  std::int64_t frames() const override { return frames_; }
  std::int64_t position() const override { return position_; }
  absl::Status CheckComplete() const override { return complete_; }

  absl::Status Seek(std::int64_t frame) override {
    frame = std::min(frame, frames_);
    // libsndfile would decode up to the frame, and finds none after the last
    // one.
    if (frame == frames_) {
      position_ = frame;
      return absl::OkStatus();
    }
    const sf_count_t found = sf_seek(file_.get(), frame, SEEK_SET);
    if (found == frame) {
      position_ = frame;
      return absl::OkStatus();
    }
    return absl::DataLossError(absl::StrCat("Cannot find frame ", frame,
                                            " in \"", path_,
                                            "\": it is cut off or damaged"));
  }

  absl::StatusOr<Matrix> Read(std::int64_t frames) override {
    std::vector<float> values;
    std::int64_t left = std::min(frames, frames_ - position_);
    while (left > 0) {
      const std::int64_t count = std::min(left, kFramesPerPiece);
      const std::size_t begin = values.size();
      values.resize(begin + static_cast<std::size_t>(count * channels_));
      const std::int64_t read = ReadPiece(values.data() + begin, count);
      position_ += read;
      left -= read;
      if (read == count) continue;
      values.resize(begin + static_cast<std::size_t>(read * channels_));
      EndHere();
      break;
    }
    return Matrix(Eigen::Map<const Matrix>(
        values.data(), channels_,
        static_cast<Eigen::Index>(values.size()) / channels_));
  }

 private:
  // The number of frames that were read. If one is damaged, none counts:
  // libsndfile does not say which one it is.
  std::int64_t ReadPiece(float* to, std::int64_t count) {
    const sf_count_t read = sf_readf_float(file_.get(), to, count);
    return sf_error(file_.get()) == SF_ERR_NO_ERROR
               ? std::max<sf_count_t>(0, read)
               : 0;
  }

  // The file has no more frames than were read so far.
  void EndHere() {
    const bool is_damaged = sf_error(file_.get()) != SF_ERR_NO_ERROR;
    if (complete_.ok() && (is_damaged || frames_ != kUnknown)) {
      complete_ = absl::DataLossError(absl::StrCat(
          "\"", path_, "\" is cut off or damaged: ",
          frames_ == kUnknown ? "only "
                              : absl::StrCat("its header promises ", frames_,
                                             " frames, but only "),
          position_, " could be decoded"));
    }
    frames_ = position_;
  }

  const std::string path_;
  const SoundFile file_;
  const int channels_;
  const std::int64_t sample_rate_;
  std::int64_t frames_;
  std::int64_t position_ = 0;
  absl::Status complete_;
};

absl::StatusOr<std::unique_ptr<AudioReader>> OpenSoundFile(
    const std::string& path) {
  SF_INFO info = {};
  SoundFile file(sf_open(path.c_str(), SFM_READ, &info));
  const auto cannot = [&](absl::string_view why) {
    return absl::StrCat("Cannot read \"", path, "\": ", why);
  };
  if (file == nullptr) {
    const bool is_unknown = sf_error(nullptr) == SF_ERR_UNRECOGNISED_FORMAT;
    const std::string message = cannot(sf_strerror(nullptr));
    return is_unknown ? absl::InvalidArgumentError(message)
                      : absl::DataLossError(message);
  }
  if (!IsRead(info.format)) {
    return absl::UnimplementedError(
        cannot("its format does not say how long a file is; convert it to WAV "
               "or FLAC"));
  }
  if (info.channels < 1 || info.samplerate < 1 || info.frames < 0) {
    return absl::InvalidArgumentError(cannot(
        absl::StrCat("its header says ", info.frames, " frames of ",
                     info.channels, " channels at ", info.samplerate, " Hz")));
  }
  return std::make_unique<SoundFileReader>(path, std::move(file), info);
}

[[maybe_unused]] const bool kIsRegistered =
    RegisterAudioFileOpener(&OpenSoundFile);

}  // namespace
}  // namespace syncline
