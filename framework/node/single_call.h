// SingleCall: the call of a node that runs one call at a time, and whether the
// node has to be looked at again when the call ends.
//
//            Begin: nothing             Arrived: there is
//            to do after it             something to do
//   kIdle ---------------------> kBusy -----------------> kLookAgain
//     ^                            | TryEnd                   | End
//     +----------------------------+--------------------------+
//
// Where there is something to do already, Begin goes to kLookAgain at once.
//
// No second call begins before the end of the first one. If the state is kBusy,
// the call ends without the node's lock. If it is kLookAgain, the thread of the
// call takes the lock, ends the call and decides the next one.
//
// Thread rule: only the holder of the node's lock calls Begin, Arrived and End;
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
  void Begin(bool looks_again) {
    state_.store(looks_again ? State::kLookAgain : State::kBusy,
                 std::memory_order_relaxed);
  }
  // Something has arrived. True: a call is ready or runs, and its end will look
  // at what arrived. False: there is no call.
  bool Arrived() {
    State seen = state_.load(std::memory_order_acquire);
    // The exchange fails if TryEnd came first.
    while (seen == State::kBusy &&
           !state_.compare_exchange_weak(seen, State::kLookAgain,
                                         std::memory_order_acquire)) {
    }
    return seen != State::kIdle;
  }
  // Ends the call, unless the node has to be looked at again: then false.
  bool TryEnd() {
    State busy = State::kBusy;
    return state_.compare_exchange_strong(busy, State::kIdle,
                                          std::memory_order_release,
                                          std::memory_order_relaxed);
  }
  // Ends the call after TryEnd gave false.
  void End() { state_.store(State::kIdle, std::memory_order_relaxed); }

 private:
  enum class State : std::uint8_t { kIdle, kBusy, kLookAgain };

  std::atomic<State> state_{State::kIdle};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_SINGLE_CALL_H_
