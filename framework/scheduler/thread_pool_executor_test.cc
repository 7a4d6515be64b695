#include "framework/scheduler/thread_pool_executor.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/steady_time.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::HasSubstr;
using ::testing::StartsWith;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__clang__)
constexpr bool kIsSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

class CountingQueue : public TaskQueue {
 public:
  void RunNextTask() override { runs.fetch_add(1); }
  std::atomic<int> runs{0};
};

bool Eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 10000 && !condition(); ++i) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  return condition();
}

// As a graph with these ThreadPoolExecutorOptions gets its executor.
absl::StatusOr<std::unique_ptr<ThreadPoolExecutor>> Make(
    const std::string& text) {
  SynclineOptions options;
  *options.MutableExtension(ThreadPoolExecutorOptions::ext) =
      ParseTextProtoOrDie<ThreadPoolExecutorOptions>(text);
  absl::StatusOr<Executor*> executor =
      ExecutorRegistry::CreateByName("ThreadPoolExecutor", options);
  if (!executor.ok()) return executor.status();
  return std::unique_ptr<ThreadPoolExecutor>(
      static_cast<ThreadPoolExecutor*>(*executor));
}

// --- Making

TEST(ThreadPoolExecutorCreateTest, NamesTheOptionThatIsMissingOrOutOfRange) {
  const struct {
    std::string text;
    std::string message;
  } cases[] = {
      {"", "num_threads is not specified"},
      {"num_threads: 0",
       "num_threads field in ThreadPoolExecutorOptions "
       "should be positive but is 0"},
      {"num_threads: -1", "should be positive but is -1"},
      {"num_threads: 4097", "num_threads"},
      {"num_threads: 2147483647", "num_threads"},
      {"num_threads: 1 stack_size: 0",
       "stack_size field in ThreadPoolExecutorOptions should be positive but "
       "is 0"},
      {"num_threads: 1 stack_size: -1", "should be positive but is -1"},
      {"num_threads: 1 cpu: -1", "cpu"},
      {"num_threads: 1 scheduling_policy: FIFO", "realtime_priority"},
  };
  for (const auto& bad : cases) {
    const absl::Status status = Make(bad.text).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << bad.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.message))
        << bad.text;
  }
}

TEST(ThreadPoolExecutorCreateTest, AStackThatIsTooSmallIsRefusedWithTheLeast) {
  const std::size_t least = MinStackSize();
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{16384}, least - 1}) {
    const absl::Status status =
        Make(absl::StrCat("num_threads: 1 stack_size: ", size)).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(
        std::string(status.message()),
        HasSubstr(absl::StrCat("stack_size field in ThreadPoolExecutorOptions "
                               "should be at least ",
                               least, " bytes in this program but is ", size)));
  }
}

TEST(ThreadPoolExecutorCreateTest, TheSmallestStackIsEnoughForAThread) {
  if (kIsSanitized) GTEST_SKIP() << "Sanitizers need more stack.";
  const auto pool =
      Make(absl::StrCat("num_threads: 3 stack_size: ", MinStackSize()));
  SYNCLINE_ASSERT_OK(pool.status());
  std::atomic<bool> done{false};
  (*pool)->Schedule([&] { done = true; });
  EXPECT_TRUE(Eventually([&] { return done.load(); }));
}

TEST(ThreadPoolExecutorCreateTest, ThreadsHaveNamePriorityAndStack) {
  // The test may run with a niceness of its own, which cannot be lowered.
  const int nicer = std::min(19, getpriority(PRIO_PROCESS, 0) + 3);
  const auto pool = Make(absl::StrCat(
      "num_threads: 1 stack_size: 1000001 nice_priority_level: ", nicer,
      " thread_name_prefix: 'a_prefix_that_is_long'"));
  SYNCLINE_ASSERT_OK(pool.status());
  EXPECT_EQ((*pool)->num_threads(), 1);
  EXPECT_EQ((*pool)->stack_size(), 1000001u);
  std::atomic<bool> done{false};
  (*pool)->Schedule([&] {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof(name));
    EXPECT_THAT(std::string(name), StartsWith("a_prefix_that"));
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), nicer);
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    std::size_t stack = 0;
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
    EXPECT_GE(stack, 1000001u);
    EXPECT_LT(stack, 1200000u);
    done = true;
  });
  EXPECT_TRUE(Eventually([&] { return done.load(); }));
}

// So that the handler of a stack that has run over can run.
TEST(ThreadPoolExecutorCreateTest, ThreadsHaveAnAlternateSignalStack) {
  const auto pool = Make("num_threads: 1");
  SYNCLINE_ASSERT_OK(pool.status());
  std::atomic<bool> done{false};
  (*pool)->Schedule([&] {
    stack_t stack = {};
    EXPECT_EQ(sigaltstack(nullptr, &stack), 0);
    EXPECT_EQ(stack.ss_flags & SS_DISABLE, 0);
    done = true;
  });
  EXPECT_TRUE(Eventually([&] { return done.load(); }));
}

TEST(ThreadPoolExecutorCreateTest, OptionsMayBeGivenInCode) {
  ThreadPoolExecutor pool(
      ThreadOptions().set_stack_size(1000002).set_name_prefix("mine"), 2);
  EXPECT_EQ(pool.num_threads(), 2);
  EXPECT_EQ(pool.stack_size(), 1000002u);
}

TEST(ThreadPoolExecutorCreateTest, AConstructorEndsTheCallItIsIn) {
  const absl::Status status = CallUserCode([] {
    ThreadPoolExecutor pool(0);
    return absl::OkStatus();
  });
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
}

TEST(ThreadPoolExecutorCreateTest, ThreadsThatTheSystemDoesNotGiveAreAnError) {
  if (kIsSanitized) GTEST_SKIP() << "Sanitizers need more address space.";
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit small = before;
  small.rlim_cur = rlim_t{8} << 30;
  if (setrlimit(RLIMIT_AS, &small) != 0) GTEST_SKIP() << "No such limit.";
  const auto pool = Make("num_threads: 4000 stack_size: 1000000000");
  setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(pool.status().code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(pool.status().message()),
              HasSubstr("of 4000 threads"));
}

TEST(ThreadPoolExecutorCreateTest, ThreadsStayOnTheirCpus) {
  const auto pool = Make("num_threads: 2 cpu: 0");
  if (!pool.ok()) GTEST_SKIP() << pool.status();
  std::atomic<int> done{0};
  for (int i = 0; i < 10; ++i) {
    (*pool)->Schedule([&] {
      EXPECT_EQ(sched_getcpu(), 0);
      done.fetch_add(1);
    });
  }
  EXPECT_TRUE(Eventually([&] { return done == 10; }));
}

TEST(ThreadPoolExecutorCreateTest, WhatIsRefusedIsAnErrorOrDoneWithout) {
  const absl::Status status = Make("num_threads: 3 cpu: [0, 8191]").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("8191"));

  ::testing::internal::CaptureStderr();
  {
    const auto pool = Make("num_threads: 3 cpu: 8191 if_refused: FALLBACK");
    SYNCLINE_ASSERT_OK(pool.status());
    std::atomic<bool> done{false};
    (*pool)->Schedule([&] { done = true; });
    EXPECT_TRUE(Eventually([&] { return done.load(); }));
  }
  const std::string log = ::testing::internal::GetCapturedStderr();
  const std::size_t first = log.find("cpu 8191");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(log.find("cpu 8191", first + 1), std::string::npos) << log;
}

TEST(ThreadPoolExecutorCreateTest, RealTimeThreadsStartOrThePermissionIsNamed) {
  const std::string text =
      "num_threads: 2 scheduling_policy: FIFO "
      "realtime_priority: 1";
  const auto pool = Make(text);
  SYNCLINE_EXPECT_OK(Make(text + " if_refused: FALLBACK").status());
  if (!pool.ok()) {
    EXPECT_THAT(std::string(pool.status().message()),
                HasSubstr("scheduling_policy FIFO"));
    return;
  }
  std::atomic<bool> done{false};
  (*pool)->Schedule([&] {
    EXPECT_EQ(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK, SCHED_FIFO);
    done = true;
  });
  EXPECT_TRUE(Eventually([&] { return done.load(); }));
}

// --- Ending

TEST(ThreadPoolExecutorTest, ATaskMayHoldTheLastReference) {
  CountingQueue queue;
  // Also the tasks' own: nobody waits for their end.
  const auto go = std::make_shared<std::atomic<bool>>(false);
  {
    auto pool = std::make_shared<ThreadPoolExecutor>(2);
    pool->Schedule([go, mine = pool] {
      Eventually([&] { return *go && mine.use_count() == 1; });
    });
    // The other thread is kept busy, so this has to wait for one of them.
    pool->Schedule([go] { Eventually([&] { return go->load(); }); });
    pool->AddTask(&queue);
  }
  *go = true;
  EXPECT_TRUE(Eventually([&] { return queue.runs == 1; }));
}

// --- Waking

TEST(ThreadPoolExecutorWakeupsTest, OneForATaskOfASleepingPoolAtMost) {
  ThreadPoolExecutor pool(4);
  CountingQueue queue;
  for (int i = 1; i <= 50; ++i) {
    pool.AddTask(&queue);
    ASSERT_TRUE(Eventually([&] { return queue.runs == i; }));
  }
  EXPECT_LE(pool.wakeups(), 50);
}

TEST(ThreadPoolExecutorWakeupsTest, NoneWhileAllThreadsAreBusy) {
  ThreadPoolExecutor pool(2);
  std::atomic<int> busy{0};
  std::atomic<bool> go{false};
  for (int i = 0; i < 2; ++i) {
    pool.Schedule([&] {
      busy.fetch_add(1);
      Eventually([&] { return go.load(); });
    });
  }
  ASSERT_TRUE(Eventually([&] { return busy == 2; }));
  CountingQueue queue;
  const std::int64_t before = pool.wakeups();
  for (int i = 0; i < 1000; ++i) pool.AddTask(&queue);
  EXPECT_EQ(pool.wakeups(), before);
  go = true;
  EXPECT_TRUE(Eventually([&] { return queue.runs == 1000; }));
}

// Comes again each millisecond, so many times.
struct TimedQueue : TaskQueue {
  void RunNextTask() override {
    const int run = runs.fetch_add(1) + 1;
    if (then) then(run);
    if (run < rounds) {
      executor->AddTaskAt(this, SteadyNowNs() + 1'000'000,
                          /*caller_returns=*/true);
    }
  }
  Executor* executor = nullptr;
  std::atomic<int> rounds{0};
  std::function<void(int)> then;
  std::atomic<int> runs{0};
};

TEST(ThreadPoolExecutorWakeupsTest, NoneForAThreadThatComesAgainByItself) {
  ThreadPoolExecutor pool(4);
  absl::SleepFor(absl::Milliseconds(5));  // all of them are asleep
  TimedQueue queue;
  queue.executor = &pool;
  queue.rounds = 30;
  pool.AddTaskAt(&queue, SteadyNowNs(), /*caller_returns=*/false);
  EXPECT_TRUE(Eventually([&] { return queue.runs == 30; }));
  EXPECT_LE(pool.wakeups(), 1);
  pool.Unwatch(&queue);
}

TEST(ThreadPoolExecutorWakeupsTest, OneToWatchWhatIsBusyNowAndThen) {
  ThreadPoolExecutor pool(4);
  absl::SleepFor(absl::Milliseconds(5));
  CountingQueue watched_queue;
  WatchedWork work;
  std::atomic<bool> watched{false};
  TimedQueue queue;
  queue.executor = &pool;
  queue.rounds = 50;
  // As a queue that serves what is due, and leaves some of it to a watch.
  queue.then = [&](int) {
    work.waiting = 1;
    work.returns.fetch_add(1);
    if (!watched.exchange(true)) pool.Watch(&watched_queue, &work, &watched);
    work.waiting = 0;
  };
  pool.AddTaskAt(&queue, SteadyNowNs(), /*caller_returns=*/false);
  EXPECT_TRUE(Eventually([&] { return queue.runs == 50; }));
  // More only if the machine was so slow that a look saw nobody come.
  EXPECT_LE(pool.wakeups(), 10);
  EXPECT_LE(pool.looks(), 40);
  pool.Unwatch(&queue);
  pool.Unwatch(&watched_queue);
}

TEST(ThreadPoolExecutorTest, AThreadThatDoesNotReturnAtOnceLeavesTheTimeToIt) {
  ThreadPoolExecutor pool(2);
  std::atomic<bool> go{false};
  TimedQueue queue;
  queue.executor = &pool;
  queue.rounds = 20;
  // A task takes one of the threads: the one that meant to park, or the other.
  queue.then = [&](int run) {
    if (run != 1) return;
    pool.Schedule([&] { EXPECT_TRUE(Eventually([&] { return go.load(); })); });
  };
  pool.AddTaskAt(&queue, SteadyNowNs(), /*caller_returns=*/false);
  EXPECT_TRUE(Eventually([&] { return queue.runs == 20; }));
  go = true;
  pool.Unwatch(&queue);
}

TEST(ThreadPoolExecutorTest, WhatGetsStuckWhileAnotherKeepsTimeIsHelped) {
  ThreadPoolExecutor pool(3);
  TimedQueue queue;
  queue.executor = &pool;
  queue.rounds = 1'000'000;
  pool.AddTaskAt(&queue, SteadyNowNs(), /*caller_returns=*/false);
  ASSERT_TRUE(Eventually([&] { return queue.runs > 5; }));
  CountingQueue stuck;
  WatchedWork work;
  std::atomic<bool> watched{true};
  work.waiting = 1;
  pool.Watch(&stuck, &work, &watched);
  EXPECT_TRUE(Eventually([&] { return stuck.runs > 3; }));
  const int runs = queue.runs;
  EXPECT_TRUE(Eventually([&] { return queue.runs > runs + 5; }));
  pool.Unwatch(&stuck);
  queue.rounds = 0;
  pool.Unwatch(&queue);
}

TEST(ThreadPoolExecutorTest, OthersWaitWhileATaskDoes) {
  ThreadPoolExecutor executor(1);
  EXPECT_FALSE(executor.OthersWait());
  std::atomic<bool> runs{false};
  std::atomic<bool> may_end{false};
  std::atomic<bool> is_over{false};
  executor.Schedule([&] {
    runs = true;
    EXPECT_TRUE(Eventually([&] { return may_end.load(); }));
  });
  ASSERT_TRUE(Eventually([&] { return runs.load(); }));
  EXPECT_FALSE(executor.OthersWait());
  executor.Schedule([&] { is_over = true; });
  EXPECT_TRUE(executor.OthersWait());
  may_end = true;
  ASSERT_TRUE(Eventually([&] { return is_over.load(); }));
  EXPECT_FALSE(executor.OthersWait());
}

TEST(ThreadPoolExecutorWakeupsTest, NoneAndNoLooksWhenNothingWaits) {
  ThreadPoolExecutor pool(2);
  CountingQueue queue;
  WatchedWork work;
  std::atomic<bool> watched{true};
  pool.Watch(&queue, &work, &watched);
  ASSERT_TRUE(Eventually([&] { return !watched; }));
  const std::int64_t wakeups = pool.wakeups();
  const std::int64_t looks = pool.looks();
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_EQ(pool.wakeups(), wakeups);
  EXPECT_EQ(pool.looks(), looks);
  EXPECT_LE(wakeups, 1);
  EXPECT_EQ(queue.runs, 0);
}

TEST(ThreadPoolExecutorWakeupsTest, AtMostOneThreadIsCalledToWatch) {
  // To be seen between the first Watch and the first look, a millisecond.
  for (int attempt = 0; attempt < 100; ++attempt) {
    ThreadPoolExecutor pool(4);
    absl::SleepFor(absl::Milliseconds(5));  // all of them are asleep
    CountingQueue queues[20];
    WatchedWork work;
    work.waiting = 1;
    std::atomic<bool> watched[20];
    for (int i = 0; i < 20; ++i) {
      watched[i] = true;
      pool.Watch(&queues[i], &work, &watched[i]);
    }
    const std::int64_t wakeups = pool.wakeups();
    const bool was_in_time = pool.looks() == 0;
    for (CountingQueue& queue : queues) pool.Unwatch(&queue);
    if (!was_in_time) continue;
    EXPECT_LE(wakeups, 1);
    return;
  }
  GTEST_SKIP() << "This machine is too slow.";
}

TEST(ThreadPoolExecutorWakeupsTest, TheThreadThatKeepsWatchStillTakesTasks) {
  ThreadPoolExecutor pool(1);
  CountingQueue watched_queue, queue;
  WatchedWork work;
  std::atomic<bool> watched{true};
  work.waiting = 1;
  pool.Watch(&watched_queue, &work, &watched);
  for (int i = 1; i <= 20; ++i) {
    work.returns.fetch_add(1);  // so that it looks seldom
    pool.AddTask(&queue);
    ASSERT_TRUE(Eventually([&] { return queue.runs == i; }));
  }
  EXPECT_GE(pool.wakeups(), 5);
  EXPECT_TRUE(Eventually([&] { return watched_queue.runs > 0; }));
  pool.Unwatch(&watched_queue);
}

TEST(ThreadPoolExecutorWatchTest, ACallThatIsStillToComeIsForgottenByUnwatch) {
  ThreadPoolExecutor pool(1);
  // Both are due at once; the one that is helped first holds up the thread.
  struct Blocking : TaskQueue {
    void RunNextTask() override {
      entered->fetch_add(1);
      runs.fetch_add(1);
      Eventually([&] { return go->load(); });
    }
    WatchedWork work;
    std::atomic<bool> watched{true};
    std::atomic<int> runs{0};
    std::atomic<int>* entered;
    std::atomic<bool>* go;
  } queues[2];
  std::atomic<int> entered{0};
  std::atomic<bool> go{false};
  for (Blocking& queue : queues) {
    queue.entered = &entered;
    queue.go = &go;
    queue.work.waiting = 1;
    pool.Watch(&queue, &queue.work, &queue.watched);
  }
  ASSERT_TRUE(Eventually([&] { return entered == 1; }));
  Blocking& first = queues[queues[0].runs == 1 ? 0 : 1];
  Blocking& second = queues[queues[0].runs == 1 ? 1 : 0];
  pool.Unwatch(&second);
  first.work.waiting = 0;
  go = true;
  EXPECT_TRUE(Eventually([&] { return !first.watched; }));
  EXPECT_EQ(second.runs, 0);
  pool.Unwatch(&first);
}

class RecordingExecutor : public ThreadPoolExecutor {
 public:
  RecordingExecutor() : ThreadPoolExecutor(2) {}
  void Schedule(std::function<void()> task) override {
    scheduled.fetch_add(1);
    ThreadPoolExecutor::Schedule(std::move(task));
  }
  std::atomic<int> scheduled{0};
};

TEST(ThreadPoolExecutorTest, ADerivedClassSeesAllTasksInItsOwnSchedule) {
  CountingQueue queue;
  RecordingExecutor executor;
  for (int i = 0; i < 10; ++i) executor.AddTask(&queue);
  EXPECT_TRUE(Eventually([&] { return queue.runs.load() == 10; }));
  EXPECT_EQ(executor.scheduled.load(), 10);
  WatchedWork work;
  std::atomic<bool> watched{true};
  EXPECT_FALSE(executor.Watch(&queue, &work, &watched))
      << "what the pool looks after would not pass through Schedule";
}

}  // namespace
}  // namespace syncline
