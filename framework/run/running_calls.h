// RunningCalls: which thread is inside which call of which run, for reports
// about a run that stands still.
//
// Every thread that runs tasks has a frame of its own, and writes into it what
// it is about to call: one plain store for a call. Nothing is written when a
// call ends, so between two calls a frame still names the last one. A reader
// therefore compares what it finds with the calls that nodes say are in flight,
// and believes it only of a run in which nothing has moved for a while.
//
//   thread 1:  [ run A: node "load" ][ run B: node "decode" ]
//                 kept                  present, as "load" runs a graph
//   thread 2:  [ run A: node "show", which sends to an observer of stream 3 ]
//
// The frame of a thread is listed from its first task until the thread ends.
//
// Thread rule: a Scope belongs to the thread that made it; Begin, the thread of
// a Scope; Look, any thread.
// Tested by running_calls_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RUNNING_CALLS_H_
#define SYNCLINE_FRAMEWORK_RUN_RUNNING_CALLS_H_

#include <sys/types.h>

#include <atomic>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/types/optional.h"

namespace syncline {

// What a thread does for one run. A run inside of a call has a frame of its
// own, in place of the one that the call is in.
struct RunningFrame {
  // The first one, so that one instruction writes it.
  std::atomic<const void*> call{nullptr};
  std::atomic<const void*> run{nullptr};
  // The stream whose observer is called; -1: no observer.
  std::atomic<int> observed_stream{-1};
};

class RunningCalls {
 public:
  // The thread is about to call `call`, which is only compared.
  static void Begin(const void* call) {
    here_.call.store(call, std::memory_order_relaxed);
  }

  // While one of these lives, its thread does something for `run`, which is
  // only compared.
  class Scope {
   public:
    explicit Scope(const void* run) {
      // Otherwise it is the first of its thread, or inside of another one.
      if (ABSL_PREDICT_TRUE(is_listed_ &&
                            here_.run.load(std::memory_order_relaxed) ==
                                nullptr)) {
        here_.call.store(nullptr, std::memory_order_relaxed);
        here_.run.store(run, std::memory_order_release);
      } else {
        Nest(run);
      }
    }
    ~Scope() {
      if (ABSL_PREDICT_TRUE(!outer_.has_value())) {
        here_.run.store(nullptr, std::memory_order_release);
      } else {
        Unnest();
      }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    void Nest(const void* run);
    void Unnest();

    struct Outer {
      RunningFrame frame;
      // Where others find it; null: nowhere, as there is no room.
      RunningFrame* kept = nullptr;
    };
    // The frame of before, if there is one to come back to.
    absl::optional<Outer> outer_;
  };
  // The thread is in a Scope for `run`, and in none within that.
  static bool IsIn(const void* run) {
    return here_.run.load(std::memory_order_relaxed) == run;
  }

  // While one of these lives, its thread, which is in a Scope, calls the
  // observer of a stream.
  class Observing {
   public:
    explicit Observing(int stream)
        : before_(here_.observed_stream.load(std::memory_order_relaxed)) {
      here_.observed_stream.store(stream, std::memory_order_relaxed);
    }
    ~Observing() {
      here_.observed_stream.store(before_, std::memory_order_relaxed);
    }
    Observing(const Observing&) = delete;
    Observing& operator=(const Observing&) = delete;

   private:
    const int before_;
  };

  // What one thread does for one run, as far as it has told.
  struct Call {
    pid_t thread = 0;
    const void* call = nullptr;
    int observed_stream = -1;
  };

  // The calls that threads are in, or were in last, for `run`; those of one
  // thread one after the other, the outermost first.
  static std::vector<Call> Look(const void* run);

 private:
  class List;

  // Of this thread. Each access is one instruction.
  inline static constinit thread_local RunningFrame here_;
  // This thread has a place in the list of all, or had one: it leaves the list
  // at its end, and does not come back.
  inline static constinit thread_local bool is_listed_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RUNNING_CALLS_H_
