// CallTimes: when calls of a node began and ended, where somebody watches.
// NoteCost: what a call cost, of which the scheduler wants to know.
//
// Calls that are short are measured less and less often. Should they become
// long unseen, a watching executor notices.
//
// Thread rule: CallTimes: any thread. NoteCost: who owns the invocation.
// Tested by call_times_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_CALL_TIMES_H_
#define SYNCLINE_FRAMEWORK_NODE_CALL_TIMES_H_

#include <atomic>
#include <cstdint>

#include "framework/node/invocation.h"
#include "framework/node/node_snapshot.h"

namespace syncline {

class CallTimes {
 public:
  void Begin(std::int64_t now_us) {
    last_start_us_.store(now_us);
    running_.fetch_add(1);
  }
  void End(std::int64_t now_us) {
    last_finish_us_.store(now_us);
    running_.fetch_sub(1);
  }
  void AddTo(NodeSnapshot* snapshot) const {
    snapshot->last_start_us = last_start_us_.load();
    snapshot->last_finish_us = last_finish_us_.load();
    snapshot->running_calls = running_.load();
  }

 private:
  std::atomic<std::int64_t> last_start_us_{0};
  std::atomic<std::int64_t> last_finish_us_{0};
  std::atomic<int> running_{0};
};

// The call of `invocation` took so long. `always`: so is the next one measured,
// however short this was.
void NoteCost(std::int64_t elapsed_ns, bool always, Invocation* invocation);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_CALL_TIMES_H_
