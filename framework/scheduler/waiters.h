// Waiters: the threads of the application that wait for a graph, and for what.
//
// A thread enters itself before it waits, which costs no clock reading. When it
// began to wait is known from the first time that somebody looked, and so about
// as exactly as somebody looks often.
//
// Thread rule: guarded by the lock of the wait point.
// Tested by waiters_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_WAITERS_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_WAITERS_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace syncline {

// What a thread of the application waits for.
struct WaitReason {
  enum class For {
    kOther,
    kDone,            // the end of the run
    kIdle,            // a moment in which nothing runs
    kObservedOutput,  // something for an observer or a poller
    kRoom,            // room behind a graph input
    kPacket,          // a packet of a poller
    kTasks,           // the end of the tasks that are ready
  };
  For what = For::kOther;
  // With kRoom and kPacket; -1: unknown.
  int stream = -1;
};

class Waiters {
 public:
  // While one of these lives, a thread waits.
  class Entry {
   public:
    Entry(Waiters* waiters, WaitReason reason)
        : waiters_(waiters), reason_(reason), after_(waiters->first_) {
      if (after_ != nullptr) after_->before_ = this;
      waiters->first_ = this;
    }
    ~Entry() {
      if (after_ != nullptr) after_->before_ = before_;
      (before_ != nullptr ? before_->after_ : waiters_->first_) = after_;
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    friend class Waiters;
    Waiters* const waiters_;
    const WaitReason reason_;
    // When somebody saw the thread wait for the first time.
    std::int64_t seen_ns_ = kNever;
    Entry* before_ = nullptr;
    Entry* after_;
  };

  static constexpr std::int64_t kNever =
      std::numeric_limits<std::int64_t>::max();

  struct Seen {
    // The last one to come is the first.
    std::vector<WaitReason> reasons;
    // Since when, at the latest, the first of them has waited; kNever: nobody
    // waits.
    std::int64_t since_ns = kNever;
  };
  // Who waits at `now_ns`, by the steady clock.
  Seen Look(std::int64_t now_ns) {
    Seen seen;
    for (Entry* entry = first_; entry != nullptr; entry = entry->after_) {
      entry->seen_ns_ = std::min(entry->seen_ns_, now_ns);
      seen.reasons.push_back(entry->reason_);
      seen.since_ns = std::min(seen.since_ns, entry->seen_ns_);
    }
    return seen;
  }

 private:
  Entry* first_ = nullptr;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_WAITERS_H_
