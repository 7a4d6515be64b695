// LeftAtEnd: what a node was left with when nothing could happen any more.
//
// Packets in a loop that nobody began are an error of the run. Nodes that wait
// for conditions which nothing can change any more end it well, as in GXF, and
// so do graphs that allow it, as in MediaPipe, with a warning in the log. This
// is for programs that want to know.
//
// Thread rule: a value.
// Tested by packets_left_test and relief_graph_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_LEFT_AT_END_H_
#define SYNCLINE_FRAMEWORK_RUN_LEFT_AT_END_H_

#include <cstdint>
#include <string>

namespace syncline {

struct LeftAtEnd {
  // The name of the node in the config or, if it has none, that of its
  // calculator.
  std::string node;
  // The number of packets in the queues of the node, plus that of the input
  // sets in a batch that was not full. 0: the node held no packets, but its
  // conditions held it.
  std::int64_t packets = 0;
  // What the node waited for, as a sentence.
  std::string why;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_LEFT_AT_END_H_
