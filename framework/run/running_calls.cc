#include "framework/run/running_calls.h"

#include <array>
#include <cstddef>
#include <vector>

#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/thread_state.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace {

// Runs inside of calls of runs; deeper ones are not told apart.
constexpr std::size_t kMostFrames = 4;

// Of one thread. No two threads write into one cache line.
struct alignas(64) Slot {
  std::array<RunningCalls::Frame, kMostFrames> frames;
  // The frames in use; for the thread alone.
  std::size_t depth = 0;
  pid_t thread = 0;
  // Both guarded by the lock of the list.
  Slot* before = nullptr;
  Slot* after = nullptr;
};

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
      for (const RunningCalls::Frame& frame : slot->frames) {
        if (frame.run.load(std::memory_order_acquire) != run) continue;
        calls.push_back({.thread = slot->thread,
                         .call = frame.call.load(std::memory_order_relaxed),
                         .timestamp = Timestamp::CreateNoErrorChecking(
                             frame.timestamp.load(std::memory_order_relaxed)),
                         .observed_stream = frame.observed_stream.load(
                             std::memory_order_relaxed)});
      }
    }
    return calls;
  }

 private:
  Mutex mutex_;
  Slot* first_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

// The slot of this thread. Null: the thread has none yet, or is ending.
constinit thread_local Slot* own_slot = nullptr;
constinit thread_local bool is_ending = false;

// Lists the slot of a thread for as long as the thread lives.
struct ListedSlot {
  ListedSlot() {
    slot.thread = ThisThreadId();
    Slots::All().Add(&slot);
    own_slot = &slot;
  }
  ~ListedSlot() {
    is_ending = true;
    own_slot = nullptr;
    Slots::All().Remove(&slot);
  }
  Slot slot;
};

Slot* OwnSlot() {
  // Other objects of a thread may run a graph while the thread ends.
  if (own_slot == nullptr && !is_ending) {
    static thread_local ListedSlot listed;
    own_slot = &listed.slot;
  }
  return own_slot;
}

// For frames that nobody reads: those of a thread that is ending, and those
// above kMostFrames.
RunningCalls::Frame* UnreadFrame() {
  static thread_local RunningCalls::Frame frame;
  return &frame;
}

RunningCalls::Frame* Push() {
  Slot* const slot = OwnSlot();
  if (slot == nullptr) return UnreadFrame();
  const std::size_t depth = slot->depth++;
  return depth < kMostFrames ? &slot->frames[depth] : UnreadFrame();
}

}  // namespace

RunningCalls::Scope::Scope(const void* run, int observed_stream)
    : frame_(Push()) {
  frame_->call.store(nullptr, std::memory_order_relaxed);
  frame_->observed_stream.store(observed_stream, std::memory_order_relaxed);
  frame_->run.store(run, std::memory_order_release);
}

RunningCalls::Scope::~Scope() {
  frame_->run.store(nullptr, std::memory_order_release);
  if (own_slot != nullptr) --own_slot->depth;
}

std::vector<RunningCalls::Call> RunningCalls::Look(const void* run) {
  return Slots::All().Look(run);
}

}  // namespace syncline
