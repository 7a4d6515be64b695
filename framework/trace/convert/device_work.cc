#include "framework/trace/convert/device_work.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#include "absl/types/optional.h"
#include "framework/base/hash_map.h"
#include "framework/trace/trace_event.h"

namespace syncline {

DeviceWork::DeviceWork(const Trace& trace, const TraceCalls& calls) {
  Pair(trace);
  if (work_.empty()) return;
  FindCalls(calls);
  ChooseLanes();
}

void DeviceWork::Pair(const Trace& trace) {
  // Device stream, node, timestamp.
  using Key = std::tuple<std::uint32_t, std::int32_t, std::int64_t>;
  HashMap<Key, std::deque<std::size_t>> open;
  HashMap<std::uint32_t, std::uint64_t> last_end;
  absl::optional<std::uint64_t> first_tick;
  std::uint64_t last_tick = 0;
  ForEachEvent(trace, [&](int, const TraceEvent& event) {
    if (!first_tick.has_value()) first_tick = event.tick;
    last_tick = event.tick;
    if (event.kind() != TraceKind::kDeviceBegin &&
        event.kind() != TraceKind::kDeviceEnd) {
      return;
    }
    const auto node = static_cast<std::int32_t>(event.id());
    std::deque<std::size_t>& same = open[{event.extra, node, event.timestamp}];
    if (event.kind() == TraceKind::kDeviceBegin) {
      same.push_back(work_.size());
      work_.push_back({.device_stream = event.extra,
                       .node = node,
                       .timestamp = event.timestamp,
                       .begin = event.tick,
                       .end_is_known = false});
      return;
    }
    if (same.empty()) {
      const auto before = last_end.find(event.extra);
      same.push_back(work_.size());
      work_.push_back(
          {.device_stream = event.extra,
           .node = node,
           .timestamp = event.timestamp,
           .begin = before == last_end.end() ? *first_tick : before->second,
           .begin_is_known = false});
    }
    Work& work = work_[same.front()];
    same.pop_front();
    work.end = event.tick;
    work.end_is_known = true;
    last_end[event.extra] = event.tick;
  });
  for (Work& work : work_) {
    if (!work.end_is_known) work.end = last_tick;
  }
}

void DeviceWork::FindCalls(const TraceCalls& calls) {
  // In the order of their begins: one of each run of the graph.
  HashMap<std::pair<std::int32_t, std::int64_t>, std::vector<std::int32_t>>
      found;
  for (const Work& work : work_) found[{work.node, work.timestamp}];
  for (std::size_t i = 0; i < calls.calls().size(); ++i) {
    const TracedCall& call = calls.calls()[i];
    if (call.kind != TraceKind::kProcessBegin) continue;
    const auto wanted = found.find({call.node, call.timestamp});
    if (wanted == found.end()) continue;
    wanted->second.push_back(static_cast<std::int32_t>(i));
  }
  for (Work& work : work_) {
    for (const std::int32_t call : found[{work.node, work.timestamp}]) {
      if (work.call >= 0 && calls.calls()[call].begin > work.begin) break;
      work.call = call;
    }
  }
}

void DeviceWork::ChooseLanes() {
  std::map<std::uint32_t, std::vector<LaneSpan>> spans;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    spans[work_[i].device_stream].push_back(
        {work_[i].begin, work_[i].end, static_cast<std::int32_t>(i)});
  }
  for (auto& [device_stream, of_stream] : spans) {
    // Only work whose begin is lost is out of order.
    std::stable_sort(
        of_stream.begin(), of_stream.end(),
        [](const LaneSpan& a, const LaneSpan& b) { return a.begin < b.begin; });
    const std::vector<std::int32_t> lanes = LanesApart(of_stream, &ends_);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      work_[of_stream[i].item].lane = lanes[i];
    }
  }
  SortByTick(&ends_);
}

}  // namespace syncline
