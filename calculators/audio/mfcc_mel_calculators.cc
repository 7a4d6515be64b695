// MelSpectrumCalculator, MfccCalculator: a spectrogram in the frequency bands
// of human hearing.
//
//   node {
//     calculator: "MelSpectrumCalculator"
//     input_stream: "spectrogram"    # Matrix, SQUARED_MAGNITUDE
//     output_stream: "mel"           # Matrix
//     options { [syncline.MelSpectrumCalculatorOptions.ext] {
//       channel_count: 20 } }
//   }
//   node {
//     calculator: "MfccCalculator"
//     input_stream: "spectrogram"    # Matrix, SQUARED_MAGNITUDE
//     output_stream: "mfcc"          # Matrix
//     options { [syncline.MfccCalculatorOptions.ext] {
//       mel_spectrum_params { channel_count: 20 }
//       mfcc_count: 13 } }
//   }
//
// The input is the output of a SpectrogramCalculator: a column for each frame,
// a row for each bin from 0 to half of the header's audio_sample_rate, with
// squared magnitudes. The output has a column for each column of the input.
//
//   mel(f) = 1127 log(1 + f / 700)
//
// MelSpectrumCalculator: row b is the sum of the magnitudes (not their squares)
// under a triangle that rises from 0 to 1 and falls to 0 again, along mel(f);
// each triangle begins at the top of the one before. The triangles stand at
// equal distances from mel(min_frequency_hertz) to mel(max_frequency_hertz).
// Bins count from int(1.5 + min_frequency_hertz / w) on, for bins of w Hz: bin
// 0 never does, nor one less than half a bin above the lowest frequency. A
// triangle between two bins has the sum 0, and the log says so.
//
// MfccCalculator: a cosine transform of the logarithms of these sums (of 1e-12
// if a sum is less): row i is sqrt(2 / N) times the sum over the N bands b of
// log(mel_b) * cos(pi i (b + 0.5) / N).
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cmath>
#include <utility>

#include "calculators/audio/mfcc_mel_calculators.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/logging.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kMaxBands = 1 << 12;
constexpr Eigen::Index kMaxWeights = 1 << 26;
// Smaller sums count as this, since the logarithm of 0 is not finite.
constexpr float kLeastBand = 1e-12f;

double Mel(double frequency) { return 1127 * std::log1p(frequency / 700); }

// The weights: a row for each band, a column for each bin of a spectrogram with
// this header.
absl::StatusOr<Matrix> MelWeights(const MelSpectrumCalculatorOptions& options,
                                  const TimeSeriesHeader& header) {
  const double low = options.min_frequency_hertz();
  const double high = options.max_frequency_hertz();
  const double half_rate = header.audio_sample_rate() / 2;
  const int bands = options.channel_count();
  const Eigen::Index bins = header.num_channels();
  if (!(half_rate > 0) || bins < 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the header {", header.ShortDebugString(),
        "} is not that of a spectrogram: it needs audio_sample_rate, and "
        "num_channels of at least 2"));
  }
  if (bands < 1 || bands > kMaxBands) {
    return absl::InvalidArgumentError(absl::StrCat(
        "channel_count is ", bands, ", but is from 1 to ", kMaxBands));
  }
  if (bins > kMaxWeights / bands) {
    return absl::InvalidArgumentError(absl::StrCat(
        bands, " bands of ", bins, " bins have more than 2^26 weights"));
  }
  if (!(low >= 0 && low < high && high <= half_rate)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the bands are from ", low, " to ", high,
        " Hz, but have to be between 0 and half of the rate, ", half_rate));
  }
  const double step = (Mel(high) - Mel(low)) / (bands + 1);
  const double bin_width = half_rate / static_cast<double>(bins - 1);
  Matrix weights = Matrix::Zero(bands, bins);
  for (auto bin = static_cast<Eigen::Index>(1.5 + low / bin_width); bin < bins;
       ++bin) {
    const double frequency = bin_width * static_cast<double>(bin);
    // On a scale on which the middle of band b is at b + 1.
    const double place = (Mel(frequency) - Mel(low)) / step;
    for (int band = 0; band < bands; ++band) {
      weights(band, bin) =
          static_cast<float>(std::max(0.0, 1 - std::abs(place - (band + 1))));
    }
  }
  const Eigen::Index silent =
      (weights.rowwise().maxCoeff().array() <= 0).count();
  if (silent > 0) {
    LOG(WARNING) << silent << " of " << bands << " bands have none of the "
                 << bins << " bins, so they are 0 in every frame; take fewer "
                 << "bands or longer frames";
  }
  return weights;
}

// sqrt(2 / N) cos(pi i (b + 0.5) / N): row i, column b.
Matrix CosineTransform(Eigen::Index coefficients, Eigen::Index bands) {
  Matrix result(coefficients, bands);
  for (Eigen::Index i = 0; i < coefficients; ++i) {
    for (Eigen::Index b = 0; b < bands; ++b) {
      result(i, b) =
          static_cast<float>(std::sqrt(2.0 / static_cast<double>(bands)) *
                             std::cos(kPi * static_cast<double>(i) *
                                      (static_cast<double>(b) + 0.5) /
                                      static_cast<double>(bands)));
    }
  }
  return result;
}

// The common part of both: makes columns of features of frames.
class FramesToFeatures : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<Matrix>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) final {
    SYNCLINE_RETURN_IF_ERROR(time_series_util::FillTimeSeriesHeaderIfValid(
        cc->Inputs().Index(0).Header(), &header_));
    TimeSeriesHeader output = header_;
    SYNCLINE_ASSIGN_OR_RETURN(const int features, Prepare(cc, header_));
    output.set_num_channels(features);
    cc->Outputs().Index(0).SetHeader(
        MakePacket<TimeSeriesHeader>(std::move(output)));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) final {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& frames = cc->Inputs().Index(0).Get<Matrix>();
    SYNCLINE_RETURN_IF_ERROR(
        time_series_util::IsMatrixShapeConsistentWithHeader(frames, header_));
    if (!(frames.array() >= 0).all()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The matrix at ", cc->InputTimestamp().DebugString(),
          " has values that are not at least 0, so it is no spectrogram of "
          "output_type SQUARED_MAGNITUDE"));
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<Matrix>(Features(frames)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 protected:
  // Called in Open; returns the number of features.
  virtual absl::StatusOr<int> Prepare(CalculatorContext* cc,
                                      const TimeSeriesHeader& header) = 0;
  virtual Matrix Features(const Matrix& frames) const = 0;

 private:
  TimeSeriesHeader header_;  // of the input
};

}  // namespace

class MelSpectrumCalculator : public FramesToFeatures {
 protected:
  absl::StatusOr<int> Prepare(CalculatorContext* cc,
                              const TimeSeriesHeader& header) final {
    SYNCLINE_ASSIGN_OR_RETURN(
        weights_,
        MelWeights(cc->Options<MelSpectrumCalculatorOptions>(), header));
    return static_cast<int>(weights_.rows());
  }
  Matrix Features(const Matrix& frames) const final {
    return weights_ * frames.cwiseSqrt();
  }

 private:
  Matrix weights_;
};
REGISTER_CALCULATOR(MelSpectrumCalculator);

class MfccCalculator : public FramesToFeatures {
 protected:
  absl::StatusOr<int> Prepare(CalculatorContext* cc,
                              const TimeSeriesHeader& header) final {
    const auto& options = cc->Options<MfccCalculatorOptions>();
    SYNCLINE_ASSIGN_OR_RETURN(
        weights_, MelWeights(options.mel_spectrum_params(), header));
    if (options.mfcc_count() < 1 || options.mfcc_count() > weights_.rows()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "mfcc_count is ", options.mfcc_count(), ", but there are 1 to ",
          weights_.rows(), " coefficients of as many bands"));
    }
    transform_ = CosineTransform(options.mfcc_count(), weights_.rows());
    return static_cast<int>(transform_.rows());
  }
  Matrix Features(const Matrix& frames) const final {
    const Matrix bands = weights_ * frames.cwiseSqrt();
    return transform_ * bands.array().max(kLeastBand).log().matrix();
  }

 private:
  Matrix weights_;
  Matrix transform_;
};
REGISTER_CALCULATOR(MfccCalculator);

}  // namespace syncline
