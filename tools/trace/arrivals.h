// Arrivals: when the packets and bounds of a stream were sent, for those who
// look up packets that some reader has not yet taken.
//
// What all readers have behind them is forgotten, but for the last ones: calls
// of one node may overlap, and then packets are not taken in order.
//
// Thread rule: for one thread at a time.
// Tested by node_stats_test.

#ifndef SYNCLINE_TOOLS_TRACE_ARRIVALS_H_
#define SYNCLINE_TOOLS_TRACE_ARRIVALS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace syncline {

class Arrivals {
 public:
  struct Arrival {
    // What comes before this timestamp has come.
    std::int64_t bound;
    std::uint64_t tick;
    // A packet came, at the timestamp before the bound.
    bool is_packet;
  };

  explicit Arrivals(int readers) : behind_(readers, kNothing) {}

  void AddPacket(std::int64_t timestamp, std::uint64_t tick) {
    Add({After(timestamp), tick, true});
  }
  void AddBound(std::int64_t bound, std::uint64_t tick) {
    Add({bound, tick, false});
  }
  // The reader needs nothing that is earlier.
  void Advance(int reader, std::int64_t timestamp) {
    behind_[reader] = std::max(behind_[reader], timestamp);
    if (arrivals_.size() <= kKept) return;
    const std::int64_t all = *std::min_element(behind_.begin(), behind_.end());
    while (arrivals_.size() > kKept && arrivals_.front().bound <= all) {
      arrivals_.pop_front();
    }
  }

  // The packet at this timestamp, or null.
  const Arrival* Packet(std::int64_t timestamp) const {
    const Arrival* const found = Settled(timestamp);
    return found != nullptr && found->is_packet &&
                   found->bound == After(timestamp)
               ? found
               : nullptr;
  }
  // What settled this timestamp: its packet, or the first bound or packet
  // behind it. Null if nothing has.
  const Arrival* Settled(std::int64_t timestamp) const {
    const auto found = std::upper_bound(
        arrivals_.begin(), arrivals_.end(), timestamp,
        [](std::int64_t t, const Arrival& a) { return t < a.bound; });
    return found == arrivals_.end() ? nullptr : &*found;
  }

 private:
  static constexpr std::int64_t kNothing =
      std::numeric_limits<std::int64_t>::min();
  static constexpr std::size_t kKept = 256;

  static std::int64_t After(std::int64_t timestamp) {
    return timestamp == std::numeric_limits<std::int64_t>::max()
               ? timestamp
               : timestamp + 1;
  }
  void Add(const Arrival& arrival) {
    if (behind_.empty()) return;
    if (!arrivals_.empty() && arrival.bound <= arrivals_.back().bound) return;
    arrivals_.push_back(arrival);
  }

  // By reader.
  std::vector<std::int64_t> behind_;
  // In the order of bounds, and of time.
  std::deque<Arrival> arrivals_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_ARRIVALS_H_
