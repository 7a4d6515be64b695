#include "framework/node/holds.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(HoldsTest, AHoldIsCountedOnce) {
  Holds holds;
  bool is_counted = false;
  EXPECT_FALSE(holds.any());
  holds.Set(true, &is_counted);
  EXPECT_TRUE(is_counted);
  EXPECT_TRUE(holds.any());
  holds.Set(true, &is_counted);
  EXPECT_TRUE(is_counted);
  holds.Set(false, &is_counted);
  EXPECT_FALSE(is_counted);
  EXPECT_FALSE(holds.any());
}

TEST(HoldsTest, AHoldThatIsNotCountedEndsUncounted) {
  Holds holds;
  bool is_counted = false;
  holds.Set(false, &is_counted);
  bool other = false;
  holds.Set(true, &other);
  EXPECT_TRUE(holds.any()) << "the first took nothing back";
}

TEST(HoldsTest, TheLastOfSeveralHoldsEndsThem) {
  Holds holds;
  bool first = false;
  bool second = false;
  holds.Set(true, &first);
  holds.Set(true, &second);
  holds.Set(false, &first);
  EXPECT_TRUE(holds.any());
  holds.Set(false, &second);
  EXPECT_FALSE(holds.any());
}

TEST(HoldsTest, HoldsKeepTheRunBusyOnceAllSourcesHaveStarted) {
  Holds holds;
  bool is_counted = false;
  holds.Set(true, &is_counted);
  EXPECT_FALSE(holds.KeepRunBusy());
  holds.AllSourcesStarted();
  EXPECT_TRUE(holds.KeepRunBusy());
  holds.Set(false, &is_counted);
  EXPECT_FALSE(holds.KeepRunBusy());
}

TEST(HoldsTest, NoHoldKeepsNoRunBusy) {
  Holds holds;
  holds.AllSourcesStarted();
  EXPECT_FALSE(holds.KeepRunBusy());
  bool is_counted = false;
  holds.Set(true, &is_counted);
  EXPECT_TRUE(holds.KeepRunBusy());
}

TEST(HoldsTest, HoldsOfManyThreadsAddUp) {
  Holds holds;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10'000; ++round) {
        bool is_counted = false;
        holds.Set(true, &is_counted);
        EXPECT_TRUE(holds.any());
        holds.Set(false, &is_counted);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(holds.any());
}

}  // namespace
}  // namespace syncline
