// Executor: where the calls of calculators run.
//
//   class MyExecutor : public Executor {
//    public:
//     static absl::StatusOr<Executor*> Create(const SynclineOptions& options);
//     void Schedule(std::function<void()> task) override { pool_.Add(task); }
//   };
//   REGISTER_EXECUTOR(MyExecutor);
//
// A graph has a queue of ready calls for each of its executors. When there is
// something to do it hands the queue to the executor, which calls
// TaskQueue::RunNextTask on a thread of its choice, once for each AddTask. This
// call runs what is most urgent at its moment, which may be other work than at
// the time of AddTask. A call that finds nothing returns at once.
//
// An executor may serve any number of graphs, and has to outlive their runs.
//
// Thread rule: every function may be called on any thread, and none may wait
// for a task to run.
// Tested by scheduler_queue_test and the test of each executor.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_EXECUTOR_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_EXECUTOR_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/config/syncline_options.pb.h"

namespace syncline {

// Work of one graph for one executor.
class TaskQueue {
 public:
  virtual ~TaskQueue() = default;
  // Runs the most urgent work there is, and what follows from it at once. To be
  // called once for each AddTask.
  virtual void RunNextTask() = 0;
  // To be called instead of RunNextTask by a thread that has other things to
  // do. Runs one task at most. Tasks that follow from it ask for a thread by
  // another AddTask.
  virtual void RunOneTask() { RunNextTask(); }
  // To be called instead of RunNextTask. Runs each task that is ready now,
  // once, and no task that follows from these. Returns how many ran;
  // *has_called becomes true if any was more than the opening of a node.
  virtual int RunEachOnce(bool* has_called) {
    *has_called = true;
    RunNextTask();
    return 1;
  }
  // To be called in its place where that will not happen any more.
  virtual void OnTaskLost() {}
  // The executor threw an exception.
  virtual void OnExecutorError(const absl::Status& error) {}
};

// Work for which no thread was requested, because a thread that is busy with
// this queue will come back for it sooner than another one could be woken. An
// executor that watches the work notices when that thread does not come back.
struct WatchedWork {
  // Tasks that wait. Nothing to watch at 0.
  std::atomic<int> waiting{0};
  // A long task waits because as many threads compute as there are cores. One
  // of them may come to wait for something while the others come back.
  std::atomic<bool> lacks_cores{false};
  // Grows each time a thread comes back to the queue.
  std::atomic<std::uint64_t> returns{0};
};

class Executor {
 public:
  static constexpr int kMaxTasksInARow = 1000;

  virtual ~Executor() = default;

  // Has `task_queue->RunNextTask()` called once, soon, and not from within this
  // function. The queue lives until then. By default Schedule gets a task for
  // this. If the task is destroyed without having been called, it counts as
  // lost.
  virtual void AddTask(TaskQueue* task_queue);

  // Has `task` called once, soon, and not from within this function. Losing one
  // ends the run it belongs to with an error.
  virtual void Schedule(std::function<void()> task) = 0;

  // How many tasks can run at once. A queue does not ask for more.
  virtual int MaxParallelTasks() const {
    return std::numeric_limits<int>::max();
  }

  // How many tasks a queue runs on a thread before it lets others have it. With
  // 1 each RunNextTask is one call of a node, for threads that a user interface
  // shares.
  virtual int MaxTasksInARow() const { return kMaxTasksInARow; }
  // Whether something else waits for a thread of this executor. If nothing
  // does, a task queue that has run as many tasks as it may goes on.
  virtual bool OthersWait() { return true; }

  // Asks the executor to look after `work`: when some of it waits and `returns`
  // stands still for about a millisecond, AddTask(task_queue) is due. True if
  // the executor does that; it may stop, and set *watched to false, whenever
  // nothing waits. False (the default): the caller calls AddTask itself.
  virtual bool Watch(TaskQueue* task_queue, const WatchedWork* work,
                     std::atomic<bool>* watched) {
    return false;
  }

  // Has `task_queue->RunNextTask()` called once when std::chrono::steady_clock
  // is at `steady_ns`. A thread that is free then calls it, and returns before
  // the executor needs that thread for anything else. Until the call, the
  // earliest of all times that were set counts. `caller_returns`: RunNextTask
  // of this queue calls this function, and then returns to the executor. So its
  // thread can keep the time, and no other one need be woken. True if the
  // executor keeps the time; false (the default): the caller has to.
  virtual bool AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns,
                         bool caller_returns) {
    return false;
  }

  // Afterwards nothing that Watch or AddTaskAt was given for this queue is
  // touched. Waits for a call that was made because of them.
  virtual void Unwatch(TaskQueue* task_queue) {}
};

// Executor types by name, as a graph's `executor { type: ... }` has them. The
// caller owns what CreateByName returns.
using ExecutorRegistry =
    GlobalFactoryRegistry<absl::StatusOr<Executor*>, const SynclineOptions&>;

}  // namespace syncline

// Registers a class with a function
//   static absl::StatusOr<Executor*> Create(const SynclineOptions& options);
#define REGISTER_EXECUTOR(name)                                  \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                           \
      ::syncline::ExecutorRegistry, executor_registration, name, \
      [](const ::syncline::SynclineOptions& options) {           \
        return name::Create(options);                            \
      })

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_EXECUTOR_H_
