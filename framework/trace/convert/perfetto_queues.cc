#include "framework/trace/convert/perfetto_queues.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace syncline {

PerfettoQueues::PerfettoQueues(const TraceFileHeader& header,
                               PerfettoTracks* tracks, PerfettoEvents* events)
    : header_(header),
      tracks_(*tracks),
      events_(*events),
      readers_(header.stream_size()) {
  for (int i = 0; i < header.node_size(); ++i) {
    const TraceFileHeader::Node& node = header.node(i);
    for (int port = 0; port < node.input_stream_size(); ++port) {
      readers_[node.input_stream(port)].push_back({i, port});
    }
    queues_.emplace_back(node.input_stream_size());
  }
}

void PerfettoQueues::Taken(std::int32_t node, std::int32_t port) {
  if (port < 0 || port >= header_.node(node).input_stream_size()) return;
  if (At({node, port}).length > 0) return Change({node, port}, -1);
  // A packet was dropped from another queue than Dropped assumed.
  Dropped(header_.node(node).input_stream(port), node);
}

void PerfettoQueues::Dropped(std::int32_t stream, std::int32_t node) {
  // Of several queues of one stream, the trace does not tell which it was.
  const Input* longest = nullptr;
  for (const Input& input : readers_[stream]) {
    if (input.node != node) continue;
    if (longest == nullptr || At(input).length > At(*longest).length) {
      longest = &input;
    }
  }
  if (longest != nullptr && At(*longest).length > 0) Change(*longest, -1);
}

void PerfettoQueues::Change(const Input& input, std::int64_t by) {
  Queue& queue = At(input);
  queue.length += by;
  if (!queue.has_changed) changed_.push_back(input);
  queue.has_changed = true;
}

void PerfettoQueues::EndTick(std::uint64_t tick) {
  for (const Input& input : changed_) {
    Queue& queue = At(input);
    queue.has_changed = false;
    const std::int64_t length = std::max<std::int64_t>(queue.length, 0);
    if (length == queue.shown) continue;
    queue.shown = length;
    if (queue.track == 0) {
      const int stream = header_.node(input.node).input_stream(input.port);
      queue.track = tracks_.Add(
          {.parent = tracks_.OfNode(input.node, 0),
           .name = absl::StrCat("queue ", header_.stream(stream).name()),
           .is_counter = true,
           .rank = input.port});
    }
    events_.Begin(PerfettoEvent::kCounter, queue.track, tick).counter = length;
    events_.Add();
  }
  changed_.clear();
}

}  // namespace syncline
