// ReferenceJoin: the written rules of input stream handlers, as plain scans.
//
// Part of the reference run, see reference_run.h. Each rule is one function
// that looks at all that was ever sent to the node and answers: which call is
// due, or until when is nothing known, or is it over. Nothing is remembered
// that could be computed again. It shares no code with the engine.
//
// Thread rule: for one thread.
// Tested by reference_join_test and reference_run_test.

#ifndef SYNCLINE_TESTING_REFERENCE_JOIN_H_
#define SYNCLINE_TESTING_REFERENCE_JOIN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/approximate_time_test_oracle.h"

namespace syncline {

// All that was ever sent on a stream.
struct ReferenceStream {
  std::vector<Packet> packets;
  // Done() when closed.
  Timestamp bound = Timestamp::PreStream();
  Packet header;

  bool IsClosed() const { return bound == Timestamp::Done(); }
};

class ReferenceJoin {
 public:
  enum class State { kWait, kCall, kClose };

  struct Decision {
    State state = State::kWait;
    // Of the call; or up to where nothing can come in.
    Timestamp time;
    // Of several sync sets, the one that is due.
    int set = 0;
  };

  // UNIMPLEMENTED for handlers that this does not know. Everything is borrowed.
  static absl::StatusOr<ReferenceJoin> Create(
      const PlanNode& node, const std::vector<ReferenceStream>& streams);

  // Whether a call is due. May align the streams of TimestampAlign, and drops
  // what the rule says to drop. INVALID_ARGUMENT: a choice of Mux that there is
  // no stream for.
  absl::StatusOr<Decision> Decide();

  // Takes the input set of a call that is due.
  void Take(const Decision& decision, InputStreamSet* inputs);

  // How many input sets are called for together.
  int batch_size() const { return batch_size_; }

  // The times of calls have one order, so that a node which waits knows what
  // comes no more.
  bool PassesBoundsOn() const;

 private:
  enum class Rule {
    kSyncSets,
    kTimestampAlign,
    kBarrier,
    kMux,
    kLatest,
    kApproximateTime,
  };

  struct Port {
    const ReferenceStream* stream = nullptr;
    // How many of the stream's packets are gone: taken or dropped.
    std::size_t taken = 0;
    // TimestampAlign, once aligned. Wider than a TimestampDiff: from Min to Max
    // is further than that.
    __int128 shift = 0;
    // Likewise: what would be earlier is at this time.
    Timestamp not_before = Timestamp::Unset();

    bool IsEmpty() const { return taken == stream->packets.size(); }
    const Packet& Head() const { return stream->packets[taken]; }
    Timestamp Shifted(Timestamp timestamp) const;
    // Of the first packet; else the bound.
    Timestamp Earliest() const;
    // There is nothing, and nothing can come.
    bool IsFinished() const;
  };

  // kLatest.
  struct LatestRule {
    int main = 0;
    absl::optional<std::int64_t> max_age;
    bool requires_all = false;
  };

  // One sync set.
  struct Set {
    std::vector<int> ports;
    Timestamp last_call = Timestamp::Unstarted();
  };

  absl::Status ReadOptions(const PlanNode& node);
  absl::Status ReadLatestOptions(const PlanNode& node);
  absl::Status ReadApproximateTimeOptions(const PlanNode& node);
  Decision DecideSet(const Set& set) const;
  Decision DecideSyncSets() const;
  Decision DecideTimestampAlign();
  Decision DecideBarrier() const;
  absl::StatusOr<Decision> DecideMux();
  Decision DecideLatest();
  absl::StatusOr<Decision> DecideApproximateTime();
  // Of side streams, what the main stream's packet at `now` is called with; may
  // be empty.
  Packet LatestOf(const Port& port, Timestamp now) const;

  Rule rule_ = Rule::kSyncSets;
  std::vector<Port> ports_;
  std::vector<Set> sets_;
  bool process_timestamp_bounds_ = false;
  int batch_size_ = 1;
  int base_ = 0;  // TimestampAlign
  bool is_aligned_ = false;
  LatestRule latest_;
  ApproximateTimeRule approximate_time_;
  int approximate_time_base_ = -1;
  // All sets that there are, once all streams are closed; and the next.
  absl::optional<std::vector<std::vector<std::int64_t>>> approximate_sets_;
  std::size_t next_set_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_REFERENCE_JOIN_H_
