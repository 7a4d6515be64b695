// WAV files: reads and writes samples in a RIFF container, piece by piece.
//
//   SYNCLINE_ASSIGN_OR_RETURN(WavReader reader, WavReader::Open("a.wav"));
//   while (reader.frames_left() > 0) {
//     SYNCLINE_ASSIGN_OR_RETURN(Matrix samples, reader.Read(1024));
//     ...
//   }
//
// It reads PCM of 8 to 32 bits and floats of 32 and 64 bits, plain or
// WAVE_FORMAT_EXTENSIBLE, any number of channels, RIFF or RF64. The sizes in a
// header are compared with the size of the file before memory is allocated. An
// error names the file and its mistake.
//
// Thread rule: a reader or writer is for one thread at a time.
// Tested by wav_file_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_WAV_FILE_H_
#define SYNCLINE_CALCULATORS_AUDIO_WAV_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "calculators/audio/audio_reader.h"
#include "framework/formats/matrix.h"

namespace syncline {

enum class WavSample { kUnsigned8, kInt16, kInt24, kInt32, kFloat32, kFloat64 };

struct WavFormat {
  WavSample sample = WavSample::kInt16;
  int channels = 1;
  std::int64_t sample_rate = 44100;  // frames in a second

  int bytes_per_frame() const;
};

class WavReader : public AudioReader {
 public:
  // NOT_FOUND if there is no such file, UNIMPLEMENTED for a kind of WAV file
  // that cannot be read, INVALID_ARGUMENT for a file that is not a WAV file.
  static absl::StatusOr<WavReader> Open(absl::string_view path);

  const WavFormat& format() const { return format_; }
  int channels() const override { return format_.channels; }
  std::int64_t sample_rate() const override { return format_.sample_rate; }
  // The number of whole frames in the file, whatever its header promises.
  std::int64_t frames() const override { return frames_; }
  std::int64_t position() const override { return position_; }
  std::int64_t frames_left() const { return frames_ - position_; }
  // DATA_LOSS if the header promises more than the file has. The message gives
  // both.
  absl::Status CheckComplete() const override;

  absl::Status Seek(std::int64_t frame) override;
  absl::StatusOr<Matrix> Read(std::int64_t frames) override;

 private:
  WavReader() = default;

  std::string path_;
  OpenFile file_;
  WavFormat format_;
  std::int64_t data_begin_ = 0;        // in bytes
  std::int64_t frames_ = 0;            // that are there
  std::int64_t promised_bytes_ = 0;    // of samples, by the header
  std::int64_t available_bytes_ = 0;   // of samples, at most promised_bytes_
  std::int64_t position_ = 0;          // in frames
  std::vector<unsigned char> buffer_;  // of Read
};

// Writes a file whose header is right after every Write. So after a failure,
// the part written before can be read.
class WavWriter {
 public:
  // Replaces the file. INVALID_ARGUMENT for a format that a WAV file cannot
  // have.
  static absl::StatusOr<WavWriter> Create(absl::string_view path,
                                          const WavFormat& format);

  // Appends frames. For integer formats, values are clamped to -1 and 1, and
  // NaN becomes 0. RESOURCE_EXHAUSTED at 4 GiB, the limit of WAV files.
  absl::Status Write(const Matrix& samples);
  // Closes the file, and returns an error if some data was not written. Nothing
  // can be written after this. The destructor closes the file, too.
  absl::Status Close();

 private:
  WavWriter() = default;
  absl::Status WriteHeader();
  absl::Status Error(absl::string_view doing) const;

  std::string path_;
  OpenFile file_;
  WavFormat format_;
  std::int64_t data_bytes_ = 0;
  std::string buffer_;  // of Write
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_WAV_FILE_H_
