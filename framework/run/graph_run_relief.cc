// Relief: raises the limits of full queues, and of queues with less room than
// held nodes ask for, where a run cannot go on otherwise. idle_decision decides
// when. This file decides which limits. NodeInputs::RaiseLimit and RaiseRoom
// decide to what.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/types/optional.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/report/run_reports.h"
#include "framework/run/graph_run.h"
#include "glog/logging.h"

namespace syncline {

bool GraphRun::RelieveFullQueues() {
  // An application may call this at any time. After the end of a run no source
  // may start. While a run goes on, a full queue need not be a deadlock: OnIdle
  // finds out.
  ApplicationCall call(this);
  return call.is_running() && RaiseFullLimits(&call.effects);
}

bool GraphRun::RaiseFullLimits(Effects* effects) {
  if (plan().settings().report_deadlock) return false;
  // Before the sources that were held back go on.
  const std::string why = reliefs_.WarnsOfNext() ? look_.Explain() : "";
  bool raised = false;
  for (const Node::Placed& node : nodes_) {
    const NodeSnapshot snapshot = node->Snapshot();
    for (size_t port = 0; port < snapshot.inputs.size(); ++port) {
      const NodeSnapshot::Input& input = snapshot.inputs[port];
      if (!input.is_full) continue;
      const int ceiling =
          std::max(plan().settings().max_queue_size_ceiling, input.limit);
      raised |= node->RaiseLimit(static_cast<int>(port), ceiling, effects);
    }
  }
  for (const ShortRoom& room : gated_nodes_.FindShortRooms()) {
    raised |= nodes_[room.queue.node]->RaiseRoom(
        room.queue.port, room.wanted, plan().settings().max_queue_size_ceiling,
        effects);
  }
  if (!raised) return false;
  const absl::optional<std::int64_t> count = reliefs_.Add();
  if (count.has_value()) {
    LOG(WARNING) << "Resolved a deadlock by increasing max_queue_size of input "
                    "streams (time "
                 << *count
                 << " in this run; said again at each tenfold). What waits for "
                    "what:\n"
                 << why;
  }
  return true;
}

}  // namespace syncline
