// InnerQueues: what the engine asks a calculator that keeps packets of its own
// streams in queues inside of it, as a fused node does. Packets there count
// like packets in the queues of a node: if they still wait at the end of a run,
// the run says so.
//
// Thread rule: PacketsWaiting, WhereTheyWait and PartInCall, any thread;
// DropWaiting, while no call of the calculator runs.
// Tested by fused_node_test and packets_left_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_INNER_QUEUES_H_
#define SYNCLINE_FRAMEWORK_NODE_INNER_QUEUES_H_

#include <cstdint>
#include <string>

namespace syncline {

class InnerQueues {
 public:
  // The number of packets that waited in them after the last call. They wait
  // for other inputs: what is settled has been processed.
  virtual std::int64_t PacketsWaiting() const = 0;
  // For reports: how many of them wait where.
  virtual std::string WhereTheyWait() const = 0;
  // For reports: which part the call is in that goes on; empty: it is in none.
  virtual std::string PartInCall() const = 0;
  // The run is over before the inputs of the node have ended, and Close is the
  // next call: nothing that is in these queues, or comes to them, is processed.
  virtual void DropWaiting() = 0;

 protected:
  ~InnerQueues() = default;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_INNER_QUEUES_H_
