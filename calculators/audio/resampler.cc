#include "calculators/audio/resampler.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/matrix.h"

namespace syncline {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kMinRate = 1e-3;
constexpr double kMaxRate = 1e9;
// The limit for the smaller number of the ratio.
constexpr std::int64_t kMaxDenominator = 2000;
// A fraction that is so near to the ratio counts as exact: it is off by a
// second in 30,000 years. Rates are doubles, which are hardly more exact
// themselves.
constexpr double kExact = 1e-12;
constexpr std::int64_t kMaxWeights = std::int64_t{1} << 24;
// The limit for the values of the input that are kept.
constexpr std::int64_t kMaxKept = std::int64_t{1} << 26;
constexpr double kDefaultRadius = 12;

bool IsRate(double rate) { return rate >= kMinRate && rate <= kMaxRate; }

struct Fraction {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;

  double Value() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

// The fraction that is nearest to `ratio`, with a denominator up to 2,000, in
// lowest terms. By the continued fraction of `ratio`: each of its convergents
// is nearer than all fractions with smaller denominators; where the next one
// has too large a denominator, the last one or the largest step towards the
// next is the nearest. REQUIRES: `ratio` is from 1 to 1e12 (Hardy and Wright,
// An Introduction to the Theory of Numbers, chapter X.)
Fraction NearestFraction(double ratio) {
  Fraction before = {1, 0};  // stands for infinity
  Fraction last = {static_cast<std::int64_t>(ratio), 1};
  double rest = ratio - std::floor(ratio);
  while (std::abs(last.Value() - ratio) > kExact * ratio) {
    rest = 1 / rest;
    const std::int64_t largest_step =
        (kMaxDenominator - before.denominator) / last.denominator;
    const bool fits = rest < static_cast<double>(largest_step + 1);
    const std::int64_t step =
        fits ? static_cast<std::int64_t>(rest) : largest_step;
    const Fraction next = {step * last.numerator + before.numerator,
                           step * last.denominator + before.denominator};
    if (!fits) {
      const bool is_nearer =
          std::abs(next.Value() - ratio) < std::abs(last.Value() - ratio);
      return step > 0 && is_nearer ? next : last;
    }
    before = last;
    last = next;
    rest -= std::floor(rest);
  }
  return last;
}

// The weight of a sample at `distance`. All numbers are in samples of the
// input.
double Weight(double distance, double cutoff, double radius, double beta) {
  const double part = distance / radius;
  if (std::abs(part) >= 1) return 0;
  const double angle = 2 * kPi * cutoff * distance;
  const double sinc = angle == 0 ? 1 : std::sin(angle) / angle;
  return sinc * std::cyl_bessel_i(0, beta * std::sqrt(1 - part * part));
}

}  // namespace

absl::StatusOr<Resampler> Resampler::Create(const ResamplerOptions& options) {
  if (!IsRate(options.input_rate) || !IsRate(options.output_rate) ||
      options.channels < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot resample ", options.channels, " channels from ",
        options.input_rate, " Hz to ", options.output_rate,
        " Hz: rates are from 0.001 to 1e9, and there is at least one channel"));
  }
  const double lower = std::min(options.input_rate, options.output_rate);
  const double cutoff = options.cutoff == 0 ? 0.45 * lower : options.cutoff;
  const double radius = options.radius == 0
                            ? kDefaultRadius * options.input_rate / lower
                            : options.radius;
  if (!(cutoff > 0 && cutoff <= lower / 2) || !(radius >= 1) ||
      !(options.kaiser_beta >= 0 && options.kaiser_beta <= 100)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cutoff is ", cutoff, ", radius ", radius, " and kaiser_beta ",
        options.kaiser_beta, ", but cutoff is above 0 and at most ", lower / 2,
        ", radius at least 1, and kaiser_beta from 0 to 100"));
  }
  Resampler resampler;
  const bool is_upward = options.output_rate > options.input_rate;
  const double exact_ratio = is_upward
                                 ? options.output_rate / options.input_rate
                                 : options.input_rate / options.output_rate;
  const Fraction ratio = NearestFraction(exact_ratio);
  resampler.up_ = is_upward ? ratio.numerator : ratio.denominator;
  resampler.down_ = is_upward ? ratio.denominator : ratio.numerator;
  if (std::abs(ratio.Value() - exact_ratio) > kExact * exact_ratio) {
    resampler.rate_error_ = (is_upward ? ratio.Value() / exact_ratio
                                       : exact_ratio / ratio.Value()) -
                            1;
  }
  if (!(radius * 2 * static_cast<double>(resampler.up_) <=
        static_cast<double>(kMaxWeights))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "from ", options.input_rate, " Hz to ", options.output_rate,
        " Hz needs ", resampler.up_, " filters of the radius ", radius,
        ", which is more than 2^24 weights; choose rates that are nearer to "
        "each other, or a smaller radius"));
  }
  resampler.channels_ = options.channels;
  resampler.reach_ = static_cast<std::int64_t>(std::ceil(radius));
  if (options.channels > kMaxKept / (2 * resampler.reach_)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a filter of the radius ", radius, " over ",
                     options.channels, " channels has more than 2^26 values"));
  }
  resampler.weights_.resize(2 * resampler.reach_, resampler.up_);
  for (std::int64_t place = 0; place < resampler.up_; ++place) {
    Eigen::VectorXd weights(2 * resampler.reach_);
    for (std::int64_t i = 0; i < weights.size(); ++i) {
      const double distance =
          static_cast<double>(place) / static_cast<double>(resampler.up_) -
          static_cast<double>(i - resampler.reach_ + 1);
      weights[i] = Weight(distance, cutoff / options.input_rate, radius,
                          options.kaiser_beta);
    }
    // Makes the weights add up to 1, so that a constant input keeps its value.
    resampler.weights_.col(place) = (weights / weights.sum()).cast<float>();
  }
  // Before its beginning, the input counts as silence.
  resampler.kept_begin_ = -(resampler.reach_ - 1);
  resampler.kept_.assign(
      static_cast<std::size_t>((resampler.reach_ - 1) * options.channels), 0);
  return resampler;
}

Matrix Resampler::Process(const Matrix& samples) {
  kept_.insert(kept_.end(), samples.data(), samples.data() + samples.size());
  samples_in_ += samples.cols();
  return Take(samples_in_ - 1);
}

Matrix Resampler::Flush() {
  // Adds silence, as far as the filter reaches.
  kept_.resize(kept_.size() + static_cast<std::size_t>(reach_ * channels_), 0);
  return Take(samples_in_ - 1 + reach_);
}

Matrix Resampler::Take(std::int64_t last_known) {
  // Output m needs the input up to floor(m * down / up) + reach.
  const auto base_of = [this](std::int64_t m) {
    return static_cast<std::int64_t>(static_cast<__int128>(m) * down_ / up_);
  };
  const std::int64_t limit = last_known - reach_;
  std::int64_t end = samples_out_;
  if (limit >= 0) {
    // The output after the last m with m * down < (limit + 1) * up.
    end = static_cast<std::int64_t>(
        ((static_cast<__int128>(limit) + 1) * up_ - 1) / down_ + 1);
  }
  Matrix result(channels_, std::max<std::int64_t>(0, end - samples_out_));
  for (Eigen::Index i = 0; i < result.cols(); ++i, ++samples_out_) {
    const std::int64_t first = base_of(samples_out_) - reach_ + 1;
    const auto place = static_cast<Eigen::Index>(
        static_cast<__int128>(samples_out_) * down_ % up_);
    result.col(i) = Eigen::Map<const Matrix>(
                        kept_.data() + (first - kept_begin_) * channels_,
                        channels_, 2 * reach_) *
                    weights_.col(place);
  }
  // The first input sample that later outputs need.
  const std::int64_t needed = base_of(samples_out_) - reach_ + 1;
  const auto values = static_cast<std::ptrdiff_t>(
      std::min<std::int64_t>((needed - kept_begin_) * channels_,
                             static_cast<std::int64_t>(kept_.size())));
  if (2 * values > static_cast<std::ptrdiff_t>(kept_.size())) {
    kept_.erase(kept_.begin(), kept_.begin() + values);
    kept_begin_ += values / channels_;
  }
  return result;
}

}  // namespace syncline
