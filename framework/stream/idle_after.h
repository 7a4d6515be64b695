// The arithmetic of idle_after: a stream S of a node counts as settled at time
// T once another stream R has come further than T + gap.
//
//   gap 100, bound of R 1050    S is settled below 950: its bound is at least
//                               950, as if its producer had said so
//
// R's bound is what its own producer says, with packets and bounds. So no chain
// of idle streams has to be followed, and two streams may name each other.
//
// Only bounds in the ordinary range count. PreStream says nothing of time, and
// the end of R must not: packets of S that are still on their way would all be
// late. So after the end of R the node waits for S as it does without
// idle_after.
//
// Thread rule: pure functions.
// Tested by idle_after_test.

#ifndef SYNCLINE_FRAMEWORK_STREAM_IDLE_AFTER_H_
#define SYNCLINE_FRAMEWORK_STREAM_IDLE_AFTER_H_

#include <cstdint>

#include "framework/packet/timestamp.h"

namespace syncline {

// The bound of S that follows from `bound`, the bound of R; Unset() if none
// follows. REQUIRES: gap > 0.
inline Timestamp BoundBehind(Timestamp bound, std::int64_t gap) {
  if (!bound.IsRangeValue()) return Timestamp::Unset();
  // Unsigned: the distance may be larger than the largest time. Nothing is
  // before Min, and PreStream stays possible until something is settled.
  const std::uint64_t distance =
      static_cast<std::uint64_t>(bound.Value()) -
      static_cast<std::uint64_t>(Timestamp::Min().Value());
  if (distance <= static_cast<std::uint64_t>(gap)) return Timestamp::Unset();
  return Timestamp::CreateNoErrorChecking(bound.Value() - gap);
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_STREAM_IDLE_AFTER_H_
