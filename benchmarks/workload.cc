#include "benchmarks/workload.h"

namespace syncline {

std::int64_t Workload::InvocationsPerPacket() const {
  switch (shape) {
    case Shape::kFanOut:
    case Shape::kFusedFanOut:
      return size + 1;
    case Shape::kChains:
      return std::int64_t{size} * kNodesOfChains;
    case Shape::kJoin:
    case Shape::kFedJoin:
    case Shape::kFlowLimiter:
    case Shape::kFreeFlowLimiter:
    case Shape::kFedFlowLimiter:
    case Shape::kQueuedPacket:
      return 1;
    case Shape::kChain:
    case Shape::kTracedChain:
    case Shape::kPassThroughChain:
    case Shape::kFusedChain:
    case Shape::kFedChain:
    case Shape::kStages:
    case Shape::kLayers:
    case Shape::kLifeCycle:
    case Shape::kInitialize:
    case Shape::kRun:
    case Shape::kWaitingGraph:
    case Shape::kLatency:
    case Shape::kUntilIdle:
      return size;
  }
  return 1;
}

const std::vector<Workload>& AllWorkloads() {
  // A repetition takes about a tenth of a second. With 10,000 nodes and more it
  // is longer, so that starting and ending the run, which are part of the time,
  // are only a small part.
  static const auto* const workloads = new std::vector<Workload>{
      {"chain of 10", Shape::kChain, 10, 0, {0, 1, 2}, 200000, 500},
      {"chain of 100", Shape::kChain, 100, 0, {1, 2}, 20000, 100},
      {"traced chain of 10", Shape::kTracedChain, 10, 0, {1}, 200000, 500},
      {"pass-through chain of 10",
       Shape::kPassThroughChain,
       10,
       0,
       {1},
       200000,
       500},
      {"pass-through chain of 100",
       Shape::kPassThroughChain,
       100,
       0,
       {1},
       20000,
       100},
      {"fused chain of 10", Shape::kFusedChain, 10, 0, {0, 1}, 200000, 500},
      {"fed chain of 10", Shape::kFedChain, 10, 0, {0, 1}, 150000, 500},
      {"fed chain of 100", Shape::kFedChain, 100, 0, {0, 1}, 15000, 100},
      {"fan-out 2 and join", Shape::kFanOut, 2, 0, {1, 2}, 200000, 500},
      {"fan-out 8 and join", Shape::kFanOut, 8, 0, {1, 2}, 60000, 300},
      {"four chains of 10", Shape::kChains, 4, 0, {1, 2, 8}, 50000, 100},
      {"fused fan-out 2 and join",
       Shape::kFusedFanOut,
       2,
       0,
       {0, 1},
       200000,
       500},
      {"stages of 20 us", Shape::kStages, 4, 20, {1, 2}, 2000, 50},
      {"stages of 200 us", Shape::kStages, 4, 200, {1, 2}, 300, 10},
      {"1000 nodes in layers", Shape::kLayers, 1000, 0, {1, 2}, 1000, 10},
      {"10000 nodes in layers", Shape::kLayers, 10000, 0, {1}, 500, 2},
      {"100000 nodes in layers", Shape::kLayers, 100000, 0, {1}, 30, 1},
      {"join of 2", Shape::kJoin, 2, 0, {1}, 300000, 300},
      {"join of 8", Shape::kJoin, 8, 0, {1}, 200000, 300},
      {"join of 64", Shape::kJoin, 64, 0, {1}, 30000, 100},
      {"fed join of 2", Shape::kFedJoin, 2, 0, {0, 1}, 100000, 300},
      {"fed join of 8", Shape::kFedJoin, 8, 0, {0, 1}, 30000, 300},
      {"life cycle of 10", Shape::kLifeCycle, 10, 0, {0, 1}, 300, 3},
      {"life cycle of 1000", Shape::kLifeCycle, 1000, 0, {0, 1}, 5, 1},
      {"initialize 10", Shape::kInitialize, 10, 0, {0}, 300, 3},
      {"initialize 1000", Shape::kInitialize, 1000, 0, {0}, 5, 1},
      {"run of 10", Shape::kRun, 10, 0, {0, 1}, 1000, 3},
      {"run of 1000", Shape::kRun, 1000, 0, {0, 1}, 20, 2},
      {"waiting graph of 100000", Shape::kWaitingGraph, 100000, 0, {0}, 1, 1},
      {"one packet through 10", Shape::kLatency, 10, 0, {0, 1, 2}, 4000, 50},
      {"one packet until idle", Shape::kUntilIdle, 1, 0, {1, 2}, 4000, 50},
      {"flow limiter", Shape::kFlowLimiter, 1, 50, {2}, 10000, 200},
      {"free flow limiter",
       Shape::kFreeFlowLimiter,
       1,
       50,
       {2, 3, 4, 8},
       4000,
       50},
      {"loaded flow limiter",
       Shape::kFreeFlowLimiter,
       1,
       50,
       {2, 8},
       4000,
       50,
       2},
      {"fed flow limiter", Shape::kFedFlowLimiter, 1, 50, {1}, 10000, 200},
      {"queued packet", Shape::kQueuedPacket, 1, 0, {1}, 1000000, 20000},
  };
  return *workloads;
}

const Workload* FindWorkload(absl::string_view name) {
  for (const Workload& workload : AllWorkloads()) {
    if (workload.name == name) return &workload;
  }
  return nullptr;
}

}  // namespace syncline
