// Why a packet that reached an input of a node was seen by no call of it.
//
// Thread rule: plain data.
// Tested by drop_cause_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_DROP_CAUSE_H_
#define SYNCLINE_FRAMEWORK_STREAM_DROP_CAUSE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

enum class DropCause : std::uint8_t {
  // The packet came after the node was closed, or waited when the node was
  // closed. The rule of its input policy says when a node closes while packets
  // can still come.
  kAfterClose,
  kAtClose,
  // Nothing could happen any more in the run, and the packet still waited for
  // packets of other streams.
  kAtEnd,
  // A call took a later input set.
  kSkipped,
  // The rule of the node's input policy dropped it.
  kByPolicy,
  // The run failed or was cancelled before the call for this packet.
  kRunFailed,
  // Its timestamp was below the bound. That is an error of the run.
  kGoesBack,
  // The input policy joins packets of different times, and it matched none.
  kUnmatched,
  // idle_after, or a timeout of the input policy, had settled its timestamp
  // before it came.
  kLate,
  // The queue was full, and its queue_policy is POP, REJECT or FAULT.
  kQueueFull,
};
inline constexpr std::size_t kNumDropCauses = 10;

// The cause as it stands after a number of packets: "came after the node was
// closed".
absl::string_view DropCauseText(DropCause cause);

// How many packets were dropped, by cause.
class DropCounts {
 public:
  std::int64_t of(DropCause cause) const {
    return counts_[static_cast<std::size_t>(cause)];
  }
  std::int64_t total() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  }
  void Add(DropCause cause, std::int64_t count = 1) {
    counts_[static_cast<std::size_t>(cause)] += count;
  }

 private:
  std::array<std::int64_t, kNumDropCauses> counts_{};
};

// "3 packets of "a" (2 came after the node was closed, 1 ...)", where `stream`
// is a; "" if there are none.
std::string DroppedText(const DropCounts& counts, absl::string_view stream);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_DROP_CAUSE_H_
