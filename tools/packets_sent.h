// How far a run is, as a number of packets.
//
// Thread rule: may be called on any thread while the graph lives.
// Tested by progress_line_test.

#ifndef SYNCLINE_TOOLS_PACKETS_SENT_H_
#define SYNCLINE_TOOLS_PACKETS_SENT_H_

#include <cstdint>

#include "framework/graph/calculator_graph.h"

namespace syncline {

// How many packets the nodes of a graph have sent in the current run, or in the
// last one. 0 before the first.
std::int64_t PacketsSent(CalculatorGraph* graph);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PACKETS_SENT_H_
