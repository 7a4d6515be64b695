// RunningCalls: which thread is inside which call of which run, for reports
// about a run that stands still.
//
// Every thread that runs tasks has a slot of its own, and writes into it what
// it is about to call: two plain stores for a call. Nothing is written when a
// call ends, so between two calls a slot still names the last one. A reader
// therefore compares what it finds with the calls that nodes say are in flight,
// and believes it only of a run in which nothing has moved for a while.
//
//   thread 1:  [ run A: node "load" ][ run B: node "decode" ]
//                 frame 0               frame 1, as "load" runs a graph
//   thread 2:  [ run A: node "show" ][ run A: observer of stream 3 ]
//
// The slot of a thread is made when the thread runs its first task, and is
// taken off the list when the thread ends.
//
// Thread rule: a Scope and its frame belong to the thread that made them; Look,
// any thread.
// Tested by running_calls_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUNNING_CALLS_H_
#define SYNCLINE_FRAMEWORK_RUN_RUNNING_CALLS_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "framework/packet/timestamp.h"

namespace syncline {

class RunningCalls {
 public:
  // What a thread does for one run. A node whose calculator runs a graph, and
  // an observer, get a frame of their own above the one that they are in.
  struct Frame {
    std::atomic<const void*> run{nullptr};
    std::atomic<const void*> call{nullptr};
    std::atomic<std::int64_t> timestamp{0};
    // The stream whose observer is called; -1: no observer.
    std::atomic<int> observed_stream{-1};

    // The thread is about to call `the_call`, which is only compared, at `at`.
    void Begin(const void* the_call, Timestamp at) {
      call.store(the_call, std::memory_order_relaxed);
      timestamp.store(at.Value(), std::memory_order_relaxed);
    }
  };

  // While one of these lives, its thread does something for `run`.
  class Scope {
   public:
    // Both are only compared. `observed_stream`: the thread calls the observer
    // of this stream.
    explicit Scope(const void* run, int observed_stream = -1);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    Frame* frame() const { return frame_; }

   private:
    Frame* const frame_;
  };

  // What one thread does for one run, as far as it has told.
  struct Call {
    pid_t thread = 0;
    const void* call = nullptr;
    Timestamp timestamp;
    int observed_stream = -1;
  };

  // The calls that threads are in, or were in last, for `run`; those of one
  // thread one after the other, the outermost first.
  static std::vector<Call> Look(const void* run);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUNNING_CALLS_H_
