// SingleCall: the call of a node that runs one call at a time, and whether the
// node has to be looked at again when the call ends.
//
//         Begin: nothing to do after it      NoteNews: something arrives
//   kIdle ---------------------------> kBusy -------------> kBusyWithNews
//     | ^                                | TryEnd              ^      | End
//     | +--------------------------------+                     |      |
//     | Begin: there is something already                      |      |
//     +--------------------------------------------------------+      |
//     ^                                                               |
//     +---------------------------------------------------------------+
//
// These rules hold: no second call begins before the end of the first one. A
// call without news ends without the lock of its node. With news it does not:
// its thread takes the lock, ends the call and looks which call is next.
//
// Thread rule: only the holder of the node's lock calls Begin, NoteNews and End;
// only the thread that runs the call calls TryEnd.
// Tested by single_call_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_SINGLE_CALL_H_
#define SYNCLINE_FRAMEWORK_NODE_SINGLE_CALL_H_

#include <atomic>
#include <cstdint>

namespace syncline {

class SingleCall {
 public:
  bool IsIdle() const {
    return state_.load(std::memory_order_acquire) == State::kIdle;
  }
  // The call is ready. REQUIRES: IsIdle().
  void Begin(bool has_news) {
    state_.store(has_news ? State::kBusyWithNews : State::kBusy,
                 std::memory_order_relaxed);
  }
  // Something has arrived. True: the end of the call looks at it. False: no
  // call is ready or runs.
  bool NoteNews() {
    State seen = state_.load(std::memory_order_acquire);
    // The exchange fails if TryEnd came first.
    while (seen == State::kBusy &&
           !state_.compare_exchange_weak(seen, State::kBusyWithNews,
                                         std::memory_order_acquire)) {
    }
    return seen != State::kIdle;
  }
  // Ends a call without news. False: there are news.
  bool TryEnd() {
    State busy = State::kBusy;
    return state_.compare_exchange_strong(busy, State::kIdle,
                                          std::memory_order_release,
                                          std::memory_order_relaxed);
  }
  // Ends a call with news, to look at them next.
  void End() { state_.store(State::kIdle, std::memory_order_relaxed); }

 private:
  enum class State : std::uint8_t { kIdle, kBusy, kBusyWithNews };

  std::atomic<State> state_{State::kIdle};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_SINGLE_CALL_H_
