// Medians, spreads, goals, tables and CSV agree with the samples.

#include "benchmarks/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "benchmarks/goals.h"
#include "benchmarks/samples.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Workload& ChainOf10() { return *FindWorkload("chain of 10"); }

Samples ChainSamples(double ours, double theirs) {
  Samples samples;
  samples.Add(ChainOf10(), 1, "syncline", {ours, ours / 10, {{"p50 us", 7.5}}});
  samples.Add(ChainOf10(), 1, "oneTBB", {theirs, theirs / 10, {}});
  return samples;
}

const Goal& FindGoal(const std::vector<Goal>& goals, const std::string& what) {
  for (const Goal& goal : goals) {
    if (goal.what == what) return goal;
  }
  ADD_FAILURE() << "no goal \"" << what << "\"";
  return goals.front();
}

TEST(SamplesTest, TheMedianIgnoresWhatWasDisturbed) {
  EXPECT_EQ(Median({3, 1, 1000}), 3);
  EXPECT_EQ(Median({4, 2}), 3);
  EXPECT_EQ(Median({}), 0);
}

TEST(SamplesTest, TheSpreadIsTheMiddleHalf) {
  EXPECT_EQ(Spread({10, 10, 10}), 0);
  EXPECT_DOUBLE_EQ(Spread({8, 9, 10, 11, 12}), 0.2);
  EXPECT_EQ(Spread({5}), 0);
}

TEST(SamplesTest, WhatWasNotMeasuredHasNoValue) {
  const Samples samples = ChainSamples(700, 1000);
  EXPECT_EQ(samples.NsPerPacket("chain of 10", 1, "syncline"), 700);
  EXPECT_EQ(samples.NsPerPacket("chain of 10", 2, "syncline"), absl::nullopt);
  EXPECT_EQ(samples.MedianFigure("chain of 10", 1, "syncline", "p99 us"),
            absl::nullopt);
}

TEST(SamplesTest, CsvHasALinePerMedian) {
  EXPECT_EQ(ChainSamples(700, 1000).ToCsv(),
            "workload,threads,subject,ns_per_packet,ns_per_invocation\n"
            "chain of 10,1,oneTBB,1000.00,100.00\n"
            "chain of 10,1,syncline,700.00,70.00\n");
}

TEST(GoalsTest, AGoalComparesMedians) {
  const std::string what = "chain of 10, 1 thread / oneTBB";
  const auto at = [&](double ours) {
    return FindGoal(EvaluateGoals(ChainSamples(ours, 1000), {}), what);
  };
  EXPECT_DOUBLE_EQ(at(750).value.value(), 0.75);
  EXPECT_TRUE(at(600).ReachesAim());
  EXPECT_TRUE(at(750).ReachesBar());
  EXPECT_FALSE(at(750).ReachesAim());
  EXPECT_FALSE(at(1100).ReachesBar());
}

TEST(GoalsTest, WhatWasNotMeasuredIsNotReached) {
  const auto goals = EvaluateGoals(Samples(), {});
  for (const Goal& goal : goals) EXPECT_FALSE(goal.ReachesBar()) << goal.what;
  EXPECT_THAT(GoalTable(goals), Not(HasSubstr("MISSED")));
}

TEST(GoalsTest, CountedCostsAreGoalsToo) {
  const auto goals = EvaluateGoals(Samples(), {{"instructions", 600}});
  EXPECT_EQ(FindGoal(EvaluateGoals(Samples(), {{"live_graph_ratio", 2.4}}),
                     "live graph that does nothing / chain of 10, per "
                     "invocation")
                .ReachesBar(),
            true);
  const Goal& goal = FindGoal(goals, "instructions per invocation");
  EXPECT_TRUE(goal.ReachesBar());
  EXPECT_FALSE(goal.ReachesAim());
}

TEST(GoalsTest, APeersJoinCountsOnlyIfItKeepsTheOrder) {
  const Workload& workload = *FindWorkload("fan-out 2 and join");
  const auto value_with = [&](double violations) {
    Samples samples;
    samples.Add(workload, 1, "syncline", {300, 100, {}});
    samples.Add(workload, 1, "oneTBB", {1000, 333, {}});
    samples.Add(workload, 1, "oneTBB plain",
                {500, 167, {{kOrderViolations, violations}}});
    return *FindGoal(EvaluateGoals(samples, {}),
                     "fan-out 2 and join, 1 thread / oneTBB's faster join that "
                     "keeps order")
                .value;
  };
  EXPECT_DOUBLE_EQ(value_with(0), 0.6);
  EXPECT_DOUBLE_EQ(value_with(3), 0.3);
}

TEST(GoalsTest, TheGainOfASecondThreadIsAShareOfWhatTheMachineGives) {
  Samples samples;
  const Workload& workload = *FindWorkload("four chains of 10");
  samples.Add(workload, 1, "syncline", {180, 4.5, {}});
  samples.Add(workload, 2, "syncline", {100, 2.5, {}});
  const std::string what =
      "four chains of 10, throughput of 2 threads / 1, of what two get";
  EXPECT_DOUBLE_EQ(
      *FindGoal(EvaluateGoals(samples, {{"two_threads", 2}}), what).value, 0.9);
  for (const Goal& goal : EvaluateGoals(samples, {{"two_threads", 1.7}})) {
    EXPECT_NE(goal.what, what) << "two threads of this machine get little done";
  }
}

TEST(GoalsTest, WhereMoreIsBetterTheBarIsALowerLimit) {
  Samples samples;
  const Workload& workload = *FindWorkload("stages of 20 us");
  samples.Add(workload, 1, "syncline", {100, 25, {}});
  samples.Add(workload, 2, "syncline", {60, 15, {}});
  const auto goals = EvaluateGoals(samples, {});
  const Goal& goal =
      FindGoal(goals, "stages of 20 us, throughput of 2 threads / 1");
  EXPECT_FALSE(goal.ReachesBar());
  EXPECT_THAT(GoalTable(goals), HasSubstr("MISSED"));
}

TEST(ReportTest, TheTableHasOursEachPeerAndTheRatio) {
  const std::string table = ComparisonTable(
      {&ChainOf10()}, ChainSamples(700, 1000), {"oneTBB", "GStreamer"});
  EXPECT_THAT(table, HasSubstr("700.0 ns"));
  EXPECT_THAT(table, HasSubstr("70.0 ns"));
  EXPECT_THAT(table, HasSubstr("1000.0 ns   0.70"));
  EXPECT_THAT(table, HasSubstr("p50 us 7.50"));
  EXPECT_THAT(table, Not(HasSubstr(kOrderViolations)));
}

TEST(ReportTest, TheTableSaysWhereAPeerDidNotKeepTheOrder) {
  Samples samples = ChainSamples(700, 1000);
  samples.Add(ChainOf10(), 1, "oneTBB plain",
              {500, 50, {{kOrderViolations, 3}}});
  EXPECT_THAT(ComparisonTable({&ChainOf10()}, samples, {"oneTBB plain"}),
              HasSubstr("p50 us 7.50, oneTBB plain: order violations 3"));
}

}  // namespace
}  // namespace syncline
