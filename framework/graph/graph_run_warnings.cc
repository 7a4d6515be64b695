// What a run warns of while it goes on: queues without limit that have become
// absurdly long. One warning for each, and again at each tenfold.

#include <cstdint>

#include "framework/graph/graph_run.h"
#include "framework/node/node.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/node_names.h"
#include "glog/logging.h"

namespace syncline {

void GraphRun::WarnOfLongQueue(int node, int stream, std::int64_t size) const {
  LOG(WARNING) << "The input queue of stream \"" << plan_.streams()[stream].name
               << "\" at " << NodeLabel(*plan_.nodes()[node].config)
               << " has no limit and holds " << size << " packets. "
               << StallReport(node, nodes_[node]->Snapshot())
               << " Feed what it waits for, or set max_queue_size or "
                  "max_queue_bytes in the graph, so that sources and graph "
                  "inputs wait. (queue_warning_size sets when this is said.)";
}

void GraphRun::WarnOfLongPoller(int stream, std::int64_t size) const {
  LOG(WARNING) << "An OutputStreamPoller of stream \""
               << plan_.streams()[stream].name << "\" has no limit and holds "
               << size
               << " packets that nobody reads. Call Next(), drop the poller's "
                  "packets with Reset(), or give it a limit with "
                  "SetMaxQueueSize(), so that sources and graph inputs wait. "
                  "(queue_warning_size sets when this is said.)";
}

}  // namespace syncline
