// How many packets of a stream became part of input sets, and when it is worth
// a warning that few did: for policies that match packets of different times.
//
//   MatchCounts counts(0.5);           // at least half should match
//   counts.NoteMatched();
//   counts.NoteUnmatched();
//   if (counts.TakeWarning()) ...      // matched() of total() did
//
// The first warning comes at the 20th packet or later, each further one when
// there are at least ten times as many packets as at the warning before.
//
// MatchingPolicy is what such policies have in common: they see every packet
// and every bound, drop what matched nothing, and report streams of which too
// few packets matched.
//
// Thread rule: one thread at a time.
// Tested by match_counts_test; the policy, by latest_policy_test and
// approximate_time_policy_test.

#ifndef SYNCLINE_FRAMEWORK_POLICY_MATCH_COUNTS_H_
#define SYNCLINE_FRAMEWORK_POLICY_MATCH_COUNTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"

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

class MatchingPolicy : public InputPolicy {
 public:
  bool SeesEveryPacket() const override { return true; }
  bool SeesEveryBound() const override { return true; }
  bool DropsPackets() const override { return true; }
  absl::optional<MatchReport> TakeReport() override {
    if (to_report_.empty()) return absl::nullopt;
    const int port = to_report_.back();
    to_report_.pop_back();
    return MatchReport{.port = port,
                       .matched = matches_[port].matched(),
                       .total = matches_[port].total()};
  }

 protected:
  MatchingPolicy(const PolicyPorts& ports, double min_match_share)
      : queues_(ports.queues),
        size_(static_cast<int>(ports.queues.size())),
        process_timestamp_bounds_(ports.process_timestamp_bounds),
        matches_(size_, MatchCounts(min_match_share)) {}

  // The first packet of the port is taken.
  void NoteMatched(int port) { matches_[port].NoteMatched(); }
  // It matched nothing.
  void DropFront(int port) {
    queues_[port].DropFront(DropCause::kUnmatched);
    matches_[port].NoteUnmatched();
    if (matches_[port].TakeWarning()) to_report_.push_back(port);
  }
  void DropAll(int port) {
    while (!queues_[port].empty()) DropFront(port);
  }

  const absl::Span<InputQueue> queues_;
  const int size_;
  const bool process_timestamp_bounds_;
  Timestamp last_taken_ = Timestamp::Unstarted();

 private:
  std::vector<MatchCounts> matches_;  // by port
  std::vector<int> to_report_;        // ports
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_MATCH_COUNTS_H_
