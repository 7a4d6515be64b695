// PerfettoEvents: makes the events of a Perfetto trace one after the other.
//
//   events.BeginInstant(track, tick, "dropped frames", "packet");
//   events.Annotate("cause", "the queue was full");
//   events.Add();
//
// Thread rule: for one thread at a time.
// Tested by perfetto_form_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_EVENTS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_EVENTS_H_

#include <algorithm>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "framework/trace/convert/perfetto_packets.h"
#include "framework/trace/trace.h"

namespace syncline {

class PerfettoEvents {
 public:
  // Both outlive this.
  PerfettoEvents(const Trace& trace, PerfettoPackets* packets)
      : trace_(trace),
        packets_(*packets),
        timestamp_(packets->AnnotationName("timestamp")) {}

  // Each begins an event, which Add ends. What it returns is the event.
  PerfettoEvent& Begin(PerfettoEvent::Type type, std::uint64_t track,
                       std::uint64_t tick) {
    event_.type = type;
    event_.track = track;
    // Time does not go back, even if clock points contradict each other.
    last_ns_ = std::max(last_ns_, trace_.Ns(tick));
    event_.ns = last_ns_;
    event_.name = 0;
    event_.category = 0;
    event_.counter = 0;
    event_.correlation = 0;
    event_.flows.clear();
    event_.terminating_flows.clear();
    event_.annotations.clear();
    return event_;
  }
  PerfettoEvent& BeginNamed(PerfettoEvent::Type type, std::uint64_t track,
                            std::uint64_t tick, absl::string_view name,
                            absl::string_view category) {
    Begin(type, track, tick);
    event_.name = packets_.EventName(name);
    event_.category = packets_.CategoryName(category);
    return event_;
  }
  PerfettoEvent& BeginInstant(std::uint64_t track, std::uint64_t tick,
                              absl::string_view name,
                              absl::string_view category) {
    return BeginNamed(PerfettoEvent::kInstant, track, tick, name, category);
  }

  void Annotate(absl::string_view name, std::int64_t number) {
    event_.annotations.push_back({packets_.AnnotationName(name), number, {}});
  }
  // REQUIRES: the text is not empty, and exists until Add.
  void Annotate(absl::string_view name, absl::string_view text) {
    event_.annotations.push_back({packets_.AnnotationName(name), 0, text});
  }
  void Annotate(absl::string_view name, const char* text) {
    Annotate(name, absl::string_view(text));
  }
  void AnnotateTimestamp(std::int64_t timestamp) {
    event_.annotations.push_back({timestamp_, timestamp, {}});
  }
  // How long a call was ready before it began.
  void AnnotateWaited(std::int64_t ns) {
    if (waited_ == 0) waited_ = packets_.AnnotationName("waited_ns");
    event_.annotations.push_back({waited_, ns, {}});
  }
  std::uint64_t CallCategory() {
    if (call_ == 0) call_ = packets_.CategoryName("call");
    return call_;
  }
  // Says which end of a bar is a guess.
  void AnnotateUnknown(bool begin_is_known, bool end_is_known) {
    if (!begin_is_known) Annotate("begin", "not known");
    if (!end_is_known) Annotate("end", "not known");
  }

  void Add() { packets_.AddEvent(event_); }

 private:
  const Trace& trace_;
  PerfettoPackets& packets_;
  // The numbers of names that millions of events have; 0: no event so far.
  const std::uint64_t timestamp_;
  std::uint64_t waited_ = 0;
  std::uint64_t call_ = 0;
  std::int64_t last_ns_ = 0;
  PerfettoEvent event_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PERFETTO_EVENTS_H_
