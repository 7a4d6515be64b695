#include "framework/trace/trace_calls.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int64_t> TimestampsOf(absl::Span<const TracedPacket> packets) {
  std::vector<std::int64_t> timestamps;
  for (const TracedPacket& packet : packets) {
    timestamps.push_back(packet.timestamp);
  }
  return timestamps;
}

// A chain: in -> a -> x -> b.
class TraceCallsTest : public ::testing::Test {
 protected:
  TraceBuilder builder_;
  const int in_ = builder_.AddInput("in");
  const int a_ = builder_.AddNode("a", {in_});
  const int x_ = builder_.AddOutput(a_, "x");
  const int b_ = builder_.AddNode("b", {x_});
};

TEST_F(TraceCallsTest, ACallHasWhatItTookAndSent) {
  builder_.At(5).Sent(in_, 1).Ready(a_, 1);
  builder_.At(10).Begin(a_, 1).Taken(in_, 1, 0);
  builder_.At(20).End(a_, 1, TraceKind::kProcessEnd, 13).Sent(x_, 1);
  const TraceCalls calls(builder_.Build());
  ASSERT_EQ(calls.calls().size(), 1);
  const TracedCall& call = calls.calls()[0];
  EXPECT_EQ(call.kind, TraceKind::kProcessBegin);
  EXPECT_EQ(call.node, a_);
  EXPECT_EQ(call.timestamp, 1);
  EXPECT_EQ(call.ready, 5);
  EXPECT_EQ(call.begin, 10);
  EXPECT_EQ(call.end, 20);
  EXPECT_EQ(call.status_code, 13);
  EXPECT_TRUE(call.begin_is_known);
  EXPECT_TRUE(call.end_is_known);
  EXPECT_THAT(TimestampsOf(calls.Taken(call)), ElementsAre(1));
  EXPECT_EQ(calls.Taken(call)[0].port, 0);
  EXPECT_THAT(TimestampsOf(calls.Sent(call)), ElementsAre(1));
  EXPECT_EQ(calls.Sent(call)[0].tick, 20);
  EXPECT_THAT(TimestampsOf(calls.added()), ElementsAre(1));
}

TEST_F(TraceCallsTest, CallsOfThreadsThatOverlapKeepTheirPackets) {
  builder_.On(0).At(10).Begin(a_, 1).Taken(in_, 1, 0);
  builder_.On(1).At(11).Begin(b_, 0).Taken(x_, 0, 0);
  builder_.On(0).At(12).End(a_, 1).Sent(x_, 1);
  builder_.On(0).At(13).Begin(a_, 2).Taken(in_, 2, 0);
  builder_.On(1).At(14).End(b_, 0);
  builder_.On(0).At(15).End(a_, 2).Sent(x_, 2);
  const TraceCalls calls(builder_.Build());
  ASSERT_EQ(calls.calls().size(), 3);
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[0])), ElementsAre(1));
  EXPECT_THAT(TimestampsOf(calls.Taken(calls.calls()[1])), ElementsAre(0));
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[1])), IsEmpty());
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[2])), ElementsAre(2));
}

TEST_F(TraceCallsTest, NestedCallsEndInTheirOrder) {
  builder_.At(1).Begin(b_, 7);
  builder_.At(2).Begin(a_, 1);
  builder_.At(3).End(a_, 1).Sent(x_, 1);
  builder_.At(4).End(b_, 7);
  const TraceCalls calls(builder_.Build());
  ASSERT_EQ(calls.calls().size(), 2);
  EXPECT_EQ(calls.calls()[0].end, 4);
  EXPECT_EQ(calls.calls()[1].end, 3);
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[1])), ElementsAre(1));
}

TEST_F(TraceCallsTest, ResultsMayBeSentByAnotherThread) {
  builder_.On(0).At(1).Begin(a_, 1);
  builder_.On(1).At(2).Begin(a_, 2);
  builder_.On(1).At(3).End(a_, 2);
  builder_.On(0).At(4).End(a_, 1).Sent(x_, 1);
  builder_.Event(TraceKind::kResults, a_, 2).Sent(x_, 2);
  const TraceCalls calls(builder_.Build());
  ASSERT_EQ(calls.calls().size(), 2);
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[0])), ElementsAre(1));
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[1])), ElementsAre(2));
}

TEST_F(TraceCallsTest, ResultsOfACallThatIsNotKnownAreOfNoCall) {
  builder_.At(1).Begin(a_, 1).End(a_, 1);
  builder_.Event(TraceKind::kResults, a_, 9).Sent(x_, 9);
  const TraceCalls calls(builder_.Build());
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[0])), IsEmpty());
}

TEST_F(TraceCallsTest, AfterTheNextBeginNothingIsSentByTheCallBefore) {
  builder_.At(1).Begin(a_, 1).End(a_, 1).Begin(b_, 0).Sent(x_, 5);
  const TraceCalls calls(builder_.Build());
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[0])), IsEmpty());
}

TEST_F(TraceCallsTest, WhatAnotherNodeSendsIsNotOfTheCall) {
  builder_.At(1).Begin(b_, 1).End(b_, 1).Sent(x_, 5);
  const TraceCalls calls(builder_.Build());
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[0])), IsEmpty());
}

TEST_F(TraceCallsTest, ACallThatHasNotEndedEndsWithTheTrace) {
  builder_.On(0).At(1).Begin(a_, 1);
  builder_.On(1).At(9).Begin(b_, 1);
  const TraceCalls calls(builder_.Build());
  EXPECT_FALSE(calls.calls()[0].end_is_known);
  EXPECT_EQ(calls.calls()[0].end, 9);
}

TEST_F(TraceCallsTest, ACallWhoseBeginIsLostBeginsWithItsThread) {
  builder_.On(1).At(1).Begin(b_, 0);
  builder_.On(0).Lost(100);
  builder_.At(5).Ready(b_, 0);
  builder_.At(8).End(a_, 1).Sent(x_, 1);
  builder_.On(1).At(6).End(b_, 0);
  const TraceCalls calls(builder_.Build());
  ASSERT_EQ(calls.calls().size(), 2);
  const TracedCall& call = calls.calls()[1];
  EXPECT_EQ(call.node, a_);
  EXPECT_FALSE(call.begin_is_known);
  EXPECT_EQ(call.begin, 5);
  EXPECT_THAT(TimestampsOf(calls.Sent(call)), ElementsAre(1));
}

TEST_F(TraceCallsTest, ACallBeforeTheOthersByItsLostBeginKeepsItsPackets) {
  builder_.On(0).Lost(1).At(1).Ready(b_, 0);
  builder_.On(1).At(2).Begin(b_, 0).Taken(x_, 0, 0).End(b_, 0);
  builder_.On(0).At(8).End(a_, 1).Sent(x_, 1);
  const TraceCalls calls(builder_.Build());
  ASSERT_EQ(calls.calls().size(), 2);
  EXPECT_EQ(calls.calls()[0].node, a_);
  EXPECT_THAT(TimestampsOf(calls.Sent(calls.calls()[0])), ElementsAre(1));
  EXPECT_THAT(TimestampsOf(calls.Taken(calls.calls()[1])), ElementsAre(0));
}

TEST_F(TraceCallsTest, AGapEndsWhatTheThreadWasDoing) {
  builder_.At(1).Begin(a_, 1).Lost(3);
  builder_.At(5).Taken(in_, 9, 0).Begin(b_, 1);
  builder_.At(6).End(b_, 1);
  builder_.At(7).End(a_, 4);
  const TraceCalls calls(builder_.Build());
  ASSERT_EQ(calls.calls().size(), 3);
  EXPECT_FALSE(calls.calls()[0].end_is_known);
  EXPECT_THAT(calls.Taken(calls.calls()[0]), IsEmpty());
  EXPECT_EQ(calls.calls()[1].node, b_);
  EXPECT_TRUE(calls.calls()[1].end_is_known);
  EXPECT_EQ(calls.calls()[2].node, a_);
  EXPECT_FALSE(calls.calls()[2].begin_is_known);
  EXPECT_EQ(calls.calls()[2].begin, 5);
}

TEST_F(TraceCallsTest, ReadyIsOfTheCallWithTheSameTimestampAndKind) {
  builder_.At(1).Ready(a_, 1);
  builder_.At(2).Ready(a_, 2);
  builder_.At(3).Event(TraceKind::kReady, a_, 3, 2);
  builder_.At(10).Begin(a_, 2).End(a_, 2);
  builder_.At(11).Begin(a_, 1).End(a_, 1);
  builder_.At(12).Begin(a_, 3).End(a_, 3);
  builder_.At(13).Begin(a_, 3, TraceKind::kCloseBegin);
  const TraceCalls calls(builder_.Build());
  EXPECT_EQ(calls.calls()[0].ready, 2);
  EXPECT_EQ(calls.calls()[1].ready, 1);
  EXPECT_EQ(calls.calls()[2].ready, 0);
  EXPECT_EQ(calls.calls()[3].ready, 3);
}

TEST_F(TraceCallsTest, ReadyWithoutTimestampIsOfTheNextCallOfItsKind) {
  constexpr auto kUnset = std::numeric_limits<std::int64_t>::min();
  builder_.At(1).Ready(a_, kUnset);
  builder_.At(2).Ready(a_, kUnset);
  builder_.At(3).Begin(a_, 7, TraceKind::kCloseBegin);
  builder_.At(4).Begin(a_, 7).End(a_, 7);
  builder_.At(5).Begin(a_, 8).End(a_, 8);
  const TraceCalls calls(builder_.Build());
  EXPECT_EQ(calls.calls()[0].ready, 0);
  EXPECT_EQ(calls.calls()[1].ready, 1);
  EXPECT_EQ(calls.calls()[2].ready, 2);
}

// Takes seconds, not hours, though each end looks for its begin.
TEST_F(TraceCallsTest, BeginsWithoutEndsDoNotSlowItDown) {
  for (int i = 0; i < 50000; ++i) {
    builder_.At(i).Begin(a_, i).Ready(a_, i).End(b_, i);
  }
  const TraceCalls calls(builder_.Build());
  EXPECT_EQ(calls.calls().size(), 100000);
}

TEST(TraceCallsOfNothingTest, ATraceWithoutEventsHasNoCalls) {
  const TraceCalls calls((Trace()));
  EXPECT_THAT(calls.calls(), IsEmpty());
}

}  // namespace
}  // namespace syncline
