// SamplingTimes: the output times of a resampler.
//
//   without jitter     first, first + period, first + 2 periods, ...
//   random walk        each a period after the one before, give or take
//   one in a period    somewhere in the i-th period
//
// Without jitter, time i is first + round(i / frame_rate * 1e6) microseconds,
// and the time t belongs to the index floor((t - first) / 1e6 * frame_rate +
// 0.5), both in doubles. So 580,000 us at 25 Hz, which is 14.5 periods, belongs
// to index 14: 0.58 * 25 is a little less than 14.5 in doubles. `first` is the
// time of the index of the first packet, counted from the base, so it is a
// whole number of microseconds before further periods are added.
//
// The random numbers depend only on the seed and the index, and are the same on
// every machine; a random walk adds them up.
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
    double amount = 0;           // 0 to 1, as a part of a period
    bool one_in_period = false;  // else a random walk
    std::uint64_t seed = 0;
  };

  // REQUIRES: frame_rate is above 0, at most a million.
  SamplingTimes(double frame_rate, Jitter jitter)
      : frame_rate_(frame_rate), jitter_(jitter) {}

  // Makes the next time the one nearest to `first`, counted from `base`.
  void Start(Timestamp base, Timestamp first);

  Timestamp next() const { return next_; }
  void Advance();
  // Makes the next time the first one after `time`.
  void AdvancePast(Timestamp time);

  // How many times, if all were a period apart, lie between next() and `time`;
  // negative if `time` is nearer to an earlier time. Halfway between two times,
  // the later one is the nearer one.
  std::int64_t PeriodsFromNext(Timestamp time) const;
  // The whole microseconds of a period; the rest is cut off.
  std::int64_t period_us() const;

 private:
  // A random number from 0 to 1, 1 excluded.
  double Random(std::int64_t index) const;
  // The index, counted from base_, of the time nearest to `time`.
  std::int64_t IndexOf(Timestamp time) const;
  // The number of periods from `from` to `to`.
  double Periods(Timestamp from, Timestamp to) const;
  void FindNext();

  double frame_rate_;
  Jitter jitter_;
  Timestamp base_ = Timestamp(0);
  std::int64_t index_ = 0;  // of next_
  double walked_ = 0;       // how far the walk is from index_, in periods
  Timestamp next_ = Timestamp(0);
};

// A hash of a text, the same on every machine.
std::uint64_t SeedOf(absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_SAMPLING_TIMES_H_
