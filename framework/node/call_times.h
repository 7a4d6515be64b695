// CallTimes: when the last calls of a node began and ended, and how long all of
// them took, if the run times calls. NoteCost and NoteSleep: how long a call
// took, and whether it gave its core up meanwhile, for the scheduler.
//
// Calls that are short are measured less and less often. If they become long
// meanwhile, an executor that watches its threads notices it. After one of nine
// long calls the kernel is asked whether the thread slept.
//
// Thread rule: CallTimes: any thread. The others: the owner of the invocation.
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
  void End(std::int64_t now_us, std::int64_t elapsed_ns) {
    last_finish_us_.store(now_us);
    total_ns_.fetch_add(elapsed_ns, std::memory_order_relaxed);
    running_.fetch_sub(1);
  }
  void AddTo(NodeSnapshot* snapshot) const {
    snapshot->last_start_us = last_start_us_.load();
    snapshot->last_finish_us = last_finish_us_.load();
    snapshot->running_calls = running_.load();
    snapshot->host_time_ns = total_ns_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t> last_start_us_{0};
  std::atomic<std::int64_t> last_finish_us_{0};
  std::atomic<int> running_{0};
  std::atomic<std::int64_t> total_ns_{0};
};

// The call of `invocation` took `elapsed_ns`. `always`: the next call is
// measured, too, however short this one was.
void NoteCost(std::int64_t elapsed_ns, bool always, Invocation* invocation);

// What the kernel says of this thread.
struct ThreadUse {
  std::int64_t cpu_ns = 0;
  // How often it gave its core up because it waited for something.
  std::int64_t waits = 0;
  // How often it lost its core to another thread.
  std::int64_t losses = 0;

  static ThreadUse Now();
};

// Whether ThreadUse is worth its two calls of the kernel, around this call.
bool AsksForSleep(const Invocation& invocation);
// Notes whether a call sleeps. `before` and `after` were read around the call,
// and its cost has been noted. A call sleeps if it gave its core up more often
// than it lost its core, and computed for at most half of `elapsed_ns`.
void NoteSleep(const ThreadUse& before, const ThreadUse& after,
               std::int64_t elapsed_ns, Invocation* invocation);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_CALL_TIMES_H_
