// Code that MakeCleanup keeps runs once, at the end of the scope, or not at
// all.

#include "framework/deps/cleanup.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(CleanupTest, RunsAtTheEndOfTheScope) {
  int runs = 0;
  {
    auto cleanup = MakeCleanup([&runs] { ++runs; });
    EXPECT_FALSE(cleanup.is_released());
    EXPECT_EQ(runs, 0);
  }
  EXPECT_EQ(runs, 1);
}

TEST(CleanupTest, WhatIsReleasedDoesNotRun) {
  int runs = 0;
  {
    auto cleanup = MakeCleanup([&runs] { ++runs; });
    cleanup.release();
    EXPECT_TRUE(cleanup.is_released());
    cleanup.release();
  }
  EXPECT_EQ(runs, 0);
}

TEST(CleanupTest, RunsOnceAfterAMove) {
  int runs = 0;
  {
    auto first = MakeCleanup([&runs] { ++runs; });
    {
      auto second = std::move(first);
      EXPECT_FALSE(second.is_released());
    }
    EXPECT_EQ(runs, 1);
  }
  EXPECT_EQ(runs, 1);
}

TEST(CleanupTest, WhatIsReleasedMayBeRunAtOnce) {
  int runs = 0;
  {
    auto cleanup = MakeCleanup([&runs] { ++runs; });
    cleanup.release()();
    EXPECT_EQ(runs, 1);
  }
  EXPECT_EQ(runs, 1);
}

TEST(CleanupTest, WhatHasNoCallbackRunsNothing) {
  Cleanup<std::function<void()>> cleanup;
  EXPECT_TRUE(cleanup.is_released());
  EXPECT_FALSE(cleanup.release());
}

TEST(CleanupTest, AssigningRunsTheFormerCallbackAndTakesOverTheNewOne) {
  std::vector<int> runs;
  {
    Cleanup<std::function<void()>> cleanup;
    cleanup = MakeCleanup([&runs] { runs.push_back(1); });
    EXPECT_FALSE(cleanup.is_released());
    EXPECT_TRUE(runs.empty());
    cleanup = Cleanup<std::function<void()>>([&runs] { runs.push_back(2); });
    EXPECT_EQ(runs, std::vector<int>({1}));
  }
  EXPECT_EQ(runs, std::vector<int>({1, 2}));
}

TEST(CleanupTest, ALambdaMayBeAssignedToo) {
  int runs = 0;
  const auto count = [&runs] { ++runs; };
  {
    auto cleanup = MakeCleanup(count);
    auto other = MakeCleanup(count);
    other.release();
    cleanup = std::move(other);
    EXPECT_EQ(runs, 1);
    EXPECT_TRUE(cleanup.is_released());
  }
  EXPECT_EQ(runs, 1);
}

TEST(CleanupTest, ACallbackMayBeMovableOnly) {
  int sum = 0;
  {
    auto number = std::make_unique<int>(3);
    auto cleanup =
        MakeCleanup([&sum, number = std::move(number)] { sum += *number; });
    auto second = std::move(cleanup);
  }
  EXPECT_EQ(sum, 3);
}

}  // namespace
}  // namespace syncline
