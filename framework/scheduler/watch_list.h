// WatchList: the queues that a pool watches over for their owners (see
// Executor::Watch), and what a look at them finds.
//
//   waiting  returns since the last look   then
//   0        none                        not watched any more
//   any      some                        the queue's thread comes back: fine
//   > 0      none                        the queue is due: send a thread
//   > 0      some, but lacks_cores       due, too: its threads may use no core
//
// So a queue that is busy for a moment again and again, as with timers, stays
// watched in between, because a new watch costs more than a look now and then.
//
// How often to look: after 1 ms; twice as late each time while all is fine, up
// to 8 ms, and also while a queue stays due although a thread was sent. So a
// queue that has been busy for a while gets a thread at most 16 ms after its
// own threads stopped coming back. A queue whose threads only lack cores
// refuses it for some looks (core_use.h).
//
// The flag. The owner counts up `waiting`, and then calls Watch if
// flag.exchange(true) was false. A look that finds nothing waiting lowers the
// flag, and then looks at `waiting` again. So either the owner sees the flag
// down, or the look sees the work; if both do, the exchange decides which of
// them watches on.
//
// Thread rule: the owner has a lock for it.
// Tested by watch_list_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_WATCH_LIST_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_WATCH_LIST_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "framework/scheduler/executor.h"

namespace syncline {

class WatchList {
 public:
  static constexpr absl::Duration kShortest = absl::Milliseconds(1);
  static constexpr absl::Duration kLongest = absl::Milliseconds(8);

  // Everything is borrowed until Remove, or until a look lowers the flag.
  void Add(TaskQueue* task_queue, const WatchedWork* work,
           std::atomic<bool>* flag);
  void Remove(TaskQueue* task_queue);

  bool empty() const { return entries_.empty(); }
  // How long to wait before the next look.
  absl::Duration interval() const { return interval_; }

  // Looks at every queue. Adds those that are due to `due`.
  void Look(std::vector<TaskQueue*>* due);

 private:
  struct Entry {
    TaskQueue* task_queue;
    const WatchedWork* work;
    std::atomic<bool>* flag;
    std::uint64_t last_returns;
    bool was_due = false;
  };

  // REQUIRES: no returns since the last look.
  static bool IsOver(const Entry& entry);

  std::vector<Entry> entries_;
  absl::Duration interval_ = kShortest;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_WATCH_LIST_H_
