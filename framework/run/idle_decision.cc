#include "framework/run/idle_decision.h"

namespace syncline {

IdleAction DecideWhenIdle(const IdleFacts& facts) {
  if (facts.has_error) return IdleAction::kFinish;
  if (facts.active_sources == 0 && facts.pending_sources > 0) {
    if (!facts.lower_layer_is_unopened) return IdleAction::kStartSources;
    const bool may_open = facts.has_open_inputs || facts.waits_for_idle_time ||
                          facts.waits_for_outside;
    if (!may_open) return IdleAction::kDeadlock;
  }
  if (facts.waits_for_idle_time) return IdleAction::kAdvanceClock;
  if (facts.waits_for_outside) return IdleAction::kWait;
  const bool is_kept = facts.active_sources > facts.held_sources;
  // An input that is open may bring what empties a queue that is not full,
  // unless who would feed it waits too.
  const bool lacks_room =
      facts.lacks_room && (!facts.has_open_inputs || facts.application_waits);
  const bool may_grow = facts.has_full_queue || lacks_room;
  const bool needs_room = facts.waits_for_room && may_grow;
  if (is_kept || facts.has_full_input || needs_room) {
    if (!may_grow) return IdleAction::kWait;
    if (facts.reports_deadlock) return IdleAction::kStalled;
    if (!facts.at_ceiling) return IdleAction::kRelieve;
    const bool application_may_help =
        facts.has_open_inputs || facts.has_full_poller;
    return application_may_help && !facts.application_waits
               ? IdleAction::kWait
               : IdleAction::kStalled;
  }
  if (facts.has_open_inputs) return IdleAction::kWait;
  if (facts.is_held && facts.reports_deadlock) return IdleAction::kHeld;
  return facts.has_packets_left ? IdleAction::kPacketsLeft
                                : IdleAction::kFinish;
}

}  // namespace syncline
