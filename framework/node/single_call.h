// SingleCall: the call of a node that runs one call at a time, whether the node
// has to be looked at again when the call ends, and whether a call may begin
// without the node's lock.
//
//            Begin: nothing             Arrived: there is
//            to do after it             something to do
//   kNoCall ---------------------> kBusy -----------------> kLookAgain
//   | ^ ^                         | | ^                       |
//   | | |                  TryEnd | | | Claim                 | End
//   | | +-------------------------+ | |                       |
//   | +-----------------------------|-|-----------------------+
//   | Offer                         | |
//   +----------------------------> kFree: TryEnd of a node that is claimed
//     <---------------------------- Arrived
//
// Where there is something to do already, Begin and Claim go to kLookAgain at
// once.
//
// No second call begins before the end of the first one. If the state is kBusy,
// the call ends without the node's lock. If it is kLookAgain, the thread of the
// call takes the lock, ends the call and decides the next one.
//
// kFree is for nodes that can begin a call without their lock: whoever brings
// the packet for it claims the node, by one compare-and-swap. If the thread
// that holds the lock finds the node free, it first takes the node back, with
// Arrived, and offers it again when there is no call.
//
// Thread rule: only the holder of the node's lock calls Offer, Begin, Arrived
// and End; only the thread that runs the call calls LookAgain and TryEnd; any
// thread calls Claim.
// Tested by single_call_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_SINGLE_CALL_H_
#define SYNCLINE_FRAMEWORK_NODE_SINGLE_CALL_H_

#include <atomic>
#include <cstdint>

namespace syncline {

class SingleCall {
 public:
  // No call is ready or runs.
  bool HasNoCall() const {
    const State state = state_.load(std::memory_order_acquire);
    return state == State::kNoCall || state == State::kFree;
  }
  // From now on the node may be claimed. REQUIRES: Arrived() has given false,
  // and no call has begun since.
  void Offer() { state_.store(State::kFree, std::memory_order_release); }
  // Begins a call, if the node is free.
  bool Claim() {
    State free = State::kFree;
    return state_.compare_exchange_strong(free, State::kBusy,
                                          std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  // The call has begun, and its end is to look at the node again.
  void LookAgain() {
    state_.store(State::kLookAgain, std::memory_order_relaxed);
  }
  // The call is ready. REQUIRES: Arrived() has given false.
  void Begin(bool looks_again) {
    state_.store(looks_again ? State::kLookAgain : State::kBusy,
                 std::memory_order_relaxed);
  }
  // Something has arrived. True: a call is ready or runs, and its end will look
  // at what arrived. False: there is no call, and none begins but by Begin.
  bool Arrived() {
    State seen = state_.load(std::memory_order_acquire);
    // The exchange fails if TryEnd or Claim came first.
    while (seen == State::kBusy || seen == State::kFree) {
      const State next =
          seen == State::kBusy ? State::kLookAgain : State::kNoCall;
      if (state_.compare_exchange_weak(seen, next, std::memory_order_acquire)) {
        return next == State::kLookAgain;
      }
    }
    return seen == State::kLookAgain;
  }
  // Ends the call, unless the node has to be looked at again: then false.
  // `may_be_claimed`: the node is free then.
  bool TryEnd(bool may_be_claimed) {
    State busy = State::kBusy;
    // Without a branch: kFree is 1, and kNoCall is 0.
    return state_.compare_exchange_strong(
        busy, static_cast<State>(may_be_claimed), std::memory_order_release,
        std::memory_order_relaxed);
  }
  // Ends the call after TryEnd gave false.
  void End() { state_.store(State::kNoCall, std::memory_order_relaxed); }

 private:
  enum class State : std::uint8_t { kNoCall = 0, kFree = 1, kBusy, kLookAgain };

  std::atomic<State> state_{State::kNoCall};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_SINGLE_CALL_H_
