// GraphProfileBuilder: the GraphProfile of a run, in parts while it goes on.
//
//   GraphProfileBuilder builder(header, options);
//   SYNCLINE_RETURN_IF_ERROR(builder.Add(events since the last Add));
//   GraphProfile part = builder.Capture();
//   ...
//   SYNCLINE_RETURN_IF_ERROR(builder.Add(the rest));
//   GraphProfile last = builder.Capture(GraphProfileBuilder::kLast);
//
// The parts belong together: what times and timestamps are relative to is fixed
// by the first, and numbers of threads, streams and packets go on. A call that
// begins in one Add and ends in another is one event, of the part after its
// end. A part does not wait for the results of a call: those that come after it
// are an event of their own, with the finish_time of the call.
//
// What an event has:
//   OPEN, PROCESS, CLOSE   paired: start_time, finish_time and all packets; one
//                          of the times is missing if the trace does not have
//                          it. Instant: an event with start_time for each
//                          packet that the call takes, one with finish_time for
//                          each that it sends, and one of each at least.
//   PROCESS of node -1     a packet that the application has sent
//   PACKET_QUEUED          for each input that gets a packet; event_data is the
//                          length of its queue
//   READY_..., NOT_READY   the node
//   (UN)THROTTLED          the source; of an input of the graph, node -1 and
//   the
//                          stream as input
//   GPU_TASK               the work of a device, paired or instant as a call
// event_data of other packets tells them apart. Timestamps have base_timestamp
// taken off in 64 bits that wrap around, so that adding it gives special values
// back, too.
//
// Thread rule: for one thread at a time.
// Tested by graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_BUILDER_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_BUILDER_H_

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/node_profiles.h"
#include "framework/trace/convert/sent_packets.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"

namespace syncline {

class GraphProfileBuilder {
 public:
  enum Part { kMoreFollows, kLast };

  // REQUIRES: the header is that of a trace for which CheckTrace is OK.
  GraphProfileBuilder(const TraceFileHeader& header,
                      GraphProfileOptions options);
  GraphProfileBuilder(const GraphProfileBuilder&) = delete;
  GraphProfileBuilder& operator=(const GraphProfileBuilder&) = delete;

  // Events since the last Add. A thread keeps its position in Trace::threads
  // from one to the next. The builder does not keep the trace. DATA_LOSS: its
  // numbers mean nothing, or it is of another graph; nothing was added.
  absl::Status Add(const Trace& trace);

  // What came since the last capture, but for what is younger than the margin
  // (at kLast there is none) and for calls that have not ended (at kLast they
  // have only a start_time). Histograms are those of calls that have ended
  // since. Has the config and the names of nodes, too: see KeepEventsOnly.
  GraphProfile Capture(Part part = kMoreFollows);

  // Histograms of the whole run until now, or since ResetHistograms, of all
  // nodes.
  std::vector<CalculatorProfile> Profiles() const { return profiles_.All(); }
  // Histograms begin anew; the times of Open and Close stay.
  void ResetHistograms() { profiles_.Reset(); }

 private:
  // An event of the profile, before its base is known: all times and timestamps
  // are absolute.
  struct Record {
    std::int64_t time_us = 0;
    // Of records with the same time, the one that was made first comes first.
    std::int64_t number = 0;
    GraphTrace::CalculatorTrace event;
    bool is_captured = false;
    // Of a call: where packets that it sends come from.
    std::int64_t origin_us = 0;
  };
  using RecordPtr = std::shared_ptr<Record>;
  struct Call {
    TraceKind begin_kind = TraceKind::kNone;
    std::int32_t node = 0;
    std::int64_t timestamp = 0;
    std::int64_t begin_us = 0;
    bool begin_is_known = true;
    // The least of the packets that it took.
    absl::optional<std::int64_t> origin_us;
    // Paired: the call. Instant: the next start.
    RecordPtr record;
    bool has_start = false;
  };
  struct Thread {
    int number = -1;  // in the profile; -1: no event yet
    std::vector<Call> open;
    // The call whose results follow, if it is known.
    RecordPtr sender;
    const TraceEvents::Piece* next_piece = nullptr;
    const TraceEvents::Piece* last_piece = nullptr;
  };
  struct Input {
    std::int32_t node = 0;
    std::int32_t port = 0;
  };
  // Device stream, node, timestamp.
  using WorkKey = std::tuple<std::uint32_t, std::int32_t, std::int64_t>;

  static std::vector<int> CountReaders(const TraceFileHeader& header);

  void SetClock(const Trace& trace);
  std::int64_t Us(const Trace& trace, std::uint64_t tick) const;
  void SeeTimestamp(std::int64_t timestamp);

  void EnterPiece(const TraceEvent& event, Thread* thread);
  void AddEvent(const TraceEvent& event, std::int64_t us, Thread* thread);
  void BeginCall(const TraceEvent& event, std::int64_t us, Thread* thread);
  void EndCall(const TraceEvent& event, std::int64_t us, Thread* thread);
  void CountEnd(const Call& call, std::int64_t end_us);
  void FindSender(const TraceEvent& event, std::int64_t us, Thread* thread);
  void AddTaken(const TraceEvent& event, std::int64_t us, Thread* thread);
  void AddDropped(const TraceEvent& event);
  void AddSent(const TraceEvent& event, std::int64_t us, Thread* thread);
  void AddQueued(const TraceEvent& event, std::int64_t us, Thread* thread);
  void AddThrottled(const TraceEvent& event, std::int64_t us, Thread* thread);
  void AddWork(const TraceEvent& event, std::int64_t us, Thread* thread);
  // A call that will not end, as far as the trace tells.
  void GiveUp(Call* call);

  RecordPtr NewRecord(GraphTrace::EventType type, std::int32_t node,
                      const Thread& thread);
  // An event with only a start_time.
  RecordPtr NewInstant(GraphTrace::EventType type, std::int32_t node,
                       std::int64_t us, const Thread& thread);
  RecordPtr NewCallRecord(const Call& call, const Thread& thread);
  // Makes it part of the profile, unless its type is left out.
  void Keep(const RecordPtr& record);
  void FillTrace(Part part, GraphTrace* trace);
  // Times and timestamps become relative.
  void MakeRelative(GraphTrace::CalculatorTrace* event) const;

  const TraceFileHeader header_;
  const GraphProfileOptions options_;
  NodeProfiles profiles_;
  SentPackets packets_;
  std::vector<std::vector<Input>> readers_;        // by stream
  std::vector<std::vector<std::int64_t>> queues_;  // lengths, by node, port
  std::vector<Thread> threads_;
  int num_numbered_threads_ = 0;
  HashMap<WorkKey, std::vector<RecordPtr>> work_;

  // By the time of the last Add: the newest event.
  std::int64_t newest_us_ = 0;
  std::int64_t num_records_ = 0;
  // Not captured yet.
  std::vector<RecordPtr> kept_;

  // Added to the steady clock of a trace, in nanoseconds, it gives the time
  // since 1970 without the steps of that clock.
  absl::optional<std::int64_t> steady_to_unix_ns_;
  absl::optional<std::int64_t> base_time_us_;
  absl::optional<std::int64_t> base_timestamp_;
  absl::optional<std::int64_t> least_timestamp_;
};

// Takes away what only the first part in a file has: the config and the names
// of nodes.
void KeepEventsOnly(GraphProfile* profile);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_BUILDER_H_
