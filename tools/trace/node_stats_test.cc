#include "tools/trace/node_stats.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "framework/trace/latency/trace_rate.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/trace/arrivals.h"
#include "tools/trace/made_trace.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

void ExpectDurations(const Durations& durations, std::int64_t count,
                     std::int64_t total, std::int64_t max) {
  EXPECT_EQ(durations.count, count);
  EXPECT_EQ(durations.total, total);
  EXPECT_EQ(durations.max, max);
}

// in -> a -> x, in -> b -> y, and join takes x and y.
class NodeStatsTest : public ::testing::Test {
 protected:
  const NodeStats& Node(int number) {
    stats_ = ComputeTraceStats(builder_.Build());
    return stats_.nodes[number];
  }

  TraceBuilder builder_;
  const int in_ = builder_.AddInput("in");
  const int a_ = builder_.AddNode("a", {in_});
  const int x_ = builder_.AddOutput(a_, "x");
  const int b_ = builder_.AddNode("b", {in_});
  const int y_ = builder_.AddOutput(b_, "y");
  const int join_ = builder_.AddNode("join", {x_, y_});
  TraceStats stats_;
};

TEST_F(NodeStatsTest, CountsCallsByKind) {
  builder_.At(1).Begin(a_, 0, TraceKind::kOpenBegin);
  builder_.At(3).End(a_, 0, TraceKind::kOpenEnd);
  builder_.At(10).Begin(a_, 1);
  builder_.At(15).End(a_, 1);
  builder_.At(20).Begin(a_, 2);
  builder_.At(40).End(a_, 2, TraceKind::kProcessEnd, 13);
  builder_.At(50).Begin(a_, 9, TraceKind::kCloseBegin);
  builder_.At(57).End(a_, 9, TraceKind::kCloseEnd);
  // A source that is at its end.
  builder_.At(50).Begin(b_, 0);
  builder_.At(57).End(b_, 0, TraceKind::kProcessEnd,
                      static_cast<int>(absl::StatusCode::kOutOfRange));
  const NodeStats& a = Node(a_);
  ExpectDurations(a.process, 2, 25, 20);
  ExpectDurations(a.open, 1, 2, 2);
  ExpectDurations(a.close, 1, 7, 7);
  EXPECT_EQ(a.process.mean(), 12);
  EXPECT_EQ(a.num_failed, 1);
  EXPECT_EQ(stats_.nodes[b_].num_failed, 0);
  EXPECT_EQ(a.num_incomplete, 0);
  EXPECT_EQ(stats_.duration, 56);
}

TEST_F(NodeStatsTest, CallsThatAreNotWholeHaveNoDuration) {
  builder_.Lost(4).At(10).End(a_, 1);
  builder_.At(20).Begin(b_, 1).Lost(2);
  builder_.At(30).Begin(a_, 2);
  const NodeStats& a = Node(a_);
  ExpectDurations(a.process, 0, 0, 0);
  EXPECT_EQ(a.num_incomplete, 2);
  EXPECT_EQ(stats_.nodes[b_].num_incomplete, 1);
  EXPECT_EQ(stats_.threads[0].num_lost, 6);
}

TEST_F(NodeStatsTest, ReadyIsTheTimeUntilTheCallBegins) {
  builder_.At(5).Ready(a_, 1);
  builder_.At(12).Begin(a_, 1).End(a_, 1);
  ExpectDurations(Node(a_).ready, 1, 7, 7);
}

TEST_F(NodeStatsTest, AQueueHoldsAPacketFromSendingToTheCall) {
  builder_.On(0).At(1).Sent(in_, 1);
  builder_.At(2).Sent(in_, 2);
  builder_.At(3).Sent(in_, 3);
  builder_.On(1).At(10).Begin(a_, 1).Taken(in_, 1, 0).End(a_, 1);
  builder_.At(20).Begin(a_, 3).Taken(in_, 3, 0).End(a_, 3);
  const NodeStats& a = Node(a_);
  ExpectDurations(a.in_queues(), 2, 26, 17);
  EXPECT_EQ(a.inputs[0].most_waiting, 3);
  EXPECT_EQ(a.inputs[0].stream, "in");
  EXPECT_EQ(stats_.inputs[0].packets, 3);
}

TEST_F(NodeStatsTest, TheInputThatCameLastIsWaitedFor) {
  builder_.On(0).At(1).Begin(a_, 1).End(a_, 1).Sent(x_, 1);
  builder_.On(1).At(1).Begin(b_, 1);
  builder_.At(8).End(b_, 1).Sent(y_, 1);
  builder_.At(10).Begin(join_, 1).Taken(x_, 1, 0).Taken(y_, 1, 1);
  builder_.At(11).End(join_, 1);
  const NodeStats& join = Node(join_);
  EXPECT_EQ(join.inputs[0].came_last.count, 0);
  ExpectDurations(join.inputs[1].came_last, 1, 7, 7);
}

TEST_F(NodeStatsTest, ABoundMayComeLast) {
  builder_.At(1).Sent(y_, 1);
  builder_.At(2).Sent(x_, 0).Bound(x_, 1);  // does not settle 1
  builder_.At(5).Bound(x_, 2);
  builder_.At(10).Begin(join_, 1).Taken(y_, 1, 1);
  builder_.At(11).End(join_, 1);
  const NodeStats& join = Node(join_);
  ExpectDurations(join.inputs[0].came_last, 1, 4, 4);
  EXPECT_EQ(join.inputs[1].came_last.count, 0);
}

TEST_F(NodeStatsTest, AnInputThatIsNotSettledIsNotWaitedFor) {
  builder_.At(1).Sent(y_, 1);
  builder_.At(10).Begin(join_, 1).Taken(y_, 1, 1);
  builder_.At(20).Bound(x_, 2);
  builder_.At(21).End(join_, 1);
  const NodeStats& join = Node(join_);
  EXPECT_EQ(join.inputs[0].came_last.count, 0);
  EXPECT_EQ(join.inputs[1].came_last.count, 0);
  EXPECT_EQ(join.num_without_last, 1);
  EXPECT_EQ(stats_.nodes[a_].num_without_last, 0);
}

TEST_F(NodeStatsTest, ABoundThatWentOutWithAPacketMayComeLast) {
  builder_.At(1).Sent(y_, 5);
  builder_.At(3).Sent(x_, 1).Bound(x_, 6);
  builder_.At(10).Begin(join_, 5).Taken(y_, 5, 1).End(join_, 5);
  const NodeStats& join = Node(join_);
  ExpectDurations(join.inputs[0].came_last, 1, 2, 2);
  EXPECT_EQ(join.num_without_last, 0);
}

TEST_F(NodeStatsTest, DropsAreCountedByCause) {
  builder_.Dropped(x_, 1, join_, static_cast<int>(DropCause::kLate));
  builder_.Dropped(x_, 2, join_, static_cast<int>(DropCause::kLate));
  builder_.Dropped(y_, 2, join_, static_cast<int>(DropCause::kAtEnd));
  builder_.Dropped(y_, 2, join_, 200);  // of a later version
  const NodeStats& join = Node(join_);
  EXPECT_EQ(join.inputs[0].dropped.of(DropCause::kLate), 2);
  EXPECT_EQ(join.inputs[1].dropped.of(DropCause::kAtEnd), 1);
  EXPECT_EQ(join.num_dropped(), 3);
}

TEST_F(NodeStatsTest, FullQueuesAndThrottlingAreTimed) {
  builder_.At(1).Event(TraceKind::kQueueFull, x_, 0, join_);
  builder_.At(4).Event(TraceKind::kQueueNotFull, x_, 0, join_);
  builder_.At(5).Event(TraceKind::kThrottled, a_);
  builder_.At(9).Event(TraceKind::kUnthrottled, a_);
  builder_.At(6).On(1).Event(TraceKind::kThrottled, TraceEvent::kNoNode, 0,
                             in_);
  builder_.At(30).Event(TraceKind::kNotReady, join_);  // the end
  ExpectDurations(Node(join_).inputs[0].full, 1, 3, 3);
  ExpectDurations(stats_.nodes[a_].throttled, 1, 4, 4);
  ExpectDurations(stats_.inputs[0].throttled, 1, 24, 24);
  EXPECT_EQ(stats_.nodes[join_].num_not_ready, 1);
}

TEST_F(NodeStatsTest, DeviceWorkIsPairedByTimestampAndStream) {
  builder_.At(1).Event(TraceKind::kDeviceBegin, a_, 7, 0);
  builder_.At(2).Event(TraceKind::kDeviceBegin, a_, 8, 0);
  builder_.At(5).Event(TraceKind::kDeviceEnd, a_, 7, 0);
  builder_.At(9).Event(TraceKind::kDeviceEnd, a_, 8, 0);
  builder_.At(9).Event(TraceKind::kDeviceEnd, a_, 8, 0);
  ExpectDurations(Node(a_).device, 2, 11, 7);
}

TEST_F(NodeStatsTest, CallsWithinCallsKeepAThreadBusyOnce) {
  builder_.At(1).Event(TraceKind::kThreadIn, 0);
  builder_.At(10).Begin(b_, 1);
  builder_.At(12).Begin(a_, 1);
  builder_.At(14).End(a_, 1);
  builder_.At(20).End(b_, 1);
  builder_.At(30).Begin(a_, 2);
  builder_.At(33).End(a_, 2);
  Node(a_);
  EXPECT_EQ(stats_.threads[0].busy, 13);
  EXPECT_EQ(stats_.threads[0].calls, 3);
  EXPECT_EQ(stats_.threads[0].wake_ups, 1);
}

TEST_F(NodeStatsTest, CallsAtTheSameTimeAreCounted) {
  builder_.On(0).At(1).Begin(a_, 1);
  builder_.On(1).At(2).Begin(a_, 2);
  builder_.On(0).At(3).End(a_, 1);
  builder_.On(0).At(4).Begin(a_, 3);
  builder_.On(0).At(5).End(a_, 3);
  builder_.On(1).At(6).End(a_, 2);
  EXPECT_EQ(Node(a_).most_at_once, 2);
}

TEST_F(NodeStatsTest, TheBusiestNodeIsTheFirst) {
  builder_.At(1).Begin(b_, 1);
  builder_.At(9).End(b_, 1);
  builder_.At(10).Begin(a_, 1);
  builder_.At(12).End(a_, 1);
  Node(a_);
  EXPECT_THAT(stats_.ByTime(), ElementsAre(b_, a_, join_));
}

TEST_F(NodeStatsTest, ClocksThatGoBackCountAsNoTime) {
  builder_.At(10).Begin(a_, 1);
  builder_.At(5).End(a_, 1);
  ExpectDurations(Node(a_).process, 1, 0, 0);
}

TEST(NodeStatsOfNothingTest, ATraceWithoutEventsHasNone) {
  const TraceStats stats = ComputeTraceStats(TraceBuilder().Build());
  EXPECT_EQ(stats.duration, 0);
  EXPECT_TRUE(stats.nodes.empty());
}

// What is counted on the way is what the calls, put together as a whole, have.
TEST(NodeStatsOfMadeTracesTest, AgreesWithTheCalls) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    MadeTraceOptions options;
    options.seed = seed;
    options.packets = 500;
    const Trace trace = MakeTrace(options);
    const TraceStats stats = ComputeTraceStats(trace);
    const TraceCalls calls(trace);
    std::vector<std::int64_t> totals(stats.nodes.size());
    std::vector<std::int64_t> taken(stats.nodes.size());
    for (const TracedCall& call : calls.calls()) {
      totals[call.node] += TicksBetween(call.begin, call.end);
      taken[call.node] += call.num_taken;
    }
    for (std::size_t i = 0; i < stats.nodes.size(); ++i) {
      EXPECT_EQ(stats.nodes[i].process.total, totals[i]);
      EXPECT_EQ(stats.nodes[i].process.count, options.packets);
      // No packet was forgotten before its last reader had it.
      EXPECT_EQ(stats.nodes[i].in_queues().count, taken[i]);
      EXPECT_EQ(stats.nodes[i].ready.count, options.packets);
    }
  }
}

TEST(TraceRateTest, IsThatOfTheWholeTrace) {
  Trace trace;
  trace.clock_points = {{100, 0, 0}, {200, 100, 0}, {1100, 2000, 0}};
  const TraceRate rate(trace);
  EXPECT_EQ(rate.Ns(1000), 2000);
  EXPECT_EQ(rate.Ns(-3), -6);
  trace.clock_points.resize(1);
  EXPECT_EQ(TraceRate(trace).Ns(7), 7);
}

TEST(TraceRateTest, SumsStayInRange) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(SumInRange(kMax, 1), kMax);
  EXPECT_EQ(SumInRange(-kMax, -kMax), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(SumInRange(2, 3), 5);
}

TEST(ArrivalsTest, KeepsWhatSomeReaderNeeds) {
  Arrivals arrivals(2);
  for (int i = 0; i < 1000; ++i) arrivals.AddPacket(i, i + 5000);
  arrivals.Advance(0, 999);
  ASSERT_NE(arrivals.Packet(0), nullptr);
  EXPECT_EQ(arrivals.Packet(0)->tick, 5000);
  arrivals.Advance(1, 998);
  EXPECT_EQ(arrivals.Packet(0), nullptr);
  EXPECT_NE(arrivals.Packet(999), nullptr);
  EXPECT_NE(arrivals.Packet(900), nullptr);
}

TEST(ArrivalsTest, WithoutReadersNothingIsKept) {
  Arrivals arrivals(0);
  arrivals.AddPacket(1, 1);
  EXPECT_EQ(arrivals.Packet(1), nullptr);
}

TEST(ArrivalsTest, TheLastTimestampSettlesItself) {
  Arrivals arrivals(1);
  arrivals.AddBound(std::numeric_limits<std::int64_t>::max(), 3);
  EXPECT_EQ(arrivals.Settled(5)->tick, 3);
  EXPECT_EQ(arrivals.Packet(5), nullptr);
}

}  // namespace
}  // namespace syncline
