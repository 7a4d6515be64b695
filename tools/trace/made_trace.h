// MadeTrace: the trace of a run that never was, for tests: a graph of any size
// whose calls a number of threads have run, one after another or at the same
// time. The same options make the same trace.
//
// Thread rule: a pure function.
// Tested by latency_test.

#ifndef SYNCLINE_TOOLS_TRACE_MADE_TRACE_H_
#define SYNCLINE_TOOLS_TRACE_MADE_TRACE_H_

#include <cstdint>

#include "framework/trace/trace.h"

namespace syncline {

struct MadeTraceOptions {
  int nodes = 10;
  // Besides that of the application.
  int threads = 3;
  // So many packets come from the application, each at one tick more.
  std::int64_t packets = 100;
  // A node takes packets of one to so many streams.
  int most_inputs = 3;
  std::uint32_t seed = 1;
};

// Every node is called once for each packet. Node 0 takes the input of the
// graph, and each other node takes what nodes before it send. What nobody takes
// is a sink. A tick is a nanosecond.
Trace MakeTrace(const MadeTraceOptions& options);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TRACE_MADE_TRACE_H_
