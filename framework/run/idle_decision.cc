#include "framework/run/idle_decision.h"

namespace syncline {

IdleAction DecideWhenIdle(const IdleState& state) {
  if (state.has_error) return IdleAction::kFinish;
  if (state.active_sources == 0 && state.pending_sources > 0) {
    if (!state.lower_layer_is_unopened) return IdleAction::kStartSources;
    const bool may_open = state.has_open_inputs || state.waits_for_idle_time ||
                          state.waits_for_outside;
    if (!may_open) return IdleAction::kLayersWaitForEachOther;
  }
  if (state.waits_for_idle_time) return IdleAction::kAdvanceClock;
  if (state.waits_for_outside) return IdleAction::kWait;
  const bool is_kept = state.active_sources > state.held_sources;
  // Nodes may wait for room in queues that are not full. Packets from an open
  // input can empty such a queue, unless the application waits, too.
  const bool lacks_room =
      state.lacks_room && (!state.has_open_inputs || state.application_waits);
  const bool may_grow = state.has_full_queue || lacks_room;
  const bool needs_room = state.waits_for_room && may_grow;
  if (is_kept || state.has_full_input || needs_room) {
    if (!may_grow) return IdleAction::kWait;
    if (state.reports_deadlock) return IdleAction::kStalled;
    if (!state.at_ceiling) return IdleAction::kRelieve;
    const bool application_may_help =
        state.has_open_inputs || state.has_full_poller;
    return application_may_help && !state.application_waits
               ? IdleAction::kWait
               : IdleAction::kStalled;
  }
  if (state.has_open_inputs) return IdleAction::kWait;
  if (state.is_held && state.reports_deadlock) return IdleAction::kHeld;
  return state.has_packets_left ? IdleAction::kPacketsLeft
                                : IdleAction::kFinish;
}

}  // namespace syncline
