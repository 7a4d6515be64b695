#include "framework/base/listener_list.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "framework/base/cond_var.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"

namespace syncline {
namespace listener_internal {

// One function, and the threads that are inside of it.
class Entry {
 public:
  explicit Entry(std::function<void()> function)
      : function_(std::move(function)) {}

  void Call() ABSL_LOCKS_EXCLUDED(mutex_) {
    Visit visit;
    if (!Enter(&visit)) return;
    const absl::Cleanup leave = [&] { Leave(&visit); };
    function_();
  }

  void End() ABSL_LOCKS_EXCLUDED(mutex_) {
    std::function<void()> garbage;
    MutexLock lock(&mutex_);
    has_ended_ = true;
    while (OtherIsInside()) somebody_left_.Wait(&mutex_);
    if (inside_ == nullptr) garbage.swap(function_);
  }

 private:
  // A thread that is inside, on its own stack: to notify takes no memory, so
  // that what a destructor notifies cannot fail for want of it.
  struct Visit {
    const std::thread::id thread = std::this_thread::get_id();
    Visit* next = nullptr;
  };

  bool Enter(Visit* visit) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    if (has_ended_) return false;
    visit->next = inside_;
    inside_ = visit;
    return true;
  }

  void Leave(Visit* visit) ABSL_LOCKS_EXCLUDED(mutex_) {
    std::function<void()> garbage;
    MutexLock lock(&mutex_);
    Visit** place = &inside_;
    while (*place != visit) place = &(*place)->next;
    *place = visit->next;
    // Ended within its own call: what it holds goes with the last one out.
    if (has_ended_ && inside_ == nullptr) garbage.swap(function_);
    somebody_left_.SignalAll();
  }

  bool OtherIsInside() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const std::thread::id me = std::this_thread::get_id();
    for (const Visit* visit = inside_; visit != nullptr; visit = visit->next) {
      if (visit->thread != me) return true;
    }
    return false;
  }

  // Read without the lock by who is inside; changed when nobody is.
  std::function<void()> function_;

  Mutex mutex_;
  bool has_ended_ ABSL_GUARDED_BY(mutex_) = false;
  // A thread is here twice when it notifies within a call.
  Visit* inside_ ABSL_GUARDED_BY(mutex_) = nullptr;
  CondVar somebody_left_;
};

class Entries {
 public:
  using Snapshot = std::vector<std::shared_ptr<Entry>>;

  void Add(std::shared_ptr<Entry> entry) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    auto changed = std::make_shared<Snapshot>(*entries_);
    changed->push_back(std::move(entry));
    Set(std::move(changed));
  }

  // Without memory for the change `entry`, which has ended or is about to,
  // stays and does nothing.
  void Remove(const std::shared_ptr<Entry>& entry) ABSL_LOCKS_EXCLUDED(mutex_) {
    CatchExceptions([&] {
      MutexLock lock(&mutex_);
      auto changed = std::make_shared<Snapshot>(*entries_);
      std::erase(*changed, entry);
      Set(std::move(changed));
    }).IgnoreError();
  }

  // Null when there are none.
  std::shared_ptr<const Snapshot> Get() ABSL_LOCKS_EXCLUDED(mutex_) {
    if (is_empty_.load(std::memory_order_acquire)) return nullptr;
    MutexLock lock(&mutex_);
    return entries_;
  }

 private:
  void Set(std::shared_ptr<const Snapshot> entries)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    is_empty_.store(entries->empty(), std::memory_order_release);
    entries_ = std::move(entries);
  }

  std::atomic<bool> is_empty_{true};
  Mutex mutex_;
  // Never changed, only replaced: Notify goes through it without the lock.
  std::shared_ptr<const Snapshot> entries_ ABSL_GUARDED_BY(mutex_) =
      std::make_shared<Snapshot>();
};

}  // namespace listener_internal

Listener& Listener::operator=(Listener&& other) noexcept {
  if (this == &other) return *this;
  End();
  list_ = std::move(other.list_);
  entry_ = std::move(other.entry_);
  return *this;
}

void Listener::End() {
  if (entry_ == nullptr) return;
  if (const auto list = list_.lock()) list->Remove(entry_);
  entry_->End();
  list_.reset();
  entry_ = nullptr;
}

ListenerList::ListenerList()
    : entries_(std::make_shared<listener_internal::Entries>()) {}
ListenerList::~ListenerList() = default;

Listener ListenerList::Add(std::function<void()> function) {
  if (function == nullptr) return Listener();
  auto entry = std::make_shared<listener_internal::Entry>(std::move(function));
  entries_->Add(entry);
  return Listener(entries_, std::move(entry));
}

void ListenerList::Notify() {
  const auto entries = entries_->Get();
  if (entries == nullptr) return;
  for (const auto& entry : *entries) entry->Call();
}

}  // namespace syncline
