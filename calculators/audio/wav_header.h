// The header of a WAV file: its chunks up to the samples.
//
// Thread rule: free functions; no other thread uses the file meanwhile.
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

// Reads a file of `file_bytes` from its beginning up to its samples. Errors do
// not contain the name of the file.
absl::StatusOr<WavHeader> ReadWavHeader(std::FILE* file,
                                        std::int64_t file_bytes);

// The header of a plain file with so many bytes of samples. REQUIRES: a format
// that CheckWavFormat accepts, and samples that fit in a RIFF file
std::string WriteWavHeader(const WavFormat& format, std::int64_t data_bytes);

// INVALID_ARGUMENT if the format does not fit into the fields of a header.
absl::Status CheckWavFormat(const WavFormat& format);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_WAV_HEADER_H_
