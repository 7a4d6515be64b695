#include "framework/graph/current_run.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace syncline {
namespace {

// Says when it dies, and notices when it is used afterwards.
struct FakeRun {
  explicit FakeRun(std::atomic<int>* alive) : alive(alive) { ++*alive; }
  ~FakeRun() {
    is_alive = false;
    --*alive;
  }
  std::atomic<int>* const alive;
  std::atomic<bool> is_alive{true};
};

TEST(CurrentRunTest, IsNullBeforeTheFirst) {
  const CurrentRun<FakeRun> runs;
  EXPECT_FALSE(runs.Get());
}

TEST(CurrentRunTest, TheOldRunGoesWithTheNextIfNobodyIsInIt) {
  std::atomic<int> alive{0};
  CurrentRun<FakeRun> runs;
  runs.Set(std::make_shared<FakeRun>(&alive));
  runs.Set(std::make_shared<FakeRun>(&alive));
  EXPECT_EQ(alive, 1);
  runs.Clear();
  EXPECT_EQ(alive, 0);
}

TEST(CurrentRunTest, AnOldRunStaysWhileSomebodyIsInIt) {
  std::atomic<int> alive{0};
  CurrentRun<FakeRun> runs;
  runs.Set(std::make_shared<FakeRun>(&alive));
  {
    const auto old = runs.Get();
    runs.Set(std::make_shared<FakeRun>(&alive));
    EXPECT_TRUE(old->is_alive);
    EXPECT_NE(&*old, &*runs.Get());
    EXPECT_EQ(alive, 2);
  }
  runs.Set(std::make_shared<FakeRun>(&alive));
  EXPECT_EQ(alive, 1);
}

TEST(CurrentRunTest, CallersOnOtherThreadsNeverMeetADeadRun) {
  std::atomic<int> alive{0};
  std::atomic<bool> is_over{false};
  CurrentRun<FakeRun> runs;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      while (!is_over) {
        const auto run = runs.Get();
        if (run) {
          EXPECT_TRUE(run->is_alive);
        }
      }
    });
  }
  for (int i = 0; i < 2000; ++i) runs.Set(std::make_shared<FakeRun>(&alive));
  is_over = true;
  for (std::thread& caller : callers) caller.join();
  runs.Set(std::make_shared<FakeRun>(&alive));
  EXPECT_EQ(alive, 1);
}

}  // namespace
}  // namespace syncline
