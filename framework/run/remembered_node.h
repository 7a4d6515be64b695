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
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/packet/packet.h"

namespace syncline {

class RememberedNode {
 public:
  // The node has made `outputs` of `inputs`, which are side packets by port.
  void Remember(std::vector<Packet> inputs, std::vector<Packet> outputs) {
    // An output that is missing may still be set by Close, so this opening
    // cannot be repeated from memory.
    if (std::any_of(outputs.begin(), outputs.end(),
                    [](const Packet& packet) { return packet.IsEmpty(); })) {
      opening_ = nullptr;
      return;
    }
    opening_ = std::make_unique<const Opening>(
        Opening{std::move(inputs), std::move(outputs)});
  }
  // Whether it would make outputs() of these.
  bool Knows(absl::Span<const Packet> inputs) const {
    return opening_ != nullptr &&
           std::equal(inputs.begin(), inputs.end(), opening_->inputs.begin(),
                      opening_->inputs.end());
  }
  absl::Span<const Packet> outputs() const {
    if (opening_ == nullptr) return {};
    return opening_->outputs;
  }

  // False for the first call: the warning that its offset is wrong.
  bool HasWarnedOfOffset() {
    return std::exchange(has_warned_of_offset_, true);
  }

 private:
  struct Opening {
    std::vector<Packet> inputs;  // empty packets where missing
    std::vector<Packet> outputs;
  };

  // Null at most nodes.
  std::unique_ptr<const Opening> opening_;
  bool has_warned_of_offset_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_REMEMBERED_NODE_H_
