// SamplingTimes: the times for which a resampler wants a packet.
//
//   without jitter     first, first + period, first + 2 periods, ...
//   random walk        each a period after the one before, give or take
//   one in a period    somewhere in the i-th period
//
// The numbers are a function of the seed and the index, the same on every
// machine; a walk adds them up.
//
// Thread rule: for one thread.
// Tested by rate_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_SAMPLING_TIMES_H_
#define SYNCLINE_CALCULATORS_CORE_SAMPLING_TIMES_H_

#include <cstdint>

#include "framework/calculator_framework.h"

namespace syncline {

class SamplingTimes {
 public:
  struct Jitter {
    double amount = 0;           // 0 to 1, of a period
    bool one_in_period = false;  // else a random walk
    std::uint64_t seed = 0;
  };

  // REQUIRES: frame_rate is above 0, at most a million.
  SamplingTimes(double frame_rate, Jitter jitter)
      : frame_rate_(frame_rate), jitter_(jitter) {}

  // The next time is the one nearest to `first`, counted from `base`.
  void Start(Timestamp base, Timestamp first);

  Timestamp next() const { return next_; }
  void Advance();
  // To the first one after `time`.
  void AdvancePast(Timestamp time);

  // How many times of even distance lie between next() and `time`: below 0 if
  // `time` is nearer to an earlier one.
  std::int64_t PeriodsFromNext(Timestamp time) const;
  std::int64_t period_us() const;

 private:
  // From 0 to 1, of which 1 is none.
  double Random(std::int64_t index) const;
  // How many periods from `from` to `to`.
  double Periods(Timestamp from, Timestamp to) const;
  void FindNext();

  double frame_rate_;
  Jitter jitter_;
  Timestamp base_ = Timestamp(0);
  std::int64_t index_ = 0;  // of next_
  double walked_ = 0;       // how far the walk is from index_, in periods
  Timestamp next_ = Timestamp(0);
};

// A number for a text, the same on every machine.
std::uint64_t SeedOf(absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_SAMPLING_TIMES_H_
