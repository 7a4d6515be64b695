// WayFinder: the way of a packet through a graph, found from its end: the call
// that sent it, the packet that came last of those which this call took, the
// call that sent that one, and so on, up to a source. Of a join, the packet
// that came last is the one that decided when the call could begin. Packets
// that went back in a loop are passed over, since they carry the past of all
// messages before.
//
// The way of a packet round a loop ends where a call takes it at a back edge,
// and begins with the call of the same node from which it comes. On this way,
// of a join, the packets that come from that node count, and no others.
//
// Thread rule: a value; const functions one thread at a time, as loops are
// looked up when they are first asked for.
// Tested by packet_ways_test and latency_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_LATENCY_PACKET_WAYS_H_
#define SYNCLINE_FRAMEWORK_TRACE_LATENCY_PACKET_WAYS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/optional.h"
#include "framework/trace/latency/packet_origins.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"

namespace syncline {

// The way of one packet, from its end back to its begin.
struct PacketWay {
  struct Step {
    std::int32_t node = 0;
    // Ticks: from when the packet was sent to the begin of the call that took
    // it, and from then until this call sent the next one.
    std::int64_t waiting = 0;
    std::int64_t in_call = 0;
  };
  std::vector<Step> steps;
  // The input of the graph from which it comes, or -1: a node is the source.
  std::int32_t source_stream = -1;
  std::int64_t source_timestamp = 0;
  std::uint64_t begin = 0;
};

class WayFinder {
 public:
  // Both outlive this; `calls` are those of `trace`.
  WayFinder(const Trace& trace, const TraceCalls& calls)
      : trace_(trace), calls_(calls), origins_(trace, calls) {}

  const PacketOrigins& origins() const { return origins_; }

  // Nothing if the trace does not have the whole way.
  absl::optional<PacketWay> Find(std::int32_t stream,
                                 const PacketOrigin& arrived) const;

  struct Loop {
    enum Kind {
      kWhole,
      // The packet does not come from a call of this node, or its way has a
      // node twice, or it is found at another back edge of the same loop.
      kNone,
      // The trace does not have the whole way.
      kIncomplete,
    };
    Kind kind = kNone;
    PacketWay way;
  };
  // The way of a packet that this call took at a back edge.
  Loop FindLoop(const TracedCall& call, const TracedPacket& packet) const;

 private:
  struct Critical {
    std::int32_t stream;
    std::int32_t port;
    const PacketOrigin* origin;
  };
  // What comes from a node, by stream.
  struct Reach {
    // Over no back edge, and over any edges.
    std::vector<bool> forward;
    std::vector<bool> any;
  };

  bool IsBackEdge(std::int32_t node, std::int32_t port) const;
  // The packet that came last of those that the call took and that count;
  // nothing if there are none. Without origin if the trace does not have the
  // sending of one of them, as then it is not known which was the last.
  absl::optional<Critical> LastTaken(
      const TracedCall& call,
      absl::FunctionRef<bool(const TracedPacket&)> counts) const;
  // Of those that come from the node round which a loop leads.
  absl::optional<Critical> LastOnLoop(const TracedCall& call,
                                      const Reach& reach) const;
  const Reach& ReachOf(std::int32_t node) const;
  std::vector<bool> StreamsFrom(std::int32_t node, bool over_back_edges) const;

  const Trace& trace_;
  const TraceCalls& calls_;
  const PacketOrigins origins_;
  // By node.
  mutable std::map<std::int32_t, Reach> reach_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_LATENCY_PACKET_WAYS_H_
