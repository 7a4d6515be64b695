// LowestTime: the lowest of several times that change one by one.
//
//   LowestTime ready(3);                  all Done()
//   ready.Set(1, Timestamp(20));
//   ready.Set(2, Timestamp(10));          lowest() is 10, index() is 2
//
// It is a tree of matches: a new time plays against its neighbour, the lower of
// the two against the next, up to the root. A change costs log2(size) matches,
// the lowest is there to be read. Of equal times the one with the smaller index
// wins, so the order in which they were set does not matter.
//
// Thread rule: one thread at a time.
// Tested by lowest_time_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_LOWEST_TIME_H_
#define SYNCLINE_FRAMEWORK_POLICY_LOWEST_TIME_H_

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "framework/packet/timestamp.h"

namespace syncline {

class LowestTime {
 public:
  // `size` times, all Done().
  explicit LowestTime(int size)
      : leaves_(static_cast<int>(std::bit_ceil(std::max(size, 1) + 0U))),
        times_(leaves_, Timestamp::Done()),
        winners_(2 * leaves_) {
    std::iota(winners_.begin() + leaves_, winners_.end(), 0);
    for (int match = leaves_ - 1; match >= 1; --match) Play(match);
  }

  void Set(int index, Timestamp time) {
    if (times_[index] == time) return;
    times_[index] = time;
    for (int match = (leaves_ + index) / 2; match >= 1; match /= 2) Play(match);
  }

  Timestamp Get(int index) const { return times_[index]; }
  Timestamp lowest() const { return times_[index()]; }
  // The index of the lowest time.
  int index() const { return winners_[1]; }

 private:
  void Play(int match) {
    const int left = winners_[2 * match];
    const int right = winners_[2 * match + 1];
    winners_[match] = times_[right] < times_[left] ? right : left;
  }

  const int leaves_;  // a power of two
  std::vector<Timestamp> times_;
  // The root is 1, the children of i are 2i and 2i + 1, the leaves come last.
  std::vector<int> winners_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_LOWEST_TIME_H_
