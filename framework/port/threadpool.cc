#include "framework/port/threadpool.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/thread_options.h"
#include "framework/scheduler/thread_pool_executor.h"

namespace syncline {

ThreadPool::ThreadPool(int num_threads)
    : ThreadPool(ThreadOptions(), "", num_threads) {}

ThreadPool::ThreadPool(const std::string& name_prefix, int num_threads)
    : ThreadPool(ThreadOptions(), name_prefix, num_threads) {}

ThreadPool::ThreadPool(const ThreadOptions& thread_options,
                       const std::string& name_prefix, int num_threads)
    : thread_options_(
          name_prefix.empty()
              ? thread_options
              : ThreadOptions(thread_options).set_name_prefix(name_prefix)),
      num_threads_(std::max(num_threads, 1)) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::StartWorkers() {
  threads_ =
      std::make_unique<ThreadPoolExecutor>(thread_options_, num_threads_);
  std::vector<std::function<void()>> waiting;
  {
    MutexLock lock(&mutex_);
    running_ = threads_.get();
    waiting.swap(waiting_);
  }
  for (std::function<void()>& callback : waiting) {
    threads_->Schedule(std::move(callback));
  }
}

void ThreadPool::Schedule(absl::AnyInvocable<void()> callback) {
  // A std::function has to be copyable, but a callback may not be.
  auto shared =
      std::make_shared<absl::AnyInvocable<void()>>(std::move(callback));
  std::function<void()> task = [shared] { (*shared)(); };
  ThreadPoolExecutor* running;
  {
    MutexLock lock(&mutex_);
    running = running_;
    if (running == nullptr) waiting_.push_back(std::move(task));
  }
  if (running != nullptr) running->Schedule(std::move(task));
}

}  // namespace syncline
