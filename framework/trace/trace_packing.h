// Packed events: two events that nearly always come together, as one.
//
// Most calls take one packet and send one, at the time of the call. They note
// two events in place of four, so that a lane has room for twice as many calls
// and writes half as much. Only lanes, and files that were written at a fatal
// signal, have packed events: whoever reads them gets the events that they
// stand for.
//
//   kPackedBegin   kProcessBegin of one input set, then kTaken from port 0, of
//                  a packet with the timestamp of the call
//   kPackedEnd     kProcessEnd of a call that was OK, then kSent of a packet
//                  with the timestamp of the call
//
// `id` and `timestamp` are those of the call, `extra` is the stream.
//
// Thread rule: pure functions.
// Tested by trace_packing_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_PACKING_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_PACKING_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "framework/trace/trace_event.h"

namespace syncline {

inline constexpr auto kPackedBegin = static_cast<TraceKind>(10);
inline constexpr auto kPackedEnd = static_cast<TraceKind>(11);

constexpr bool IsPacked(TraceKind kind) {
  return kind == kPackedBegin || kind == kPackedEnd;
}

// So many events `event` stands for: one, or two where it is packed.
inline std::size_t NumUnpacked(const TraceEvent& event) {
  return IsPacked(event.kind()) ? 2 : 1;
}
// The number for all of them.
std::size_t NumUnpacked(absl::Span<const TraceEvent> events);

// The events that these stand for, in their place.
void Unpack(std::vector<TraceEvent>* events);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_PACKING_H_
