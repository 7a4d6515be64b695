#include "framework/graph/idle_decision.h"

namespace syncline {

IdleAction DecideWhenIdle(const IdleFacts& facts) {
  if (facts.has_error) return IdleAction::kFinish;
  if (facts.active_sources == 0 && facts.pending_sources > 0) {
    if (!facts.lower_layer_is_unopened) return IdleAction::kStartSources;
    if (!facts.has_open_inputs) return IdleAction::kDeadlock;
  }
  if (facts.active_sources > 0 || facts.has_full_input) {
    return facts.has_full_queue ? IdleAction::kRelieve : IdleAction::kWait;
  }
  return facts.has_open_inputs ? IdleAction::kWait : IdleAction::kFinish;
}

}  // namespace syncline
