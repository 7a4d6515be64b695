// Code that MakeCleanup keeps runs once, at the end of the scope, or not at
// all.

#include "framework/deps/cleanup.h"

#include <utility>

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

}  // namespace
}  // namespace syncline
