// Changes the rate of samples.
//
//   input      0       1       2       3        at 2 Hz
//   output     0            1            2      at 1.2 Hz: 3 for each 5
//
// Sample m of the output stands at the time m / output_rate of the input,
// without a delay: it is the sum of the input around that time, weighted by a
// sinc that removes frequencies that are too high for the lower rate. Before
// the first sample and after the last one the input counts as 0.
//
// The ratio of the rates is a fraction up / down of whole numbers, the smaller
// of which is at most 2,000. Where there is such a fraction for the rates, as
// for all usual ones, the ratio is exact and nothing drifts. Other ratios get
// the nearest such fraction, which is at most 0.025 % off: n / 2000 alone comes
// as near as 1 / 4000 to any ratio above 1. rate_error() says how far it is.
//
//   44100 to 48000 Hz      160 / 147      exact
//   4000 to 2105.26 Hz     10 / 19        2105.263... Hz: 0.00015 % too high
//
// Thread rule: a value.
// Tested by rational_factor_resample_calculator_test.

#ifndef SYNCLINE_CALCULATORS_AUDIO_RESAMPLER_H_
#define SYNCLINE_CALCULATORS_AUDIO_RESAMPLER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/formats/matrix.h"

namespace syncline {

struct ResamplerOptions {
  double input_rate = 0;  // in Hz, as the next ones are
  double output_rate = 0;
  double cutoff = 0;  // 0: 0.45 of the lower rate
  double radius = 0;  // in samples of the input; 0: 12 of the lower rate
  double kaiser_beta = 6;
  std::int64_t channels = 1;
};

class Resampler {
 public:
  // INVALID_ARGUMENT if there is no such filter, or if it has more than 2^24
  // weights. Rates are from 0.001 to 1e9 Hz.
  static absl::StatusOr<Resampler> Create(const ResamplerOptions& options);

  // Takes samples and returns the output samples that can now be computed;
  // there may be none. REQUIRES: as many rows as channels
  Matrix Process(const Matrix& samples);
  // Call it at the end: returns the rest, so that the output is as long as the
  // input.
  Matrix Flush();

  // By which part the rate of the output is higher than output_rate: 0 if the
  // ratio is exact, from -0.00025 to 0.00025 otherwise.
  double rate_error() const { return rate_error_; }

  // How many samples were returned so far.
  std::int64_t samples_out() const { return samples_out_; }

 private:
  Resampler() = default;
  Matrix Take(std::int64_t last_known);

  // Set once. Output m is at m * down_ / up_ of the input.
  std::int64_t up_ = 1;
  std::int64_t down_ = 1;
  double rate_error_ = 0;
  std::int64_t reach_ = 0;  // samples on each side
  Eigen::Index channels_ = 1;
  Matrix weights_;  // a column for each of the up_ places between two samples

  // The input from kept_begin_ on, column by column.
  std::vector<float> kept_;
  std::int64_t kept_begin_ = 0;
  std::int64_t samples_in_ = 0;
  std::int64_t samples_out_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_AUDIO_RESAMPLER_H_
