// How many packets of a stream became part of input sets, and when it is worth
// a warning that few did: for policies that match packets of different times.
//
//   MatchCounts counts(0.5);           // at least half should match
//   counts.NoteMatched();
//   counts.NoteUnmatched();
//   if (counts.TakeWarning()) ...      // matched() of total() did
//
// The first look is at the 20th packet, the next at each tenfold from the one
// that was warned of: once and for all, if it gets no worse than rare.
//
// Thread rule: one thread at a time.
// Tested by match_counts_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_MATCH_COUNTS_H_
#define SYNCLINE_FRAMEWORK_POLICY_MATCH_COUNTS_H_

#include <cstdint>

namespace syncline {

class MatchCounts {
 public:
  static constexpr std::int64_t kFewest = 20;

  explicit MatchCounts(double min_share) : min_share_(min_share) {}

  void NoteMatched() { ++matched_; }
  void NoteUnmatched() { ++unmatched_; }

  std::int64_t matched() const { return matched_; }
  std::int64_t total() const { return matched_ + unmatched_; }

  // True if less than the share has matched, when the 20th packet has come, and
  // each time when there are ten times as many packets as at the last warning.
  bool TakeWarning() {
    if (total() < next_warning_) return false;
    if (static_cast<double>(matched_) >=
        min_share_ * static_cast<double>(total())) {
      return false;
    }
    next_warning_ = 10 * total();
    return true;
  }

 private:
  double min_share_;
  std::int64_t matched_ = 0;
  std::int64_t unmatched_ = 0;
  std::int64_t next_warning_ = kFewest;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_MATCH_COUNTS_H_
