#include "framework/trace/convert/profile_packets.h"

#include <algorithm>

#include "framework/trace/convert/profile_times.h"

namespace syncline {
namespace {

using StreamTrace = GraphTrace::StreamTrace;

void FillStream(std::uint32_t stream, std::int64_t timestamp,
                std::int64_t event_data, StreamTrace* trace) {
  trace->set_packet_timestamp(timestamp);
  trace->set_stream_id(StreamNumberInProfile(stream));
  trace->set_event_data(event_data);
}

}  // namespace

ProfilePackets::ProfilePackets(const TraceFileHeader& header,
                               const GraphProfileOptions& options,
                               ProfileRecords* records, ProfileCalls* calls,
                               NodeProfiles* profiles)
    : header_(header),
      options_(options),
      records_(*records),
      calls_(*calls),
      profiles_(*profiles),
      packets_(CountReaders(header)),
      readers_(header.stream_size()) {
  for (int i = 0; i < header.node_size(); ++i) {
    const TraceFileHeader::Node& node = header.node(i);
    for (int port = 0; port < node.input_stream_size(); ++port) {
      readers_[node.input_stream(port)].push_back({i, port});
    }
    queues_.emplace_back(node.input_stream_size());
  }
}

std::vector<int> ProfilePackets::CountReaders(const TraceFileHeader& header) {
  std::vector<int> readers(header.stream_size());
  for (const TraceFileHeader::Node& node : header.node()) {
    for (const int stream : node.input_stream()) ++readers[stream];
  }
  return readers;
}

void ProfilePackets::AddTaken(const TraceEvent& event, std::int64_t us,
                              ProfileThread* thread) {
  const auto stream = static_cast<std::int32_t>(event.id());
  const SentPacket* const sent = packets_.Take(stream, event.timestamp);
  if (thread->open.empty()) return;
  ProfileCall& call = thread->open.back();
  const auto port = static_cast<std::int32_t>(event.extra);
  if (sent != nullptr && port >= 0 &&
      port < header_.node(call.node).input_stream_size()) {
    CountTaken(*sent, port, &call);
  }
  if (options_.instant_events && call.has_start) {
    call.record = calls_.NewRecord(call, *thread);
    call.record->event.set_start_time(us);
    call.record->time_us = us;
  }
  StreamTrace* const input = call.record->event.add_input_trace();
  FillStream(event.id(), event.timestamp, sent == nullptr ? 0 : sent->number,
             input);
  if (sent != nullptr) input->set_start_time(sent->sent_us);
  input->set_finish_time(call.begin_us);
  if (options_.instant_events) records_.Keep(call.record);
  call.has_start = true;
}

void ProfilePackets::CountTaken(const SentPacket& sent, std::int32_t port,
                                ProfileCall* call) {
  std::int64_t& length = queues_[call->node][port];
  length = std::max<std::int64_t>(length - 1, 0);
  profiles_.Of(call->node)
      .stream_latency[port]
      .Add(call->begin_us - sent.sent_us, options_);
  // What comes back through a loop is older than what it belongs to.
  const TraceFileHeader::Node& node = header_.node(call->node);
  if (port < node.input_is_back_edge_size() && node.input_is_back_edge(port)) {
    return;
  }
  call->origin_us =
      std::min(call->origin_us.value_or(sent.origin_us), sent.origin_us);
}

void ProfilePackets::AddDropped(const TraceEvent& event) {
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

void ProfilePackets::AddSent(const TraceEvent& event, std::int64_t us,
                             ProfileThread* thread) {
  const auto stream = static_cast<std::int32_t>(event.id());
  const std::int32_t producer = header_.stream(stream).producer();
  ProfileRecordPtr record;
  std::int64_t origin_us = us;
  if (producer < 0) {
    record = records_.New(GraphTrace::PROCESS, kProfileOfApplication,
                          thread->number);
    record->event.set_input_timestamp(event.timestamp);
    if (options_.added_packets_originate_at_timestamp &&
        IsRegularTimestamp(event.timestamp)) {
      origin_us = event.timestamp;
    }
  } else if (thread->sender != nullptr &&
             thread->sender->event.node_id() == producer) {
    record = RecordOfSender(thread);
    origin_us = thread->sender_origin_us;
  } else {
    // The trace does not tell which call sends it.
    record = records_.New(GraphTrace::PROCESS, producer, thread->number);
  }
  if (!record->event.has_finish_time()) {
    record->event.set_finish_time(us);
    record->time_us = us;
    records_.Keep(record);
  }
  const SentPacket packet =
      packets_.Add(stream, event.timestamp, us, origin_us);
  StreamTrace* const output = record->event.add_output_trace();
  FillStream(event.id(), event.timestamp, packet.number, output);
  output->set_start_time(us);
  AddQueued(event, us, *thread);
}

ProfileRecordPtr ProfilePackets::RecordOfSender(ProfileThread* thread) {
  const ProfileRecord& sender = *thread->sender;
  const bool is_full =
      sender.is_taken ||
      (options_.instant_events && sender.event.output_trace_size() > 0);
  if (!is_full) return thread->sender;
  // The same end of the call, with this packet alone.
  ProfileRecordPtr record = records_.New(
      sender.event.event_type(), sender.event.node_id(), thread->number);
  if (sender.event.has_input_timestamp()) {
    record->event.set_input_timestamp(sender.event.input_timestamp());
  }
  record->event.set_finish_time(sender.event.finish_time());
  record->time_us = sender.event.finish_time();
  records_.Keep(record);
  return record;
}

void ProfilePackets::AddQueued(const TraceEvent& event, std::int64_t us,
                               const ProfileThread& thread) {
  for (const Input& input : readers_[event.id()]) {
    const ProfileRecordPtr record = records_.NewInstant(
        GraphTrace::PACKET_QUEUED, input.node, us, thread.number);
    record->event.set_input_timestamp(event.timestamp);
    StreamTrace* const queued = record->event.add_input_trace();
    FillStream(event.id(), event.timestamp, ++queues_[input.node][input.port],
               queued);
    if (!options_.instant_events) queued->set_finish_time(us);
    records_.Keep(record);
  }
}

}  // namespace syncline
