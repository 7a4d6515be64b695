// ThreadPool: a number of threads that run callbacks in the order in which they
// were scheduled.
//
//   ThreadPool pool("decoder", 4);
//   pool.StartWorkers();
//   pool.Schedule([&] { DecodeNext(); });
//
// For work outside of a graph; the calls of calculators run on executors.
// Callbacks that are scheduled before StartWorkers wait for it. The destructor
// waits until all callbacks have run.
//
// Thread rule: Schedule on any thread, also from within a callback.
// Tested by threadpool_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_THREADPOOL_H_
#define SYNCLINE_FRAMEWORK_PORT_THREADPOOL_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/thread_options.h"

namespace syncline {

class ThreadPoolExecutor;

class ThreadPool {
 public:
  // At least one thread. The names of the threads begin with the prefix.
  explicit ThreadPool(int num_threads);
  ThreadPool(const std::string& name_prefix, int num_threads);
  ThreadPool(const ThreadOptions& thread_options,
             const std::string& name_prefix, int num_threads);
  // If StartWorkers was never called, the callbacks are dropped.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Must be called only once. It is a misuse if the system does not give enough
  // threads.
  void StartWorkers() ABSL_LOCKS_EXCLUDED(mutex_);

  // An exception of a callback is logged.
  void Schedule(absl::AnyInvocable<void()> callback)
      ABSL_LOCKS_EXCLUDED(mutex_);

  int num_threads() const { return num_threads_; }
  const ThreadOptions& thread_options() const { return thread_options_; }

 private:
  const ThreadOptions thread_options_;
  const int num_threads_;

  Mutex mutex_;
  // Null until StartWorkers. Callbacks may use it while the destructor waits
  // for them.
  ThreadPoolExecutor* running_ ABSL_GUARDED_BY(mutex_) = nullptr;
  // Callbacks that came before StartWorkers; empty after it.
  std::vector<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  // Owns the pool that running_ points to. Destroyed first, and its threads
  // with it.
  std::unique_ptr<ThreadPoolExecutor> threads_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_THREADPOOL_H_
