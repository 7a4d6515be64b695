// AudioReader: reads the samples of a file piece by piece, whatever its format.
//
// A frame is one moment: a sample of each channel. Samples are from -1 to 1; a
// file of floats may hold others. An error names the file and its mistake. A
// reader never holds more of a file than its caller asked for.
//
// Thread rule: a reader is for one thread at a time.
// Tested by wav_file_test and sound_file_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_AUDIO_READER_H_
#define SYNCLINE_CALCULATORS_AUDIO_AUDIO_READER_H_

#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/formats/matrix.h"

namespace syncline {

class AudioReader {
 public:
  virtual ~AudioReader() = default;

  virtual int channels() const = 0;
  virtual std::int64_t sample_rate() const = 0;  // frames in a second
  // The frames of the file, as far as they are known: Read() may find fewer,
  // and from then on this is their number.
  virtual std::int64_t frames() const = 0;
  // The number of the next frame that Read() gives.
  virtual std::int64_t position() const = 0;
  // DATA_LOSS if the file is known to be cut off or damaged. For compressed
  // formats, only Read() finds that out.
  virtual absl::Status CheckComplete() const = 0;

  // Sets the position to a frame, or to the end if that is earlier. REQUIRES:
  // frame >= 0
  virtual absl::Status Seek(std::int64_t frame) = 0;
  // Reads the next frames, at most `frames`: a row for each channel, a column
  // for each frame. It returns fewer at the end of the file and before damaged
  // samples; in the second case CheckComplete() then returns an error.
  // REQUIRES: frames >= 0
  virtual absl::StatusOr<Matrix> Read(std::int64_t frames) = 0;
};

// Closes the file.
struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, FileCloser>;

// Opens a regular file for reading. NOT_FOUND if there is no such file;
// INVALID_ARGUMENT for pipes and devices, which may have no end.
absl::StatusOr<OpenFile> OpenForReading(absl::string_view path);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_AUDIO_READER_H_
