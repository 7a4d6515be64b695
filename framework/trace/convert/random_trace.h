// RandomTrace: the trace of a run that never was, for tests of what reads
// traces: several threads, joins, calls that overlap or nest, results that
// another thread sends, and dropped packets.
//
// Beside the trace stands what happened to each packet, from the simulation
// itself.
//
// Thread rule: a pure function of the seed.
// Tested by random_trace_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_RANDOM_TRACE_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_RANDOM_TRACE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "framework/trace/convert/test_trace.h"

namespace syncline {

struct RandomTrace {
  struct PacketTruth {
    std::string stream;
    std::int64_t timestamp = 0;
    std::string sender;  // a node; "": the application
    std::vector<std::string> takers;
    int drops = 0;
  };
  struct CallTruth {
    int node = 0;
    std::int64_t timestamp = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  TestTrace made;
  std::vector<PacketTruth> packets;
  // Calls of Process.
  std::vector<CallTruth> calls;
  // "STREAM of NODE", and how many packets still wait there at the end, as no
  // packet came for the other inputs.
  std::map<std::string, int> waiting;
};

// The times between events are a few ticks, and often the same tick.
RandomTrace MakeRandomTrace(std::uint32_t seed);
// Takes pieces of the events of some threads away.
void LosePieces(std::uint32_t seed, RandomTrace* trace);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_RANDOM_TRACE_H_
