#include "tools/trace/node_stats.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/trace/call_tracker.h"
#include "framework/trace/trace_event.h"
#include "tools/trace/arrivals.h"

namespace syncline {
namespace {

constexpr std::uint32_t kNoNode = TraceEvent::kNoNode;

// A node's input that reads a stream.
struct StreamReader {
  int node;
  int port;
  // Sent, and neither taken nor dropped.
  std::int64_t waiting = 0;
};

// From an event that begins something to one that ends it.
class OnOff {
 public:
  void On(std::uint64_t tick) {
    if (!since_.has_value()) since_ = tick;
  }
  void Off(std::uint64_t tick, Durations* durations) {
    if (!since_.has_value()) return;
    durations->Add(TicksBetween(*since_, tick));
    since_.reset();
  }

 private:
  absl::optional<std::uint64_t> since_;
};

// What a call returns that ends the node in good order: the code of
// StatusStop(), which an error of a calculator seldom has.
constexpr auto kStopCode =
    static_cast<std::uint32_t>(absl::StatusCode::kOutOfRange);

// No tick.
constexpr std::uint64_t kNotTaken = kMaxTraceTick;

// A call that has begun, as long as its inputs are being told.
struct Beginning {
  int node = -1;
  std::int64_t timestamp = 0;
  std::uint64_t tick = 0;
  // By port: when the packet that was taken was sent, or kNotTaken.
  std::vector<std::uint64_t> sent;
};

// Device work that has begun.
struct DeviceWork {
  std::int64_t timestamp;
  std::uint32_t stream;
  std::uint64_t tick;
};
// More has lost its end.
constexpr std::size_t kMaxDeviceWork = 1024;

// Goes over the events; all durations are in ticks until the end.
class StatsCounter {
 public:
  explicit StatsCounter(const Trace& trace)
      : trace_(trace),
        tracker_(trace),
        beginning_(trace.threads.size()),
        busy_since_(trace.threads.size()),
        running_(trace.header.node_size(), 0),
        device_(trace.header.node_size()),
        throttled_(trace.header.node_size()),
        input_throttled_(trace.header.stream_size()),
        readers_(trace.header.stream_size()),
        graph_input_(trace.header.stream_size(), -1) {
    AddNodes();
    AddStreams();
    for (const TraceThread& thread : trace.threads) {
      ThreadStats& stats = stats_.threads.emplace_back();
      stats.name = thread.name;
      stats.tid = thread.tid;
      stats.num_events = static_cast<std::int64_t>(thread.events.size());
      stats.num_lost = thread.num_lost;
    }
  }

  void Add(int thread, const TraceEvent& event) {
    last_tick_ = std::max(last_tick_, event.tick);
    const CallTracker::Step step = tracker_.Add(thread, event);
    if (step.is_after_gap) ForgetCalls(thread);
    for (const CallTracker::Call& call : step.lost) Lose(call);
    if (event.kind() == TraceKind::kTaken) {
      AddTaken(thread, event);
      return;
    }
    CountLastInput(&beginning_[thread]);
    if (step.began != nullptr) {
      Begin(thread, *step.began);
    } else if (step.ended != nullptr) {
      End(thread, event, *step.ended);
    } else {
      AddOther(thread, event);
    }
  }

  TraceStats Finish() {
    for (std::size_t thread = 0; thread < busy_since_.size(); ++thread) {
      CountLastInput(&beginning_[thread]);
      for (const CallTracker::Call& call :
           tracker_.open(static_cast<int>(thread))) {
        Lose(call);
      }
    }
    for (std::size_t node = 0; node < stats_.nodes.size(); ++node) {
      throttled_[node].Off(last_tick_, &stats_.nodes[node].throttled);
      for (std::size_t i = 0; i < full_[node].size(); ++i) {
        full_[node][i].Off(last_tick_, &stats_.nodes[node].inputs[i].full);
      }
    }
    for (std::size_t i = 0; i < input_throttled_.size(); ++i) {
      if (graph_input_[i] < 0) continue;
      input_throttled_[i].Off(last_tick_,
                              &stats_.inputs[graph_input_[i]].throttled);
    }
    ToNanoseconds();
    return std::move(stats_);
  }

 private:
  void AddNodes() {
    for (const TraceFileHeader::Node& node : trace_.header.node()) {
      NodeStats& stats = stats_.nodes.emplace_back();
      stats.name = node.name();
      stats.calculator = node.calculator();
      full_.emplace_back(node.input_stream_size());
      const int number = static_cast<int>(stats_.nodes.size()) - 1;
      for (int port = 0; port < node.input_stream_size(); ++port) {
        const int stream = node.input_stream(port);
        stats.inputs.emplace_back().stream =
            trace_.header.stream(stream).name();
        readers_[stream].push_back({number, port});
      }
    }
  }

  void AddStreams() {
    for (int i = 0; i < trace_.header.stream_size(); ++i) {
      arrivals_.emplace_back(static_cast<int>(readers_[i].size()));
      if (trace_.header.stream(i).producer() >= 0) continue;
      graph_input_[i] = static_cast<int>(stats_.inputs.size());
      stats_.inputs.emplace_back().stream = trace_.header.stream(i).name();
    }
  }

  // The position in readers_[stream], or -1.
  int ReaderOf(std::uint32_t stream, std::uint32_t node) const {
    const std::vector<StreamReader>& readers = readers_[stream];
    for (std::size_t i = 0; i < readers.size(); ++i) {
      if (readers[i].node == static_cast<int>(node)) return static_cast<int>(i);
    }
    return -1;
  }

  void Begin(int thread, const CallTracker::Call& call) {
    NodeStats& node = stats_.nodes[call.node];
    if (call.ready != 0) node.ready.Add(TicksBetween(call.ready, call.begin));
    node.most_at_once = std::max(node.most_at_once, ++running_[call.node]);
    if (tracker_.open(thread).size() == 1) busy_since_[thread] = call.begin;
    if (call.kind != TraceKind::kProcessBegin) return;
    Beginning& beginning = beginning_[thread];
    beginning.node = call.node;
    beginning.timestamp = call.timestamp;
    beginning.tick = call.begin;
    beginning.sent.assign(node.inputs.size(), kNotTaken);
  }

  void AddTaken(int thread, const TraceEvent& event) {
    Beginning& beginning = beginning_[thread];
    if (beginning.node < 0 || event.extra >= beginning.sent.size()) return;
    const auto port = static_cast<int>(event.extra);
    std::vector<StreamReader>& readers = readers_[event.id()];
    for (std::size_t i = 0; i < readers.size(); ++i) {
      if (readers[i].node != beginning.node || readers[i].port != port) {
        continue;
      }
      readers[i].waiting = std::max<std::int64_t>(0, readers[i].waiting - 1);
      const Arrivals::Arrival* const sent =
          arrivals_[event.id()].Packet(event.timestamp);
      if (sent != nullptr) {
        beginning.sent[port] = sent->tick;
        stats_.nodes[beginning.node].inputs[port].in_queue.Add(
            TicksBetween(sent->tick, beginning.tick));
      }
      arrivals_[event.id()].Advance(static_cast<int>(i), event.timestamp);
    }
  }

  // All inputs of the call have been told.
  void CountLastInput(Beginning* beginning) {
    if (beginning->node < 0) return;
    NodeStats& node = stats_.nodes[beginning->node];
    const TraceFileHeader::Node& header = trace_.header.node(beginning->node);
    int last = -1;
    int arrived = 0;
    std::uint64_t last_tick = 0;
    std::uint64_t first_tick = kMaxTraceTick;
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
      std::uint64_t tick = beginning->sent[port];
      if (tick == kNotTaken && node.inputs.size() > 1) {
        const Arrivals::Arrival* const settled =
            arrivals_[header.input_stream(static_cast<int>(port))].Settled(
                beginning->timestamp);
        if (settled != nullptr) tick = settled->tick;
      }
      if (tick > beginning->tick) continue;
      ++arrived;
      first_tick = std::min(first_tick, tick);
      if (last < 0 || tick > last_tick) {
        last = static_cast<int>(port);
        last_tick = tick;
      }
    }
    if (arrived > 1) {
      node.inputs[last].came_last.Add(TicksBetween(first_tick, last_tick));
    } else if (node.inputs.size() > 1) {
      ++node.num_without_last;
    }
    beginning->node = -1;
  }

  void End(int thread, const TraceEvent& event, const CallTracker::Call& call) {
    NodeStats& node = stats_.nodes[call.node];
    if (call.begin_is_known) --running_[call.node];
    ++stats_.threads[thread].calls;
    if (tracker_.open(thread).empty()) EndBusy(thread, event.tick, call.begin);
    if (event.extra != 0 && event.extra != kStopCode) ++node.num_failed;
    if (!call.begin_is_known) {
      ++node.num_incomplete;
      return;
    }
    Durations& durations = call.kind == TraceKind::kOpenBegin    ? node.open
                           : call.kind == TraceKind::kCloseBegin ? node.close
                                                                 : node.process;
    durations.Add(TicksBetween(call.begin, event.tick));
  }

  void EndBusy(int thread, std::uint64_t end, std::uint64_t begin) {
    const std::uint64_t since = busy_since_[thread].value_or(begin);
    stats_.threads[thread].busy =
        SumInRange(stats_.threads[thread].busy,
                   std::max<std::int64_t>(0, TicksBetween(since, end)));
    busy_since_[thread].reset();
  }

  // The end is not known.
  void Lose(const CallTracker::Call& call) {
    --running_[call.node];
    ++stats_.nodes[call.node].num_incomplete;
  }

  // After a gap it is not known what the thread is doing.
  void ForgetCalls(int thread) {
    busy_since_[thread].reset();
    beginning_[thread].node = -1;
  }

  void AddOther(int thread, const TraceEvent& event) {
    const std::uint32_t id = event.id();
    switch (event.kind()) {
      case TraceKind::kSent:
        return AddSent(event);
      case TraceKind::kBound:
        return arrivals_[id].AddBound(event.timestamp, event.tick);
      case TraceKind::kDropped:
        return AddDropped(event);
      case TraceKind::kNotReady:
        ++stats_.nodes[id].num_not_ready;
        return;
      case TraceKind::kQueueFull:
      case TraceKind::kQueueNotFull:
        return AddQueueFull(event);
      case TraceKind::kThrottled:
      case TraceKind::kUnthrottled:
        return AddThrottled(event);
      case TraceKind::kThreadIn:
        ++stats_.threads[thread].wake_ups;
        return;
      case TraceKind::kDeviceBegin:
      case TraceKind::kDeviceEnd:
        return AddDevice(event);
      default:
        return;
    }
  }

  void AddSent(const TraceEvent& event) {
    const std::uint32_t stream = event.id();
    arrivals_[stream].AddPacket(event.timestamp, event.tick);
    if (graph_input_[stream] >= 0) {
      ++stats_.inputs[graph_input_[stream]].packets;
    }
    for (StreamReader& reader : readers_[stream]) {
      ++reader.waiting;
      std::int64_t& most =
          stats_.nodes[reader.node].inputs[reader.port].most_waiting;
      most = std::max(most, reader.waiting);
    }
  }

  void AddDropped(const TraceEvent& event) {
    const std::uint32_t cause = event.extra >> TraceEvent::kIdBits;
    const int i = ReaderOf(event.id(), event.extra & kNoNode);
    if (i < 0 || cause >= kNumDropCauses) return;
    StreamReader& reader = readers_[event.id()][i];
    reader.waiting = std::max<std::int64_t>(0, reader.waiting - 1);
    stats_.nodes[reader.node].inputs[reader.port].dropped.Add(
        static_cast<DropCause>(cause));
    arrivals_[event.id()].Advance(i, event.timestamp);
  }

  void AddQueueFull(const TraceEvent& event) {
    const int i = ReaderOf(event.id(), event.extra & kNoNode);
    if (i < 0) return;
    const StreamReader& reader = readers_[event.id()][i];
    OnOff& full = full_[reader.node][reader.port];
    if (event.kind() == TraceKind::kQueueFull) {
      full.On(event.tick);
    } else {
      full.Off(event.tick, &stats_.nodes[reader.node].inputs[reader.port].full);
    }
  }

  void AddThrottled(const TraceEvent& event) {
    const bool is_input = event.id() == kNoNode;
    if (is_input && graph_input_[event.extra] < 0) return;
    OnOff& throttled =
        is_input ? input_throttled_[event.extra] : throttled_[event.id()];
    if (event.kind() == TraceKind::kThrottled) {
      throttled.On(event.tick);
      return;
    }
    throttled.Off(event.tick,
                  is_input ? &stats_.inputs[graph_input_[event.extra]].throttled
                           : &stats_.nodes[event.id()].throttled);
  }

  void AddDevice(const TraceEvent& event) {
    std::deque<DeviceWork>& work = device_[event.id()];
    if (event.kind() == TraceKind::kDeviceBegin) {
      if (work.size() == kMaxDeviceWork) work.pop_front();
      work.push_back({event.timestamp, event.extra, event.tick});
      return;
    }
    const auto found =
        std::find_if(work.begin(), work.end(), [&event](const DeviceWork& w) {
          return w.timestamp == event.timestamp && w.stream == event.extra;
        });
    if (found == work.end()) return;
    stats_.nodes[event.id()].device.Add(TicksBetween(found->tick, event.tick));
    work.erase(found);
  }

  void ToNanoseconds() {
    const TraceRate rate(trace_);
    stats_.duration = rate.Ns(TicksOfRun(trace_));
    for (NodeStats& node : stats_.nodes) {
      for (Durations* durations :
           {&node.process, &node.open, &node.close, &node.ready, &node.device,
            &node.throttled}) {
        *durations = durations->In(rate);
      }
      for (InputStats& input : node.inputs) {
        input.in_queue = input.in_queue.In(rate);
        input.came_last = input.came_last.In(rate);
        input.full = input.full.In(rate);
      }
    }
    for (GraphInputStats& input : stats_.inputs) {
      input.throttled = input.throttled.In(rate);
    }
    for (ThreadStats& thread : stats_.threads) {
      thread.busy = rate.Ns(thread.busy);
    }
  }

  const Trace& trace_;
  TraceStats stats_;
  CallTracker tracker_;
  std::uint64_t last_tick_ = 0;
  // By thread. No node: nothing has just begun.
  std::vector<Beginning> beginning_;
  // By thread: the begin of its outermost call.
  std::vector<absl::optional<std::uint64_t>> busy_since_;
  // By node.
  std::vector<int> running_;
  std::vector<std::deque<DeviceWork>> device_;
  std::vector<OnOff> throttled_;
  // By node and port.
  std::vector<std::vector<OnOff>> full_;
  // By stream.
  std::vector<OnOff> input_throttled_;
  std::vector<std::vector<StreamReader>> readers_;
  std::vector<Arrivals> arrivals_;
  // By stream: the position in stats_.inputs, or -1.
  std::vector<int> graph_input_;
};

Durations Joined(const Durations& a, const Durations& b) {
  return {a.count + b.count, SumInRange(a.total, b.total),
          std::max(a.max, b.max)};
}

}  // namespace

Durations NodeStats::in_queues() const {
  Durations all;
  for (const InputStats& input : inputs) all = Joined(all, input.in_queue);
  return all;
}

std::int64_t NodeStats::num_dropped() const {
  std::int64_t sum = 0;
  for (const InputStats& input : inputs) sum += input.dropped.total();
  return sum;
}

std::vector<int> TraceStats::ByTime() const {
  std::vector<int> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](int a, int b) {
    return nodes[a].process.total > nodes[b].process.total;
  });
  return order;
}

TraceStats ComputeTraceStats(const Trace& trace) {
  StatsCounter counter(trace);
  ForEachEvent(trace, [&counter](int thread, const TraceEvent& event) {
    counter.Add(thread, event);
  });
  return counter.Finish();
}

}  // namespace syncline
