#include "tools/trace/job_stats.h"

#include <cstdint>

#include "framework/condition/condition_result.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_event.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class JobStatsTest : public ::testing::Test {
 protected:
  // A job of so many ticks.
  void AddJob(int node, std::uint64_t ticks) {
    builder_.At(now_).Begin(node, 1);
    now_ += ticks;
    builder_.At(now_).End(node, 1);
  }

  TraceBuilder builder_;
  const int a_ = builder_.AddNode("a");
  const int b_ = builder_.AddNode("b");
  std::uint64_t now_ = 0;
};

TEST_F(JobStatsTest, DescribesTheLastJobs) {
  for (const int ticks : {1000, 1000, 3, 1, 2, 10, 4}) AddJob(a_, ticks);
  const JobStats stats = ComputeJobStats(builder_.Build(), 5);
  const NodeJobs& a = stats.nodes[a_];
  EXPECT_EQ(a.executions, 7);
  EXPECT_EQ(a.samples, 5);
  EXPECT_EQ(a.min_ns, 1);
  EXPECT_EQ(a.median_ns, 3);
  EXPECT_EQ(a.p90_ns, 10);
  EXPECT_EQ(a.max_ns, 10);
  // Of 3, 1, 2, 10 and 4, whose mean is 4.
  EXPECT_DOUBLE_EQ(a.variance_ns2, 10);
  EXPECT_DOUBLE_EQ(a.load, 1);
  EXPECT_EQ(a.node, "a");
  EXPECT_EQ(a.calculator, "aCalculator");
}

TEST_F(JobStatsTest, ANodeWithoutJobsHasNoSamples) {
  AddJob(a_, 5);
  const JobStats stats = ComputeJobStats(builder_.Build(), 100);
  EXPECT_EQ(stats.nodes[b_].executions, 0);
  EXPECT_EQ(stats.nodes[b_].samples, 0);
  EXPECT_EQ(stats.nodes[b_].load, 0);
}

TEST_F(JobStatsTest, OpenAndCloseAreNoJobs) {
  builder_.At(1).Begin(a_, 1, TraceKind::kOpenBegin);
  builder_.At(5).End(a_, 1, TraceKind::kOpenEnd);
  EXPECT_EQ(ComputeJobStats(builder_.Build(), 100).nodes[a_].executions, 0);
}

TEST_F(JobStatsTest, AnExecutorHasTheJobsOfItsNodes) {
  builder_.header().add_executor("other");
  builder_.header().mutable_node(b_)->set_executor(1);
  AddJob(a_, 10);
  AddJob(b_, 30);
  const JobStats stats = ComputeJobStats(builder_.Build(), 100);
  ASSERT_EQ(stats.executors.size(), 2);
  EXPECT_EQ(stats.executors[1].executor, "other");
  EXPECT_EQ(stats.executors[1].nodes, 1);
  EXPECT_EQ(stats.executors[1].executions, 1);
  EXPECT_DOUBLE_EQ(stats.executors[1].load, 0.75);
  EXPECT_EQ(stats.nodes[b_].executor, "other");
}

TEST_F(JobStatsTest, ConditionsAreCountedByState) {
  const auto wait = static_cast<std::uint32_t>(ConditionState::kWait);
  builder_.Event(TraceKind::kCondition, a_, 0, wait);
  builder_.Event(TraceKind::kCondition, a_, 0, wait);
  builder_.Event(TraceKind::kCondition, a_, 0, 77);
  const JobStats stats = ComputeJobStats(builder_.Build(), 100);
  EXPECT_EQ(stats.nodes[a_].condition_checks[wait], 2);
  EXPECT_EQ(stats.nodes[a_].condition_checks[0], 0);
}

}  // namespace
}  // namespace syncline
