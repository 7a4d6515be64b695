#include "calculators/core/sampling_times.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "framework/calculator_framework.h"

namespace syncline {
namespace {

// The largest double that is converted to a timestamp.
constexpr double kFarthest = 9.2e18;

// Spreads the bits of neighbouring numbers (the finaliser of SplitMix64).
std::uint64_t Mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

std::int64_t Round(double value) {
  return std::llround(std::clamp(value, -kFarthest, kFarthest));
}

// Reflects a number at 0 and 1 until it lies between them.
double Reflect(double value) {
  value = std::abs(std::fmod(value, 2.0));
  return value > 1 ? 2 - value : value;
}

}  // namespace

std::uint64_t SeedOf(absl::string_view text) {
  std::uint64_t seed = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) {
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return seed;
}

void SamplingTimes::Start(Timestamp base, Timestamp first) {
  base_ = base;
  // For one_in_period, the period that contains `first`; otherwise the nearest
  // time.
  index_ = jitter_.one_in_period ? Round(std::floor(Periods(base, first)))
                                 : IndexOf(first);
  FindNext();
  if (jitter_.amount == 0) {
    base_ = next_;
    index_ = 0;
  }
  // The time of this period may lie before the first packet.
  if (jitter_.one_in_period && next_ < first) Advance();
}

void SamplingTimes::Advance() {
  const Timestamp before = next_;
  ++index_;
  if (jitter_.amount > 0 && !jitter_.one_in_period) {
    walked_ += jitter_.amount * (2 * Random(index_) - 1);
  }
  FindNext();
  // With a jitter of a whole period, a time may not come after the one before.
  // But times must rise.
  if (next_ <= before) next_ = before.NextAllowedInStream();
}

void SamplingTimes::AdvancePast(Timestamp time) {
  if (next_ > time) return;
  // Jumps close to `time` first, since a gap may be long.
  const std::int64_t jump = Round(std::floor(Periods(next_, time))) - 1;
  if (jump > 0) {
    index_ += jump;
    FindNext();
  }
  while (next_ <= time) Advance();
}

void SamplingTimes::FindNext() {
  double periods = static_cast<double>(index_);
  if (jitter_.one_in_period) {
    periods += Reflect(0.5 + jitter_.amount * (2 * Random(index_) - 1));
  }
  // In this order, through seconds: doubles round differently in another one.
  next_ = base_ + TimestampDiff(Round((periods + walked_) / frame_rate_ *
                                      Timestamp::kTimestampUnitsPerSecond));
}

std::int64_t SamplingTimes::PeriodsFromNext(Timestamp time) const {
  return IndexOf(time) - index_;
}

std::int64_t SamplingTimes::IndexOf(Timestamp time) const {
  return Round(std::floor(Periods(base_, time) + 0.5));
}

double SamplingTimes::Periods(Timestamp from, Timestamp to) const {
  // Exact also if the difference does not fit in 64 bits.
  const long double microseconds = static_cast<long double>(to.Value()) -
                                   static_cast<long double>(from.Value());
  return static_cast<double>(microseconds) /
         Timestamp::kTimestampUnitsPerSecond * frame_rate_;
}

std::int64_t SamplingTimes::period_us() const {
  return Round(std::floor(Timestamp::kTimestampUnitsPerSecond / frame_rate_));
}

double SamplingTimes::Random(std::int64_t index) const {
  const std::uint64_t bits =
      Mix(jitter_.seed + static_cast<std::uint64_t>(index) *
                             std::uint64_t{0x9e3779b97f4a7c15});
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace syncline
