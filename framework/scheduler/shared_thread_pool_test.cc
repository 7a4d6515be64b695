#include "framework/scheduler/shared_thread_pool.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/usable_cores.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As a graph with these ThreadPoolExecutorOptions gets its executor.
absl::StatusOr<std::unique_ptr<ThreadPoolExecutor>> Make(
    const std::string& text) {
  SynclineOptions options;
  *options.MutableExtension(ThreadPoolExecutorOptions::ext) =
      ParseTextProtoOrDie<ThreadPoolExecutorOptions>(text);
  absl::StatusOr<Executor*> executor =
      ExecutorRegistry::CreateByName("SharedThreadPoolExecutor", options);
  if (!executor.ok()) return executor.status();
  return std::unique_ptr<ThreadPoolExecutor>(
      static_cast<ThreadPoolExecutor*>(*executor));
}

bool Eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 10000 && !condition(); ++i) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  return condition();
}

TEST(SharedThreadPoolTest, GraphsThatNameTheSamePoolShareItsThreads) {
  auto a = Make("pool_name: 'p' num_threads: 3");
  auto b = Make("pool_name: 'p' num_threads: 3");
  auto c = Make("pool_name: 'p'");
  auto other = Make("pool_name: 'q' num_threads: 1");
  SYNCLINE_ASSERT_OK(a.status());
  SYNCLINE_ASSERT_OK(b.status());
  SYNCLINE_ASSERT_OK(c.status());
  SYNCLINE_ASSERT_OK(other.status());
  EXPECT_EQ((*c)->MaxParallelTasks(), 3);
  EXPECT_EQ((*c)->MaxTasksInARow(), 100) << "fewer than in a pool of its own";

  std::atomic<bool> go{false};
  std::atomic<int> begun{0}, ended{0};
  for (int i = 0; i < 3; ++i) {
    (*a)->Schedule([&] {
      begun.fetch_add(1);
      Eventually([&] { return go.load(); });
    });
  }
  ASSERT_TRUE(Eventually([&] { return begun == 3; }));
  for (const auto* const pool : {&b, &c}) {
    (**pool)->Schedule([&] { ended.fetch_add(1); });
  }
  std::atomic<bool> is_free{false};
  (*other)->Schedule([&] { is_free = true; });
  EXPECT_TRUE(Eventually([&] { return is_free.load(); }));
  EXPECT_EQ(ended, 0) << "all threads of the pool are busy";
  EXPECT_TRUE((*b)->OthersWait());
  go = true;
  EXPECT_TRUE(Eventually([&] { return ended == 2; }));

  auto from_code = SharedThreadPool("p");
  SYNCLINE_ASSERT_OK(from_code.status());
  EXPECT_EQ((*from_code)->MaxParallelTasks(), 3);
}

TEST(SharedThreadPoolTest, WithoutANumberThereAreAsManyThreadsAsCpus) {
  for (const std::string text : {"", "num_threads: 0"}) {
    auto pool = Make(text);
    SYNCLINE_ASSERT_OK(pool.status());
    EXPECT_EQ((*pool)->num_threads(), NumUsableCores());
  }
}

TEST(SharedThreadPoolTest, AnotherNumberOfThreadsIsAnErrorThatSaysSo) {
  auto pool = Make("pool_name: 'p' num_threads: 2");
  SYNCLINE_ASSERT_OK(pool.status());
  const absl::Status status = Make("pool_name: 'p' num_threads: 3").status();
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"p\""), HasSubstr("num_threads: 2"),
                    HasSubstr("num_threads: 3")));
  EXPECT_EQ(SharedThreadPool("p", 4).status().code(),
            StatusCode::kFailedPrecondition);
}

TEST(SharedThreadPoolTest, OtherOptionsHaveToBeTheSameOrLeftOut) {
  auto pool = Make("num_threads: 1 stack_size: 2000000 cpu: 0");
  SYNCLINE_ASSERT_OK(pool.status());
  SYNCLINE_EXPECT_OK(Make("stack_size: 2000000").status());
  SYNCLINE_EXPECT_OK(Make("cpu: 0 num_threads: 1").status());
  for (const std::string text :
       {"stack_size: 3000000", "cpu: [0, 1]", "nice_priority_level: 1"}) {
    EXPECT_EQ(Make(text).status().code(), StatusCode::kFailedPrecondition)
        << text;
  }
}

TEST(SharedThreadPoolTest, ThePoolGoesWithItsLastUser) {
  auto a = Make("pool_name: 'p' num_threads: 2");
  auto b = Make("pool_name: 'p'");
  SYNCLINE_ASSERT_OK(a.status());
  SYNCLINE_ASSERT_OK(b.status());
  a->reset();
  EXPECT_EQ(SharedThreadPool("p", 5).status().code(),
            StatusCode::kFailedPrecondition);
  b->reset();
  auto c = SharedThreadPool("p", 5);
  SYNCLINE_ASSERT_OK(c.status());
  EXPECT_EQ((*c)->MaxParallelTasks(), 5);
}

TEST(SharedThreadPoolTest, OptionsThatNoPoolCanHaveAreErrors) {
  for (const std::string text :
       {"pool_name: 'bad' num_threads: -1",
        "pool_name: 'bad' num_threads: 5000",
        "pool_name: 'bad' num_threads: 1 stack_size: 0"}) {
    EXPECT_EQ(Make(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
  // None of them is in the way now.
  SYNCLINE_EXPECT_OK(SharedThreadPool("bad", 1).status());
}

TEST(SharedThreadPoolTest, RequestsRunInTheirOrderWhateverGraphTheyAreFrom) {
  auto a = Make("pool_name: 'p' num_threads: 1");
  auto b = Make("pool_name: 'p'");
  SYNCLINE_ASSERT_OK(a.status());
  SYNCLINE_ASSERT_OK(b.status());
  std::atomic<bool> go{false};
  std::atomic<int> done{0};
  std::vector<int> order;  // one thread writes it
  (*a)->Schedule([&] { Eventually([&] { return go.load(); }); });
  for (int i = 0; i < 6; ++i) {
    (i % 3 == 0 ? *b : *a)->Schedule([&, i] {
      order.push_back(i);
      done.fetch_add(1);
    });
  }
  go = true;
  ASSERT_TRUE(Eventually([&] { return done == 6; }));
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(SharedThreadPoolTest, ATaskMayHoldTheLastReference) {
  std::atomic<bool> is_last{false};
  {
    auto pool = SharedThreadPool("p", 2);
    SYNCLINE_ASSERT_OK(pool.status());
    Executor& executor = **pool;
    executor.Schedule([mine = *pool, &is_last] {
      Eventually([&] { return mine.use_count() == 1; });
      is_last = mine.use_count() == 1;
    });
  }
  EXPECT_TRUE(Eventually([&] { return is_last.load(); }));
  // Also the next pool of that name works.
  EXPECT_TRUE(Eventually([] { return SharedThreadPool("p", 1).ok(); }));
}

TEST(SharedThreadPoolTest, ManyThreadsMayComeAndGo) {
  std::vector<std::thread> users;
  std::atomic<int> runs{0};
  for (int i = 0; i < 4; ++i) {
    users.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        auto pool = SharedThreadPool("p", 2);
        ASSERT_TRUE(pool.ok());
        (*pool)->Schedule([&] { runs.fetch_add(1); });
      }
    });
  }
  for (std::thread& user : users) user.join();
  EXPECT_EQ(runs, 200);
}

}  // namespace
}  // namespace syncline
