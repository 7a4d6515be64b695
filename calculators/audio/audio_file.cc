#include "calculators/audio/audio_file.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/audio/audio_reader.h"
#include "calculators/audio/wav_file.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

std::atomic<AudioFileOpener> other_formats = nullptr;

absl::StatusOr<bool> IsWav(absl::string_view path) {
  SYNCLINE_ASSIGN_OR_RETURN(const OpenFile file, OpenForReading(path));
  std::array<char, 12> bytes = {};
  const std::size_t size =
      std::fread(bytes.data(), 1, bytes.size(), file.get());
  const absl::string_view start(bytes.data(), size);
  const absl::string_view container = start.substr(0, 4);
  return size == bytes.size() && start.substr(8) == "WAVE" &&
         (container == "RIFF" || container == "RF64" || container == "BW64");
}

}  // namespace

bool RegisterAudioFileOpener(AudioFileOpener opener) {
  other_formats = opener;
  return true;
}

absl::StatusOr<std::unique_ptr<AudioReader>> OpenAudioFile(
    absl::string_view path) {
  SYNCLINE_ASSIGN_OR_RETURN(const bool is_wav, IsWav(path));
  absl::StatusOr<WavReader> wav = WavReader::Open(path);
  if (wav.ok()) return std::make_unique<WavReader>(*std::move(wav));
  // A damaged WAV file is still a WAV file: no other reader is tried.
  if (is_wav && !absl::IsUnimplemented(wav.status())) return wav.status();
  const AudioFileOpener opener = other_formats;
  if (opener != nullptr) return opener(std::string(path));
  return absl::Status(
      wav.status().code(),
      absl::StrCat(wav.status().message(),
                   ". Other formats than plain WAV, such as FLAC and AIFF, are "
                   "read by programs with //calculators:on_sndfile linked in"));
}

}  // namespace syncline
