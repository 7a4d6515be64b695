// How long packets take through made traces, and by which ways.
#include "framework/trace/latency/latency.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "framework/trace/latency/packet_origins.h"
#include "framework/trace/latency/quantiles.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/trace/made_trace.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

Latencies LatenciesOf(const Trace& trace, const LatencyOptions& options = {}) {
  return ComputeLatencies(trace, TraceCalls(trace), options);
}

// in -> a -> x -> c, in -> b -> y -> c, and c -> out.
class LatencyTest : public ::testing::Test {
 protected:
  // A packet takes both ways; a and b take so many ticks.
  void AddRun(std::int64_t timestamp, std::uint64_t begin, std::uint64_t a,
              std::uint64_t b) {
    builder_.On(0).At(begin).Sent(in_, timestamp);
    builder_.At(begin + 2).Begin(a_, timestamp).Taken(in_, timestamp, 0);
    builder_.At(begin + 2 + a).End(a_, timestamp).Sent(x_, timestamp);
    builder_.On(1).At(begin + 3).Begin(b_, timestamp).Taken(in_, timestamp, 0);
    builder_.At(begin + 3 + b).End(b_, timestamp).Sent(y_, timestamp);
    const std::uint64_t both = begin + 3 + std::max(a, b) + 5;
    builder_.On(2).At(both).Begin(c_, timestamp).Taken(x_, timestamp, 0);
    builder_.Taken(y_, timestamp, 1);
    builder_.At(both + 4).End(c_, timestamp).Sent(out_, timestamp);
  }

  TraceBuilder builder_;
  const int in_ = builder_.AddInput("in");
  const int a_ = builder_.AddNode("a", {in_});
  const int x_ = builder_.AddOutput(a_, "x");
  const int b_ = builder_.AddNode("b", {in_});
  const int y_ = builder_.AddOutput(b_, "y");
  const int c_ = builder_.AddNode("c", {x_, y_});
  const int out_ = builder_.AddOutput(c_, "out");
};

TEST_F(LatencyTest, AtAJoinThePacketThatCameLastDecides) {
  AddRun(1, 100, 10, 30);
  const Latencies latencies = LatenciesOf(builder_.Build());
  ASSERT_THAT(latencies.paths, SizeIs(1));
  const LatencyPath& path = latencies.paths[0];
  EXPECT_EQ(path.name, "in -> b -> c -> out");
  EXPECT_EQ(path.source_stream, in_);
  EXPECT_EQ(path.sink_stream, out_);
  ASSERT_THAT(path.messages, SizeIs(1));
  EXPECT_EQ(path.messages[0].begin, 100);
  EXPECT_EQ(path.messages[0].ticks(), 42);
  EXPECT_EQ(path.messages[0].source_timestamp, 1);
  // b waits 3 and runs 30; c waits 5 and runs 4.
  EXPECT_THAT(path.TicksOf(0), ElementsAre(3, 30, 5, 4));
  EXPECT_EQ(path.nodes[1].waiting_ns, 5);
  EXPECT_EQ(path.nodes[1].in_call_ns, 4);
  EXPECT_EQ(latencies.num_incomplete, 0);
}

TEST_F(LatencyTest, AnOutputOfTheGraphIsASinkThoughANodeReadsIt) {
  builder_.header().mutable_stream(y_)->set_is_graph_output(true);
  AddRun(1, 100, 10, 30);
  std::vector<std::string> names;
  for (const LatencyPath& path : LatenciesOf(builder_.Build()).paths) {
    names.push_back(path.name);
  }
  EXPECT_THAT(names,
              UnorderedElementsAre("in -> b -> y", "in -> b -> c -> out"));
}

TEST_F(LatencyTest, EachWayIsAPathOfItsOwn) {
  AddRun(1, 100, 10, 30);
  AddRun(2, 200, 50, 10);
  AddRun(3, 300, 60, 10);
  const Latencies latencies = LatenciesOf(builder_.Build());
  ASSERT_THAT(latencies.paths, SizeIs(2));
  EXPECT_EQ(latencies.paths[0].name, "in -> a -> c -> out");
  EXPECT_EQ(latencies.paths[0].num_all, 2);
  EXPECT_EQ(latencies.paths[1].name, "in -> b -> c -> out");
}

TEST_F(LatencyTest, LimitedPathsKnowOnlySourceAndSink) {
  const int d = builder_.AddNode("d", {out_});
  const int z = builder_.AddOutput(d, "z");
  for (int i = 0; i < 2; ++i) {
    AddRun(i, 100 * i, 10, i == 0 ? 5 : 20);
    builder_.At(100 * i + 50).Begin(d, i).Taken(out_, i, 0).End(d, i);
    builder_.Sent(z, i);
  }
  LatencyOptions options;
  options.is_limited = true;
  const Latencies latencies = LatenciesOf(builder_.Build(), options);
  ASSERT_THAT(latencies.paths, SizeIs(2));
  EXPECT_EQ(latencies.paths[0].name, "in -> a -> d -> z");
  EXPECT_EQ(latencies.paths[1].name, "in -> b -> d -> z");
  EXPECT_EQ(latencies.paths[0].num_all, 1);
  EXPECT_EQ(latencies.paths[0].p50_ns, 50);
  EXPECT_THAT(latencies.paths[0].ticks, IsEmpty());
}

TEST_F(LatencyTest, SkipsTheFirstAndTheLastMessages) {
  for (int i = 0; i < 10; ++i) AddRun(i, 100 * i, 10 + i, 5);
  LatencyOptions options;
  options.skip_first = 2;
  options.skip_last = 3;
  const Latencies latencies = LatenciesOf(builder_.Build(), options);
  const LatencyPath& path = latencies.paths[0];
  EXPECT_EQ(path.num_all, 10);
  ASSERT_THAT(path.messages, SizeIs(5));
  EXPECT_EQ(path.messages[0].number, 2);
  EXPECT_EQ(path.messages[0].source_timestamp, 2);
  EXPECT_THAT(path.TicksOf(0), ElementsAre(2, 12, 6, 4));
  EXPECT_EQ(path.min_ns, 24);
  EXPECT_EQ(path.max_ns, 28);
  EXPECT_EQ(path.p50_ns, 26);
  EXPECT_EQ(path.mean_ns, 26);
}

TEST_F(LatencyTest, MoreThanAllMessagesCanBeSkipped) {
  AddRun(1, 100, 10, 5);
  LatencyOptions options;
  options.skip_first = 10;
  options.skip_last = 10;
  const Latencies latencies = LatenciesOf(builder_.Build(), options);
  ASSERT_THAT(latencies.paths, SizeIs(1));
  EXPECT_EQ(latencies.paths[0].num_all, 1);
  EXPECT_THAT(latencies.paths[0].messages, IsEmpty());
}

TEST_F(LatencyTest, MessagesBelowTheThresholdDoNotCount) {
  AddRun(1, 100, 10, 5);
  AddRun(2, 200, 50, 5);
  LatencyOptions options;
  options.threshold_ns = 40;
  const Latencies latencies = LatenciesOf(builder_.Build(), options);
  ASSERT_THAT(latencies.paths[0].messages, SizeIs(1));
  EXPECT_EQ(latencies.paths[0].messages[0].source_timestamp, 2);
  EXPECT_EQ(latencies.paths[0].messages[0].number, 1);
}

TEST_F(LatencyTest, AStreamThatIsObservedIsASinkToo) {
  builder_.Observe(x_);
  AddRun(1, 100, 10, 30);
  std::vector<std::string> names;
  for (const LatencyPath& path : LatenciesOf(builder_.Build()).paths) {
    names.push_back(path.name);
  }
  EXPECT_THAT(names, ElementsAre("in -> a -> x", "in -> b -> c -> out"));
}

TEST_F(LatencyTest, ANodeWithoutOutputsIsASinkToo) {
  const int d = builder_.AddNode("d", {out_});
  AddRun(1, 100, 10, 30);
  builder_.At(150).Begin(d, 1).Taken(out_, 1, 0);
  builder_.At(157).End(d, 1);
  // A call without packets is no message.
  builder_.At(160).Begin(d, 2);
  builder_.At(161).End(d, 2);
  const Latencies latencies = LatenciesOf(builder_.Build());
  ASSERT_THAT(latencies.paths, SizeIs(1));
  const LatencyPath& path = latencies.paths[0];
  EXPECT_EQ(path.name, "in -> b -> c -> d");
  EXPECT_EQ(path.sink_stream, -1);
  ASSERT_THAT(path.messages, SizeIs(1));
  EXPECT_EQ(path.messages[0].ticks(), 57);
  EXPECT_EQ(path.messages[0].timestamp, 1);
  // c has sent at 142.
  EXPECT_THAT(path.TicksOf(0), ElementsAre(3, 30, 5, 4, 8, 7));
}

TEST(LatencyOfSourcesTest, ANodeWithoutInputsBeginsThePath) {
  TraceBuilder builder;
  const int source = builder.AddNode("source");
  const int out = builder.AddOutput(source, "out");
  builder.At(10).Begin(source, 0);
  builder.At(17).End(source, 0).Sent(out, 5);
  const Latencies latencies = LatenciesOf(builder.Build());
  ASSERT_THAT(latencies.paths, SizeIs(1));
  EXPECT_EQ(latencies.paths[0].name, "source -> out");
  EXPECT_EQ(latencies.paths[0].source_stream, -1);
  EXPECT_THAT(latencies.paths[0].TicksOf(0), ElementsAre(0, 7));
}

TEST(LatencyOfLoopsTest, PacketsThatWentBackArePassedOver) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("loop", {in, in + 1});
  const int out = builder.AddOutput(node, "out");
  builder.header().mutable_node(node)->add_input_is_back_edge(false);
  builder.header().mutable_node(node)->add_input_is_back_edge(true);
  builder.Observe(out);
  builder.At(1).Sent(in, 1);
  builder.At(2).Begin(node, 1).Taken(in, 1, 0);
  builder.At(4).End(node, 1).Sent(out, 1);
  // The packet of the loop comes after the other one, and is not followed.
  builder.At(5).Sent(in, 2);
  builder.At(9).Begin(node, 2).Taken(in, 2, 0).Taken(out, 1, 1);
  builder.At(10).End(node, 2).Sent(out, 2);
  const Latencies latencies = LatenciesOf(builder.Build());
  ASSERT_THAT(latencies.paths, SizeIs(1));
  EXPECT_EQ(latencies.paths[0].name, "in -> loop -> out");
  EXPECT_THAT(latencies.paths[0].TicksOf(1), ElementsAre(4, 1));
}

TEST_F(LatencyTest, AWayThatTheTraceDoesNotHaveIsCountedAsIncomplete) {
  builder_.At(5).Begin(c_, 1).Taken(x_, 1, 0).End(c_, 1).Sent(out_, 1);
  AddRun(2, 100, 10, 30);
  const Latencies latencies = LatenciesOf(builder_.Build());
  EXPECT_EQ(latencies.num_incomplete, 1);
  EXPECT_THAT(latencies.paths, SizeIs(1));
}

// A damaged trace in which a call takes what it sends.
TEST(LatencyOfDamageTest, AWayInACircleEnds) {
  TraceBuilder builder;
  const int node = builder.AddNode("a", {0});
  const int out = builder.AddOutput(node, "out");
  builder.Observe(out);
  builder.At(5).Begin(node, 1).Taken(out, 1, 0).End(node, 1).Sent(out, 1);
  EXPECT_EQ(LatenciesOf(builder.Build()).num_incomplete, 1);
}

TEST(LatencyOfMadeTracesTest, ThePartsAddUpToTheLatency) {
  std::int64_t messages = 0;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    MadeTraceOptions options;
    options.seed = seed;
    options.nodes = 1 + static_cast<int>(seed % 20);
    options.threads = 1 + static_cast<int>(seed % 5);
    options.packets = 50;
    const Latencies latencies = LatenciesOf(MakeTrace(options));
    EXPECT_EQ(latencies.num_incomplete, 0);
    for (const LatencyPath& path : latencies.paths) {
      double means = 0;
      for (const PathNode& node : path.nodes) {
        means += node.waiting_ns + node.in_call_ns;
      }
      EXPECT_NEAR(means, path.mean_ns, path.mean_ns * 1e-9);
      for (std::size_t i = 0; i < path.messages.size(); ++i) {
        const auto ticks = path.TicksOf(i);
        for (const std::int64_t part : ticks) EXPECT_GE(part, 0);
        EXPECT_EQ(std::accumulate(ticks.begin(), ticks.end(), std::int64_t{0}),
                  path.messages[i].ticks());
        EXPECT_EQ(path.messages[i].timestamp,
                  path.messages[i].source_timestamp);
        ++messages;
      }
    }
  }
  EXPECT_GT(messages, 2500);
}

TEST(QuantilesTest, AreOfTheNearestRank) {
  EXPECT_EQ(Quantile({}, 0.5), 0);
  EXPECT_EQ(Quantile({7}, 0), 7);
  std::vector<std::int64_t> values(100);
  std::iota(values.begin(), values.end(), 1);
  EXPECT_EQ(Quantile(values, 0), 1);
  EXPECT_EQ(Quantile(values, 0.9), 90);
  EXPECT_EQ(Quantile(values, 0.99), 99);
  EXPECT_EQ(Quantile(values, 1), 100);
}

TEST(QuantilesTest, TheMedianIsInTheMiddle) {
  EXPECT_EQ(Median({}), 0);
  EXPECT_EQ(Median({1, 5, 9}), 5);
  EXPECT_EQ(Median({1, 5, 9, 10}), 7);
}

TEST(PacketOriginsTest, KnowsTheSenderOfEachPacket) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("a", {in});
  const int out = builder.AddOutput(node, "out");
  builder.At(1).Sent(in, 4);
  builder.At(2).Begin(node, 4).End(node, 4).Sent(out, 9).Sent(out, 8);
  const Trace trace = builder.Build();
  const PacketOrigins origins(trace, TraceCalls(trace));
  const auto find = [&](int stream, std::int64_t timestamp) {
    return origins.Find({.stream = stream, .timestamp = timestamp, .tick = 3});
  };
  EXPECT_EQ(find(in, 4)->call, PacketOrigin::kApplication);
  EXPECT_EQ(find(in, 4)->sent, 1);
  EXPECT_EQ(find(out, 8)->call, 0);
  EXPECT_EQ(find(out, 9)->call, 0);
  EXPECT_EQ(find(out, 7), nullptr);
}

// Three runs of in -> a -> out, a second after each other, with the same
// timestamps. Each takes some ticks longer than the one before.
Trace ThreeRuns() {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("a", {in});
  const int out = builder.AddOutput(node, "out");
  builder.Observe(out);
  for (int run = 0; run < 3; ++run) {
    const std::int64_t start = 1'000'000'000 * run;
    builder.At(start + 1).Begin(node, 0, TraceKind::kOpenBegin);
    builder.At(start + 2).End(node, 0, TraceKind::kOpenEnd);
    builder.At(start + 10).Sent(in, 4);
    builder.At(start + 20).Begin(node, 4).Taken(in, 4, 0);
    builder.At(start + 30 + run).End(node, 4).Sent(out, 4);
  }
  return builder.Build();
}

TEST(PacketOriginsTest, KnowsThePacketsOfEachRun) {
  const Trace trace = ThreeRuns();
  const TraceCalls calls(trace);
  const PacketOrigins origins(trace, calls);
  int run = 0;
  for (const TracedCall& call : calls.calls()) {
    if (call.kind != TraceKind::kProcessBegin) continue;
    const PacketOrigin* const origin = origins.Find(calls.Taken(call)[0]);
    ASSERT_NE(origin, nullptr);
    EXPECT_EQ(origin->sent, 1'000'000'000 * run++ + 10);
  }
  EXPECT_EQ(run, 3);
}

TEST(LatencyOfRunsTest, OfAPacketIsThatOfItsRun) {
  const Latencies latencies = LatenciesOf(ThreeRuns());
  EXPECT_EQ(latencies.num_incomplete, 0);
  ASSERT_EQ(latencies.paths.size(), 1);
  std::vector<std::int64_t> ticks;
  for (const auto& message : latencies.paths[0].messages) {
    ticks.push_back(message.ticks());
  }
  EXPECT_THAT(ticks, UnorderedElementsAre(20, 21, 22));
}

}  // namespace
}  // namespace syncline
