#include "tools/trace/trace_diff.h"

#include <cstdint>
#include <random>
#include <vector>

#include "framework/trace/trace_builder.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// A run of "in" -> node -> "out" whose calls take so long.
Trace RunOf(const std::string& node_name,
            const std::vector<std::int64_t>& durations) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode(node_name, {in});
  const int out = builder.AddOutput(node, "out");
  std::uint64_t now = 0;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    const auto timestamp = static_cast<std::int64_t>(i);
    builder.At(now).Sent(in, timestamp);
    builder.At(now + 5).Begin(node, timestamp).Taken(in, timestamp, 0);
    now += 5 + static_cast<std::uint64_t>(durations[i]);
    builder.At(now).End(node, timestamp).Sent(out, timestamp);
  }
  return builder.Build();
}

// Around `middle`, within `spread`.
std::vector<std::int64_t> Around(std::int64_t middle, std::int64_t spread,
                                 int count) {
  std::mt19937 random(7);
  std::vector<std::int64_t> durations;
  for (int i = 0; i < count; ++i) {
    durations.push_back(middle - spread +
                        static_cast<std::int64_t>(random() % (2 * spread + 1)));
  }
  return durations;
}

Verdict VerdictOf(const std::vector<std::int64_t>& before,
                  const std::vector<std::int64_t>& after) {
  return Compare(SampleOf(before), SampleOf(after));
}

TEST(TraceDiffTest, ClearDifferencesAreSlowerOrFaster) {
  EXPECT_EQ(VerdictOf(Around(1000, 50, 100), Around(1300, 50, 100)),
            Verdict::kSlower);
  EXPECT_EQ(VerdictOf(Around(1300, 50, 100), Around(1000, 50, 100)),
            Verdict::kFaster);
}

TEST(TraceDiffTest, WhatIsWithinTheSpreadIsNotClear) {
  EXPECT_EQ(VerdictOf(Around(1000, 900, 30), Around(1100, 900, 30)),
            Verdict::kNotClear);
}

TEST(TraceDiffTest, FewCallsAreNotClear) {
  EXPECT_EQ(VerdictOf({10, 10, 10, 10}, {90, 90, 90, 90}), Verdict::kNotClear);
  EXPECT_EQ(VerdictOf({10, 10, 10, 10, 10}, {90, 90, 90, 90, 90}),
            Verdict::kSlower);
}

// The same run, of which one file has whole microseconds only.
TEST(TraceDiffTest, LessThanAStepOfOneOfTheFilesIsNotClear) {
  const std::vector<std::int64_t> exact = Around(656, 50, 100);
  const std::vector<std::int64_t> rounded(100, 1000);
  EXPECT_EQ(VerdictOf(exact, rounded), Verdict::kNotClear);
  EXPECT_EQ(VerdictOf(rounded, exact), Verdict::kNotClear);
  EXPECT_EQ(VerdictOf(exact, std::vector<std::int64_t>(100, 3000)),
            Verdict::kSlower);
  EXPECT_EQ(VerdictOf(rounded, std::vector<std::int64_t>(100, 2000)),
            Verdict::kSlower);
}

TEST(TraceDiffTest, SmallDifferencesAreTheSame) {
  EXPECT_EQ(VerdictOf(Around(1000, 50, 100), Around(1010, 50, 100)),
            Verdict::kSame);
  EXPECT_EQ(VerdictOf({}, {}), Verdict::kSame);
}

TEST(TraceDiffTest, ASampleHasItsErrorFromQuartilesAndCount) {
  std::vector<std::int64_t> durations;
  for (int i = 1; i <= 100; ++i) durations.push_back(i);
  const Sample sample = SampleOf(durations);
  EXPECT_EQ(sample.count, 100);
  EXPECT_EQ(sample.total, 5050);
  EXPECT_EQ(sample.median, 50);
  EXPECT_EQ(sample.p99, 99);
  EXPECT_NEAR(sample.error, 1.253 * 50 / 1.349 / 10, 1e-9);
}

TEST(TraceDiffTest, ComparesNodesQueuesAndPaths) {
  const TraceDiff diff = ComputeTraceDiff(RunOf("a", Around(1000, 10, 50)),
                                          RunOf("a", Around(2000, 10, 60)));
  ASSERT_EQ(diff.nodes.size(), 1);
  EXPECT_EQ(diff.nodes[0].node, "a");
  EXPECT_EQ(diff.nodes[0].verdict, Verdict::kSlower);
  EXPECT_EQ(diff.nodes[0].before.count, 50);
  EXPECT_EQ(diff.nodes[0].after.count, 60);
  EXPECT_EQ(diff.nodes[0].queue_before_ns, 5);
  EXPECT_EQ(diff.nodes[0].queue_after_ns, 5);
  EXPECT_NEAR(static_cast<double>(diff.nodes[0].cost_ns()), 70000, 1000);
  ASSERT_EQ(diff.paths.size(), 1);
  EXPECT_EQ(diff.paths[0].path, "in -> a -> out");
  EXPECT_EQ(diff.paths[0].verdict, Verdict::kSlower);
  EXPECT_EQ(diff.paths[0].before.count, 50);
  EXPECT_GT(diff.duration_after_ns, diff.duration_before_ns);
}

// A node that sends itself what it sends, for so many calls that take so long.
Trace LoopOf(std::int64_t duration, int count) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("loop", {in, in + 1});
  const int out = builder.AddOutput(node, "out");
  builder.header().mutable_node(node)->add_input_is_back_edge(false);
  builder.header().mutable_node(node)->add_input_is_back_edge(true);
  std::uint64_t now = 0;
  for (int i = 1; i <= count; ++i) {
    builder.At(now).Sent(in, i);
    builder.At(now).Begin(node, i).Taken(in, i, 0);
    if (i > 1) builder.Taken(out, i - 1, 1);
    now += static_cast<std::uint64_t>(duration);
    builder.At(now).End(node, i).Sent(out, i);
  }
  return builder.Build();
}

TEST(TraceDiffTest, ComparesLoops) {
  const TraceDiff diff = ComputeTraceDiff(LoopOf(1000, 20), LoopOf(3000, 30));
  ASSERT_EQ(diff.loops.size(), 1);
  EXPECT_EQ(diff.loops[0].path, "loop -> loop");
  EXPECT_EQ(diff.loops[0].verdict, Verdict::kSlower);
  EXPECT_EQ(diff.loops[0].before.count, 19);
  EXPECT_EQ(diff.loops[0].after.count, 29);
  EXPECT_TRUE(
      ComputeTraceDiff(RunOf("a", {10}), RunOf("a", {10})).loops.empty());
}

TEST(TraceDiffTest, NodesThatOnlyOneRunHasAreNewOrGone) {
  const TraceDiff diff =
      ComputeTraceDiff(RunOf("a", {10, 10}), RunOf("b", {30, 30}));
  ASSERT_EQ(diff.nodes.size(), 2);
  // What costs more comes first.
  EXPECT_EQ(diff.nodes[0].node, "b");
  EXPECT_EQ(diff.nodes[0].verdict, Verdict::kNew);
  EXPECT_EQ(diff.nodes[1].node, "a");
  EXPECT_EQ(diff.nodes[1].verdict, Verdict::kGone);
  EXPECT_EQ(diff.nodes[1].cost_ns(), -20);
  ASSERT_EQ(diff.paths.size(), 2);
  EXPECT_EQ(diff.paths[0].verdict, Verdict::kNew);
  EXPECT_EQ(diff.paths[1].verdict, Verdict::kGone);
}

}  // namespace
}  // namespace syncline
