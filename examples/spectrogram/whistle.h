// Writes a WAV file to look at: two seconds of a whistle that rises from 500 to
// 6500 Hz, and a tone of 1000 Hz in the second half.
//
// Thread rule: a free function.
// Tested by spectrogram_test.

#ifndef SYNCLINE_EXAMPLES_SPECTROGRAM_WHISTLE_H_
#define SYNCLINE_EXAMPLES_SPECTROGRAM_WHISTLE_H_

#include <string>

#include "absl/status/status.h"

namespace syncline {

absl::Status WriteWhistle(const std::string& path);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_SPECTROGRAM_WHISTLE_H_
