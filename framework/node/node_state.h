// The life of a node in one run.
//
//               StartRun
//                  |
//                  v
//   +---------- kWaiting     headers of its inputs or side packets are missing
//   |              |         HeaderArrived, SidePacketArrived: the last one
//   |              v
//   |          kOpening ---- Open failed, or the run ended first ----+
//   |              |         FinishOpen                              |
//   |              v                                                 |
//   |            kOpen       Process is called                       |
//   |              |         the policy says kClose; a source stops; |
//   |              v         the end of the run                      |
//   |          kClosing      Close is called                         |
//   |              |         FinishClose                             |
//   |              v                                                 |
//   +---------> kClosed <--------------------------------------------+
//
// These rules hold: packets are queued in every state but kClosed, where they
// are dropped and counted. Process runs in kOpen only, Close in kClosing only,
// and no other call of the node runs meanwhile. Outputs are open until kClosed.
//
// Thread rule: guarded by the node's lock.
// Tested by node_state_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_STATE_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_STATE_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace syncline {

enum class NodeState : std::uint8_t {
  kWaiting,
  kOpening,
  kOpen,
  kClosing,
  kClosed
};

absl::string_view NodeStateName(NodeState state);

// Whether the diagram has an arrow.
constexpr bool IsLegalTransition(NodeState from, NodeState to) {
  switch (to) {
    case NodeState::kWaiting:
      return false;
    case NodeState::kOpening:
      return from == NodeState::kWaiting;
    case NodeState::kOpen:
      return from == NodeState::kOpening;
    case NodeState::kClosing:
      return from == NodeState::kOpen;
    case NodeState::kClosed:
      return from != NodeState::kOpen && from != NodeState::kClosed;
  }
  return false;
}

// Moves *state from `from` to `to`; both ends are checked.
void ChangeState(NodeState from, NodeState to, NodeState* state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_STATE_H_
