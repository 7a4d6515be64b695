// NodeWait: one node that waits in a run, and for whom, as a picture of the
// graph shows it. The texts of standstill.h say the same in sentences.
//
// Thread rule: a value.
// Tested by standstill_test and standstill_graph_test.

#ifndef SYNCLINE_FRAMEWORK_REPORT_NODE_WAIT_H_
#define SYNCLINE_FRAMEWORK_REPORT_NODE_WAIT_H_

#include <string>

namespace syncline {

struct NodeWait {
  // Ids of the plan. -1: the other is no node, but the application, a clock or
  // a device, as `what` says.
  int node = -1;
  int for_node = -1;
  // The stream, side packets apart, by which the other is waited for; -1: none.
  int stream = -1;
  // What the node waits for, or what is the matter with it: a part of a
  // sentence that begins with the node.
  std::string what;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_NODE_WAIT_H_
