// WorkerPool: threads that run requests in the order in which they came. It is
// the mechanism behind ThreadPoolExecutor and the shared pools.
//
// A thread without work parks, each on a signal of its own, and the one that
// parked last is woken first: its caches are warm. A request wakes a thread
// only if one is parked; to a pool whose threads are all busy it costs a lock
// and no system call. Nothing is polled: a thread parks for a limited time only
// if something has to happen at a certain time. There are two such roles, taken
// by two threads if two are parked:
//   - the keeper wakes for the next appointment (AddTaskAt), and serves it
//   - the watcher looks at watched work (see WatchList), and parks again
// So a keeper that serves an appointment and parks for the next one wakes no
// other thread.
//
// Invariant: while threads are parked, one of them wakes by itself at the next
// appointment or look, whichever comes first, or a thread that is awake is
// about to arrange that.
//
// The pool belongs to its threads too, so that its last owner may be one of
// them: a task can hold the last reference to the executor, or to its graph.
//
// Thread rule: any thread. Nothing is called with the lock held.
// Tested by worker_pool_test, thread_pool_executor_test and
// executor_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_WORKER_POOL_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_WORKER_POOL_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/base/ring.h"
#include "framework/base/timer_queue.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/thread_options.h"
#include "framework/scheduler/watch_list.h"

namespace syncline {

class WorkerPool : public std::enable_shared_from_this<WorkerPool> {
 public:
  // INVALID_ARGUMENT for a number of threads that no pool should have;
  // RESOURCE_EXHAUSTED if the system does not give that many; otherwise what
  // ApplyThreadOptions says. After an error no thread is left.
  static absl::StatusOr<std::shared_ptr<WorkerPool>> Start(
      const ThreadOptions& options, int num_threads);
  // REQUIRES: Stop was called.
  ~WorkerPool() = default;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs the requests that were added before, and those that they add. Then
  // ends the threads and waits for them. If the caller is a thread of the pool,
  // it ends when it comes back from its task and finds nothing more to run. To
  // be called once, with nothing watched.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

  // An exception that the request's function or queue throws is logged.
  void Add(Request request) ABSL_LOCKS_EXCLUDED(mutex_);

  // These do what the functions of Executor with these names do. Unwatch: not
  // to be called from within RunNextTask of the same queue.
  void Watch(TaskQueue* task_queue, const WatchedWork* work,
             std::atomic<bool>* watched) ABSL_LOCKS_EXCLUDED(mutex_);
  void Unwatch(TaskQueue* task_queue) ABSL_LOCKS_EXCLUDED(mutex_);
  void AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns,
                 bool caller_returns) ABSL_LOCKS_EXCLUDED(mutex_);

  // Something waits for a thread.
  bool HasWork() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return !requests_.empty() || !due_.queues.empty();
  }

  int num_threads() const { return num_threads_; }
  const ThreadOptions& options() const { return options_; }

  // How often a parked thread was woken, each a system call.
  std::int64_t wakeups() const {
    return wakeups_.load(std::memory_order_relaxed);
  }
  // How often a thread that keeps watch has looked.
  std::int64_t looks() const { return looks_.load(std::memory_order_relaxed); }

 private:
  struct Worker {
    pthread_t thread;
    CondVar wake;
    // Both are guarded by the pool's mutex. Set by the thread that wakes this
    // one:
    bool is_woken = false;
    // For the keeper and the watcher: the time at which they wake by
    // themselves, by the steady clock.
    std::int64_t parks_until_ns = 0;
  };
  struct ThreadArgument;
  // Queues that a thread has to be sent to for their time or because they are
  // watched, and that one is in.
  struct Due {
    std::vector<TaskQueue*> queues;
    std::vector<TaskQueue*> running;
    CondVar is_over;
  };
  // For Start: what the threads report when they are about to work.
  struct Preparation {
    int prepared = 0;
    bool has_logged_refusal = false;
    absl::Status refusal;
    CondVar is_prepared;
  };

  WorkerPool(const ThreadOptions& options, int num_threads);

  // --- Beginning and end
  absl::Status StartThreads() ABSL_LOCKS_EXCLUDED(mutex_);
  static void* ThreadMain(void* argument);
  void PrepareThread(int number) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- The life of a thread
  void Work(Worker* me) ABSL_LOCKS_EXCLUDED(mutex_);
  // These release the lock meanwhile.
  void RunRequest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RunDue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Park(Worker* me) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Parks as *role, the keeper or the watcher.
  void ParkUntil(std::int64_t steady_ns, Worker** role, Worker* me)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Moves to `due_` the appointments whose time has come, and what a look finds
  // if it is time for one. This thread is about to run one of these, so it
  // wakes other threads for the rest.
  void TakeDue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // When the next look is; the greatest number if there is none.
  std::int64_t NextLook() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Wakes a parked thread, if one is parked; else returns null.
  Worker* WakeOne() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Wake(Worker* worker) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The two steps of WakeOne before the signal, which may be sent without the
  // lock. The thread to wake is one that parks without a limit. If there is
  // none, it is the thread that would park longer, because the other still
  // wakes in time.
  Worker* TakeParked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MarkWoken(Worker* worker) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // If no parked thread wakes by itself in time for what comes next, wakes one.
  // This one finds nothing to do, and parks until the right time. For threads
  // that do not park next.
  void KeepInvariant() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const ThreadOptions options_;
  const int num_threads_;
  // Constant once Start has returned.
  std::vector<std::unique_ptr<Worker>> workers_;

  std::atomic<std::int64_t> wakeups_{0};
  std::atomic<std::int64_t> looks_{0};

  Mutex mutex_;
  Ring<Request> requests_ ABSL_GUARDED_BY(mutex_);
  std::vector<Worker*> parked_ ABSL_GUARDED_BY(mutex_);
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;

  // Parked, and not in parked_; null if there is none.
  Worker* keeper_ ABSL_GUARDED_BY(mutex_) = nullptr;
  Worker* watcher_ ABSL_GUARDED_BY(mutex_) = nullptr;
  // Was woken by KeepInvariant, and is not there yet.
  Worker* coming_ ABSL_GUARDED_BY(mutex_) = nullptr;
  WatchList watched_ ABSL_GUARDED_BY(mutex_);
  // When to look at those next, by the steady clock.
  std::int64_t next_look_ns_ ABSL_GUARDED_BY(mutex_) = 0;
  // Queues that a thread is to be sent to at a time of the steady clock.
  TimerQueue<TaskQueue*> appointments_ ABSL_GUARDED_BY(mutex_);
  Due due_ ABSL_GUARDED_BY(mutex_);

  Preparation preparation_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_WORKER_POOL_H_
