#include "framework/port/threadpool.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "framework/scheduler/thread_options.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(ThreadPoolTest, RunsEverythingBeforeItGoes) {
  for (const int threads : {1, 4}) {
    std::atomic<int> calls = 0;
    {
      ThreadPool pool("test", threads);
      EXPECT_EQ(pool.num_threads(), threads);
      pool.StartWorkers();
      for (int i = 0; i < 1000; ++i) pool.Schedule([&calls] { ++calls; });
    }
    EXPECT_EQ(calls, 1000);
  }
}

TEST(ThreadPoolTest, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  {
    ThreadPool pool(1);
    for (int i = 0; i < 3; ++i)
      pool.Schedule([&order, i] { order.push_back(i); });
    EXPECT_TRUE(order.empty());
    pool.StartWorkers();
    for (int i = 3; i < 6; ++i)
      pool.Schedule([&order, i] { order.push_back(i); });
  }
  EXPECT_EQ(order, std::vector<int>({0, 1, 2, 3, 4, 5}));
}

TEST(ThreadPoolTest, ACallbackMayScheduleAnother) {
  std::atomic<int> calls = 0;
  {
    ThreadPool pool(2);
    pool.StartWorkers();
    for (int i = 0; i < 100; ++i) {
      pool.Schedule([&] {
        ++calls;
        pool.Schedule([&] { ++calls; });
      });
    }
  }
  EXPECT_EQ(calls, 200);
}

TEST(ThreadPoolTest, TakesCallbacksThatCannotBeCopied) {
  absl::Notification done;
  ThreadPool pool(1);
  pool.StartWorkers();
  auto owned = std::make_unique<int>(7);
  pool.Schedule([&done, owned = std::move(owned)] {
    EXPECT_EQ(*owned, 7);
    done.Notify();
  });
  done.WaitForNotification();
}

TEST(ThreadPoolTest, APoolThatIsNeverStartedDropsItsCallbacks) {
  auto counted = std::make_shared<int>(1);
  {
    ThreadPool pool(1);
    pool.Schedule([counted] { FAIL(); });
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(ThreadPoolTest, HasTheOptionsItWasGiven) {
  ThreadOptions options;
  options.set_stack_size(1 << 20);
  ThreadPool pool(options, "worker", 0);
  EXPECT_EQ(pool.num_threads(), 1);
  EXPECT_EQ(pool.thread_options().stack_size(), 1u << 20);
  EXPECT_EQ(pool.thread_options().name_prefix(), "worker");
  pool.StartWorkers();
}

}  // namespace
}  // namespace syncline
