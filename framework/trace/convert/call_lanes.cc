#include "framework/trace/convert/call_lanes.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <set>
#include <utility>

namespace syncline {
namespace {

// The last tick before each gap of a thread, and its last tick.
std::vector<std::uint64_t> LastTicks(const TraceThread& thread) {
  std::vector<std::uint64_t> ticks;
  std::uint64_t last = 0;
  bool is_first = true;
  for (const TraceEvents::Piece& piece : thread.events.pieces()) {
    if (!is_first && piece.lost_before > 0) ticks.push_back(last);
    last = piece.events.back().tick;
    is_first = false;
  }
  return ticks;
}

// The bars of one lane that are open, the innermost last, and the ends so far.
struct Lane {
  std::vector<std::int32_t> open;
  std::vector<LaneEnd> ends;
};

}  // namespace

std::vector<std::int32_t> LanesApart(const std::vector<LaneSpan>& spans,
                                     std::vector<LaneEnd>* ends) {
  using Busy = std::pair<std::uint64_t, std::int32_t>;  // until when, the lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::set<std::int32_t> free;
  std::vector<std::vector<LaneEnd>> ends_of_lanes;
  std::vector<std::int32_t> lanes;
  lanes.reserve(spans.size());
  for (const LaneSpan& span : spans) {
    while (!busy.empty() && busy.top().first <= span.begin) {
      free.insert(busy.top().second);
      busy.pop();
    }
    if (free.empty()) {
      free.insert(static_cast<std::int32_t>(ends_of_lanes.size()));
      ends_of_lanes.emplace_back();
    }
    const std::int32_t lane = *free.begin();
    free.erase(free.begin());
    busy.push({span.end, lane});
    lanes.push_back(lane);
    ends_of_lanes[lane].push_back({span.begin, span.item, false});
    ends_of_lanes[lane].push_back({span.end, span.item, true});
  }
  for (const std::vector<LaneEnd>& lane : ends_of_lanes) {
    ends->insert(ends->end(), lane.begin(), lane.end());
  }
  return lanes;
}

// The ends of each lane are in order already, and there are few lanes: merging
// them takes less time than sorting.
void SortByTick(std::vector<LaneEnd>* ends) {
  const auto is_before = [](const LaneEnd& a, const LaneEnd& b) {
    return a.tick < b.tick;
  };
  // Where the parts in order begin, and the end of the last one.
  std::vector<std::vector<LaneEnd>::iterator> parts = {ends->begin()};
  while (parts.back() != ends->end()) {
    parts.push_back(std::is_sorted_until(parts.back(), ends->end(), is_before));
  }
  while (parts.size() > 2) {
    std::size_t kept = 1;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      if (i + 2 < parts.size()) {
        std::inplace_merge(parts[i], parts[i + 1], parts[i + 2], is_before);
      }
      parts[kept++] = parts[std::min(i + 2, parts.size() - 1)];
    }
    parts.resize(kept);
  }
}

CallLanes::CallLanes(const Trace& trace, const TraceCalls& calls) {
  std::vector<std::vector<std::uint64_t>> last_ticks;
  for (const TraceThread& thread : trace.threads) {
    last_ticks.push_back(LastTicks(thread));
  }
  std::vector<std::vector<std::int32_t>> of_thread(trace.threads.size());
  std::vector<std::vector<std::int32_t>> of_node(trace.header.node_size());
  places_.reserve(calls.calls().size());
  for (std::size_t i = 0; i < calls.calls().size(); ++i) {
    const TracedCall& call = calls.calls()[i];
    Place place = {.begin = call.begin, .end = std::max(call.begin, call.end)};
    if (!call.end_is_known) {
      const std::vector<std::uint64_t>& ticks = last_ticks[call.thread];
      const auto gap =
          std::lower_bound(ticks.begin(), ticks.end(), place.begin);
      if (gap != ticks.end()) place.end = std::min(place.end, *gap);
    }
    places_.push_back(place);
    of_thread[call.thread].push_back(static_cast<std::int32_t>(i));
    of_node[call.node].push_back(static_cast<std::int32_t>(i));
  }
  for (std::vector<std::int32_t>& thread : of_thread) {
    lanes_of_threads_.push_back(PlaceOnThread(calls.calls(), &thread));
  }
  SortByTick(&thread_ends_);
  for (const std::vector<std::int32_t>& node : of_node) {
    lanes_of_nodes_.push_back(PlaceOnNode(node));
  }
  SortByTick(&node_ends_);
}

std::int32_t CallLanes::PlaceOnThread(const std::vector<TracedCall>& calls,
                                      std::vector<std::int32_t>* of_thread) {
  // Calls whose begins are lost begin together: those that end last are around
  // the others, and around the call that begins there.
  const auto is_around = [&](std::int32_t a, std::int32_t b) {
    const Place& p = places_[a];
    const Place& q = places_[b];
    if (p.begin != q.begin) return p.begin < q.begin;
    if (calls[a].begin_is_known != calls[b].begin_is_known) {
      return calls[b].begin_is_known;
    }
    return !calls[a].begin_is_known && p.end > q.end;
  };
  if (!std::is_sorted(of_thread->begin(), of_thread->end(), is_around)) {
    std::stable_sort(of_thread->begin(), of_thread->end(), is_around);
  }
  std::vector<Lane> lanes(1);
  const auto end_last = [this](Lane* lane) {
    const std::int32_t last = lane->open.back();
    lane->open.pop_back();
    lane->ends.push_back({places_[last].end, last, true});
  };
  for (const std::int32_t call : *of_thread) {
    Place& place = places_[call];
    for (std::size_t i = 0;; ++i) {
      if (i == lanes.size()) lanes.emplace_back();
      Lane& lane = lanes[i];
      while (!lane.open.empty() &&
             places_[lane.open.back()].end <= place.begin) {
        end_last(&lane);
      }
      if (!lane.open.empty() && places_[lane.open.back()].end < place.end) {
        if (calls[call].end_is_known) continue;
        place.end = places_[lane.open.back()].end;
      }
      place.thread_lane = static_cast<std::int32_t>(i);
      lane.open.push_back(call);
      lane.ends.push_back({place.begin, call, false});
      break;
    }
  }
  for (Lane& lane : lanes) {
    while (!lane.open.empty()) end_last(&lane);
    thread_ends_.insert(thread_ends_.end(), lane.ends.begin(), lane.ends.end());
  }
  return static_cast<std::int32_t>(lanes.size());
}

std::int32_t CallLanes::PlaceOnNode(const std::vector<std::int32_t>& of_node) {
  std::vector<LaneSpan> spans;
  spans.reserve(of_node.size());
  for (const std::int32_t call : of_node) {
    spans.push_back({places_[call].begin, places_[call].end, call});
  }
  const std::vector<std::int32_t> lanes = LanesApart(spans, &node_ends_);
  std::int32_t num_lanes = 1;
  for (std::size_t i = 0; i < of_node.size(); ++i) {
    places_[of_node[i]].node_lane = lanes[i];
    num_lanes = std::max(num_lanes, lanes[i] + 1);
  }
  return num_lanes;
}

}  // namespace syncline
