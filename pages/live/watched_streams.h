// WatchedStreams: the streams of which somebody looks at packets, and what was
// last seen of each. A stream that nobody has asked for since kPatience is old,
// and so are the streams that were asked for least lately, if there are more
// than kMost.
//
// Thread rule: a value.
// Tested by watched_streams_test.

#ifndef SYNCLINE_PAGES_LIVE_WATCHED_STREAMS_H_
#define SYNCLINE_PAGES_LIVE_WATCHED_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/time/time.h"
#include "pages/live/packet_view.h"

namespace syncline {

class WatchedStreams {
 public:
  static constexpr absl::Duration kPatience = absl::Seconds(3);
  static constexpr std::size_t kMost = 4;

  // A packet of a stream, the `number`th that was seen of all streams.
  struct Seen {
    std::int64_t number = 0;
    std::shared_ptr<const PacketView> view;
  };

  // What was last seen of the stream, which somebody asks for at this time.
  Seen Ask(int stream, absl::Time now);
  // A packet was seen at this time. Returns what was seen before, or the packet
  // itself if nobody asks for the stream any more: to be released without a
  // lock.
  std::shared_ptr<const PacketView> See(int stream,
                                        std::shared_ptr<const PacketView> view,
                                        absl::Time now);
  // Takes the old streams out, and returns them.
  std::vector<int> TakeOld(absl::Time now);
  // Nobody will ask any more: all streams are old.
  void StopAsking();

  bool empty() const { return streams_.empty(); }
  // The streams of which no packet was seen after this time.
  std::vector<int> NotSeenSince(absl::Time time) const;

 private:
  struct Stream {
    absl::Time asked;
    Seen seen;
    absl::Time seen_at = absl::InfinitePast();
  };

  std::map<int, Stream> streams_;  // by the id in the plan
  std::int64_t num_seen_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_WATCHED_STREAMS_H_
