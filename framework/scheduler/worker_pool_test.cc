// The threads of a pool, without the executors that stand before it.

#include "framework/scheduler/worker_pool.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "framework/base/steady_time.h"
#include "framework/base/thread_limits.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/request.h"
#include "framework/scheduler/thread_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

// Notes that somebody came, and when.
class TestQueue : public TaskQueue {
 public:
  void RunNextTask() override {
    came_ns = SteadyNowNs();
    if (++calls == 1) came.Notify();
  }

  absl::Notification came;
  std::atomic<int> calls{0};
  std::atomic<std::int64_t> came_ns{0};
};

std::shared_ptr<WorkerPool> StartPool(int num_threads) {
  absl::StatusOr<std::shared_ptr<WorkerPool>> pool =
      WorkerPool::Start(ThreadOptions(), num_threads);
  EXPECT_TRUE(pool.ok()) << pool.status();
  return *std::move(pool);
}

// Keeps the only thread of a pool until it is let go.
class Blocker {
 public:
  explicit Blocker(WorkerPool* pool) {
    pool->Add(Request([this] {
      has_begun_.Notify();
      may_end_.WaitForNotification();
    }));
    has_begun_.WaitForNotification();
  }
  void End() { may_end_.Notify(); }

 private:
  absl::Notification has_begun_;
  absl::Notification may_end_;
};

TEST(WorkerPoolTest, NoPoolHasNoThreadsOrTooMany) {
  for (const int num_threads : {-1, 0, kMaxPoolThreads + 1}) {
    EXPECT_EQ(WorkerPool::Start(ThreadOptions(), num_threads).status().code(),
              StatusCode::kInvalidArgument)
        << num_threads;
  }
}

TEST(WorkerPoolTest, KnowsWhatItWasStartedWith) {
  const auto pool = WorkerPool::Start(ThreadOptions().set_name_prefix("mine"),
                                      /*num_threads=*/3);
  ASSERT_TRUE(pool.ok());
  EXPECT_EQ((*pool)->num_threads(), 3);
  EXPECT_EQ((*pool)->options().name_prefix(), "mine");
  (*pool)->Stop();
}

TEST(WorkerPoolTest, OneThreadRunsRequestsInTheOrderInWhichTheyCame) {
  const auto pool = StartPool(1);
  Blocker blocker(pool.get());
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) {
    pool->Add(Request([&order, i] { order.push_back(i); }));
  }
  EXPECT_TRUE(pool->HasWork());
  blocker.End();
  pool->Stop();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_FALSE(pool->HasWork());
}

TEST(WorkerPoolTest, StopRunsAlsoWhatTheRestAdds) {
  const auto pool = StartPool(1);
  int count = 0;
  pool->Add(Request([&] {
    ++count;
    pool->Add(Request([&] { ++count; }));
  }));
  pool->Stop();
  EXPECT_EQ(count, 2);
}

TEST(WorkerPoolTest, ATaskThatThrowsEndsNoThread) {
  const auto pool = StartPool(1);
  bool is_run = false;
  pool->Add(Request([] { throw std::runtime_error("of the test"); }));
  pool->Add(Request([&] { is_run = true; }));
  pool->Stop();
  EXPECT_TRUE(is_run);
}

TEST(WorkerPoolTest, AQueueThatThrowsEndsNoThread) {
  class ThrowingQueue : public TaskQueue {
   public:
    void RunNextTask() override {
      calls.fetch_add(1);
      throw std::runtime_error("of the test");
    }
    std::atomic<int> calls{0};
  } queue;
  const auto pool = StartPool(1);
  pool->Add(Request(&queue));
  pool->AddTaskAt(&queue, SteadyNowNs(), /*caller_returns=*/false);
  while (queue.calls < 2) std::this_thread::yield();
  pool->Unwatch(&queue);
  bool is_run = false;
  pool->Add(Request([&] { is_run = true; }));
  pool->Stop();
  EXPECT_TRUE(is_run);
}

TEST(WorkerPoolTest, AThreadComesToAQueueOnceForEachRequest) {
  const auto pool = StartPool(2);
  TestQueue queue;
  for (int i = 0; i < 10; ++i) pool->Add(Request(&queue));
  pool->Stop();
  EXPECT_EQ(queue.calls, 10);
}

TEST(WorkerPoolTest, AThreadComesAtTheEarlierOfTwoTimesAndNotBefore) {
  const auto pool = StartPool(2);
  TestQueue queue;
  const std::int64_t due_ns = SteadyNowNs() + 5 * kMs;
  pool->AddTaskAt(&queue, due_ns + 100'000 * kMs, /*caller_returns=*/false);
  pool->AddTaskAt(&queue, due_ns, /*caller_returns=*/false);
  queue.came.WaitForNotification();
  EXPECT_GE(queue.came_ns, due_ns);
  pool->Unwatch(&queue);
  EXPECT_EQ(queue.calls, 1);
  pool->Stop();
}

// Asks for another time when it is called first, as who keeps times does.
class ComesAgain : public TaskQueue {
 public:
  explicit ComesAgain(WorkerPool* pool) : pool_(pool) {}
  void RunNextTask() override {
    if (++calls_ == 1) {
      pool_->AddTaskAt(this, SteadyNowNs() + 20 * kMs, /*caller_returns=*/true);
    } else {
      came_again.Notify();
    }
  }

  absl::Notification came_again;

 private:
  WorkerPool* const pool_;
  std::atomic<int> calls_{0};
};

TEST(WorkerPoolTest, ATimeThatACallerAsksForIsKeptThoughAThreadWaitsForALater) {
  const auto pool = StartPool(/*num_threads=*/2);
  TestQueue late;
  pool->AddTaskAt(&late, SteadyNowNs() + 100'000 * kMs,
                  /*caller_returns=*/false);
  // Until one of the threads waits for that.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ComesAgain queue(pool.get());
  pool->AddTaskAt(&queue, SteadyNowNs(), /*caller_returns=*/false);
  EXPECT_TRUE(
      queue.came_again.WaitForNotificationWithTimeout(absl::Seconds(20)));
  ComesAgain requested(pool.get());
  pool->Add(Request(&requested));
  EXPECT_TRUE(
      requested.came_again.WaitForNotificationWithTimeout(absl::Seconds(20)));
  pool->Unwatch(&late);
  pool->Unwatch(&queue);
  pool->Unwatch(&requested);
  pool->Stop();
}

TEST(WorkerPoolTest, ATimeIsForgottenByUnwatch) {
  const auto pool = StartPool(1);
  TestQueue queue;
  Blocker blocker(pool.get());
  pool->AddTaskAt(&queue, SteadyNowNs(), /*caller_returns=*/false);
  pool->Unwatch(&queue);
  blocker.End();
  pool->Stop();
  EXPECT_EQ(queue.calls, 0);
}

TEST(WorkerPoolTest, WorkThatNobodyComesBackForGetsAThread) {
  const auto pool = StartPool(1);
  TestQueue queue;
  WatchedWork work;
  std::atomic<bool> watched{true};
  work.waiting = 1;
  pool->Watch(&queue, &work, &watched);
  queue.came.WaitForNotification();
  EXPECT_GE(pool->looks(), 1);
  EXPECT_TRUE(watched) << "work still waits";
  pool->Unwatch(&queue);
  const int calls = queue.calls;
  pool->Stop();
  EXPECT_EQ(queue.calls, calls);
}

TEST(WorkerPoolTest, AThreadOfThePoolMayStopIt) {
  std::shared_ptr<WorkerPool> pool = StartPool(1);
  absl::Notification has_stopped;
  std::atomic<bool> is_run = false;
  pool->Add(Request([&, pool] {
    pool->Add(Request([&] {
      is_run = true;
      has_stopped.Notify();
    }));
    pool->Stop();
    EXPECT_FALSE(is_run) << "it does not wait for itself";
  }));
  has_stopped.WaitForNotification();
  EXPECT_TRUE(is_run);
}

}  // namespace
}  // namespace syncline
