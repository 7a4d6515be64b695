#include "calculators/audio/resampler.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/matrix.h"

namespace syncline {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kMaxRate = 1e9;
constexpr std::int64_t kMaxWeights = std::int64_t{1} << 24;
// The limit for the values of the input that are kept.
constexpr std::int64_t kMaxKept = std::int64_t{1} << 26;
constexpr double kDefaultRadius = 12;

// The rate in thousandths of a Hz; 0 if that is not exact, or not a valid rate.
std::int64_t Thousandths(double rate) {
  if (!(rate > 0 && rate <= kMaxRate)) return 0;
  const double thousandths = std::round(rate * 1000);
  return std::abs(thousandths / 1000 - rate) < 1e-9 * rate
             ? static_cast<std::int64_t>(thousandths)
             : 0;
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
  const std::int64_t input_rate = Thousandths(options.input_rate);
  const std::int64_t output_rate = Thousandths(options.output_rate);
  if (input_rate == 0 || output_rate == 0 || options.channels < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot resample ", options.channels, " channels from ",
        options.input_rate, " Hz to ", options.output_rate,
        " Hz: rates are above 0, at most 1e9, and have at most three digits "
        "behind the point"));
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
  const std::int64_t divisor = std::gcd(input_rate, output_rate);
  resampler.up_ = output_rate / divisor;
  resampler.down_ = input_rate / divisor;
  if (!(radius * 2 * static_cast<double>(resampler.up_) <=
        static_cast<double>(kMaxWeights))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "from ", options.input_rate, " Hz to ", options.output_rate,
        " Hz needs ", resampler.up_, " filters of the radius ", radius,
        ", which is more than 2^24 weights; choose rates with a larger common "
        "divisor"));
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
