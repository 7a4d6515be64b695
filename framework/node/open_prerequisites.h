// OpenPrerequisites: what has to be there before a node may be opened, and how
// much of it is missing.
//
//   The start of the run.
//   The side packets that other nodes make. All other side packets are there
//       from the start, or are optional.
//   The header of each input, which may be empty: the producer of the input's
//       stream sets it in Open. Back edges are left out, because the node would
//       wait for itself.
//
// Thread rule: one thread at a time; a node guards it with its lock.
// Tested by open_prerequisites_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_OPEN_PREREQUISITES_H_
#define SYNCLINE_FRAMEWORK_NODE_OPEN_PREREQUISITES_H_

#include "absl/types/span.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

class OpenPrerequisites {
 public:
  // The number of input side packets of `node` that other nodes make.
  static int SidePacketsToCome(absl::Span<const PlanSidePacket> side_packets,
                               const PlanNode& node) {
    int count = 0;
    for (const int id : node.input_side_packets) {
      if (side_packets[id].producer.node >= 0) ++count;
    }
    return count;
  }

  // Each says that one thing has come, and returns true if it was the last: the
  // node may be opened from now on. The start of the run comes first.
  bool RunStarted(const PlanNode& node, int side_packets_to_come) {
    missing_ += side_packets_to_come;
    for (const PlanInput& input : node.inputs) {
      if (!input.back_edge) ++missing_;
    }
    return --missing_ == 0;
  }
  bool HeaderArrived(const PlanInput& input) {
    return !input.back_edge && --missing_ == 0;
  }
  bool SidePacketArrived() { return --missing_ == 0; }

 private:
  int missing_ = 1;  // the start
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_OPEN_PREREQUISITES_H_
