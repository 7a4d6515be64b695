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

// The rule in words: a long task brings threads for what came with it, short
// tasks alone bring one thread or a watch. There are never more threads than
// tasks that are left over, nor more than the executor has.
WakeUps Rule(const QueueLoad& load) {
  const int threads = load.asked + load.serving;
  const int wanted = load.has_long  ? std::max(load.added, 1)
                     : threads == 0 ? 1
                                    : 0;
  const int left_over = std::max(load.waiting - load.asked, 0);
  const int most = std::min(left_over, std::max(load.max_threads - threads, 0));
  const int computing = threads - load.asleep;
  const int cores = load.has_long
                        ? std::max(load.cores + load.sleepers - computing, 0)
                        : most;
  const int few = std::min(wanted, std::min(most, cores));
  return {.threads = few,
          .watch = few == 0 && most > 0,
          .lacks_cores = few == 0 && most > 0 && load.has_long};
}

TEST(WakeUpRuleTest, AgreesWithTheRuleForAllSmallLoads) {
  for (int waiting = 0; waiting <= 5; ++waiting)
    for (int added = 0; added <= 5; ++added)
      for (int asked = 0; asked <= 5; ++asked)
        for (int serving = 0; serving <= 5; ++serving)
          for (int max = 1; max <= 5; ++max)
            for (int cores = 1; cores <= 3; ++cores)
              for (int asleep = 0; asleep <= std::min(serving, 2); ++asleep)
                for (const int tasks : {0, 1, 2, 3}) {
                  const QueueLoad load = {.waiting = waiting,
                                          .added = added,
                                          .has_long = tasks > 0,
                                          .sleepers = std::max(tasks - 1, 0),
                                          .asked = asked,
                                          .serving = serving,
                                          .asleep = asleep,
                                          .max_threads = max,
                                          .cores = cores};
                  const WakeUps wake_ups = DecideWakeUps(load);
                  const WakeUps expected = Rule(load);
                  ASSERT_EQ(wake_ups.threads, expected.threads)
                      << waiting << added << asked << serving << max << cores
                      << asleep << tasks;
                  ASSERT_EQ(wake_ups.lacks_cores, expected.lacks_cores);
                  ASSERT_EQ(wake_ups.watch, expected.watch)
                      << waiting << added << asked << serving << max << cores
                      << asleep << tasks;
                }
}

TEST(WakeUpRuleTest, NoMoreThreadsComputeThanThereAreCores) {
  QueueLoad load = {.waiting = 3,
                    .added = 3,
                    .has_long = true,
                    .serving = 1,
                    .max_threads = 8,
                    .cores = 2};
  EXPECT_EQ(DecideWakeUps(load).threads, 1);
  load.serving = 2;
  EXPECT_EQ(DecideWakeUps(load).threads, 0);
  EXPECT_TRUE(DecideWakeUps(load).watch) << "one of the two may come to sleep";
  EXPECT_TRUE(DecideWakeUps(load).lacks_cores);
  load.asleep = 1;
  EXPECT_EQ(DecideWakeUps(load).threads, 1) << "its core is free";
  load.asleep = 0;
  load.sleepers = 2;
  EXPECT_EQ(DecideWakeUps(load).threads, 2) << "who sleeps needs no core";
}

TEST(WakeUpRuleTest, ATaskThatWasNeverMeasuredIsLong) {
  struct TestTask : Task {
  } task;
  EXPECT_TRUE(IsLong(task));
  task.cost_ns = 3000;
  EXPECT_TRUE(IsLong(task)) << "3 microseconds";
  task.cost_ns = 2999;
  EXPECT_FALSE(IsLong(task));
}

TEST(WakeUpRuleTest, ATaskThatWasNeverMeasuredSleeps) {
  struct TestTask : Task {
  } task;
  EXPECT_TRUE(Sleeps(task));
  task.cost_ns = 5000;
  EXPECT_FALSE(Sleeps(task));
  task.cost_ns = 5000 | Task::kSleeps;
  EXPECT_TRUE(Sleeps(task));
  EXPECT_TRUE(IsLong(task));
}

}  // namespace
}  // namespace syncline
