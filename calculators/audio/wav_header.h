// The header of a WAV file: its chunks up to the samples.
//
// Thread rule: free functions; the file is the caller's.
// Tested by wav_file_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_WAV_HEADER_H_
#define SYNCLINE_CALCULATORS_AUDIO_WAV_HEADER_H_

#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/status/statusor.h"
#include "calculators/audio/wav_file.h"

namespace syncline {

struct WavHeader {
  WavFormat format;
  std::int64_t data_begin = 0;  // the place of the samples, in bytes
  // Of the samples; -1 where the header leaves it to the end of the file.
  std::int64_t data_bytes = 0;
};

// Reads from the beginning of a file of `file_bytes` up to its samples. Errors
// say what is wrong, without the name of the file.
absl::StatusOr<WavHeader> ReadWavHeader(std::FILE* file,
                                        std::int64_t file_bytes);

// The header of a plain file with so many bytes of samples. REQUIRES: a format
// that CheckWavFormat accepts, and samples that fit in a RIFF file
std::string WriteWavHeader(const WavFormat& format, std::int64_t data_bytes);

// INVALID_ARGUMENT where the fields of a header have no room for it.
absl::Status CheckWavFormat(const WavFormat& format);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_WAV_HEADER_H_
