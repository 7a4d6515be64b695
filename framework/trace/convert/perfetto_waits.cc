#include "framework/trace/convert/perfetto_waits.h"

#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "framework/trace/convert/event_names.h"

namespace syncline {

PerfettoWaits::PerfettoWaits(const TraceFileHeader& header,
                             PerfettoTracks* tracks, PerfettoEvents* events)
    : header_(header),
      tracks_(*tracks),
      events_(*events),
      sources_(header.node_size()),
      inputs_(header.stream_size()),
      conditions_(header.node_size()) {}

void PerfettoWaits::Open(std::uint64_t tick, std::uint64_t parent,
                         absl::string_view track_name, absl::string_view name,
                         absl::string_view category, Bar* bar) {
  if (bar->track == 0) {
    bar->track = tracks_.Add({.parent = parent, .name = track_name});
  }
  bar->is_open = true;
  events_.BeginNamed(PerfettoEvent::kSliceBegin, bar->track, tick, name,
                     category);
}

void PerfettoWaits::Close(std::uint64_t tick, std::uint64_t parent,
                          absl::string_view track_name,
                          absl::string_view category, Bar* bar) {
  if (bar->is_open) {
    events_.Begin(PerfettoEvent::kSliceEnd, bar->track, tick);
  } else {
    if (bar->track == 0) {
      bar->track = tracks_.Add({.parent = parent, .name = track_name});
    }
    events_.BeginInstant(bar->track, tick, absl::StrCat(track_name, " no more"),
                         category);
    events_.AnnotateUnknown(false, true);
  }
  bar->is_open = false;
  events_.Add();
}

void PerfettoWaits::AddThrottled(const TraceEvent& event) {
  const bool is_node = event.id() != TraceEvent::kNoNode;
  Bar& bar = is_node ? sources_[event.id()] : inputs_[event.extra];
  const std::uint64_t parent = tracks_.OfReader(event.id());
  // MediaPipe's files do not say which stream it was.
  const std::string stream =
      is_node ? "" : header_.stream(static_cast<int>(event.extra)).name();
  const std::string name =
      stream.empty() ? "throttled" : absl::StrCat("throttled ", stream);
  if (event.kind() == TraceKind::kUnthrottled) {
    return Close(event.tick, parent, name, "throttle", &bar);
  }
  if (bar.is_open) return;
  Open(event.tick, parent, name, name, "throttle", &bar);
  events_.Add();
}

void PerfettoWaits::AddCondition(const TraceEvent& event) {
  Bar& bar = conditions_[event.id()];
  if (bar.is_open && bar.state == event.extra) return;
  const std::uint64_t parent = tracks_.OfReader(event.id());
  if (bar.is_open) {
    Close(event.tick, parent, "condition", "condition", &bar);
  }
  bar.state = event.extra;
  if (bar.state == kConditionIsReady) return;
  Open(event.tick, parent, "condition", ConditionStateText(bar.state),
       "condition", &bar);
  if (event.timestamp != std::numeric_limits<std::int64_t>::min()) {
    events_.Annotate("until_ns", event.timestamp);
  }
  events_.Add();
}

void PerfettoWaits::EndAll(std::uint64_t tick) {
  for (std::vector<Bar>* bars : {&sources_, &inputs_, &conditions_}) {
    for (Bar& bar : *bars) {
      if (!bar.is_open) continue;
      events_.Begin(PerfettoEvent::kSliceEnd, bar.track, tick);
      events_.AnnotateUnknown(true, false);
      events_.Add();
      bar.is_open = false;
    }
  }
}

}  // namespace syncline
