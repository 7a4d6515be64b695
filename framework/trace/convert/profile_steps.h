// ProfileStep: something that a thread did, as a GraphProfile tells it. The
// steps of a thread become its events once all parts of the profile were read:
// only then it is known which of them belong to one call.
//
// Thread rule: a value.
// Tested by graph_profile_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_STEPS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_STEPS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "framework/trace/trace_event.h"

namespace syncline {

// What tells calls apart.
struct ProfileCallKey {
  TraceKind begin = TraceKind::kNone;
  std::int32_t node = 0;
  std::int64_t timestamp = 0;

  friend bool operator==(const ProfileCallKey& a, const ProfileCallKey& b) {
    return a.begin == b.begin && a.node == b.node && a.timestamp == b.timestamp;
  }
  template <typename H>
  friend H AbslHashValue(H h, const ProfileCallKey& key) {
    return H::combine(std::move(h), key.begin, key.node, key.timestamp);
  }
};

// Something that a thread did, before it is known which event that is.
struct ProfileStep {
  enum Kind {
    kStart,  // of a call, with the packets that it takes
    kFinish,
    kSend,   // a packet of the call
    kOther,  // `event` as it is
  };

  Kind kind = kOther;
  std::int64_t us = 0;
  // Its place among the steps of the thread.
  std::size_t number = 0;
  // Of a kFinish that ends what started earlier: when that was. At one time,
  // the inner calls end first, and before all else.
  absl::optional<std::int64_t> started_us;
  ProfileCallKey call;
  // The start and the finish stand in one event of the profile.
  bool is_whole = false;
  // kOther and kSend: without tick.
  TraceEvent event;
  // kStart: kTaken, without ticks.
  std::vector<TraceEvent> taken;
  // It stands elsewhere now.
  bool is_moved = false;

  bool IsReadyForProcess() const {
    return kind == kOther && event.kind() == TraceKind::kReady &&
           event.extra == 0;
  }
  bool IsBefore(const ProfileStep& other) const {
    if (us != other.us) return us < other.us;
    if (started_us.has_value() != other.started_us.has_value()) {
      return started_us.has_value();
    }
    if (!started_us.has_value()) return number < other.number;
    if (*started_us != *other.started_us) {
      return *started_us > *other.started_us;
    }
    return number > other.number;
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_STEPS_H_
