// DecideWakeUps, as a table and for all small loads.

#include "framework/scheduler/wake_up_rule.h"

#include <algorithm>

#include "framework/scheduler/task.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(WakeUpRuleTest, NothingWaits) {
  const WakeUps wake_ups =
      DecideWakeUps({.added = 3, .has_long = true, .max_threads = 4});
  EXPECT_EQ(wake_ups.threads, 0);
  EXPECT_FALSE(wake_ups.watch);
}

TEST(WakeUpRuleTest, OneThreadForShortTasksThatNobodyServes) {
  const WakeUps wake_ups =
      DecideWakeUps({.waiting = 5, .added = 5, .max_threads = 4});
  EXPECT_EQ(wake_ups.threads, 1);
  EXPECT_FALSE(wake_ups.watch);
}

TEST(WakeUpRuleTest, ShortTasksBesideAThreadAreWatched) {
  const WakeUps wake_ups =
      DecideWakeUps({.waiting = 2, .added = 2, .serving = 1, .max_threads = 4});
  EXPECT_EQ(wake_ups.threads, 0);
  EXPECT_TRUE(wake_ups.watch);
}

TEST(WakeUpRuleTest, NoWatchWhereEnoughThreadsAreOnTheirWay) {
  const WakeUps wake_ups =
      DecideWakeUps({.waiting = 2, .added = 1, .asked = 2, .max_threads = 4});
  EXPECT_EQ(wake_ups.threads, 0);
  EXPECT_FALSE(wake_ups.watch);
}

TEST(WakeUpRuleTest, AThreadForEachTaskBesideALongOne) {
  QueueLoad load = {.waiting = 3,
                    .added = 3,
                    .has_long = true,
                    .serving = 1,
                    .max_threads = 8};
  EXPECT_EQ(DecideWakeUps(load).threads, 3);
  load.added = 0;  // the long one runs next on this thread
  EXPECT_EQ(DecideWakeUps(load).threads, 1);
  load.added = 3;
  load.asked = 2;
  EXPECT_EQ(DecideWakeUps(load).threads, 1) << "two are on their way";
  load.asked = 0;
  load.max_threads = 3;
  EXPECT_EQ(DecideWakeUps(load).threads, 2) << "the executor has no more";
}

TEST(WakeUpRuleTest, NeverMoreThanThereAreAndAlwaysSomebody) {
  for (int waiting = 0; waiting <= 4; ++waiting)
    for (int added = 0; added <= 4; ++added)
      for (int asked = 0; asked <= 3; ++asked)
        for (int serving = 0; serving <= 3; ++serving)
          for (int max = 1; max <= 4; ++max)
            for (const bool has_long : {false, true}) {
              const WakeUps wake_ups = DecideWakeUps({.waiting = waiting,
                                                      .added = added,
                                                      .has_long = has_long,
                                                      .asked = asked,
                                                      .serving = serving,
                                                      .max_threads = max});
              const int coming = asked + serving;
              EXPECT_GE(wake_ups.threads, 0);
              EXPECT_LE(wake_ups.threads, std::max(0, max - coming));
              EXPECT_LE(wake_ups.threads, std::max(0, waiting - asked));
              // What waits is never left without a thread or a watch.
              if (waiting > asked && coming < max) {
                EXPECT_TRUE(wake_ups.threads > 0 || wake_ups.watch);
              }
              if (waiting > 0) {
                EXPECT_TRUE(coming > 0 || wake_ups.threads > 0);
              }
            }
}

TEST(WakeUpRuleTest, ATaskThatWasNeverMeasuredIsLong) {
  struct TestTask : Task {
  } task;
  EXPECT_TRUE(IsLong(task));
  task.cost_ns = kLongTaskNs;
  EXPECT_TRUE(IsLong(task));
  task.cost_ns = kLongTaskNs - 1;
  EXPECT_FALSE(IsLong(task));
}

}  // namespace
}  // namespace syncline
