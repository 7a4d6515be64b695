// Workload: one thing that is measured, for every subject that can do it.
//
// A workload says what runs, not how: a graph of ours and a peer's graph both
// read "chain of 10" from here, so that they do the same work. The message is
// always an int64 that is made once by the source and passed on unchanged.
//
//   chain of N          source, then N nodes; the last one counts
//   fused chain of N    the same, but the N are fused into one node
//   fed chain of N      a chain of N to which the application adds the packets
//   fan-out K and join  source, K nodes beside one another, one that joins them
//                       by timestamp and counts
//   stages of W us      a chain of 4 whose nodes compute for W us each
//   N nodes in layers   source, 10 layers; each node reads two of the layer
//                       before and sends the first
//   join of K           source with K outputs, one node that joins them
//   life cycle of N     a chain of N is built, run without packets, destroyed
//   one packet ...      through 10 nodes, waiting for it before the next
//   flow limiter        a source at 40,000/s, a limiter with one in flight and
//                       one waiting, a stage of 50 us
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
  kFusedChain,
  kFedChain,
  kFanOut,
  kStages,
  kLayers,
  kJoin,
  // Everything from building a graph to destroying it, then two parts of it.
  kLifeCycle,
  kInitialize,
  kRun,
  kLatency,
  kFlowLimiter,
  kFedFlowLimiter,
  kQueuedPacket,
};

struct Workload {
  std::string name;
  Shape shape;
  // Nodes, or inputs of a join.
  int size = 0;
  // What each node computes.
  int work_us = 0;
  std::vector<int> threads;
  // How many the source sends in one repetition; where graphs are counted, how
  // many graphs. In a test: how many will do.
  std::int64_t packets = 0;
  std::int64_t test_packets = 0;

  // Calls of nodes for what the source sends at one time, its own not counted;
  // of what is fused into a node, too.
  std::int64_t InvocationsPerPacket() const;
};

constexpr int kLayers = 10;
constexpr int kFlowLimiterPeriodNs = 25000;

const std::vector<Workload>& AllWorkloads();
// Null if there is none of that name.
const Workload* FindWorkload(absl::string_view name);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_WORKLOAD_H_
