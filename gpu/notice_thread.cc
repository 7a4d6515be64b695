#include "gpu/notice_thread.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"

namespace syncline::gpu {
namespace {

// The thread itself, which begins with the first function.
class TheThread {
 public:
  static TheThread& Get() {
    static NoDestructor<TheThread> thread;
    return *thread;
  }

  void Post(std::function<void()> function) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    functions_.push_back(std::move(function));
    ++num_posted_;
    changed_.SignalAll();
    if (std::exchange(has_begun_, true)) return;
    // It ends with the process.
    std::thread([this] { Run(); }).detach();
  }

  void PostAfter(std::function<void()> wait, std::function<void()> function)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      MutexLock lock(&mutex_);
      ++num_waiting_;
    }
    std::thread([this, wait = std::move(wait),
                 function = std::move(function)]() mutable {
      wait();
      wait = nullptr;  // what it holds may be the last of a device
      Post(std::move(function));
      MutexLock lock(&mutex_);
      --num_waiting_;
      changed_.SignalAll();
    }).detach();
  }

  void WaitForPosted() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (num_waiting_ > 0) changed_.Wait(&mutex_);
    const std::int64_t posted = num_posted_;
    while (num_done_ < posted) changed_.Wait(&mutex_);
  }

 private:
  [[noreturn]] void Run() ABSL_LOCKS_EXCLUDED(mutex_) {
    for (;;) {
      std::function<void()> function = Next();
      function();
      function = nullptr;  // what it holds may be the last of a device
      MutexLock lock(&mutex_);
      ++num_done_;
      changed_.SignalAll();
    }
  }

  std::function<void()> Next() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (functions_.empty()) changed_.Wait(&mutex_);
    std::function<void()> function = std::move(functions_.front());
    functions_.pop_front();
    return function;
  }

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> functions_ ABSL_GUARDED_BY(mutex_);
  std::int64_t num_posted_ ABSL_GUARDED_BY(mutex_) = 0;
  std::int64_t num_done_ ABSL_GUARDED_BY(mutex_) = 0;
  // Threads of PostAfter().
  int num_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool has_begun_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

void NoticeThread::Post(std::function<void()> function) {
  if (NoticeCollector::Take(&function)) return;
  TheThread::Get().Post(std::move(function));
}

void NoticeThread::PostAfter(std::function<void()> wait,
                             std::function<void()> function) {
  // In the order that a NoticeCollector chooses nothing runs beside it.
  std::function<void()> both = [wait, function] {
    wait();
    function();
  };
  if (NoticeCollector::Take(&both)) return;
  TheThread::Get().PostAfter(std::move(wait), std::move(function));
}

void NoticeThread::WaitForPosted() { TheThread::Get().WaitForPosted(); }

// --- NoticeCollector

NoticeCollector*& NoticeCollector::Innermost() {
  constinit thread_local NoticeCollector* innermost = nullptr;
  return innermost;
}

NoticeCollector::NoticeCollector() : outer_(std::exchange(Innermost(), this)) {}

NoticeCollector::~NoticeCollector() {
  Innermost() = outer_;
  for (std::function<void()>& function : functions_) {
    TheThread::Get().Post(std::move(function));
  }
}

bool NoticeCollector::Take(std::function<void()>* function) {
  NoticeCollector* const collector = Innermost();
  if (collector == nullptr) return false;
  collector->functions_.push_back(std::move(*function));
  return true;
}

void NoticeCollector::CallNext() {
  const std::function<void()> next = std::move(functions_.front());
  functions_.pop_front();
  next();
}

}  // namespace syncline::gpu
