// RememberedNode: what is known of a node from earlier runs of its graph. A
// node without streams makes the same output side packets of the same input
// side packets, so it need not be opened again. (Two packets are the same when
// they share their value.)
//
// Thread rule: a value.
// Tested by remembered_node_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_REMEMBERED_NODE_H_
#define SYNCLINE_FRAMEWORK_RUN_REMEMBERED_NODE_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/packet/packet.h"

namespace syncline {

class RememberedNode {
 public:
  // The node has made `outputs` of `inputs`, which are side packets by port.
  void Remember(std::vector<Packet> inputs, std::vector<Packet> outputs) {
    inputs_ = std::move(inputs);
    outputs_ = std::move(outputs);
    // An output that is missing may still be set by Close, so this opening
    // cannot be repeated from memory.
    is_valid_ =
        std::none_of(outputs_.begin(), outputs_.end(),
                     [](const Packet& packet) { return packet.IsEmpty(); });
  }
  // Whether it would make outputs() of these.
  bool Knows(absl::Span<const Packet> inputs) const {
    return is_valid_ && std::equal(inputs.begin(), inputs.end(),
                                   inputs_.begin(), inputs_.end());
  }
  const std::vector<Packet>& outputs() const { return outputs_; }

  // False for the first call: the warning that its offset is wrong.
  bool HasWarnedOfOffset() {
    return std::exchange(has_warned_of_offset_, true);
  }

 private:
  bool is_valid_ = false;
  std::vector<Packet> inputs_;   // empty packets where missing
  std::vector<Packet> outputs_;  // empty packets where missing
  bool has_warned_of_offset_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_REMEMBERED_NODE_H_
