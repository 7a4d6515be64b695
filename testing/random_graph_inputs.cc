// Inputs: what the application does to the graph, and in which order.

#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "framework/packet/timestamp.h"
#include "testing/random_graph_generator.h"

namespace syncline {

RandomGraphGenerator::Events RandomGraphGenerator::EventsOf(
    const std::string& stream) {
  Events events;
  const auto add = [&]() -> RandomCase::InputEvent& {
    events.emplace_back().set_stream(stream);
    return events.back();
  };
  const auto add_packet = [&](std::int64_t time) {
    RandomCase::InputEvent& event = add();
    event.set_packet_at(time);
    event.set_value(Salt());
  };
  if (OneIn(25)) {
    add_packet(OneIn(2) ? Timestamp::PreStream().Value()
                        : Timestamp::PostStream().Value());
  } else {
    std::int64_t time = Below(60) - 10;
    // From Min to a time above 0 is more than a shift can be.
    const bool is_aligned =
        align_bases_.count(stream) + align_others_.count(stream) > 0;
    if (OneIn(25) && !is_aligned) add_packet(Timestamp::Min().Value());
    for (int left = Below(20); left > 0; --left) {
      if (OneIn(4)) {
        add().set_bound(time);
      } else {
        add_packet(time);
      }
      time += 1 + Below(OneIn(3) ? 20 : 4);
    }
    if (OneIn(25)) add_packet(Timestamp::Max().Value());
    if (OneIn(25)) add().set_bound(Timestamp::OneOverPostStream().Value());
  }
  if (OneIn(2)) add().set_close(true);
  return events;
}

// One stream's events in their order, those of several in any.
void RandomGraphGenerator::AddInputEvents() {
  std::map<std::string, Events> waiting;
  for (const std::string& stream : graph_inputs_) {
    Events events = EventsOf(stream);
    if (align_others_.count(stream) > 0) Begin(stream, &events);
    waiting[stream] = std::move(events);
  }
  while (!waiting.empty()) {
    auto next = waiting.begin();
    std::advance(next, Below(static_cast<int>(waiting.size())));
    if (next->second.empty()) {
      waiting.erase(next);
      continue;
    }
    *case_.add_input() = next->second.front();
    next->second.erase(next->second.begin());
  }
}

// Moves the events up to the first packet, or to the close, to the front.
void RandomGraphGenerator::Begin(const std::string& stream, Events* events) {
  while (!events->empty()) {
    const RandomCase::InputEvent event = events->front();
    events->erase(events->begin());
    *case_.add_input() = event;
    if (event.has_packet_at() || event.close()) return;
  }
  RandomCase::InputEvent* const close = case_.add_input();
  close->set_stream(stream);
  close->set_close(true);
}

}  // namespace syncline
