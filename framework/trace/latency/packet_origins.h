// PacketOrigins: which call sent a packet of a trace, and when; or that the
// application did.
//
// Thread rule: a value; const functions any thread.
// Tested by latency_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_LATENCY_PACKET_ORIGINS_H_
#define SYNCLINE_FRAMEWORK_TRACE_LATENCY_PACKET_ORIGINS_H_

#include <cstdint>
#include <vector>

#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_runs.h"

namespace syncline {

struct PacketOrigin {
  static constexpr std::int32_t kApplication = -1;

  std::int64_t timestamp;
  std::uint64_t sent;  // the tick
  // The position in TraceCalls::calls, or kApplication.
  std::int32_t call;
};

class PacketOrigins {
 public:
  PacketOrigins(const Trace& trace, const TraceCalls& calls);

  // Null: the trace does not have the sending.
  const PacketOrigin* Find(const TracedPacket& packet) const;
  // In the order of timestamps, and of runs where several have a timestamp.
  const std::vector<PacketOrigin>& OfStream(std::int32_t stream) const {
    return by_stream_[stream];
  }

 private:
  const TraceRuns runs_;
  std::vector<std::vector<PacketOrigin>> by_stream_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_LATENCY_PACKET_ORIGINS_H_
