// How long packets take from the sources of a graph to its sinks, and where.
//
// A source is a node without inputs, or an input of the graph. A sink is an
// output of the graph, a stream that the application observes, or one that no
// node reads, and each of its packets is a message; or a node without outputs,
// and each of its calls that took packets is one. The way of a message is found
// from its end, as the head of packet_ways.h says.
//
// A loop is a path, too: from the call that sent a packet to the call of the
// same node that takes it, or what became of it, at a back edge. Each packet
// taken at a back edge is a message; it arrives when the call begins.
//
// Two kinds of time alternate on the way: the time in which a packet waits at a
// node, in the queue or for packets of other streams, from its sending to the
// begin of the call; and the time in the call, from its begin to the sending of
// the next packet. They add up to the latency of the message, tick by tick.
//
// Thread rule: a pure function and values.
// Tested by latency_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_LATENCY_LATENCY_H_
#define SYNCLINE_FRAMEWORK_TRACE_LATENCY_LATENCY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"

namespace syncline {

struct LatencyOptions {
  // Messages of each path that do not count: the first and the last ones.
  std::int64_t skip_first = 0;
  std::int64_t skip_last = 0;
  // Messages that took less time do not count.
  std::int64_t threshold_ns = 0;
  // Paths are told apart by source and sink only, and not by what lies between.
  bool is_limited = false;
};

// A node on a path.
struct PathNode {
  std::int32_t node = 0;
  // Means, over the messages that count: in nanoseconds.
  double waiting_ns = 0;
  double in_call_ns = 0;
};

// A message that arrived.
struct LatencyMessage {
  // Of the packet that the source sent, and of the one that arrived.
  std::int64_t source_timestamp = 0;
  std::int64_t timestamp = 0;
  // The tick at which the source sent it, or the source's call began.
  std::uint64_t begin = 0;
  // The tick at which it arrived.
  std::uint64_t end = 0;
  // The rank among all messages of the path, from 0.
  std::int64_t number = 0;

  std::int64_t ticks() const {
    return static_cast<std::int64_t>(end) - static_cast<std::int64_t>(begin);
  }
};

struct LatencyPath {
  // The input of the graph with which it begins, or -1: a node is the source.
  std::int32_t source_stream = -1;
  // From the source to the sink. Of a limited path only the first and the last.
  std::vector<PathNode> nodes;
  // -1: a node without outputs, the last one, is the sink.
  std::int32_t sink_stream = 0;
  // "in -> a -> b -> out".
  std::string name;

  // Those that count, in the order of their arrival.
  std::vector<LatencyMessage> messages;
  // All, together with those that do not count.
  std::int64_t num_all = 0;
  // Of messages[i], step by step: ticks at the node, and in its call. Empty if
  // the path is limited.
  std::vector<std::int64_t> ticks;
  // For each node of a path that is not limited, its wait and its call.
  absl::Span<const std::int64_t> TicksOf(std::size_t message) const {
    return absl::MakeConstSpan(ticks).subspan(message * 2 * nodes.size(),
                                              2 * nodes.size());
  }

  // In nanoseconds, of the messages that count.
  double mean_ns = 0;
  std::int64_t min_ns = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t max_ns = 0;
  // Positions in `messages`: the first of the fastest, the last of the slowest.
  std::ptrdiff_t fastest = 0;
  std::ptrdiff_t slowest = 0;
};

struct Latencies {
  // Those with the most messages first.
  std::vector<LatencyPath> paths;
  // Packets at sinks whose way the trace does not have as a whole.
  std::int64_t num_incomplete = 0;
  // "a -> b -> a": the first node is the last one, too, where a message only
  // waits. Of a loop without other nodes, "a -> a".
  std::vector<LatencyPath> loops;
  // Packets at back edges whose way the trace does not have as a whole.
  std::int64_t num_incomplete_loops = 0;
};

// Whether somebody outside of the graph gets the packets of this stream: the
// graph lists it as an output, or the application observes it.
bool IsOutput(const TraceFileHeader::Stream& stream);

// `calls` are those of `trace`. REQUIRES: CheckTrace() is OK.
Latencies ComputeLatencies(const Trace& trace, const TraceCalls& calls,
                           const LatencyOptions& options);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_LATENCY_LATENCY_H_
