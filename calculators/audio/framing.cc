#include "calculators/audio/framing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/deps/mathutil.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/timestamp.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

using time_series_util::SamplesToTimestampDiff;

// The limit for the values of one frame: a quarter of a gigabyte.
constexpr std::int64_t kMaxFrameValues = std::int64_t{1} << 26;

}  // namespace

absl::StatusOr<Framing> Framing::Create(const FramingOptions& options,
                                        const TimeSeriesHeader& input) {
  Framing framing;
  framing.sample_rate_ = input.sample_rate();
  framing.channels_ = input.num_channels();
  framing.use_local_timestamp_ = options.use_local_timestamp;
  if (!(input.sample_rate() > 0) || input.num_channels() < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there are no frames of a stream with ", input.num_channels(),
        " channels at ", input.sample_rate(), " Hz"));
  }
  framing.frame_samples_ = time_series_util::SecondsToSamples(
      options.duration_seconds, input.sample_rate());
  if (framing.frame_samples_ < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "frame_duration_seconds is ", options.duration_seconds,
        ", but has to be at least a sample, which at ", input.sample_rate(),
        " Hz takes ", 1 / input.sample_rate(), " seconds"));
  }
  if (framing.frame_samples_ > kMaxFrameValues / input.num_channels()) {
    return absl::InvalidArgumentError(
        absl::StrCat("frame_duration_seconds is ", options.duration_seconds,
                     ", which at ", input.sample_rate(), " Hz is more than ",
                     kMaxFrameValues / input.num_channels(), " samples of ",
                     input.num_channels(), " channels"));
  }
  const double overlap = options.overlap_seconds * input.sample_rate();
  framing.step_samples_ =
      options.fractional_step
          ? options.duration_seconds * input.sample_rate() - overlap
          : static_cast<double>(framing.frame_samples_) - std::round(overlap);
  // 2^40 samples are months of sound. Larger steps would overflow some day.
  if (!(framing.step_samples_ >= 1 && framing.step_samples_ <= 0x1p40)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "frame_overlap_seconds is ", options.overlap_seconds,
        ", so a frame of ", options.duration_seconds, " seconds begins ",
        framing.step_samples_,
        " samples after the one before, but that has to be from 1 to 2^40"));
  }
  return framing;
}

std::int64_t Framing::FrameBegin(std::int64_t frame) const {
  return MathUtil::SafeRound<std::int64_t>(static_cast<long double>(frame) *
                                           step_samples_);
}

absl::Status Framing::Add(const Matrix& samples, Timestamp time) {
  if (samples.rows() != channels_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the packet at ", time.DebugString(), " has ", samples.rows(),
        " channels, but the header says ", channels_));
  }
  if (!time.IsRangeValue()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is a packet at ", time.DebugString(),
                     ", but samples have a time"));
  }
  if (start_ == Timestamp::Unset()) start_ = time;
  if (!use_local_timestamp_) {
    time_series_util::LogWarningIfTimestampIsInconsistent(
        time, start_, received_, sample_rate_);
  }
  if (samples.cols() == 0) return absl::OkStatus();
  arrivals_.push_back({received_, time});
  // Samples in a gap between frames are not kept.
  const std::int64_t skipped = std::clamp<std::int64_t>(
      FrameBegin(next_frame_) - received_, 0, samples.cols());
  kept_.insert(kept_.end(), samples.data() + skipped * channels_,
               samples.data() + samples.size());
  if (kept_begin_ == received_) kept_begin_ += skipped;
  received_ += samples.cols();
  return absl::OkStatus();
}

void Framing::ForgetBefore(std::int64_t sample) {
  const std::int64_t forgotten = std::min(sample, received_) - kept_begin_;
  const auto values = static_cast<std::size_t>(forgotten * channels_);
  // Drops samples only if it is worth it, since the others are moved to the
  // front.
  if (2 * values <= kept_.size()) return;
  kept_.erase(kept_.begin(),
              kept_.begin() + static_cast<std::ptrdiff_t>(values));
  kept_begin_ += forgotten;
}

Timestamp Framing::TimeOfNext() const {
  const std::int64_t begin = FrameBegin(next_frame_);
  if (!use_local_timestamp_) {
    return start_ + SamplesToTimestampDiff(begin, sample_rate_);
  }
  const std::int64_t last = begin + frame_samples_ - 1;
  const auto after =
      std::upper_bound(arrivals_.begin(), arrivals_.end(), last,
                       [](std::int64_t sample, const Arrival& arrival) {
                         return sample < arrival.first_sample;
                       });
  const Arrival& arrival = *std::prev(after);
  return arrival.time +
         SamplesToTimestampDiff(last - arrival.first_sample, sample_rate_);
}

Framing::Frame Framing::MakeFrame(std::int64_t samples_there) {
  const std::int64_t begin = FrameBegin(next_frame_);
  Frame frame{Matrix(channels_, frame_samples_), TimeOfNext()};
  frame.samples.leftCols(samples_there) =
      Eigen::Map<const Matrix>(kept_.data() + (begin - kept_begin_) * channels_,
                               channels_, samples_there);
  frame.samples.rightCols(frame_samples_ - samples_there).setZero();
  covered_ = begin + frame_samples_;
  ++next_frame_;
  ForgetBefore(FrameBegin(next_frame_));
  // The next frame ends after this packet.
  while (arrivals_.size() > 1 && arrivals_[1].first_sample <= covered_) {
    arrivals_.pop_front();
  }
  return frame;
}

absl::optional<Framing::Frame> Framing::Next() {
  if (FrameBegin(next_frame_) + frame_samples_ > received_) {
    return absl::nullopt;
  }
  return MakeFrame(frame_samples_);
}

absl::optional<Framing::Frame> Framing::TakeRest(bool only_new) {
  const std::int64_t begin = FrameBegin(next_frame_);
  const std::int64_t rest =
      received_ - (only_new ? std::max(begin, covered_) : begin);
  if (rest <= 0) return absl::nullopt;
  return MakeFrame(received_ - begin);
}

Timestamp Framing::BoundAfter(Timestamp input) const {
  // The time of the next frame is already known, unless it is the time of a
  // sample that has not come.
  return start_ == Timestamp::Unset() || use_local_timestamp_ ? input
                                                              : TimeOfNext();
}

Eigen::RowVectorXf WindowWeights(Window window, std::int64_t size) {
  constexpr double kPi = 3.14159265358979323846;
  Eigen::RowVectorXf weights = Eigen::RowVectorXf::Ones(size);
  if (window == Window::kNone) return weights;
  for (std::int64_t i = 0; i < size; ++i) {
    const double turn = static_cast<double>(i) / static_cast<double>(size);
    const double cosine = std::cos(2 * kPi * turn);
    weights[i] =
        static_cast<float>(window == Window::kHamming ? 0.54 - 0.46 * cosine
                           : window == Window::kHann  ? 0.5 - 0.5 * cosine
                                                      : std::sin(kPi * turn));
  }
  return weights;
}

}  // namespace syncline
