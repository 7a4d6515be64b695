#include "framework/scheduler/thread_pool_executor.h"

#include <pthread.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CountingQueue : public TaskQueue {
 public:
  void RunNextTask() override { runs.fetch_add(1); }
  std::atomic<int> runs{0};
};

// Waits, for a failing test at most some seconds.
template <typename Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 5000 && !condition(); ++i) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  return condition();
}

absl::StatusOr<std::unique_ptr<Executor>> Make(
    const ThreadPoolExecutorOptions& mine) {
  SynclineOptions options;
  *options.MutableExtension(ThreadPoolExecutorOptions::ext) = mine;
  absl::StatusOr<Executor*> executor = ThreadPoolExecutor::Create(options);
  if (!executor.ok()) return executor.status();
  return std::unique_ptr<Executor>(*executor);
}

class ThreadPoolExecutorTest : public ::testing::TestWithParam<int> {};

TEST_P(ThreadPoolExecutorTest, RunsEachTaskOnceBeforeItIsGone) {
  CountingQueue queue;
  std::atomic<int> functions{0};
  {
    ThreadPoolExecutor pool(GetParam());
    std::vector<std::thread> producers;
    for (int producer = 0; producer < 4; ++producer) {
      producers.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          pool.AddTask(&queue);
          pool.Schedule([&] { functions.fetch_add(1); });
        }
      });
    }
    for (std::thread& producer : producers) producer.join();
  }
  EXPECT_EQ(queue.runs, 2000);
  EXPECT_EQ(functions, 2000);
}

TEST_P(ThreadPoolExecutorTest, TasksMayAddTasks) {
  ThreadPoolExecutor pool(GetParam());
  std::atomic<int> left{1000};
  std::function<void()> task = [&] {
    if (left.fetch_sub(1) > 1) pool.Schedule(task);
  };
  pool.Schedule(task);
  EXPECT_TRUE(Eventually([&] { return left == 0; }));
}

TEST_P(ThreadPoolExecutorTest, ATaskThatThrowsHurtsNobody) {
  ThreadPoolExecutor pool(GetParam());
  std::atomic<bool> has_run{false};
  pool.Schedule([] { throw std::bad_alloc(); });
  pool.Schedule([&] { has_run = true; });
  EXPECT_TRUE(Eventually([&] { return has_run.load(); }));
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolExecutorTest,
                         ::testing::Values(1, 2, 8));

TEST(ThreadPoolExecutorOptionsTest, ChecksItsOptions) {
  ThreadPoolExecutorOptions options;
  EXPECT_THAT(Make(options).status().message(), HasSubstr("num_threads"));
  for (const int bad : {0, -1, 1000000}) {
    options.set_num_threads(bad);
    EXPECT_EQ(Make(options).status().code(), absl::StatusCode::kInvalidArgument)
        << bad;
  }
  options.set_num_threads(1);
  for (const int bad : {0, -1}) {
    options.set_stack_size(bad);
    EXPECT_THAT(Make(options).status().message(), HasSubstr("stack_size"));
  }
}

TEST(ThreadPoolExecutorOptionsTest, ThreadsHaveNamePriorityAndStack) {
  ThreadPoolExecutorOptions options;
  options.set_num_threads(1);
  options.set_stack_size(1000001);
  options.set_nice_priority_level(3);
  options.set_thread_name_prefix("a_prefix_that_is_long");
  auto pool = Make(options);
  SYNCLINE_ASSERT_OK(pool.status());
  std::atomic<bool> done{false};
  (*pool)->Schedule([&] {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof(name));
    EXPECT_THAT(std::string(name), StartsWith("a_prefix_that"));
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    size_t stack = 0;
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
    EXPECT_GE(stack, 1000001u);
    EXPECT_LT(stack, 1200000u);
    done = true;
  });
  EXPECT_TRUE(Eventually([&] { return done.load(); }));
}

TEST(ThreadPoolExecutorWatchTest, SendsAThreadWhenTurnsStandStill) {
  ThreadPoolExecutor pool(2);
  CountingQueue queue;
  WatchedWork work;
  std::atomic<bool> watched{true};
  work.waiting = 1;
  ASSERT_TRUE(pool.Watch(&queue, &work, &watched));
  EXPECT_TRUE(Eventually([&] { return queue.runs > 0; }));
  pool.Unwatch(&queue);
}

TEST(ThreadPoolExecutorWatchTest, LeavesWorkAloneThatMoves) {
  ThreadPoolExecutor pool(2);
  CountingQueue queue;
  WatchedWork work;
  std::atomic<bool> watched{true};
  work.waiting = 1;
  std::atomic<bool> stop{false};
  std::thread mover([&] {
    while (!stop) work.turns.fetch_add(1);
  });
  ASSERT_TRUE(pool.Watch(&queue, &work, &watched));
  absl::SleepFor(absl::Milliseconds(50));
  const int runs = queue.runs;
  stop = true;
  mover.join();
  // The mover itself may be kept from running now and then.
  EXPECT_LE(runs, 5);
  pool.Unwatch(&queue);
}

TEST(ThreadPoolExecutorWatchTest, StopsWhenNothingWaits) {
  ThreadPoolExecutor pool(2);
  CountingQueue queue;
  WatchedWork work;
  std::atomic<bool> watched{true};
  ASSERT_TRUE(pool.Watch(&queue, &work, &watched));
  EXPECT_TRUE(Eventually([&] { return !watched; }));
  EXPECT_EQ(queue.runs, 0);
}

TEST(ThreadPoolExecutorWatchTest, AfterUnwatchNothingIsTouched) {
  ThreadPoolExecutor pool(2);
  for (int round = 0; round < 200; ++round) {
    auto queue = std::make_unique<CountingQueue>();
    auto work = std::make_unique<WatchedWork>();
    auto watched = std::make_unique<std::atomic<bool>>(true);
    work->waiting = 1;
    ASSERT_TRUE(pool.Watch(queue.get(), work.get(), watched.get()));
    if (round % 10 == 0) absl::SleepFor(absl::Milliseconds(2));
    pool.Unwatch(queue.get());
  }
}

TEST(ThreadPoolExecutorWakeupsTest, OneForEachTaskOfASleepingPoolAtMost) {
  ThreadPoolExecutor pool(4);
  CountingQueue queue;
  for (int i = 1; i <= 50; ++i) {
    pool.AddTask(&queue);
    ASSERT_TRUE(Eventually([&] { return queue.runs == i; }));
  }
  EXPECT_LE(pool.wakeups(), 50);
}

}  // namespace
}  // namespace syncline
