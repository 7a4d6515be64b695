#include "framework/trace/convert/graph_profile_builder.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"

namespace syncline {

GraphProfileBuilder::GraphProfileBuilder(const TraceFileHeader& header,
                                         GraphProfileOptions options)
    : header_(header),
      options_(std::move(options)),
      times_(options_),
      profiles_(header_, options_),
      records_(options_),
      calls_(header_.node_size(), options_, &records_, &profiles_),
      packets_(header_, options_, &records_, &calls_, &profiles_) {}

absl::Status GraphProfileBuilder::Add(const Trace& trace) {
  if (trace.header.node_size() != header_.node_size() ||
      trace.header.stream_size() != header_.stream_size()) {
    return absl::DataLossError(absl::StrCat(
        "a trace of a graph of ", trace.header.node_size(), " nodes and ",
        trace.header.stream_size(), " streams goes on where it was of one of ",
        header_.node_size(), " and ", header_.stream_size()));
  }
  SYNCLINE_RETURN_IF_ERROR(CheckTrace(trace));
  times_.SetTrace(trace);
  threads_.resize(std::max(threads_.size(), trace.threads.size()));
  std::vector<Pieces> pieces;
  for (const TraceThread& thread : trace.threads) {
    const auto& of_thread = thread.events.pieces();
    pieces.push_back({of_thread.data(), of_thread.data() + of_thread.size()});
  }
  ForEachEvent(trace, [&](int number, const TraceEvent& event) {
    ProfileThread& thread = threads_[number];
    if (thread.number < 0) thread.number = num_numbered_threads_++;
    EnterPiece(event, &pieces[number], &thread);
    AddEvent(event, times_.See(trace, event.tick), &thread);
  });
  return absl::OkStatus();
}

// --- events

// After a gap it is not known what the thread is doing.
void GraphProfileBuilder::EnterPiece(const TraceEvent& event, Pieces* pieces,
                                     ProfileThread* thread) {
  if (pieces->next == pieces->last || &event != pieces->next->events.data()) {
    return;
  }
  if (pieces->next->lost_before > 0) calls_.GiveUp(thread);
  ++pieces->next;
}

void GraphProfileBuilder::AddEvent(const TraceEvent& event, std::int64_t us,
                                   ProfileThread* thread) {
  switch (event.kind()) {
    case TraceKind::kOpenBegin:
    case TraceKind::kProcessBegin:
    case TraceKind::kCloseBegin:
      return calls_.Begin(event, us, thread);
    case TraceKind::kOpenEnd:
    case TraceKind::kProcessEnd:
    case TraceKind::kCloseEnd:
      return calls_.End(event, us, thread);
    case TraceKind::kResults:
      return calls_.FindSender(event, us, thread);
    case TraceKind::kTaken:
      return packets_.AddTaken(event, us, thread);
    case TraceKind::kDropped:
      return packets_.AddDropped(event);
    case TraceKind::kSent:
      return packets_.AddSent(event, us, thread);
    case TraceKind::kReady:
    case TraceKind::kNotReady:
      return AddReady(event, us, *thread);
    case TraceKind::kThrottled:
    case TraceKind::kUnthrottled:
      return AddThrottled(event, us, *thread);
    case TraceKind::kDeviceBegin:
    case TraceKind::kDeviceEnd:
      return AddWork(event, us, *thread);
    default:
      return;
  }
}

void GraphProfileBuilder::AddReady(const TraceEvent& event, std::int64_t us,
                                   const ProfileThread& thread) {
  const auto add = [&](GraphTrace::EventType type) {
    records_.Keep(records_.NewInstant(
        type, static_cast<std::int32_t>(event.id()), us, thread.number));
  };
  if (event.kind() == TraceKind::kNotReady) return add(GraphTrace::NOT_READY);
  if (event.extra == 0) add(GraphTrace::READY_FOR_PROCESS);
  if (event.extra == 2) add(GraphTrace::READY_FOR_CLOSE);
}

void GraphProfileBuilder::AddThrottled(const TraceEvent& event, std::int64_t us,
                                       const ProfileThread& thread) {
  const GraphTrace::EventType type = event.kind() == TraceKind::kThrottled
                                         ? GraphTrace::THROTTLED
                                         : GraphTrace::UNTHROTTLED;
  const bool is_node = event.id() != TraceEvent::kNoNode;
  const ProfileRecordPtr record = records_.NewInstant(
      type,
      is_node ? static_cast<std::int32_t>(event.id()) : kProfileOfApplication,
      us, thread.number);
  if (!is_node) {
    record->event.add_input_trace()->set_stream_id(
        StreamNumberInProfile(event.extra));
  }
  records_.Keep(record);
}

void GraphProfileBuilder::AddWork(const TraceEvent& event, std::int64_t us,
                                  const ProfileThread& thread) {
  const auto node = static_cast<std::int32_t>(event.id());
  const bool begins = event.kind() == TraceKind::kDeviceBegin;
  const WorkKey key = {event.extra, node, event.timestamp};
  const auto open = work_.find(key);
  if (!begins && open != work_.end()) {
    open->second.back()->event.set_finish_time(us);
    records_.Keep(open->second.back());
    open->second.pop_back();
    if (open->second.empty()) work_.erase(open);
    return;
  }
  const ProfileRecordPtr record =
      records_.New(GraphTrace::GPU_TASK, node, thread.number);
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
  records_.Keep(record);
}

// --- captures

GraphProfile GraphProfileBuilder::Capture(Part part) {
  if (part == kLast) {
    for (ProfileThread& thread : threads_) calls_.GiveUp(&thread);
    for (const auto& [key, records] : work_) {
      for (const ProfileRecordPtr& record : records) records_.Keep(record);
    }
    work_.clear();
  }
  GraphProfile profile =
      CaptureEvents(part == kLast ? std::numeric_limits<std::int64_t>::max()
                                  : times_.newest_us() - options_.margin_us);
  std::vector<CalculatorProfile> profiles = profiles_.Take();
  if (!options_.has_histograms) return profile;
  for (CalculatorProfile& of_node : profiles) {
    *profile.add_calculator_profiles() = std::move(of_node);
  }
  return profile;
}

GraphProfile GraphProfileBuilder::CaptureEventsBeforeLastAdd() {
  return CaptureEvents(times_.trace_begin_us() - 1);
}

GraphProfile GraphProfileBuilder::CaptureEvents(std::int64_t until_us) {
  times_.FixBase();
  GraphProfile profile;
  if (header_.has_config()) *profile.mutable_config() = header_.config();
  if (!options_.has_events) return profile;
  GraphTrace* const trace = profile.add_graph_trace();
  if (times_.has_base_time()) trace->set_base_time(times_.base_time_us());
  trace->set_base_timestamp(times_.base_timestamp());
  for (const TraceFileHeader::Node& node : header_.node()) {
    trace->add_calculator_name(node.name());
  }
  trace->add_stream_name("");
  for (const TraceFileHeader::Stream& stream : header_.stream()) {
    trace->add_stream_name(stream.name());
  }
  records_.Take(until_us, times_, trace);
  calls_.ReleaseTaken();
  return profile;
}

void KeepEventsOnly(GraphProfile* profile) {
  profile->clear_config();
  for (GraphTrace& trace : *profile->mutable_graph_trace()) {
    trace.clear_calculator_name();
  }
}

}  // namespace syncline
