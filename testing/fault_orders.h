// FaultOrders: which faults are to happen in a graph, and which have happened.
// A FaultInjection and the calculators that it wraps share one.
//
// Thread rule: any thread.
// Tested by fault_injection_test.

#ifndef SYNCLINE_TESTING_FAULT_ORDERS_H_
#define SYNCLINE_TESTING_FAULT_ORDERS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/clock.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/calculator/call.h"
#include "framework/calculator_graph.h"

namespace syncline {

enum class FaultKind {
  // In place of the call:
  kError,         // returns a status
  kRuntimeError,  // throws std::runtime_error
  kBadAlloc,      // throws std::bad_alloc
  // Before the call:
  kBlock,   // waits for Release(); not on the thread that calls it
  kDelay,   // sleeps for `delay` on the clock
  kCancel,  // cancels the graph
  // After the call:
  kLateTimestamp,  // sends the last packet again, just before itself; waits for
                   // a call, from `number` on, that sends one
};

struct Fault {
  std::string node;
  FaultKind kind = FaultKind::kError;
  CallPhase call = CallPhase::kProcess;
  // Of Process, from 1.
  int number = 1;
  absl::StatusCode code = absl::StatusCode::kInternal;  // of kError
  absl::Duration delay;                                 // of kDelay
};

// As errors name it: `injected fault: an error in Process 3 of node "sum"`.
std::string FaultText(const Fault& fault);

class FaultOrders {
 public:
  // --- What is to happen

  void SetClock(Clock* clock) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    clock_ = clock;
  }
  void SetGraph(CalculatorGraph* graph) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    graph_ = graph;
  }
  absl::Status Add(Fault fault) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    if (fault.kind == FaultKind::kCancel && graph_ == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          FaultText(fault), ": call SetGraph() first, with what to cancel"));
    }
    faults_.push_back(std::move(fault));
    return absl::OkStatus();
  }
  void Clear() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    faults_.clear();
    happened_.clear();
    is_released_ = false;
  }

  // The faults ordered for a node.
  std::vector<Fault> Of(const std::string& node) const
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    std::vector<Fault> faults;
    for (const Fault& fault : faults_) {
      if (fault.node == node) faults.push_back(fault);
    }
    return faults;
  }
  Clock* clock() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return clock_;
  }
  CalculatorGraph* graph() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return graph_;
  }

  // --- What happens

  void NoteThatItHappens(const Fault& fault) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    happened_.push_back(FaultText(fault));
  }
  std::vector<std::string> happened() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return happened_;
  }

  // Waits for Release.
  void Block() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    ++blocked_;
    changed_.SignalAll();
    while (!is_released_) changed_.Wait(&mutex_);
    --blocked_;
  }
  // False: released before.
  bool WaitUntilBlocked() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (blocked_ == 0 && !is_released_) changed_.Wait(&mutex_);
    return !is_released_;
  }
  void Release() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    is_released_ = true;
    changed_.SignalAll();
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  Clock* clock_ ABSL_GUARDED_BY(mutex_) = Clock::RealClock();
  CalculatorGraph* graph_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::vector<Fault> faults_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> happened_ ABSL_GUARDED_BY(mutex_);
  int blocked_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_released_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_FAULT_ORDERS_H_
