#include "framework/trace/trace_packing.h"

#include <cstdint>

namespace syncline {
namespace {

TraceEvent FirstOf(const TraceEvent& packed) {
  const bool is_begin = packed.kind() == kPackedBegin;
  TraceEvent first = packed;
  first.kind_and_id = TraceEvent::KindAndId(
      is_begin ? TraceKind::kProcessBegin : TraceKind::kProcessEnd,
      packed.id());
  // The number of input sets; the code of the status.
  first.extra = is_begin ? 1 : 0;
  return first;
}

TraceEvent SecondOf(const TraceEvent& packed) {
  const bool is_begin = packed.kind() == kPackedBegin;
  TraceEvent second = packed;
  second.kind_and_id = TraceEvent::KindAndId(
      is_begin ? TraceKind::kTaken : TraceKind::kSent, packed.extra);
  // The port, or nothing.
  second.extra = 0;
  return second;
}

}  // namespace

std::size_t NumUnpacked(absl::Span<const TraceEvent> events) {
  std::size_t count = 0;
  for (const TraceEvent& event : events) count += NumUnpacked(event);
  return count;
}

void Unpack(std::vector<TraceEvent>* events) {
  std::size_t from = events->size();
  std::size_t to = NumUnpacked(*events);
  events->resize(to);
  // From the last one on, so that none is written over before it was read. Once
  // both are at the same place, no packed event is left before it.
  while (from != to) {
    const TraceEvent event = (*events)[--from];
    if (IsPacked(event.kind())) {
      (*events)[--to] = SecondOf(event);
      (*events)[--to] = FirstOf(event);
    } else {
      (*events)[--to] = event;
    }
  }
}

}  // namespace syncline
