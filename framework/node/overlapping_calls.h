// OverlappingCalls: the calls of a node of which several may run at once, and
// the order in which their results leave, which is that of their input sets.
//
//   max_in_flight: 3            time goes to the right
//
//   input set 10  |=======================|
//   input set 20     |=====|..............|
//   input set 30        |=========|.......|
//   input set 40         (no place)       |=====|
//   results leave                        10,20,30  40
//
//   =  the call runs    .  it has returned, and its results wait
//
// 20 returns before 10: nothing leaves, not even a bound past 10. When 10
// returns, its thread sends the results of 10, 20 and 30. Until then they are
// in flight, so 40 has to wait for a place.
//
//   Next()      the invocation for the next call, or null: one has to be made
//   Begin       its input set has been taken: its call is the last in the order
//   Complete    its call has returned: has this thread to send results now?
//   Finish      its results are sent: which results are to be sent next?
//
// The thread whose call was the oldest sends the results of all calls that have
// returned, one after the other, also for the threads that ran these calls.
//
// Invocations are made when they are needed for the first time, so a limit that
// is never reached costs nothing.
//
// Thread rule: guarded by the node's lock.
// Tested by overlapping_calls_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_OVERLAPPING_CALLS_H_
#define SYNCLINE_FRAMEWORK_NODE_OVERLAPPING_CALLS_H_

#include <deque>
#include <memory>
#include <vector>

#include "framework/node/invocation.h"

namespace syncline {

class OverlappingCalls {
 public:
  // `first` is borrowed.
  OverlappingCalls(int max_in_flight, Invocation* first);

  int in_flight() const { return static_cast<int>(in_order_.size()); }
  bool IsFull() const { return in_flight() == max_in_flight_; }

  // REQUIRES: !IsFull(). Null: no invocation is free.
  Invocation* Next() const { return free_.empty() ? nullptr : free_.back(); }
  // Adds a free invocation, and returns it.
  Invocation* Add(std::unique_ptr<Invocation> invocation);

  // REQUIRES: `invocation` is Next().
  void Begin(Invocation* invocation);
  // Returns the invocation whose results this thread has to send now, or null.
  Invocation* Complete(Invocation* invocation);
  // Returns the next invocation whose results this thread has to send, or null.
  // REQUIRES: `invocation` came from Complete or Finish.
  Invocation* Finish(Invocation* invocation);

  // The calls that were begun, oldest first, whose results are not sent.
  const std::deque<Invocation*>& in_order() const { return in_order_; }

  // Drops all invocations that were made. REQUIRES: no call runs. After a
  // cancel, some calls that were begun never run.
  void Clear();

 private:
  const int max_in_flight_;
  std::vector<std::unique_ptr<Invocation>> made_;
  std::vector<Invocation*> free_;
  std::deque<Invocation*> in_order_;  // oldest first
  bool is_sending_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_OVERLAPPING_CALLS_H_
