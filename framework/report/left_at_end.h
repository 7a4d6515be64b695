// LeftAtEnd: what a node was left with when nothing could happen any more, or
// what it sent after that.
//
// Packets in a loop into which no packet came from outside are an error of the
// run. A run whose nodes wait for conditions which nothing can change any more
// ends with OK, as in GXF. A graph may allow packets to be left; then the run
// ends with OK, as in MediaPipe. Both are a warning in the log. Programs that
// want to know which packets were left ask for LeftAtEnd.
//
// Packets that wait inside a fused node, at its parts, count like those in the
// queues of a node. Packets that its parts send in Close() after any error,
// even the error that packets were left, reach nobody and are not counted.
//
// Thread rule: a value.
// Tested by packets_left_test and relief_graph_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_LEFT_AT_END_H_
#define SYNCLINE_FRAMEWORK_REPORT_LEFT_AT_END_H_

#include <cstdint>
#include <string>

namespace syncline {

struct LeftAtEnd {
  // The name of the node in the config or, if it has none, that of its
  // calculator.
  std::string node;
  // The number of packets in the queues of the node and of its parts, plus the
  // number of input sets in a batch that was not full. 0: the node held no
  // packets, but its conditions held it, or it sent some in vain.
  std::int64_t packets = 0;
  // The number of packets that the node sent in Close(), when nobody read any
  // more: it was closed only because the run was over. A node that also held
  // packets has two entries.
  std::int64_t sent_in_vain = 0;
  // What the node waited for, or what it sent, as a sentence.
  std::string why;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_LEFT_AT_END_H_
