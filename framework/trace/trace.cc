#include "framework/trace/trace.h"

#include <algorithm>
#include <array>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

using Time = std::int64_t TraceClockPoint::*;

// Rounds down, so that what is linear never goes back.
std::int64_t Interpolated(const TraceClockPoint& from,
                          const TraceClockPoint& to, Time time,
                          std::uint64_t tick) {
  const std::int64_t limit = kMaxTraceTick;
  std::uint64_t product = 0;
  // Mostly the numbers are small, and this is asked for by the million.
  if (tick >= from.tick && to.tick > from.tick && to.*time >= from.*time &&
      !__builtin_mul_overflow(tick - from.tick,
                              static_cast<std::uint64_t>(to.*time) -
                                  static_cast<std::uint64_t>(from.*time),
                              &product)) {
    const std::uint64_t ns = product / (to.tick - from.tick);
    if (ns < kMaxTraceTick) {
      return std::min(from.*time + static_cast<std::int64_t>(ns), limit);
    }
  }
  const auto ticks = static_cast<__int128>(tick) - from.tick;
  const __int128 all_ticks = to.tick > from.tick ? to.tick - from.tick : 1;
  const __int128 all_ns =
      to.tick > from.tick ? static_cast<__int128>(to.*time) - from.*time : 1;
  __int128 ns = ticks * all_ns / all_ticks;
  if (ns * all_ticks > ticks * all_ns) --ns;
  return static_cast<std::int64_t>(
      std::clamp<__int128>(from.*time + ns, -limit, limit));
}

std::int64_t TimeOf(const std::vector<TraceClockPoint>& points, Time time,
                    std::uint64_t tick) {
  if (points.empty()) return static_cast<std::int64_t>(tick);
  if (points.size() == 1) {
    return Interpolated(points[0], points[0], time, tick);
  }
  // The first of the two points between which the tick lies, or which are the
  // nearest to it.
  const TraceClockPoint* from = points.data();
  const TraceClockPoint* to = from + points.size() - 1;
  while (to - from > 1) {
    const TraceClockPoint* const middle = from + (to - from) / 2;
    (tick < middle->tick ? to : from) = middle;
  }
  return Interpolated(*from, *to, time, tick);
}

// What the numbers of events may be. A number may be kNoNode where the kind
// says so.
enum class IdOf { kUnknownKind, kNode, kNodeOrNone, kStream, kExecutor };

constexpr IdOf IdOfKind(TraceKind kind) {
  switch (kind) {
    case TraceKind::kOpenBegin:
    case TraceKind::kOpenEnd:
    case TraceKind::kProcessBegin:
    case TraceKind::kProcessEnd:
    case TraceKind::kCloseBegin:
    case TraceKind::kCloseEnd:
    case TraceKind::kResults:
    case TraceKind::kReady:
    case TraceKind::kNotReady:
    case TraceKind::kCondition:
    case TraceKind::kTimer:
    case TraceKind::kDeviceBegin:
    case TraceKind::kDeviceEnd:
      return IdOf::kNode;
    case TraceKind::kThrottled:
    case TraceKind::kUnthrottled:
      return IdOf::kNodeOrNone;
    case TraceKind::kSent:
    case TraceKind::kTaken:
    case TraceKind::kDropped:
    case TraceKind::kBound:
    case TraceKind::kQueueFull:
    case TraceKind::kQueueNotFull:
      return IdOf::kStream;
    case TraceKind::kThreadIn:
    case TraceKind::kThreadOut:
      return IdOf::kExecutor;
    case TraceKind::kNone:
      break;
  }
  return IdOf::kUnknownKind;
}

class Checker {
 public:
  explicit Checker(const TraceFileHeader& header)
      : nodes_(header.node_size()),
        streams_(header.stream_size()),
        executors_(header.executor_size()) {
    for (int kind = 0; kind < 256; ++kind) {
      id_of_[kind] = IdOfKind(static_cast<TraceKind>(kind));
    }
  }

  absl::Status CheckHeader(const TraceFileHeader& header) const {
    for (const TraceFileHeader::Node& node : header.node()) {
      for (const int stream : node.input_stream()) {
        if (!Has(stream, streams_)) return NoSuch("stream", stream, streams_);
      }
      for (const int stream : node.output_stream()) {
        if (!Has(stream, streams_)) return NoSuch("stream", stream, streams_);
      }
      if (node.has_executor() && !Has(node.executor(), executors_)) {
        return NoSuch("executor", node.executor(), executors_);
      }
    }
    for (const TraceFileHeader::Stream& stream : header.stream()) {
      if (stream.producer() != -1 && !Has(stream.producer(), nodes_)) {
        return NoSuch("node", stream.producer(), nodes_);
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckEvent(const TraceEvent& event) const {
    if (event.tick >= kMaxTraceTick) {
      return absl::DataLossError(
          absl::StrCat("tick ", event.tick, " is too large"));
    }
    const std::uint32_t id = event.id();
    switch (id_of_[static_cast<std::uint8_t>(event.kind())]) {
      case IdOf::kNode:
        return Has(id, nodes_) ? absl::OkStatus() : NoSuch("node", id, nodes_);
      case IdOf::kNodeOrNone:
        if (id == TraceEvent::kNoNode) return CheckStream(event.extra);
        return Has(id, nodes_) ? absl::OkStatus() : NoSuch("node", id, nodes_);
      case IdOf::kExecutor:
        return Has(id, executors_) || id == TraceEvent::kNoNode
                   ? absl::OkStatus()
                   : NoSuch("executor", id, executors_);
      case IdOf::kStream:
        SYNCLINE_RETURN_IF_ERROR(CheckStream(id));
        return CheckQueue(event);
      case IdOf::kUnknownKind:
        break;
    }
    return absl::OkStatus();
  }

 private:
  static bool Has(std::int64_t id, std::int64_t count) {
    return id >= 0 && id < count;
  }
  static absl::Status NoSuch(absl::string_view what, std::int64_t id,
                             std::int64_t count) {
    return absl::DataLossError(absl::StrCat("there is no ", what, " ", id,
                                            ", as the graph has ", count));
  }
  absl::Status CheckStream(std::uint32_t id) const {
    return Has(id, streams_) ? absl::OkStatus()
                             : NoSuch("stream", id, streams_);
  }
  // The node that has the queue of which the event tells.
  absl::Status CheckQueue(const TraceEvent& event) const {
    if (event.kind() != TraceKind::kDropped &&
        event.kind() != TraceKind::kQueueFull &&
        event.kind() != TraceKind::kQueueNotFull) {
      return absl::OkStatus();
    }
    const std::uint32_t node = event.extra & TraceEvent::kNoNode;
    return node == TraceEvent::kNoNode || Has(node, nodes_)
               ? absl::OkStatus()
               : NoSuch("node", node, nodes_);
  }

  const std::int64_t nodes_;
  const std::int64_t streams_;
  const std::int64_t executors_;
  std::array<IdOf, 256> id_of_;
};

absl::Status CheckClockPoints(const std::vector<TraceClockPoint>& points) {
  const auto limit = static_cast<std::int64_t>(kMaxTraceTick);
  std::uint64_t last_tick = 0;
  for (const TraceClockPoint& point : points) {
    if (point.tick < last_tick || point.tick >= kMaxTraceTick ||
        point.steady_ns >= limit || point.steady_ns <= -limit ||
        point.unix_ns >= limit || point.unix_ns <= -limit) {
      return absl::DataLossError(
          absl::StrCat("the clock point at tick ", point.tick,
                       " is out of order, or too far from the others"));
    }
    last_tick = point.tick;
  }
  if (points.empty()) return absl::DataLossError("there is no clock point");
  return absl::OkStatus();
}

// The events of a thread that are still to be visited.
struct Rest {
  TraceEvents::Iterator next;
  TraceEvents::Iterator end;
  int thread;

  // The order of what is visited first.
  bool IsBefore(const Rest& other) const {
    return next->tick != other.next->tick ? next->tick < other.next->tick
                                          : thread < other.thread;
  }
};

}  // namespace

void TraceEvents::Append(absl::Span<const TraceEvent> events,
                         std::int64_t lost_before) {
  lost_ += lost_before;
  if (events.empty()) return;
  pieces_.push_back({events, lost_});
  size_ += events.size();
  lost_ = 0;
}

void SortByTick(std::vector<TraceEvent>* events) {
  std::stable_sort(
      events->begin(), events->end(),
      [](const TraceEvent& a, const TraceEvent& b) { return a.tick < b.tick; });
}

std::int64_t Trace::num_events() const {
  std::int64_t sum = 0;
  for (const TraceThread& thread : threads) {
    sum += static_cast<std::int64_t>(thread.events.size());
  }
  return sum;
}

std::int64_t Trace::num_lost() const {
  std::int64_t sum = num_lost_elsewhere;
  for (const TraceThread& thread : threads) sum += thread.num_lost;
  return sum;
}

std::int64_t Trace::Ns(std::uint64_t tick) const {
  return TimeOf(clock_points, &TraceClockPoint::steady_ns, tick);
}

std::int64_t Trace::UnixNs(std::uint64_t tick) const {
  return TimeOf(clock_points, &TraceClockPoint::unix_ns, tick);
}

absl::Status CheckTrace(const Trace& trace) {
  const Checker checker(trace.header);
  SYNCLINE_RETURN_IF_ERROR(checker.CheckHeader(trace.header));
  SYNCLINE_RETURN_IF_ERROR(CheckClockPoints(trace.clock_points));
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    std::int64_t number = 0;
    for (const TraceEvent& event : trace.threads[i].events) {
      absl::Status status = checker.CheckEvent(event);
      if (!status.ok()) {
        return absl::DataLossError(absl::StrCat("event ", number, " of thread ",
                                                i, ": ", status.message()));
      }
      ++number;
    }
  }
  return absl::OkStatus();
}

void ForEachEvent(
    const Trace& trace,
    absl::FunctionRef<void(int thread, const TraceEvent& event)> visit) {
  std::vector<Rest> heap;
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    const TraceEvents& events = trace.threads[i].events;
    if (events.empty()) continue;
    heap.push_back({events.begin(), events.end(), static_cast<int>(i)});
  }
  // The heap's front is visited first.
  const auto is_after = [](const Rest& a, const Rest& b) {
    return b.IsBefore(a);
  };
  std::make_heap(heap.begin(), heap.end(), is_after);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), is_after);
    Rest& first = heap.back();
    // A thread mostly has several events before another one has its next.
    do {
      visit(first.thread, *first.next);
      ++first.next;
    } while (first.next != first.end &&
             (heap.size() == 1 || first.IsBefore(heap.front())));
    if (first.next == first.end) {
      heap.pop_back();
    } else {
      std::push_heap(heap.begin(), heap.end(), is_after);
    }
  }
}

}  // namespace syncline
