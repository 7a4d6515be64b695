// Workload: one thing to measure, for every subject that can run it.
//
// A workload says what runs, not how: our graph and a peer's graph are both
// built for the same "chain of 10", so that they do the same work. The message
// is always an int64 that is made once by the source and passed on unchanged.
//
//   chain of N          source, then N nodes; the last one counts
//   traced chain of N   a chain of N whose flight recorder is on
//   pass-through chain of N  the same, with PassThroughCalculator
//   fused chain of N    a chain of N, but the N are fused into one node
//   fed chain of N      a chain of N to which the application adds the packets
//   fan-out K and join  source, K nodes beside one another, one that joins them
//                       by timestamp and counts
//   fused fan-out K and join  the same, but the K + 1 are fused into one node
//   stages of W us      a chain of 4 whose nodes compute for W us each
//   K chains of 10      K sources, each with a chain of 10 of its own
//   N nodes in layers   source, 10 layers; each node reads two of the layer
//                       before and sends the first
//   join of K           source with K outputs, one node that joins them
//   life cycle of N     a chain of N is built, run without packets, destroyed
//   waiting graph of N  a fed chain of N is built and started; it gets no
//                       packets. For the memory that it takes
//   fed join of K       a node that joins K streams to which the application
//                       adds the packets
//   one packet ...      through 10 nodes, waiting for it before the next; or
//                       until idle: through one node, waiting until the graph
//                       is idle
//   flow limiter        a source at 40,000/s, a limiter with one in flight and
//                       one waiting, a stage of 50 us
//   free flow limiter   the same with a source that sends as fast as it can
//   loaded flow limiter  that, while two busy loops run beside it
//   queued packet       the memory of packets that wait
//
// Threads: 0 stands for the application's thread alone.
// Thread rule: values.
#ifndef SYNCLINE_BENCHMARKS_WORKLOAD_H_
#define SYNCLINE_BENCHMARKS_WORKLOAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace syncline {

enum class Shape {
  kChain,
  kTracedChain,
  kPassThroughChain,
  kFusedChain,
  kFedChain,
  kFanOut,
  kChains,
  kFusedFanOut,
  kStages,
  kLayers,
  kJoin,
  kFedJoin,
  // A graph's whole life, from building to destroying it; then two parts of it.
  kLifeCycle,
  kInitialize,
  kRun,
  kWaitingGraph,
  kLatency,
  kUntilIdle,
  kFlowLimiter,
  kFreeFlowLimiter,
  kFedFlowLimiter,
  kQueuedPacket,
};

struct Workload {
  std::string name;
  Shape shape;
  // The number of nodes, or of inputs of a join.
  int size = 0;
  // The work of each node.
  int work_us = 0;
  std::vector<int> threads;
  // How many packets the source sends in one repetition; or how many graphs, if
  // graphs are counted. And how many are enough in a test.
  std::int64_t packets = 0;
  std::int64_t test_packets = 0;
  // How many threads keep cores busy meanwhile.
  int busy_loops = 0;

  // How many calls of nodes follow from the packets that the source sends at
  // one timestamp. Calls of the source do not count; calls of fused nodes do.
  std::int64_t InvocationsPerPacket() const;
};

constexpr int kLayers = 10;
constexpr int kNodesOfChains = 10;
constexpr int kFlowLimiterPeriodNs = 25000;

const std::vector<Workload>& AllWorkloads();
// Null if there is no workload of that name.
const Workload* FindWorkload(absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_WORKLOAD_H_
