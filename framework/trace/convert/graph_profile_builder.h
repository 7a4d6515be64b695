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
//                          the stream as input
//   GPU_TASK               the work of a device, paired or instant as a call
// event_data of other packets tells them apart.
//
// Calls are the work of profile_calls.h, packets that of profile_packets.h;
// profile_records.h has what no part has yet, and profile_times.h the clock.
//
// Thread rule: for one thread at a time.
// Tested by graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_BUILDER_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_BUILDER_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/node_profiles.h"
#include "framework/trace/convert/profile_calls.h"
#include "framework/trace/convert/profile_packets.h"
#include "framework/trace/convert/profile_records.h"
#include "framework/trace/convert/profile_times.h"
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
  // The events that are older than those of the last Add, whatever the margin.
  // Histograms are part of a later capture.
  GraphProfile CaptureEventsBeforeLastAdd();

  // Events that are in no capture, as they were older than the newest
  // GraphProfileOptions::most_events.
  std::int64_t num_left_out() const { return records_.num_left_out(); }

  // Histograms of the whole run until now, or since ResetHistograms, of all
  // nodes.
  std::vector<CalculatorProfile> Profiles() const { return profiles_.All(); }
  // Histograms begin anew; the times of Open and Close stay.
  void ResetHistograms() { profiles_.Reset(); }

 private:
  // Device stream, node, timestamp.
  using WorkKey = std::tuple<std::uint32_t, std::int32_t, std::int64_t>;
  // Where the next gap in the events of a thread may be.
  struct Pieces {
    const TraceEvents::Piece* next = nullptr;
    const TraceEvents::Piece* last = nullptr;
  };

  void EnterPiece(const TraceEvent& event, Pieces* pieces,
                  ProfileThread* thread);
  void AddEvent(const TraceEvent& event, std::int64_t us,
                ProfileThread* thread);
  void AddReady(const TraceEvent& event, std::int64_t us,
                const ProfileThread& thread);
  void AddThrottled(const TraceEvent& event, std::int64_t us,
                    const ProfileThread& thread);
  void AddWork(const TraceEvent& event, std::int64_t us,
               const ProfileThread& thread);
  GraphProfile CaptureEvents(std::int64_t until_us);

  const TraceFileHeader header_;
  const GraphProfileOptions options_;
  ProfileTimes times_;
  NodeProfiles profiles_;
  ProfileRecords records_;
  ProfileCalls calls_;
  ProfilePackets packets_;
  std::vector<ProfileThread> threads_;
  int num_numbered_threads_ = 0;
  HashMap<WorkKey, std::vector<ProfileRecordPtr>> work_;
};

// Takes away what only the first part in a file has: the config and the names
// of nodes.
void KeepEventsOnly(GraphProfile* profile);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_GRAPH_PROFILE_BUILDER_H_
