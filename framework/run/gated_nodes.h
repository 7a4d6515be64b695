// GatedNodes: which nodes of a run wait for more than their inputs (NodeGate),
// and which of them look at the room in queues behind them.
//
// Thread rule: constant once the run is built.
// Tested by run_nodes_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_GATED_NODES_H_
#define SYNCLINE_FRAMEWORK_RUN_GATED_NODES_H_

#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace syncline {

class Node;

class GatedNodes {
 public:
  // --- Building. Nodes are borrowed.

  // `has_timeout`: it waits for its inputs for a time.
  void Add(Node* node, bool has_timeout) {
    nodes_.push_back(node);
    has_timeouts_ = has_timeouts_ || has_timeout;
  }
  // `node` looks at the room in the queues of `stream`.
  void AddRoomWatcher(int stream, Node* node) {
    room_watchers_[stream].push_back(node);
  }
  // One of them could not be made: the run is to end with that.
  void AddError(const absl::Status& error) { status_.Update(error); }

  // --- Looking

  bool empty() const { return nodes_.empty(); }
  auto begin() const { return nodes_.begin(); }
  auto end() const { return nodes_.end(); }
  // The first error.
  const absl::Status& status() const { return status_; }
  // Some of them wait for inputs for a time.
  bool has_timeouts() const { return has_timeouts_; }
  absl::Span<Node* const> RoomWatchersOf(int stream) const {
    if (room_watchers_.empty()) return {};
    const auto found = room_watchers_.find(stream);
    if (found == room_watchers_.end()) return {};
    return found->second;
  }

 private:
  std::vector<Node*> nodes_;
  bool has_timeouts_ = false;
  std::map<int, std::vector<Node*>> room_watchers_;  // by stream
  absl::Status status_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_GATED_NODES_H_
