#include "framework/trace/convert/graph_profile_builder.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

using CalculatorTrace = GraphTrace::CalculatorTrace;
using StreamTrace = GraphTrace::StreamTrace;

// In place of a node.
constexpr std::int32_t kApplication = -1;
// Results that come late are mostly of one of the last calls.
constexpr std::ptrdiff_t kMaxLookBack = 1000;

// The numbers next to the least and the greatest are special timestamps.
constexpr std::int64_t kNumSpecial = 4;

bool IsRegular(std::int64_t timestamp) {
  return timestamp >= std::numeric_limits<std::int64_t>::min() + kNumSpecial &&
         timestamp <= std::numeric_limits<std::int64_t>::max() - kNumSpecial;
}

std::int64_t WrappingDifference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) -
                                   static_cast<std::uint64_t>(b));
}

// Rounds down, so that equal times stay equal.
std::int64_t ToUs(std::int64_t ns) {
  return ns >= 0 ? ns / 1000 : -((-ns + 999) / 1000);
}

// The begin of the call that `end` ends; kNone if it is no end.
TraceKind BeginOf(TraceKind end) {
  switch (end) {
    case TraceKind::kOpenEnd:
      return TraceKind::kOpenBegin;
    case TraceKind::kProcessEnd:
      return TraceKind::kProcessBegin;
    case TraceKind::kCloseEnd:
      return TraceKind::kCloseBegin;
    default:
      return TraceKind::kNone;
  }
}

GraphTrace::EventType TypeOfCall(TraceKind begin) {
  return begin == TraceKind::kOpenBegin    ? GraphTrace::OPEN
         : begin == TraceKind::kCloseBegin ? GraphTrace::CLOSE
                                           : GraphTrace::PROCESS;
}

// Streams are numbered from 1 in a profile; 0 is none.
std::int32_t NumberInProfile(std::uint32_t stream) {
  return static_cast<std::int32_t>(stream) + 1;
}

void FillStream(std::uint32_t stream, std::int64_t timestamp,
                std::int64_t event_data, StreamTrace* trace) {
  trace->set_packet_timestamp(timestamp);
  trace->set_stream_id(NumberInProfile(stream));
  trace->set_event_data(event_data);
}

}  // namespace

GraphProfileBuilder::GraphProfileBuilder(const TraceFileHeader& header,
                                         GraphProfileOptions options)
    : header_(header),
      options_(std::move(options)),
      profiles_(header_, options_),
      packets_(CountReaders(header_)),
      readers_(header_.stream_size()),
      base_time_us_(options_.base_time_us),
      base_timestamp_(options_.base_timestamp) {
  for (int i = 0; i < header_.node_size(); ++i) {
    const TraceFileHeader::Node& node = header_.node(i);
    for (int port = 0; port < node.input_stream_size(); ++port) {
      readers_[node.input_stream(port)].push_back({i, port});
    }
    queues_.emplace_back(node.input_stream_size());
  }
}

std::vector<int> GraphProfileBuilder::CountReaders(
    const TraceFileHeader& header) {
  std::vector<int> readers(header.stream_size());
  for (const TraceFileHeader::Node& node : header.node()) {
    for (const int stream : node.input_stream()) ++readers[stream];
  }
  return readers;
}

absl::Status GraphProfileBuilder::Add(const Trace& trace) {
  if (trace.header.node_size() != header_.node_size() ||
      trace.header.stream_size() != header_.stream_size()) {
    return absl::DataLossError(absl::StrCat(
        "a trace of a graph of ", trace.header.node_size(), " nodes and ",
        trace.header.stream_size(), " streams goes on where it was of one of ",
        header_.node_size(), " and ", header_.stream_size()));
  }
  SYNCLINE_RETURN_IF_ERROR(CheckTrace(trace));
  SetClock(trace);
  threads_.resize(std::max(threads_.size(), trace.threads.size()));
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    const std::vector<TraceEvents::Piece>& pieces =
        trace.threads[i].events.pieces();
    threads_[i].next_piece = pieces.data();
    threads_[i].last_piece = pieces.data() + pieces.size();
  }
  ForEachEvent(trace, [&](int number, const TraceEvent& event) {
    Thread& thread = threads_[number];
    if (thread.number < 0) thread.number = num_numbered_threads_++;
    EnterPiece(event, &thread);
    const std::int64_t us = Us(trace, event.tick);
    newest_us_ = std::max(newest_us_, us);
    AddEvent(event, us, &thread);
  });
  for (Thread& thread : threads_) thread.next_piece = thread.last_piece;
  return absl::OkStatus();
}

void GraphProfileBuilder::SetClock(const Trace& trace) {
  const TraceClockPoint& point = trace.clock_points.front();
  if (!steady_to_unix_ns_.has_value()) {
    steady_to_unix_ns_ = point.unix_ns - point.steady_ns;
    newest_us_ = ToUs(point.unix_ns);
  }
  if (base_time_us_.has_value()) return;
  absl::optional<std::uint64_t> first;
  for (const TraceThread& thread : trace.threads) {
    if (thread.events.empty()) continue;
    first = std::min(first.value_or(thread.events.front().tick),
                     thread.events.front().tick);
  }
  base_time_us_ = Us(trace, first.value_or(point.tick));
}

std::int64_t GraphProfileBuilder::Us(const Trace& trace,
                                     std::uint64_t tick) const {
  return ToUs(trace.Ns(tick) + *steady_to_unix_ns_);
}

void GraphProfileBuilder::SeeTimestamp(std::int64_t timestamp) {
  if (base_timestamp_.has_value() || !IsRegular(timestamp)) return;
  least_timestamp_ = std::min(least_timestamp_.value_or(timestamp), timestamp);
}

// --- events

// After a gap it is not known what the thread is doing.
void GraphProfileBuilder::EnterPiece(const TraceEvent& event, Thread* thread) {
  if (thread->next_piece == thread->last_piece ||
      &event != thread->next_piece->events.data()) {
    return;
  }
  if (thread->next_piece->lost_before > 0) {
    for (Call& call : thread->open) GiveUp(&call);
    thread->open.clear();
    thread->sender = nullptr;
  }
  ++thread->next_piece;
}

void GraphProfileBuilder::AddEvent(const TraceEvent& event, std::int64_t us,
                                   Thread* thread) {
  const auto node = static_cast<std::int32_t>(event.id());
  switch (event.kind()) {
    case TraceKind::kOpenBegin:
    case TraceKind::kProcessBegin:
    case TraceKind::kCloseBegin:
      return BeginCall(event, us, thread);
    case TraceKind::kOpenEnd:
    case TraceKind::kProcessEnd:
    case TraceKind::kCloseEnd:
      return EndCall(event, us, thread);
    case TraceKind::kResults:
      return FindSender(event, us, thread);
    case TraceKind::kReady:
      if (event.extra == 0) {
        Keep(NewInstant(GraphTrace::READY_FOR_PROCESS, node, us, *thread));
      } else if (event.extra == 2) {
        Keep(NewInstant(GraphTrace::READY_FOR_CLOSE, node, us, *thread));
      }
      return;
    case TraceKind::kNotReady:
      return Keep(NewInstant(GraphTrace::NOT_READY, node, us, *thread));
    case TraceKind::kTaken:
      return AddTaken(event, us, thread);
    case TraceKind::kDropped:
      return AddDropped(event);
    case TraceKind::kSent:
      return AddSent(event, us, thread);
    case TraceKind::kThrottled:
    case TraceKind::kUnthrottled:
      return AddThrottled(event, us, thread);
    case TraceKind::kDeviceBegin:
    case TraceKind::kDeviceEnd:
      return AddWork(event, us, thread);
    default:
      return;
  }
}

// --- calls

void GraphProfileBuilder::BeginCall(const TraceEvent& event, std::int64_t us,
                                    Thread* thread) {
  if (event.kind() == TraceKind::kProcessBegin) SeeTimestamp(event.timestamp);
  Call call;
  call.begin_kind = event.kind();
  call.node = static_cast<std::int32_t>(event.id());
  call.timestamp = event.timestamp;
  call.begin_us = us;
  call.record = NewCallRecord(call, *thread);
  call.record->event.set_start_time(us);
  call.record->time_us = us;
  thread->open.push_back(std::move(call));
  thread->sender = nullptr;
}

void GraphProfileBuilder::EndCall(const TraceEvent& event, std::int64_t us,
                                  Thread* thread) {
  const TraceKind begin_kind = BeginOf(event.kind());
  auto found = thread->open.rbegin();
  while (found != thread->open.rend() &&
         (found->node != static_cast<std::int32_t>(event.id()) ||
          found->begin_kind != begin_kind)) {
    ++found;
  }
  Call call;
  if (found == thread->open.rend()) {
    call.begin_kind = begin_kind;
    call.node = static_cast<std::int32_t>(event.id());
    call.timestamp = event.timestamp;
    call.begin_us = us;
    call.begin_is_known = false;
    call.record = NewCallRecord(call, *thread);
    call.record->time_us = us;
  } else {
    // The ends of calls within this one are missing.
    const auto position = std::prev(found.base());
    std::for_each(std::next(position), thread->open.end(),
                  [this](Call& inner) { GiveUp(&inner); });
    call = std::move(*position);
    thread->open.erase(position, thread->open.end());
    CountEnd(call, us);
  }
  if (options_.instant_events && call.begin_is_known) {
    if (!call.has_start) Keep(call.record);
    call.record = NewCallRecord(call, *thread);
    call.record->time_us = us;
  }
  call.record->event.set_finish_time(us);
  call.record->origin_us = call.origin_us.value_or(call.begin_us);
  Keep(call.record);
  thread->sender = std::move(call.record);
}

void GraphProfileBuilder::CountEnd(const Call& call, std::int64_t end_us) {
  NodeProfile& profile = profiles_.Of(call.node);
  const std::int64_t runtime =
      std::max<std::int64_t>(end_us - call.begin_us, 0);
  if (call.begin_kind == TraceKind::kOpenBegin) {
    profile.open_us += runtime;
  } else if (call.begin_kind == TraceKind::kCloseBegin) {
    profile.close_us += runtime;
  } else {
    profile.process.Add(runtime, options_);
    if (!call.origin_us.has_value()) return;
    profile.input_latency.Add(call.begin_us - *call.origin_us, options_);
    profile.output_latency.Add(end_us - *call.origin_us, options_);
  }
}

void GraphProfileBuilder::GiveUp(Call* call) {
  if (!options_.instant_events || !call->has_start) Keep(call->record);
}

void GraphProfileBuilder::FindSender(const TraceEvent& event, std::int64_t us,
                                     Thread* thread) {
  const std::ptrdiff_t look_back =
      std::min(kMaxLookBack, static_cast<std::ptrdiff_t>(kept_.size()));
  const auto last = kept_.rbegin() + look_back;
  const auto found =
      std::find_if(kept_.rbegin(), last, [&event](const RecordPtr& record) {
        return record->event.event_type() == GraphTrace::PROCESS &&
               record->event.node_id() ==
                   static_cast<std::int32_t>(event.id()) &&
               record->event.input_timestamp() == event.timestamp &&
               record->event.has_finish_time();
      });
  if (found != last) {
    thread->sender = *found;
    return;
  }
  // An earlier part has the call, or its end is lost.
  Call call;
  call.begin_kind = TraceKind::kProcessBegin;
  call.node = static_cast<std::int32_t>(event.id());
  call.timestamp = event.timestamp;
  thread->sender = NewCallRecord(call, *thread);
  thread->sender->event.set_finish_time(us);
  thread->sender->origin_us = us;
  thread->sender->is_captured = true;
}

// --- packets

void GraphProfileBuilder::AddTaken(const TraceEvent& event, std::int64_t us,
                                   Thread* thread) {
  SeeTimestamp(event.timestamp);
  const auto stream = static_cast<std::int32_t>(event.id());
  const SentPacket* const sent = packets_.Take(stream, event.timestamp);
  if (thread->open.empty()) return;
  Call& call = thread->open.back();
  const TraceFileHeader::Node& node = header_.node(call.node);
  const auto port = static_cast<std::int32_t>(event.extra);
  const bool has_port = port >= 0 && port < node.input_stream_size();
  if (sent != nullptr && has_port) {
    std::int64_t& length = queues_[call.node][port];
    length = std::max<std::int64_t>(length - 1, 0);
    profiles_.Of(call.node).stream_latency[port].Add(
        call.begin_us - sent->sent_us, options_);
    // What comes back through a loop is older than what it belongs to.
    const bool is_back_edge =
        port < node.input_is_back_edge_size() && node.input_is_back_edge(port);
    if (!is_back_edge) {
      call.origin_us =
          std::min(call.origin_us.value_or(sent->origin_us), sent->origin_us);
    }
  }
  if (options_.instant_events && call.has_start) {
    call.record = NewCallRecord(call, *thread);
    call.record->event.set_start_time(us);
    call.record->time_us = us;
  }
  StreamTrace* const input = call.record->event.add_input_trace();
  FillStream(event.id(), event.timestamp, sent == nullptr ? 0 : sent->number,
             input);
  if (sent != nullptr) input->set_start_time(sent->sent_us);
  input->set_finish_time(call.begin_us);
  if (options_.instant_events) Keep(call.record);
  call.has_start = true;
}

void GraphProfileBuilder::AddDropped(const TraceEvent& event) {
  SeeTimestamp(event.timestamp);
  const auto stream = static_cast<std::int32_t>(event.id());
  const std::uint32_t node = event.extra & TraceEvent::kNoNode;
  if (node == TraceEvent::kNoNode ||
      packets_.Take(stream, event.timestamp) == nullptr) {
    return;
  }
  // Of several queues of one stream, the trace does not tell which it was.
  std::int64_t* longest = nullptr;
  for (const Input& input : readers_[stream]) {
    if (input.node != static_cast<std::int32_t>(node)) continue;
    std::int64_t& length = queues_[input.node][input.port];
    if (longest == nullptr || length > *longest) longest = &length;
  }
  if (longest != nullptr) *longest = std::max<std::int64_t>(*longest - 1, 0);
}

void GraphProfileBuilder::AddSent(const TraceEvent& event, std::int64_t us,
                                  Thread* thread) {
  SeeTimestamp(event.timestamp);
  const auto stream = static_cast<std::int32_t>(event.id());
  const std::int32_t producer = header_.stream(stream).producer();
  RecordPtr record;
  std::int64_t origin_us = us;
  if (producer < 0) {
    record = NewRecord(GraphTrace::PROCESS, kApplication, *thread);
    record->event.set_input_timestamp(event.timestamp);
    if (options_.added_packets_originate_at_timestamp &&
        IsRegular(event.timestamp)) {
      origin_us = event.timestamp;
    }
  } else if (thread->sender != nullptr &&
             thread->sender->event.node_id() == producer) {
    record = thread->sender;
    origin_us = record->origin_us;
    const bool is_full =
        record->is_captured ||
        (options_.instant_events && record->event.output_trace_size() > 0);
    if (is_full) {
      // The same end of the call, with this packet alone.
      record = std::make_shared<Record>(*thread->sender);
      record->number = ++num_records_;
      record->is_captured = false;
      record->event.clear_start_time();
      record->event.clear_input_trace();
      record->event.clear_output_trace();
      record->event.set_thread_id(thread->number);
      record->time_us = record->event.finish_time();
      Keep(record);
    }
  } else {
    // The trace does not tell which call sends it.
    record = NewRecord(GraphTrace::PROCESS, producer, *thread);
  }
  if (!record->event.has_finish_time()) {
    record->event.set_finish_time(us);
    record->time_us = us;
    Keep(record);
  }
  const SentPacket packet =
      packets_.Add(stream, event.timestamp, us, origin_us);
  StreamTrace* const output = record->event.add_output_trace();
  FillStream(event.id(), event.timestamp, packet.number, output);
  output->set_start_time(us);
  AddQueued(event, us, thread);
}

void GraphProfileBuilder::AddQueued(const TraceEvent& event, std::int64_t us,
                                    Thread* thread) {
  for (const Input& input : readers_[event.id()]) {
    const RecordPtr record =
        NewInstant(GraphTrace::PACKET_QUEUED, input.node, us, *thread);
    record->event.set_input_timestamp(event.timestamp);
    StreamTrace* const queued = record->event.add_input_trace();
    FillStream(event.id(), event.timestamp, ++queues_[input.node][input.port],
               queued);
    if (!options_.instant_events) queued->set_finish_time(us);
    Keep(record);
  }
}

// --- everything else

void GraphProfileBuilder::AddThrottled(const TraceEvent& event, std::int64_t us,
                                       Thread* thread) {
  const GraphTrace::EventType type = event.kind() == TraceKind::kThrottled
                                         ? GraphTrace::THROTTLED
                                         : GraphTrace::UNTHROTTLED;
  if (event.id() != TraceEvent::kNoNode) {
    return Keep(
        NewInstant(type, static_cast<std::int32_t>(event.id()), us, *thread));
  }
  const RecordPtr record = NewInstant(type, kApplication, us, *thread);
  record->event.add_input_trace()->set_stream_id(NumberInProfile(event.extra));
  Keep(record);
}

void GraphProfileBuilder::AddWork(const TraceEvent& event, std::int64_t us,
                                  Thread* thread) {
  const auto node = static_cast<std::int32_t>(event.id());
  const bool begins = event.kind() == TraceKind::kDeviceBegin;
  const WorkKey key = {event.extra, node, event.timestamp};
  const auto open = work_.find(key);
  if (!begins && open != work_.end()) {
    open->second.back()->event.set_finish_time(us);
    Keep(open->second.back());
    open->second.pop_back();
    if (open->second.empty()) work_.erase(open);
    return;
  }
  const RecordPtr record = NewRecord(GraphTrace::GPU_TASK, node, *thread);
  record->time_us = us;
  record->event.set_input_timestamp(event.timestamp);
  if (begins) {
    record->event.set_start_time(us);
    if (!options_.instant_events) {
      work_[key].push_back(record);
      return;
    }
  } else {
    record->event.set_finish_time(us);
  }
  Keep(record);
}

GraphProfileBuilder::RecordPtr GraphProfileBuilder::NewRecord(
    GraphTrace::EventType type, std::int32_t node, const Thread& thread) {
  auto record = std::make_shared<Record>();
  record->number = ++num_records_;
  record->event.set_node_id(node);
  record->event.set_event_type(type);
  record->event.set_thread_id(thread.number);
  return record;
}

GraphProfileBuilder::RecordPtr GraphProfileBuilder::NewInstant(
    GraphTrace::EventType type, std::int32_t node, std::int64_t us,
    const Thread& thread) {
  RecordPtr record = NewRecord(type, node, thread);
  record->event.set_start_time(us);
  record->time_us = us;
  return record;
}

GraphProfileBuilder::RecordPtr GraphProfileBuilder::NewCallRecord(
    const Call& call, const Thread& thread) {
  RecordPtr record = NewRecord(TypeOfCall(call.begin_kind), call.node, thread);
  if (call.begin_kind == TraceKind::kProcessBegin) {
    record->event.set_input_timestamp(call.timestamp);
  }
  return record;
}

void GraphProfileBuilder::Keep(const RecordPtr& record) {
  if (!options_.has_events ||
      options_.disabled_types.count(record->event.event_type()) != 0) {
    return;
  }
  kept_.push_back(record);
}

// --- captures

GraphProfile GraphProfileBuilder::Capture(Part part) {
  if (part == kLast) {
    for (Thread& thread : threads_) {
      for (Call& call : thread.open) GiveUp(&call);
      thread.open.clear();
      thread.sender = nullptr;
    }
    for (const auto& [key, records] : work_) {
      for (const RecordPtr& record : records) Keep(record);
    }
    work_.clear();
  }
  if (!base_timestamp_.has_value()) {
    base_timestamp_ = least_timestamp_.value_or(0);
  }
  GraphProfile profile;
  if (header_.has_config()) *profile.mutable_config() = header_.config();
  if (options_.has_events) FillTrace(part, profile.add_graph_trace());
  std::vector<CalculatorProfile> profiles = profiles_.Take();
  if (!options_.has_histograms) return profile;
  for (CalculatorProfile& of_node : profiles) {
    *profile.add_calculator_profiles() = std::move(of_node);
  }
  return profile;
}

void GraphProfileBuilder::FillTrace(Part part, GraphTrace* trace) {
  if (base_time_us_.has_value()) trace->set_base_time(*base_time_us_);
  trace->set_base_timestamp(*base_timestamp_);
  for (const TraceFileHeader::Node& node : header_.node()) {
    trace->add_calculator_name(node.name());
  }
  trace->add_stream_name("");
  for (const TraceFileHeader::Stream& stream : header_.stream()) {
    trace->add_stream_name(stream.name());
  }
  // Calls are kept when they end, and calls within them before them.
  std::sort(kept_.begin(), kept_.end(),
            [](const RecordPtr& a, const RecordPtr& b) {
              return a->time_us != b->time_us ? a->time_us < b->time_us
                                              : a->number < b->number;
            });
  const std::int64_t until_us = part == kLast
                                    ? std::numeric_limits<std::int64_t>::max()
                                    : newest_us_ - options_.margin_us;
  const auto rest = std::find_if(
      kept_.begin(), kept_.end(),
      [until_us](const RecordPtr& r) { return r->time_us > until_us; });
  for (auto record = kept_.begin(); record != rest; ++record) {
    CalculatorTrace* const event = trace->add_calculator_trace();
    *event = (*record)->event;
    MakeRelative(event);
    (*record)->is_captured = true;
  }
  kept_.erase(kept_.begin(), rest);
}

void GraphProfileBuilder::MakeRelative(CalculatorTrace* event) const {
  const std::int64_t base_us = *base_time_us_;
  const std::int64_t base_timestamp = *base_timestamp_;
  const auto of_stream = [&](StreamTrace* stream) {
    if (stream->has_start_time()) {
      stream->set_start_time(stream->start_time() - base_us);
    }
    if (stream->has_finish_time()) {
      stream->set_finish_time(stream->finish_time() - base_us);
    }
    if (stream->has_packet_timestamp()) {
      stream->set_packet_timestamp(
          WrappingDifference(stream->packet_timestamp(), base_timestamp));
    }
  };
  if (event->has_start_time()) {
    event->set_start_time(event->start_time() - base_us);
  }
  if (event->has_finish_time()) {
    event->set_finish_time(event->finish_time() - base_us);
  }
  if (event->has_input_timestamp()) {
    event->set_input_timestamp(
        WrappingDifference(event->input_timestamp(), base_timestamp));
  }
  for (StreamTrace& stream : *event->mutable_input_trace()) of_stream(&stream);
  for (StreamTrace& stream : *event->mutable_output_trace()) of_stream(&stream);
}

void KeepEventsOnly(GraphProfile* profile) {
  profile->clear_config();
  for (GraphTrace& trace : *profile->mutable_graph_trace()) {
    trace.clear_calculator_name();
  }
}

}  // namespace syncline
