#include "framework/trace/convert/perfetto_form.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/hash_map.h"
#include "framework/base/status_macros.h"
#include "framework/trace/convert/call_lanes.h"
#include "framework/trace/convert/device_work.h"
#include "framework/trace/convert/event_names.h"
#include "framework/trace/convert/packet_flows.h"
#include "framework/trace/convert/perfetto_events.h"
#include "framework/trace/convert/perfetto_packets.h"
#include "framework/trace/convert/perfetto_queues.h"
#include "framework/trace/convert/perfetto_tracks.h"
#include "framework/trace/convert/perfetto_waits.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_runs.h"

namespace syncline {
namespace {

// The numbers in a PacketFlows of the packets that calls took and sent, by
// their position in the calls of the trace.
class FlowNumbers {
 public:
  // Counts these ends.
  FlowNumbers(const TraceCalls& calls, const TraceRuns& runs,
              PacketFlows* flows) {
    std::int32_t number = 0;
    for (const TracedCall& call : calls.calls()) {
      const std::int32_t run = runs.At(call.begin);
      Count(calls.Taken(call), call.first_taken, number, run, flows);
      Count(calls.Sent(call), call.first_sent, number, run, flows);
      ++number;
    }
  }

  const std::int32_t* at(std::int32_t position) const {
    return numbers_.data() + position;
  }

 private:
  void Count(absl::Span<const TracedPacket> packets, std::int32_t first,
             std::int32_t call, std::int32_t run, PacketFlows* flows) {
    const std::size_t end = static_cast<std::size_t>(first) + packets.size();
    if (numbers_.size() < end) numbers_.resize(end);
    std::int32_t* number = numbers_.data() + first;
    for (const TracedPacket& packet : packets) {
      *number = flows->Find(packet.stream, packet.timestamp, run);
      flows->Count(*number++, call);
    }
  }

  std::vector<std::int32_t> numbers_;
};

class Form {
 public:
  Form(const Trace& trace, PerfettoPackets::Write write)
      : trace_(trace),
        calls_(trace),
        runs_(calls_),
        lanes_(trace, calls_),
        work_(trace, calls_),
        packets_(std::move(write)),
        events_(trace, &packets_),
        flows_(FirstPerfettoNumber(trace) + 1),
        flow_numbers_(calls_, runs_, &flows_) {
    for (const TraceClockPoint& point : trace.clock_points) {
      packets_.AddClockSnapshot(point.steady_ns, point.unix_ns);
    }
  }

  absl::Status WriteAll() {
    PerfettoTracks tracks(trace_, lanes_, &packets_);
    PerfettoQueues queues(trace_.header, &tracks, &events_);
    PerfettoWaits waits(trace_.header, &tracks, &events_);
    tracks_ = &tracks;
    queues_ = &queues;
    waits_ = &waits;
    AskForNames();
    CountFlows();
    ForEachEvent(trace_, [this](int thread, const TraceEvent& event) {
      if (event.tick != tick_) AdvanceTo(event.tick);
      now_.push_back({thread, event});
    });
    AdvanceTo(std::numeric_limits<std::uint64_t>::max());
    waits.EndAll(last_tick_);
    AddRemarks();
    return packets_.Finish();
  }

 private:
  struct ThreadEvent {
    int thread;
    TraceEvent event;
  };
  struct NodeNames {
    std::uint64_t process = 0;
    std::uint64_t open = 0;
    std::uint64_t close = 0;
  };

  void AskForNames() {
    for (const TraceFileHeader::Node& node : trace_.header.node()) {
      node_names_.push_back(
          {packets_.EventName(node.name()),
           packets_.EventName(absl::StrCat(node.name(), " Open()")),
           packets_.EventName(absl::StrCat(node.name(), " Close()"))});
    }
  }

  void CountFlows() {
    ForEachEvent(trace_, [this](int, const TraceEvent& event) {
      last_tick_ = event.tick;
      const auto stream = static_cast<std::int32_t>(event.id());
      if (event.kind() == TraceKind::kDropped) {
        flows_.Count(NumberOf(event), PacketFlows::kNoCall);
      } else if (event.kind() == TraceKind::kSent) {
        const std::int32_t packet = NumberOf(event);
        flows_.CountSent(packet);
        if (IsFromApplication(stream)) {
          flows_.Count(packet, PacketFlows::kNoCall);
        }
      }
    });
  }

  // In flows_, of the packet that was sent or dropped.
  std::int32_t NumberOf(const TraceEvent& event) {
    return flows_.Find(static_cast<std::int32_t>(event.id()), event.timestamp,
                       runs_.At(event.tick));
  }
  bool IsFromApplication(std::int32_t stream) const {
    return trace_.header.stream(stream).producer() < 0;
  }
  absl::string_view StreamName(std::uint32_t stream) const {
    return trace_.header.stream(static_cast<int>(stream)).name();
  }

  // --- the events, tick by tick

  // What happened at one tick is written in an order in which packets are sent
  // before they are taken or dropped, also where a simulated clock stands
  // still.
  void AdvanceTo(std::uint64_t tick) {
    for (const ThreadEvent& now : now_) {
      if (now.event.kind() == TraceKind::kSent) AddSent(now.event);
    }
    AddBarsBefore(tick);
    for (const ThreadEvent& now : now_) AddOther(now.thread, now.event);
    queues_->EndTick(tick_);
    now_.clear();
    tick_ = tick;
  }

  void AddSent(const TraceEvent& event) {
    const auto stream = static_cast<std::int32_t>(event.id());
    if (IsFromApplication(stream)) {
      PerfettoEvent& instant = events_.BeginInstant(
          tracks_->application(), event.tick, StreamName(event.id()), "packet");
      events_.AnnotateTimestamp(event.timestamp);
      AddFlow(NumberOf(event), PacketFlows::kNoCall, &instant);
      events_.Add();
    }
    queues_->Sent(stream);
  }

  // `packet`: the number of it in flows_.
  void AddFlow(std::int32_t packet, std::int32_t call, PerfettoEvent* event) {
    const PacketFlows::End end = flows_.Next(packet, call);
    if (end.flow == 0) return;
    (end.is_last ? event->terminating_flows : event->flows).push_back(end.flow);
  }

  // --- calls and the work of devices

  // The begins and ends before the tick that are not written yet.
  void AddBarsBefore(std::uint64_t tick) {
    const auto add = [tick](const std::vector<LaneEnd>& ends, std::size_t* next,
                            auto write) {
      for (; *next < ends.size() && ends[*next].tick < tick; ++*next) {
        write(ends[*next]);
      }
    };
    add(lanes_.thread_ends(), &next_thread_end_, [this](const LaneEnd& end) {
      BeginCallEnd(end,
                   tracks_->OfThread(calls_.calls()[end.item].thread,
                                     lanes_.places()[end.item].thread_lane));
      events_.Add();
    });
    add(lanes_.node_ends(), &next_node_end_, [this](const LaneEnd& end) {
      PerfettoEvent& event = BeginCallEnd(
          end, tracks_->OfNode(calls_.calls()[end.item].node,
                               lanes_.places()[end.item].node_lane));
      if (!end.is_end) AddPacketsOf(end.item, &event);
      events_.Add();
    });
    add(work_.ends(), &next_work_end_,
        [this](const LaneEnd& end) { AddWorkEnd(end); });
  }

  std::uint64_t Correlation(std::int32_t call) const {
    return FirstPerfettoNumber(trace_) + static_cast<std::uint64_t>(call) + 1;
  }

  PerfettoEvent& BeginCallEnd(const LaneEnd& end, std::uint64_t track) {
    const TracedCall& call = calls_.calls()[end.item];
    PerfettoEvent& event = events_.Begin(
        end.is_end ? PerfettoEvent::kSliceEnd : PerfettoEvent::kSliceBegin,
        track, end.tick);
    if (end.is_end) return event;
    const NodeNames& names = node_names_[call.node];
    event.name = call.kind == TraceKind::kOpenBegin    ? names.open
                 : call.kind == TraceKind::kCloseBegin ? names.close
                                                       : names.process;
    event.category = events_.CallCategory();
    event.correlation = Correlation(end.item);
    if (call.kind == TraceKind::kProcessBegin) {
      events_.AnnotateTimestamp(call.timestamp);
    }
    if (call.ready != 0 && call.begin_is_known) {
      events_.AnnotateWaited(trace_.Ns(call.begin) - trace_.Ns(call.ready));
    }
    if (call.status_code != 0) {
      events_.Annotate("status", StatusCodeName(call.status_code));
    }
    events_.AnnotateUnknown(call.begin_is_known, call.end_is_known);
    return event;
  }

  void AddPacketsOf(std::int32_t number, PerfettoEvent* event) {
    const TracedCall& call = calls_.calls()[number];
    const std::int32_t* flow = flow_numbers_.at(call.first_taken);
    for (const TracedPacket& packet : calls_.Taken(call)) {
      AddFlow(*flow, number, event);
      if (flows_.IsSent(*flow++)) queues_->Taken(call.node, packet.port);
    }
    flow = flow_numbers_.at(call.first_sent);
    for (std::int32_t i = 0; i < call.num_sent; ++i) {
      AddFlow(*flow++, number, event);
    }
  }

  void AddWorkEnd(const LaneEnd& end) {
    const DeviceWork::Work& work = work_.work()[end.item];
    std::uint64_t& track = work_tracks_[{work.device_stream, work.lane}];
    if (track == 0) {
      track = tracks_->AddToProcess(PerfettoTracks::LaneName(
          absl::StrCat("device stream ", work.device_stream), work.lane));
    }
    PerfettoEvent& event = events_.Begin(
        end.is_end ? PerfettoEvent::kSliceEnd : PerfettoEvent::kSliceBegin,
        track, end.tick);
    if (!end.is_end) {
      event.name = node_names_[work.node].process;
      event.category = packets_.CategoryName("device");
      if (work.call >= 0) event.correlation = Correlation(work.call);
      events_.AnnotateTimestamp(work.timestamp);
      events_.AnnotateUnknown(work.begin_is_known, work.end_is_known);
    }
    events_.Add();
  }

  // --- everything else

  void AddOther(int thread, const TraceEvent& event) {
    switch (event.kind()) {
      case TraceKind::kDropped:
        return AddDropped(event);
      case TraceKind::kQueueFull:
        return AddQueueLimit("queue full ", event);
      case TraceKind::kQueueNotFull:
        return AddQueueLimit("queue not full ", event);
      case TraceKind::kThrottled:
      case TraceKind::kUnthrottled:
        return waits_->AddThrottled(event);
      case TraceKind::kCondition:
        return waits_->AddCondition(event);
      case TraceKind::kTimer:
        events_.BeginInstant(tracks_->OfReader(event.id()), event.tick, "timer",
                             "condition");
        return events_.Add();
      case TraceKind::kThreadIn:
        return AddThreadTurn("thread in", thread, event);
      case TraceKind::kThreadOut:
        return AddThreadTurn("thread out", thread, event);
      default:
        return;
    }
  }

  void AddDropped(const TraceEvent& event) {
    const auto stream = static_cast<std::int32_t>(event.id());
    const std::uint32_t node = event.extra & TraceEvent::kNoNode;
    PerfettoEvent& instant = events_.BeginInstant(
        tracks_->OfReader(node), event.tick,
        absl::StrCat("dropped ", StreamName(event.id())), "packet");
    events_.AnnotateTimestamp(event.timestamp);
    events_.Annotate("cause",
                     DropCauseName(event.extra >> TraceEvent::kIdBits));
    const std::int32_t packet = NumberOf(event);
    AddFlow(packet, PacketFlows::kNoCall, &instant);
    events_.Add();
    if (node != TraceEvent::kNoNode && flows_.IsSent(packet)) {
      queues_->Dropped(stream, static_cast<std::int32_t>(node));
    }
  }

  void AddQueueLimit(absl::string_view what, const TraceEvent& event) {
    events_.BeginInstant(tracks_->OfReader(event.extra & TraceEvent::kNoNode),
                         event.tick, absl::StrCat(what, StreamName(event.id())),
                         "queue");
    events_.Add();
  }

  void AddThreadTurn(absl::string_view name, int thread,
                     const TraceEvent& event) {
    events_.BeginInstant(tracks_->OfThread(thread, 0), event.tick, name,
                         "thread");
    if (event.id() != TraceEvent::kNoNode) {
      const std::string& executor =
          trace_.header.executor(static_cast<int>(event.id()));
      events_.Annotate("executor", executor.empty()
                                       ? "default"
                                       : absl::string_view(executor));
    }
    events_.Add();
  }

  // What is to be said of the trace as a whole.
  void AddRemarks() {
    for (std::size_t i = 0; i < trace_.threads.size(); ++i) {
      if (trace_.threads[i].num_lost == 0) continue;
      events_.BeginInstant(tracks_->OfThread(static_cast<int>(i), 0),
                           last_tick_, "lost events", "trace");
      events_.Annotate("events", trace_.threads[i].num_lost);
      events_.Add();
    }
    if (!trace_.is_cut_off) return;
    events_.BeginInstant(tracks_->process(), last_tick_, "the trace is cut off",
                         "trace");
    events_.Add();
  }

  const Trace& trace_;
  const TraceCalls calls_;
  const TraceRuns runs_;
  const CallLanes lanes_;
  const DeviceWork work_;
  PerfettoPackets packets_;
  PerfettoEvents events_;
  PacketFlows flows_;
  const FlowNumbers flow_numbers_;
  // While WriteAll runs.
  PerfettoTracks* tracks_ = nullptr;
  PerfettoQueues* queues_ = nullptr;
  PerfettoWaits* waits_ = nullptr;

  std::vector<NodeNames> node_names_;
  // By device stream and lane.
  HashMap<std::pair<std::uint32_t, std::int32_t>, std::uint64_t> work_tracks_;

  std::uint64_t last_tick_ = 0;
  std::uint64_t tick_ = 0;
  // The events of tick_.
  std::vector<ThreadEvent> now_;
  std::size_t next_thread_end_ = 0;
  std::size_t next_node_end_ = 0;
  std::size_t next_work_end_ = 0;
};

}  // namespace

absl::Status WritePerfetto(
    const Trace& trace,
    absl::FunctionRef<absl::Status(absl::string_view piece)> write) {
  SYNCLINE_RETURN_IF_ERROR(CheckTrace(trace));
  return Form(trace, write).WriteAll();
}

}  // namespace syncline
