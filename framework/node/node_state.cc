#include "framework/node/node_state.h"

#include "absl/strings/string_view.h"
#include "glog/logging.h"

namespace syncline {

absl::string_view NodeStateName(NodeState state) {
  switch (state) {
    case NodeState::kWaiting:
      return "waiting";
    case NodeState::kOpening:
      return "opening";
    case NodeState::kOpen:
      return "open";
    case NodeState::kClosing:
      return "closing";
    case NodeState::kClosed:
      return "closed";
  }
  return "?";
}

void ChangeState(NodeState from, NodeState to, NodeState* state) {
  DCHECK(*state == from && IsLegalTransition(from, to))
      << NodeStateName(*state) << ", " << NodeStateName(from) << " -> "
      << NodeStateName(to);
  *state = to;
}

}  // namespace syncline
