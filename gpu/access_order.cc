#include "gpu/access_order.h"

#include <algorithm>
#include <cstddef>

namespace syncline::gpu {

void WorkClock::Raise(WorkPosition position) {
  if (position.stream >= numbers_.size()) numbers_.resize(position.stream + 1);
  numbers_[position.stream] =
      std::max(numbers_[position.stream], position.number);
}

bool WorkClock::Merge(const WorkClock& other) {
  if (other.numbers_.size() > numbers_.size()) {
    numbers_.resize(other.numbers_.size());
  }
  bool has_grown = false;
  for (std::size_t i = 0; i < other.numbers_.size(); ++i) {
    if (other.numbers_[i] <= numbers_[i]) continue;
    numbers_[i] = other.numbers_[i];
    has_grown = true;
  }
  return has_grown;
}

StreamId AccessOrder::AddStream() {
  const auto known =
      std::find_if(dropped_.begin(), dropped_.end(),
                   [&](StreamId id) { return host_.Covers(Now(id)); });
  if (known != dropped_.end()) DroppedStreamEnded(*known);
  if (ended_.empty()) {
    streams_.push_back({host_, host_version_});
    return streams_.size() - 1;
  }
  const StreamId id = ended_.back();
  ended_.pop_back();
  const WorkPosition last = Now(id);
  streams_[id] = {host_, host_version_};
  streams_[id].clock.Raise(last);
  return id;
}

void AccessOrder::DropStream(StreamId stream) { dropped_.push_back(stream); }

void AccessOrder::DroppedStreamEnded(StreamId stream) {
  const auto found = std::find(dropped_.begin(), dropped_.end(), stream);
  if (found == dropped_.end()) return;
  dropped_.erase(found);
  ended_.push_back(stream);
}

WorkPosition AccessOrder::Add(StreamId stream) {
  StreamState& state = streams_[stream];
  if (state.host_version != host_version_) {
    state.clock.Merge(host_);
    state.host_version = host_version_;
  }
  const WorkPosition position = {stream, state.clock.Of(stream) + 1};
  state.clock.Raise(position);
  return position;
}

WorkPosition AccessOrder::Now(StreamId stream) const {
  return {stream, streams_[stream].clock.Of(stream)};
}

void AccessOrder::StreamWaits(StreamId stream, const WorkClock& clock) {
  Add(stream);
  streams_[stream].clock.Merge(clock);
}

void AccessOrder::HostWaited(const WorkClock& clock) {
  if (host_.Merge(clock)) ++host_version_;
}

}  // namespace syncline::gpu
