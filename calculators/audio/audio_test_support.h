// What tests of this folder share: headers, packets and tones.
//
// Thread rule: free functions.

#ifndef SYNCLINE_CALCULATORS_AUDIO_AUDIO_TEST_SUPPORT_H_
#define SYNCLINE_CALCULATORS_AUDIO_AUDIO_TEST_SUPPORT_H_

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/packet.h"
#include "gtest/gtest.h"
#include "util/time_series_util.h"

namespace syncline {

inline Packet AudioHeader(double sample_rate, int channels) {
  TimeSeriesHeader header;
  header.set_sample_rate(sample_rate);
  header.set_num_channels(channels);
  return MakePacket<TimeSeriesHeader>(header);
}

// One channel: amplitude * cos(2 pi frequency t).
inline Matrix Tone(double frequency, double sample_rate, std::int64_t samples,
                   double amplitude = 1) {
  Matrix result(1, samples);
  for (std::int64_t i = 0; i < samples; ++i) {
    const double turns = frequency * static_cast<double>(i) / sample_rate;
    result(0, i) = static_cast<float>(
        amplitude * std::cos(2 * M_PI * (turns - std::floor(turns))));
  }
  return result;
}

// One channel with these samples.
inline Matrix Samples(const std::vector<float>& values) {
  return Eigen::Map<const Matrix>(values.data(), 1,
                                  static_cast<Eigen::Index>(values.size()));
}
inline std::vector<float> ValuesOf(const Packet& packet) {
  const auto& matrix = packet.Get<Matrix>();
  return {matrix.data(), matrix.data() + matrix.size()};
}

// Splits `samples` into packets of `size` samples, with timestamps that begin
// at `start`.
inline std::vector<Packet> InPackets(const Matrix& samples, std::int64_t size,
                                     double sample_rate,
                                     std::int64_t start = 0) {
  std::vector<Packet> packets;
  for (std::int64_t i = 0; i < samples.cols(); i += size) {
    packets.push_back(
        MakePacket<Matrix>(
            samples.middleCols(i, std::min(size, samples.cols() - i)))
            .At(Timestamp(start) +
                time_series_util::SamplesToTimestampDiff(i, sample_rate)));
  }
  return packets;
}

inline std::string InTestFolder(const std::string& name) {
  return testing::TempDir() + "/" + name;
}

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_AUDIO_TEST_SUPPORT_H_
