#include "framework/run/running_calls.h"

#include <pthread.h>

#include <array>
#include <cstddef>
#include <vector>

#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/thread_state.h"

namespace syncline {
namespace {

using Frame = RunningFrame;

// Runs inside of calls of runs; deeper ones hide those that they are in.
constexpr std::size_t kMostKept = 4;

// Of one thread.
struct Slot {
  const Frame* present = nullptr;
  // The frames around it, the outermost first.
  std::array<Frame, kMostKept> kept;
  // How many there are; for the thread alone.
  std::size_t depth = 0;
  pid_t thread = 0;
  // Both guarded by the lock of the list.
  Slot* before = nullptr;
  Slot* after = nullptr;
};

void Copy(const Frame& from, Frame* to) {
  to->call.store(from.call.load(std::memory_order_relaxed),
                 std::memory_order_relaxed);
  to->observed_stream.store(
      from.observed_stream.load(std::memory_order_relaxed),
      std::memory_order_relaxed);
  to->run.store(from.run.load(std::memory_order_relaxed),
                std::memory_order_release);
}

// The slots of all threads that have run a task.
class Slots {
 public:
  static Slots& All() {
    static NoDestructor<Slots> all;
    return *all;
  }
  void Add(Slot* slot) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    slot->after = first_;
    if (first_ != nullptr) first_->before = slot;
    first_ = slot;
  }
  void Remove(Slot* slot) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    if (slot->after != nullptr) slot->after->before = slot->before;
    (slot->before != nullptr ? slot->before->after : first_) = slot->after;
  }
  std::vector<RunningCalls::Call> Look(const void* run)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::vector<RunningCalls::Call> calls;
    MutexLock lock(&mutex_);
    for (const Slot* slot = first_; slot != nullptr; slot = slot->after) {
      for (const Frame& frame : slot->kept) {
        AddCall(frame, run, slot->thread, &calls);
      }
      AddCall(*slot->present, run, slot->thread, &calls);
    }
    return calls;
  }

 private:
  static void AddCall(const Frame& frame, const void* run, pid_t thread,
                      std::vector<RunningCalls::Call>* calls) {
    if (frame.run.load(std::memory_order_acquire) != run) return;
    calls->push_back({.thread = thread,
                      .call = frame.call.load(std::memory_order_relaxed),
                      .observed_stream = frame.observed_stream.load(
                          std::memory_order_relaxed)});
  }

  Mutex mutex_;
  Slot* first_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

constinit thread_local Slot own_slot;

}  // namespace

// Lists the slot of a thread until the thread ends. By a key of pthreads, since
// what C++ needs for a thread's destructor is memory, and where there is none
// the process ends.
class RunningCalls::List {
 public:
  static void AddThisThread() {
    static const List list;
    // If it has failed, the thread is not listed, and tries again.
    if (!list.has_key_ || pthread_setspecific(list.key_, &own_slot) != 0) {
      return;
    }
    own_slot.present = &here_;
    own_slot.thread = ThisThreadId();
    Slots::All().Add(&own_slot);
    is_listed_ = true;
  }

 private:
  List() : has_key_(pthread_key_create(&key_, RemoveThisThread) == 0) {}
  static void RemoveThisThread(void*) {
    // is_listed_ stays: others that end with the thread may run a graph after
    // this, and must not list a slot that goes.
    Slots::All().Remove(&own_slot);
  }

  pthread_key_t key_ = 0;
  const bool has_key_;
};

void RunningCalls::Scope::Nest(const void* run) {
  if (!is_listed_) List::AddThisThread();
  if (here_.run.load(std::memory_order_relaxed) != nullptr) {
    Outer& outer = outer_.emplace();
    Copy(here_, &outer.frame);
    if (own_slot.depth++ < kMostKept) {
      outer.kept = &own_slot.kept[own_slot.depth - 1];
      Copy(here_, outer.kept);
    }
  }
  here_.call.store(nullptr, std::memory_order_relaxed);
  here_.observed_stream.store(-1, std::memory_order_relaxed);
  here_.run.store(run, std::memory_order_release);
}

void RunningCalls::Scope::Unnest() {
  Copy(outer_->frame, &here_);
  if (outer_->kept != nullptr) {
    outer_->kept->run.store(nullptr, std::memory_order_release);
  }
  --own_slot.depth;
}

std::vector<RunningCalls::Call> RunningCalls::Look(const void* run) {
  return Slots::All().Look(run);
}

}  // namespace syncline
