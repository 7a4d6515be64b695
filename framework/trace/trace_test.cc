#include "framework/trace/trace.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/sum_in_range.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TraceEvent EventAt(std::uint64_t tick) {
  return {tick, 0, TraceEvent::KindAndId(TraceKind::kNone, 0), 0};
}

std::vector<std::uint64_t> TicksOf(const TraceEvents& events) {
  std::vector<std::uint64_t> ticks;
  for (const TraceEvent& event : events) ticks.push_back(event.tick);
  return ticks;
}

TEST(TraceEventsTest, GoesOverAllPieces) {
  const std::vector<TraceEvent> first = {EventAt(1), EventAt(2)};
  const std::vector<TraceEvent> second = {EventAt(5)};
  TraceEvents events(first);
  events.Append({});
  events.Append(second);
  EXPECT_THAT(TicksOf(events), ElementsAre(1, 2, 5));
  EXPECT_EQ(events.size(), 3);
  EXPECT_EQ(events.front().tick, 1);
  EXPECT_EQ(events.back().tick, 5);
}

TEST(TraceEventsTest, NoEventsAreEmpty) {
  TraceEvents events;
  events.Append({});
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(events.begin(), events.end());
}

TEST(TraceEventsTest, WhatIsLostBeforeNoEventsIsLostBeforeTheNext) {
  const std::vector<TraceEvent> first = {EventAt(1)};
  TraceEvents events;
  events.Append({}, 3);
  events.Append(first, 4);
  ASSERT_EQ(events.pieces().size(), 1);
  EXPECT_EQ(events.pieces()[0].lost_before, 7);
}

TEST(TraceTest, CountsEventsAndWhatIsLost) {
  TraceBuilder builder;
  const int node = builder.AddNode("a");
  builder.Begin(node, 1).Lost(5).End(node, 1).On(1).Begin(node, 2);
  Trace trace = builder.Build();
  trace.num_lost_elsewhere = 2;
  EXPECT_EQ(trace.num_events(), 3);
  EXPECT_EQ(trace.num_lost(), 7);
}

TEST(TraceTest, OneClockPointHasATickForANanosecond) {
  Trace trace;
  trace.clock_points = {{100, 1000, 5000}};
  EXPECT_EQ(trace.Ns(100), 1000);
  EXPECT_EQ(trace.Ns(90), 990);
  EXPECT_EQ(trace.Ns(107), 1007);
  EXPECT_EQ(trace.UnixNs(107), 5007);
}

TEST(TraceTest, TimeIsLinearBetweenClockPointsAndBeyondThem) {
  Trace trace;
  trace.clock_points = {{100, 1000, 0}, {200, 1050, 0}, {300, 1350, 0}};
  EXPECT_EQ(trace.Ns(100), 1000);
  EXPECT_EQ(trace.Ns(150), 1025);
  EXPECT_EQ(trace.Ns(200), 1050);
  EXPECT_EQ(trace.Ns(210), 1080);
  EXPECT_EQ(trace.Ns(400), 1650);
  EXPECT_EQ(trace.Ns(0), 950);
  EXPECT_EQ(trace.Ns(99), 999);  // 999.5, rounded down
}

TEST(TraceTest, TimeStaysInRangeAtTheLimits) {
  Trace trace;
  const auto limit = static_cast<std::int64_t>(kMaxTraceTick);
  trace.clock_points = {{0, -limit + 1, 0}, {1, limit - 1, 0}};
  SYNCLINE_ASSERT_OK(CheckTrace(trace));
  EXPECT_EQ(trace.Ns(kMaxTraceTick - 1), limit);
}

TEST(TraceTest, ClockPointsAtOneTickDoNotDivideByZero) {
  Trace trace;
  trace.clock_points = {{5, 10, 0}, {5, 20, 0}};
  EXPECT_EQ(trace.Ns(6), 11);
}

TEST(SumInRangeTest, WhatDoesNotFitIsTheNearestThatDoes) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(SumInRange(2, 3), 5);
  EXPECT_EQ(SumInRange(kMax, 1), kMax);
  EXPECT_EQ(SumInRange(kMin, -1), kMin);
  EXPECT_EQ(DifferenceInRange(2, 3), -1);
  EXPECT_EQ(DifferenceInRange(1, kMin), kMax);
  EXPECT_EQ(DifferenceInRange(-2, kMax), kMin);
}

std::vector<std::pair<int, std::uint64_t>> Visited(const Trace& trace) {
  std::vector<std::pair<int, std::uint64_t>> visited;
  ForEachEvent(trace, [&visited](int thread, const TraceEvent& event) {
    visited.emplace_back(thread, event.tick);
  });
  return visited;
}

TEST(ForEachEventTest, VisitsInTheOrderOfTime) {
  TraceBuilder builder;
  builder.On(0).At(1).Event(TraceKind::kNone, 0);
  builder.At(4).Event(TraceKind::kNone, 0);
  builder.On(2).At(2).Event(TraceKind::kNone, 0);
  builder.At(3).Event(TraceKind::kNone, 0);
  builder.At(5).Event(TraceKind::kNone, 0);
  EXPECT_THAT(
      Visited(builder.Build()),
      ElementsAre(Pair(0, 1), Pair(2, 2), Pair(2, 3), Pair(0, 4), Pair(2, 5)));
}

TEST(ForEachEventTest, AtTheSameTickTheLowerThreadComesFirst) {
  TraceBuilder builder;
  builder.At(7);
  for (const int thread : {2, 0, 1}) {
    builder.On(thread).Event(TraceKind::kNone, 0).Event(TraceKind::kNone, 0);
  }
  EXPECT_THAT(Visited(builder.Build()),
              ElementsAre(Pair(0, 7), Pair(0, 7), Pair(1, 7), Pair(1, 7),
                          Pair(2, 7), Pair(2, 7)));
}

TEST(ForEachEventTest, VisitsNothingOfNoEvents) {
  EXPECT_THAT(Visited(Trace()), ElementsAre());
}

TEST(CheckTraceTest, AcceptsWhatIsRight) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("a", {in});
  builder.Sent(in, 1).Begin(node, 1).Taken(in, 1, 0).End(node, 1);
  builder.Event(TraceKind::kThrottled, TraceEvent::kNoNode, 0, in);
  builder.Event(TraceKind::kThreadIn, 0);
  builder.Event(TraceKind::kQueueFull, in, 0, TraceEvent::kNoNode);
  builder.Event(static_cast<TraceKind>(200), 9999);
  SYNCLINE_EXPECT_OK(CheckTrace(builder.Build()));
}

void ExpectIsRefused(const Trace& trace, const std::string& text) {
  const absl::Status status = CheckTrace(trace);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
}

TEST(CheckTraceTest, RefusesEventsOfWhatTheGraphDoesNotHave) {
  const auto with = [](TraceKind kind, std::uint32_t id, std::uint32_t extra) {
    TraceBuilder builder;
    const int in = builder.AddInput("in");
    builder.AddNode("a", {in});
    builder.On(1).Event(TraceKind::kNone, 0).Event(kind, id, 0, extra);
    return builder.Build();
  };
  ExpectIsRefused(
      with(TraceKind::kProcessBegin, 1, 0),
      "event 1 of thread 1: there is no node 1, as the graph has 1");
  ExpectIsRefused(with(TraceKind::kReady, TraceEvent::kNoNode, 0), "no node");
  ExpectIsRefused(with(TraceKind::kSent, 1, 0), "there is no stream 1");
  ExpectIsRefused(with(TraceKind::kThrottled, TraceEvent::kNoNode, 1),
                  "there is no stream 1");
  ExpectIsRefused(with(TraceKind::kDropped, 0, 3 << TraceEvent::kIdBits | 1),
                  "there is no node 1");
  ExpectIsRefused(with(TraceKind::kThreadIn, 1, 0), "there is no executor 1");
}

TEST(CheckTraceTest, RefusesATickThatIsTooLarge) {
  TraceBuilder builder;
  builder.At(kMaxTraceTick).Event(TraceKind::kNone, 0);
  ExpectIsRefused(builder.Build(), "is too large");
}

TEST(CheckTraceTest, RefusesAHeaderThatNamesWhatIsNotThere) {
  TraceBuilder builder;
  builder.AddNode("a", {0});
  ExpectIsRefused(builder.Build(), "there is no stream 0, as the graph has 0");
  builder = TraceBuilder();
  builder.AddInput("in");
  builder.header().mutable_stream(0)->set_producer(4);
  ExpectIsRefused(builder.Build(), "there is no node 4");
  builder = TraceBuilder();
  builder.AddNode("a");
  builder.header().mutable_node(0)->set_executor(1);
  ExpectIsRefused(builder.Build(), "there is no executor 1");
}

TEST(CheckTraceTest, RefusesClockPointsOutOfOrder) {
  Trace trace;
  ExpectIsRefused(trace, "there is no clock point");
  trace.clock_points = {{5, 0, 0}, {4, 0, 0}};
  ExpectIsRefused(trace, "the clock point at tick 4");
}

}  // namespace
}  // namespace syncline
