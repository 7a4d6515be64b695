// For how many threads a queue asks where there are fewer cores than threads,
// and what its threads do for each other on them.

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/thread_state.h"
#include "framework/scheduler/core_use.h"
#include "framework/scheduler/scheduler_queue.h"
#include "framework/scheduler/scheduler_queue_test_support.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_priority.h"
#include "framework/scheduler/wake_up_rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using SchedulerQueueCoresTest = SchedulerQueueTest;

TEST_F(SchedulerQueueCoresTest, NoMoreThreadsAreAskedForThanThereAreCores) {
  auto queue = std::make_shared<SchedulerQueue>(
      &executor_, &runner_, &activity_, /*chooser=*/nullptr, /*cores=*/2);
  queue->Resume();
  NumberedTask long_tasks[] = {{1, TaskPriority::ForNode(1), kLongTaskNs},
                               {2, TaskPriority::ForNode(2), kLongTaskNs},
                               {3, TaskPriority::ForNode(3), kLongTaskNs}};
  Task* const tasks[] = {&long_tasks[0], &long_tasks[1], &long_tasks[2]};
  queue->Add(tasks);
  EXPECT_THAT(executor_.asked, SizeIs(2));
  runner_.then = [&](int id) -> std::vector<Task*> {
    if (id == 3) {
      EXPECT_TRUE(executor_.watched_work->lacks_cores);
    }
    return {};
  };
  executor_.RunOne();  // finds that a third would have to be asked for
  EXPECT_THAT(runner_.ran, ElementsAre(3, 2, 1));
  EXPECT_FALSE(executor_.watched_work->lacks_cores) << "nothing waits";
  executor_.RunOne();
  queue->Shutdown();
}

TEST_F(SchedulerQueueCoresTest, AThreadWhoseTaskSleepsLeavesItsCoreToAnother) {
  auto queue = std::make_shared<SchedulerQueue>(
      &executor_, &runner_, &activity_, /*chooser=*/nullptr, /*cores=*/1);
  queue->Resume();
  NumberedTask first(1, TaskPriority::ForNode(1), kLongTaskNs);
  NumberedTask second(2, TaskPriority::ForNode(2), kLongTaskNs);
  for (const bool sleeps : {false, true}) {
    runner_.then = [&](int id) -> std::vector<Task*> {
      if (id != 1) return {};
      Task* const added[] = {&second};
      if (sleeps) {
        const CoreUse::Sleeper sleeper(&queue->core_use());
        queue->Add(added);
      } else {
        queue->Add(added);
      }
      return {};
    };
    Task* const tasks[] = {&first};
    queue->Add(tasks);
    executor_.RunOne();
    EXPECT_THAT(executor_.asked, SizeIs(sleeps ? 1 : 0));
    if (sleeps) executor_.RunOne();
  }
  queue->Shutdown();
}

// A watch sends a second thread to one core while task 1 runs there: at once if
// the first thread waits for something, and otherwise not for some looks.
TEST_F(SchedulerQueueCoresTest,
       AWatchThatFindsOnlyBusyCoresWaitsButNotForEver) {
  for (const bool computes : {true, false}) {
    auto queue = std::make_shared<SchedulerQueue>(
        &executor_, &runner_, &activity_, /*chooser=*/nullptr, /*cores=*/1);
    queue->Resume();
    NumberedTask first(1, TaskPriority::ForNode(1), kLongTaskNs);
    NumberedTask second(2, TaskPriority::ForNode(2), kLongTaskNs);
    int looks = 0;
    runner_.ran.clear();
    runner_.then = [&](int id) -> std::vector<Task*> {
      if (id != 1) return {};
      Task* const added[] = {&second};
      queue->Add(added);
      EXPECT_THAT(executor_.asked, IsEmpty());
      while (runner_.ran.size() < 2) {
        ++looks;
        std::atomic<bool> is_over{false};
        std::thread look([&] {
          // Until the first thread waits, in join().
          if (!computes) absl::SleepFor(absl::Milliseconds(20));
          executor_.watching->RunNextTask();
          is_over = true;
        });
        while (computes && !is_over) {
        }
        look.join();
      }
      return {};
    };
    Task* const tasks[] = {&first};
    queue->Add(tasks);
    executor_.RunOne();
    EXPECT_THAT(runner_.ran, ElementsAre(1, 2));
    // The kernel may find the thread that computes at a lock for a moment, and
    // the other one before it waits.
    if (computes) {
      EXPECT_GT(looks, 1);
      EXPECT_LE(looks, 9);
    } else {
      EXPECT_LT(looks, 9);
    }
    queue->Shutdown();
  }
}

// One thread computes in task 1, the other one runs a source that is ready all
// the time.
class BesideASource : public TaskRunner {
 public:
  void RunTasks(Task* task, SchedulerQueue* queue, int) override {
    const bool computes = Computes(*task);
    while (task != nullptr) {
      std::vector<Task*> ready;
      if (Computes(*task)) {
        while (CpuTime() < kComputing) {
        }
        has_computed = true;
      } else if (!has_computed) {
        ready.push_back(task);
      }
      task = queue->Next(ready);
    }
    if (!computes) source_ns = absl::ToInt64Nanoseconds(CpuTime());
  }
  void OnIdle() override {}
  void OnTaskLost(SchedulerQueue*) override {}

  static bool Computes(const Task& task) {
    return static_cast<const NumberedTask&>(task).id == 1;
  }
  static absl::Duration CpuTime() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return absl::DurationFromTimespec(now);
  }
  static constexpr absl::Duration kComputing = absl::Milliseconds(60);
  std::atomic<bool> has_computed{false};
  // Of the thread that ran the source.
  std::atomic<std::int64_t> source_ns{0};
};

// Runs a task with this priority beside a source, on one core. Returns how long
// the source has computed by then.
absl::Duration TimeOfSourceBeside(const TaskPriority& priority) {
  HandExecutor executor;
  executor.max_parallel = 2;
  BesideASource runner;
  Activity activity;
  auto queue = std::make_shared<SchedulerQueue>(
      &executor, &runner, &activity, /*chooser=*/nullptr, /*cores=*/2);
  NumberedTask computes(1, priority, kLongTaskNs);
  NumberedTask source(
      2, TaskPriority::ForSource(/*layer=*/0, /*order=*/0, /*node_id=*/0));
  Task* const tasks[] = {&computes, &source};
  queue->Add(tasks);
  queue->Resume();
  EXPECT_THAT(executor.asked, SizeIs(2));
  executor.asked.clear();

  cpu_set_t one_core;
  CPU_ZERO(&one_core);
  CPU_SET(sched_getcpu(), &one_core);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      pthread_setaffinity_np(pthread_self(), sizeof(one_core), &one_core);
      queue->RunNextTask();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(runner.has_computed);
  queue->Shutdown();
  return absl::Nanoseconds(runner.source_ns.load());
}

// Without that, the source would get every other slice of their core.
TEST_F(SchedulerQueueCoresTest, ASourceGivesItsCoreToAThreadThatSharesIt) {
  if (ThisThreadCore() == nullptr) GTEST_SKIP() << "no rseq";
  EXPECT_LT(TimeOfSourceBeside(TaskPriority::ForNode(1)),
            BesideASource::kComputing / 2);
}

TEST_F(SchedulerQueueCoresTest, ThreadsThatBothRunSourcesShareTheirCore) {
  EXPECT_GT(TimeOfSourceBeside(TaskPriority::ForSource(0, -1, 1)),
            BesideASource::kComputing / 6);
}

}  // namespace
}  // namespace syncline
