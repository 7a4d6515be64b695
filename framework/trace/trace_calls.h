// TraceCalls: the calls of a trace, put together from its events.
//
// Thread rule: a value; const functions any thread.
// Tested by trace_calls_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_CALLS_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_CALLS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"

namespace syncline {

// A packet that a call took or sent.
struct TracedPacket {
  std::int32_t stream = 0;
  std::int32_t port = -1;  // of the node; -1 for what is sent
  std::int64_t timestamp = 0;
  std::uint64_t tick = 0;  // when it was taken or sent
};

struct TracedCall {
  // kOpenBegin, kProcessBegin or kCloseBegin.
  TraceKind kind = TraceKind::kNone;
  std::int32_t node = 0;
  std::int32_t thread = 0;  // position in Trace::threads
  // The call had begun before the trace did, or its begin is lost.
  bool begin_is_known = true;
  // It had not ended when the trace did, or its end is lost.
  bool end_is_known = true;
  std::int64_t timestamp = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // if not known, the last tick of the trace
  // When it became ready; 0 if that is not known.
  std::uint64_t ready = 0;
  // 0, or the code of the status that it returned.
  std::uint32_t status_code = 0;
  // Positions in TraceCalls::packets.
  std::int32_t first_taken = 0;
  std::int32_t num_taken = 0;
  std::int32_t first_sent = 0;
  std::int32_t num_sent = 0;
};

class TraceCalls {
 public:
  // Goes over all events once.
  explicit TraceCalls(const Trace& trace);

  // In the order of their begins.
  const std::vector<TracedCall>& calls() const& { return calls_; }
  // They go with it: a loop over those of a temporary would read nothing.
  const std::vector<TracedCall>& calls() && = delete;
  absl::Span<const TracedPacket> Taken(const TracedCall& call) const {
    return absl::MakeConstSpan(packets_).subspan(call.first_taken,
                                                 call.num_taken);
  }
  absl::Span<const TracedPacket> Sent(const TracedCall& call) const {
    return absl::MakeConstSpan(packets_).subspan(call.first_sent,
                                                 call.num_sent);
  }
  // What the application sent into the graph, in the order of time.
  const std::vector<TracedPacket>& added() const { return added_; }

 private:
  std::vector<TracedCall> calls_;
  std::vector<TracedPacket> packets_;
  std::vector<TracedPacket> added_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_CALLS_H_
