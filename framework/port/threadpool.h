// ThreadPool: some threads that run callbacks in the order in which they came.
//
//   ThreadPool pool("decoder", 4);
//   pool.StartWorkers();
//   pool.Schedule([&] { DecodeNext(); });
//
// For work of one's own beside a graph; the calls of calculators run on
// executors. What is scheduled before StartWorkers waits for it. The destructor
// waits until all that was scheduled has run.
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
  // At least one thread. The prefix is the beginning of the threads' names.
  explicit ThreadPool(int num_threads);
  ThreadPool(const std::string& name_prefix, int num_threads);
  ThreadPool(const ThreadOptions& thread_options,
             const std::string& name_prefix, int num_threads);
  // Callbacks of a pool that was never started are dropped.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // To be called once. Threads that the system does not give are a misuse.
  void StartWorkers() ABSL_LOCKS_EXCLUDED(mutex_);

  // What a callback throws is logged.
  void Schedule(absl::AnyInvocable<void()> callback)
      ABSL_LOCKS_EXCLUDED(mutex_);

  int num_threads() const { return num_threads_; }
  const ThreadOptions& thread_options() const { return thread_options_; }

 private:
  const ThreadOptions thread_options_;
  const int num_threads_;

  Mutex mutex_;
  // Null until StartWorkers. Callbacks use it while the destructor waits.
  ThreadPoolExecutor* running_ ABSL_GUARDED_BY(mutex_) = nullptr;
  // What came before; empty afterwards.
  std::vector<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  // Owns what running_ points to. Goes first, and its threads with it.
  std::unique_ptr<ThreadPoolExecutor> threads_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_THREADPOOL_H_
