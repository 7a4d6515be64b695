// A GraphRuntimeInfo as text for people:
//
//   Graph at 2026-11-21T12:00:00.000000+00:00: 2 nodes, 101 packets wait.
//   Running: "detect" for 3.2s
//   "join" holds 101 packets of ":0:a" (101, from 40), and waits for ":1:b"
//       (bound 40).
//   graph input "b" had timestamps that went back: 3 packets dropped.
//   "join" dropped 2 packets of ":1:b" (2 came after the node was closed).
//
// Thread rule: free functions.
// Tested by runtime_info_text_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_TEXT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_TEXT_H_

#include <string>
#include <vector>

#include "framework/config/graph_runtime_info.pb.h"

namespace syncline {

// Nodes that run, nodes that hold packets, with the streams that they wait for,
// and the packets that were dropped. A node waits for the streams whose bound
// is not above its earliest packet. A node runs if its last call began after
// the last end of a call.
std::string RuntimeInfoText(const GraphRuntimeInfo& info);

// The last lines of the above, without the full stop: one for each graph input
// whose timestamps went back, and for each stream of each node of which packets
// were dropped.
std::vector<std::string> DroppedPacketsTexts(const GraphRuntimeInfo& info);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_RUNTIME_INFO_TEXT_H_
