// ThreadPoolExecutor: a fixed number of threads that take work in turn.
//
// Threads without work sleep, and one is woken only when something was added
// that no thread is awake for. Work that a queue leaves to a watch (see
// Executor::Watch) is looked at by one thread that would otherwise sleep, every
// few milliseconds, and only for as long as there is such work.
//
// Destroying the pool runs what was added before, and joins the threads.
//
// Thread rule: any thread. The destructor must not run on a thread of the pool.
// Tested by thread_pool_executor_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_POOL_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_POOL_EXECUTOR_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/executor.h"

namespace syncline {

class ThreadPoolExecutor : public Executor {
 public:
  // From ThreadPoolExecutorOptions. INVALID_ARGUMENT names the option that is
  // missing or out of range; RESOURCE_EXHAUSTED says that the system gives no
  // more threads.
  static absl::StatusOr<Executor*> Create(const SynclineOptions& options);

  // REQUIRES: num_threads > 0. Ends the process if there are no such threads;
  // Create reports that.
  explicit ThreadPoolExecutor(int num_threads);
  ~ThreadPoolExecutor() override;
  ThreadPoolExecutor(const ThreadPoolExecutor&) = delete;
  ThreadPoolExecutor& operator=(const ThreadPoolExecutor&) = delete;

  int num_threads() const { return static_cast<int>(threads_.size()); }

  void AddTask(TaskQueue* task_queue) override ABSL_LOCKS_EXCLUDED(mutex_);
  void Schedule(std::function<void()> task) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  int MaxParallelTasks() const override { return max_parallel_; }
  bool Watch(TaskQueue* task_queue, const WatchedWork* work,
             std::atomic<bool>* watched) override ABSL_LOCKS_EXCLUDED(mutex_);
  void Unwatch(TaskQueue* task_queue) override ABSL_LOCKS_EXCLUDED(mutex_);

  // How often a sleeping thread was woken.
  std::int64_t wakeups() const {
    return wakeups_.load(std::memory_order_relaxed);
  }

 private:
  // One of the two is set.
  struct Request {
    TaskQueue* task_queue = nullptr;
    std::function<void()> task;
    // Nobody asked for it: see LookAtWatched.
    bool is_from_watch = false;
  };
  struct Watched {
    TaskQueue* task_queue;
    const WatchedWork* work;
    std::atomic<bool>* flag;
    std::uint64_t last_turns;
  };

  ThreadPoolExecutor() = default;
  absl::Status Start(const ThreadPoolExecutorOptions& options);
  static void* ThreadMain(void* pool);
  void PrepareThread() const;
  void Work() ABSL_LOCKS_EXCLUDED(mutex_);
  // Runs the first request, without the lock.
  void RunRequest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Add(Request request) ABSL_LOCKS_EXCLUDED(mutex_);
  void WakeOne() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Sleeps until there may be something to do.
  void Sleep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Looks at the watched work. A queue whose thread does not come back gets a
  // request; what has nothing waiting is watched no more.
  void LookAtWatched() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Constant once the threads run.
  std::vector<pthread_t> threads_;
  int max_parallel_ = 0;
  std::string name_prefix_ = "syncline";
  int nice_ = 0;
  std::vector<int> cpus_;

  std::atomic<std::int64_t> wakeups_{0};
  std::atomic<int> next_thread_number_{0};

  Mutex mutex_;
  CondVar has_work_;
  CondVar watcher_is_needed_;
  CondVar watch_call_is_over_;
  std::deque<Request> requests_ ABSL_GUARDED_BY(mutex_);
  // Threads that sleep, and of those how many were woken and are not awake yet.
  // The one that watches is not among them.
  int sleeping_ ABSL_GUARDED_BY(mutex_) = 0;
  int waking_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_watching_ ABSL_GUARDED_BY(mutex_) = false;
  bool watcher_is_waking_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Duration watch_interval_ ABSL_GUARDED_BY(mutex_);
  std::vector<Watched> watched_ ABSL_GUARDED_BY(mutex_);
  // Queues that a thread is in without having been asked.
  std::vector<TaskQueue*> watch_calls_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_THREAD_POOL_EXECUTOR_H_
