#include "examples/spectrogram/whistle.h"

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "calculators/audio/wav_file.h"
#include "framework/formats/matrix.h"
#include "framework/port/status_macros.h"

namespace syncline {

absl::Status WriteWhistle(const std::string& path) {
  constexpr int kRate = 16000;
  Matrix samples(1, 2 * kRate);
  double turns = 0;
  for (int i = 0; i < samples.cols(); ++i) {
    const double seconds = static_cast<double>(i) / kRate;
    turns += (500 + 3000 * seconds) / kRate;
    const double tone = std::sin(2 * M_PI * 1000 * seconds);
    samples(0, i) = static_cast<float>(0.5 * std::sin(2 * M_PI * turns) +
                                       (seconds < 1 ? 0 : 0.2 * tone));
  }
  SYNCLINE_ASSIGN_OR_RETURN(WavWriter writer,
                            WavWriter::Create(path, {.sample_rate = kRate}));
  SYNCLINE_RETURN_IF_ERROR(writer.Write(samples));
  return writer.Close();
}

}  // namespace syncline
