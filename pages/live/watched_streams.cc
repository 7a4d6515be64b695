#include "pages/live/watched_streams.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "pages/live/packet_view.h"

namespace syncline {

WatchedStreams::Seen WatchedStreams::Ask(int stream, absl::Time now) {
  Stream& asked_for = streams_[stream];
  asked_for.asked = now;
  Seen seen = asked_for.seen;
  if (streams_.size() > kMost) {
    const auto oldest = std::min_element(
        streams_.begin(), streams_.end(), [](const auto& a, const auto& b) {
          return a.second.asked < b.second.asked;
        });
    oldest->second.asked = absl::InfinitePast();
  }
  return seen;
}

std::shared_ptr<const PacketView> WatchedStreams::See(
    int stream, std::shared_ptr<const PacketView> view, absl::Time now) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return view;
  found->second.seen.number = ++num_seen_;
  found->second.seen_at = now;
  return std::exchange(found->second.seen.view, std::move(view));
}

std::vector<int> WatchedStreams::TakeOld(absl::Time now) {
  std::vector<int> old;
  for (const auto& [id, stream] : streams_) {
    if (now - stream.asked >= kPatience) old.push_back(id);
  }
  for (const int stream : old) streams_.erase(stream);
  return old;
}

void WatchedStreams::StopAsking() {
  for (auto& [id, stream] : streams_) stream.asked = absl::InfinitePast();
}

std::vector<int> WatchedStreams::NotSeenSince(absl::Time time) const {
  std::vector<int> ids;
  for (const auto& [id, stream] : streams_) {
    if (stream.seen_at <= time) ids.push_back(id);
  }
  return ids;
}

}  // namespace syncline
