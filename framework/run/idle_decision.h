// What a run does when nothing is running or ready.
//
// A pure decision from what is known of the run; graph_run_idle.cc acts on it.
//
//   there is an error .......................................... finish
//   nodes wait for a time that comes when nothing else can happen advance
//   nodes wait for a time that is told, or for an event ........ wait
//   sources of a layer run, but full queues hold them or an input back; or a
//   node waits for more room than a queue behind it has
//       ... and all of those are the application's to empty .... wait
//       ... and the graph wants to hear of that (report_deadlock) stalled
//       ... and some may grow .................................. relieve
//       ... none may, but the application can still feed an input or empty a
//           poller, and is not waiting for a full queue itself   wait
//       else ................................................... stalled
//   no source runs, sources of a next layer are open ........... start them
//       ... but a source of a lower layer cannot open, and nothing changes
//       this: no open graph input, no node that waits for a time or event
//       ................................... layers wait for each other
//   no source runs, no graph input is open ..................... finish
//       ... but open nodes hold packets that no call can take .. packets left
//       ... but nodes are held by conditions, and the graph wants to hear of
//       that (report_deadlock) ................................. held
//   else ....................................................... wait
//
// A source that its conditions hold counts as running, but not as kept by a
// full queue.
//
// Thread rule: pure.
// Tested by idle_decision_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_IDLE_DECISION_H_
#define SYNCLINE_FRAMEWORK_RUN_IDLE_DECISION_H_

namespace syncline {

// What is known of a run that is idle.
struct IdleState {
  bool has_error = false;
  bool has_open_inputs = false;
  // Sources that were started and have not ended. Nothing is running, so a full
  // queue keeps each of them, but for those that conditions hold.
  int active_sources = 0;
  int held_sources = 0;
  // Conditions hold a node: until a time of a clock that jumps there once
  // nothing else can happen, ...
  bool waits_for_idle_time = false;
  // ... until a time that is told, or an event, ...
  bool waits_for_outside = false;
  // ... until there is room in the queues behind it, ...
  bool waits_for_room = false;
  // ... which have less than it asks for, though they may not be full, ...
  bool lacks_room = false;
  // ... or for anything. Nodes that hold packets and wait for conditions count
  // too where no input set is ready (Node::WaitsForConditions).
  bool is_held = false;
  // Sources that are open and not started.
  int pending_sources = 0;
  // A source that is not open has a lower layer than every pending one.
  bool lower_layer_is_unopened = false;
  // A full queue keeps a graph input back.
  bool has_full_input = false;
  // A queue of a node is full.
  bool has_full_queue = false;
  // The graph wants a deadlock to be reported at once (report_deadlock).
  bool reports_deadlock = false;
  // No full queue may grow any more.
  bool at_ceiling = false;
  // A queue of a poller is full.
  bool has_full_poller = false;
  // A call of the application waits until it may add a packet.
  bool application_waits = false;
  // Nodes hold packets that no call can take any more, and no condition that
  // holds a node is the reason. Known only where the run is about to finish.
  bool has_packets_left = false;
};

enum class IdleAction {
  kWait,
  kStartSources,
  kAdvanceClock,
  kRelieve,
  kFinish,
  // Full queues hold back what would empty them.
  kStalled,
  // Sources wait for one of a lower layer, which waits for them.
  kLayersWaitForEachOther,
  // Nodes wait for conditions that nothing can change any more.
  kHeld,
  // Packets would be lost.
  kPacketsLeft,
};

IdleAction DecideWhenIdle(const IdleState& state);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_IDLE_DECISION_H_
