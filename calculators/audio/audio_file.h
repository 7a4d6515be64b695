// Opens a file of samples, whatever its format.
//
// WAV files are always read (wav_file.h says which). FLAC, AIFF, Ogg and others
// are read by programs that have //calculators/audio:on_sndfile linked in: it
// registers a reader here when the program starts.
//
// Thread rule: OpenAudioFile() may be called by any thread.
// Tested by wav_file_test and sound_file_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_AUDIO_FILE_H_
#define SYNCLINE_CALCULATORS_AUDIO_AUDIO_FILE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "calculators/audio/audio_reader.h"

namespace syncline {

// NOT_FOUND if there is no such file, UNIMPLEMENTED for a format that cannot be
// read, INVALID_ARGUMENT or DATA_LOSS for a damaged file.
absl::StatusOr<std::unique_ptr<AudioReader>> OpenAudioFile(
    absl::string_view path);

// A function that opens a regular file that no WavReader reads.
using AudioFileOpener =
    absl::StatusOr<std::unique_ptr<AudioReader>> (*)(const std::string& path);
// Registers it. Only for initialisers of variables, so it returns true.
bool RegisterAudioFileOpener(AudioFileOpener opener);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_AUDIO_FILE_H_
