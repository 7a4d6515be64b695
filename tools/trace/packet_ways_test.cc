// The ways of packets round loops, and what the report of latencies says of
// them.

#include "framework/trace/latency/packet_ways.h"

#include <cstdint>
#include <string>
#include <vector>

#include "framework/trace/latency/latency.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Latencies WithLoops(const Trace& trace, const LatencyOptions& options = {}) {
  return ComputeLatencies(trace, TraceCalls(trace), options);
}

std::vector<std::string> NamesOf(const std::vector<LatencyPath>& paths) {
  std::vector<std::string> names;
  for (const LatencyPath& path : paths) names.push_back(path.name);
  return names;
}

void MarkBackEdges(int node, const std::vector<bool>& back_edges,
                   TraceBuilder* builder) {
  for (const bool is_back_edge : back_edges) {
    builder->header().mutable_node(node)->add_input_is_back_edge(is_back_edge);
  }
}

// in -> limit -> x -> work -> done, which goes back to limit; work reads aside,
// too, which the application sends.
class LoopTest : public ::testing::Test {
 protected:
  LoopTest() { MarkBackEdges(limit_, {false, true}, &builder_); }

  // limit begins at `begin`, takes what came back of the packet before, and
  // runs 5; work begins 3 later and runs 20.
  void AddRound(std::int64_t timestamp, std::uint64_t begin,
                std::int64_t came_back = 0) {
    builder_.On(0).At(begin - 1).Sent(in_, timestamp);
    builder_.At(begin).Begin(limit_, timestamp).Taken(in_, timestamp, 0);
    if (came_back != 0) builder_.Taken(done_, came_back, 1);
    builder_.At(begin + 5).End(limit_, timestamp).Sent(x_, timestamp);
    builder_.At(begin + 8).Begin(work_, timestamp).Taken(x_, timestamp, 0);
    builder_.At(begin + 28).End(work_, timestamp).Sent(done_, timestamp);
  }

  TraceBuilder builder_;
  const int in_ = builder_.AddInput("in");
  const int aside_ = builder_.AddInput("aside");
  const int limit_ = builder_.AddNode("limit", {in_, 3});
  const int x_ = builder_.AddOutput(limit_, "x");
  const int work_ = builder_.AddNode("work", {x_, aside_});
  const int done_ = builder_.AddOutput(work_, "done");
};

TEST_F(LoopTest, AMessageGoesFromACallToTheOneThatTakesWhatCameBack) {
  AddRound(1, 100);
  AddRound(2, 200, /*came_back=*/1);
  const Latencies latencies = WithLoops(builder_.Build());
  ASSERT_THAT(NamesOf(latencies.loops), ElementsAre("limit -> work -> limit"));
  const LatencyPath& loop = latencies.loops[0];
  ASSERT_THAT(loop.messages, SizeIs(1));
  EXPECT_EQ(loop.messages[0].begin, 100);
  EXPECT_EQ(loop.messages[0].end, 200);
  EXPECT_EQ(loop.messages[0].source_timestamp, 1);
  // limit runs 5; work waits 3 and runs 20; the last call of limit comes at
  // 200, 72 after work has sent.
  EXPECT_THAT(loop.TicksOf(0), ElementsAre(0, 5, 3, 20, 72, 0));
  EXPECT_EQ(loop.p50_ns, 100);
  EXPECT_EQ(latencies.num_incomplete_loops, 0);
}

TEST_F(LoopTest, SkippingAndTheThresholdAreThoseOfPaths) {
  AddRound(1, 100);
  std::uint64_t begin = 100;
  for (int i = 2; i < 12; ++i) {
    begin += 90 + 10 * static_cast<std::uint64_t>(i);
    AddRound(i, begin, i - 1);
  }
  LatencyOptions options;
  options.skip_first = 2;
  options.skip_last = 1;
  options.threshold_ns = 140;
  const std::vector<LatencyPath> loops =
      WithLoops(builder_.Build(), options).loops;
  ASSERT_THAT(loops, SizeIs(1));
  EXPECT_EQ(loops[0].num_all, 10);
  // Messages take 110, 120, ... 200; those of 130 and less do not count.
  ASSERT_THAT(loops[0].messages, SizeIs(6));
  EXPECT_EQ(loops[0].min_ns, 140);
  EXPECT_EQ(loops[0].max_ns, 190);
  EXPECT_EQ(loops[0].messages[0].number, 3);
  EXPECT_EQ(loops[0].fastest, 0);
  EXPECT_EQ(loops[0].slowest, 5);
}

TEST_F(LoopTest, ALimitedLoopKnowsItsNodeOnly) {
  AddRound(1, 100);
  AddRound(2, 200, 1);
  LatencyOptions options;
  options.is_limited = true;
  const std::vector<LatencyPath> loops =
      WithLoops(builder_.Build(), options).loops;
  ASSERT_THAT(NamesOf(loops), ElementsAre("limit -> limit"));
  EXPECT_EQ(loops[0].p50_ns, 100);
  EXPECT_THAT(loops[0].ticks, IsEmpty());
}

TEST_F(LoopTest, AtAJoinThePacketOfTheLoopIsFollowed) {
  AddRound(1, 100);
  // What comes from aside is the last, and no part of the loop.
  builder_.At(200).Begin(limit_, 2).Taken(in_, 2, 0);
  builder_.At(205).End(limit_, 2).Sent(x_, 2);
  builder_.At(240).Sent(aside_, 2);
  builder_.At(250).Begin(work_, 2).Taken(x_, 2, 0).Taken(aside_, 2, 1);
  builder_.At(260).End(work_, 2).Sent(done_, 2);
  builder_.At(300).Begin(limit_, 3).Taken(done_, 2, 1).End(limit_, 3);
  const std::vector<LatencyPath> loops = WithLoops(builder_.Build()).loops;
  ASSERT_THAT(loops, SizeIs(1));
  EXPECT_THAT(loops[0].TicksOf(0), ElementsAre(0, 5, 45, 10, 40, 0));
}

TEST_F(LoopTest, APacketThatBeginsInTheLoopIsNotRoundIt) {
  builder_.At(10).Begin(work_, 0, TraceKind::kOpenBegin);
  builder_.At(20).End(work_, 0, TraceKind::kOpenEnd).Sent(done_, 0);
  builder_.At(50).Sent(aside_, 1);
  builder_.At(60).Begin(work_, 1).Taken(aside_, 1, 1);
  builder_.At(70).End(work_, 1).Sent(done_, 1);
  builder_.At(100).Begin(limit_, 1).Taken(done_, 0, 1).End(limit_, 1);
  builder_.At(110).Begin(limit_, 2).Taken(done_, 1, 1).End(limit_, 2);
  const Latencies latencies = WithLoops(builder_.Build());
  EXPECT_THAT(latencies.loops, IsEmpty());
  EXPECT_EQ(latencies.num_incomplete_loops, 0);
}

TEST_F(LoopTest, AWayThatTheTraceDoesNotHaveIsIncomplete) {
  builder_.At(100).Begin(limit_, 2).Taken(done_, 1, 1).End(limit_, 2);
  builder_.At(110).Begin(work_, 7).Taken(x_, 7, 0);
  builder_.At(120).End(work_, 7).Sent(done_, 7);
  builder_.At(130).Begin(limit_, 8).Taken(done_, 7, 1).End(limit_, 8);
  const Latencies latencies = WithLoops(builder_.Build());
  EXPECT_THAT(latencies.loops, IsEmpty());
  EXPECT_EQ(latencies.num_incomplete_loops, 2);
}

// a -> x -> b -> y -> c -> back to a, and b reads what it sent itself.
TEST(LoopsTest, ALoopInALoopIsOneOfItsOwn) {
  TraceBuilder builder;
  const int a = builder.AddNode("a", {3});
  const int x = builder.AddOutput(a, "x");
  const int b = builder.AddNode("b", {x, 1});
  const int y = builder.AddOutput(b, "y");
  const int c = builder.AddNode("c", {y});
  builder.AddOutput(c, "unread");
  const int z = builder.AddOutput(c, "z");
  MarkBackEdges(a, {true}, &builder);
  MarkBackEdges(b, {false, true}, &builder);
  ASSERT_EQ(z, 3);
  std::uint64_t tick = 0;
  for (int i = 1; i < 4; ++i) {
    builder.At(tick += 10).Begin(a, i);
    if (i > 1) builder.Taken(z, i - 1, 0);
    builder.At(tick += 1).End(a, i).Sent(x, i);
    builder.At(tick += 10).Begin(b, i).Taken(x, i, 0);
    if (i > 1) builder.Taken(y, i - 1, 1);
    builder.At(tick += 1).End(b, i).Sent(y, i);
    builder.At(tick += 10).Begin(c, i).Taken(y, i, 0);
    builder.At(tick += 1).End(c, i).Sent(z, i);
  }
  const std::vector<LatencyPath> loops = WithLoops(builder.Build()).loops;
  ASSERT_THAT(NamesOf(loops), ElementsAre("a -> b -> c -> a", "b -> b"));
  for (const LatencyPath& loop : loops) {
    EXPECT_EQ(loop.num_all, 2) << loop.name;
    EXPECT_EQ(loop.p50_ns, 33) << loop.name;
  }
  EXPECT_THAT(loops[0].TicksOf(0), ElementsAre(0, 1, 10, 1, 10, 1, 10, 0));
  EXPECT_THAT(loops[1].TicksOf(0), ElementsAre(0, 1, 32, 0));
}

// Both inputs are back edges: a -> x -> b -> y -> a.
TEST(LoopsTest, ALoopWithTwoBackEdgesCountsOnce) {
  TraceBuilder builder;
  const int a = builder.AddNode("a", {1});
  const int x = builder.AddOutput(a, "x");
  const int b = builder.AddNode("b", {x});
  const int y = builder.AddOutput(b, "y");
  MarkBackEdges(a, {true}, &builder);
  MarkBackEdges(b, {true}, &builder);
  builder.At(10).Begin(a, 1).End(a, 1).Sent(x, 1);
  for (int i = 1; i < 4; ++i) {
    const std::uint64_t tick = 100 * static_cast<std::uint64_t>(i);
    builder.At(tick).Begin(b, i).Taken(x, i, 0).End(b, i).Sent(y, i);
    builder.At(tick + 50).Begin(a, i + 1).Taken(y, i, 0);
    builder.End(a, i + 1).Sent(x, i + 1);
  }
  const std::vector<LatencyPath> loops = WithLoops(builder.Build()).loops;
  ASSERT_THAT(NamesOf(loops), ElementsAre("a -> b -> a"));
  EXPECT_EQ(loops[0].num_all, 3);
}

// A damaged trace in which a call takes what it sends.
TEST(LoopsTest, ACallThatTakesWhatItSendsEndsTheWay) {
  TraceBuilder builder;
  const int node = builder.AddNode("a", {0});
  const int out = builder.AddOutput(node, "out");
  MarkBackEdges(node, {true}, &builder);
  builder.At(5).Begin(node, 1).Taken(out, 1, 0).End(node, 1).Sent(out, 1);
  const Latencies latencies = WithLoops(builder.Build());
  ASSERT_THAT(NamesOf(latencies.loops), ElementsAre("a -> a"));
  EXPECT_EQ(latencies.loops[0].max_ns, 0);
}

}  // namespace
}  // namespace syncline
