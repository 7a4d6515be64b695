#include "framework/trace/convert/call_lanes.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "framework/trace/convert/random_trace.h"
#include "framework/trace/convert/test_trace.h"
#include "framework/trace/trace_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

TEST(LanesApartTest, ASpanTakesTheFirstLaneThatIsFree) {
  std::vector<LaneEnd> ends;
  EXPECT_THAT(
      LanesApart({{0, 10, 0}, {5, 20, 1}, {10, 12, 2}, {11, 30, 3}}, &ends),
      ElementsAre(0, 1, 0, 2));
  ASSERT_EQ(ends.size(), 8u);
  // Lane by lane.
  EXPECT_EQ(ends[0].item, 0);
  EXPECT_EQ(ends[3].item, 2);
  EXPECT_TRUE(ends[3].is_end);
}

TEST(LanesApartTest, SpansWithoutLengthFollowEachOtherOnOneLane) {
  std::vector<LaneEnd> ends;
  EXPECT_THAT(LanesApart({{7, 7, 0}, {7, 7, 1}}, &ends), ElementsAre(0, 0));
  EXPECT_EQ(ends[1].item, 0);
  EXPECT_TRUE(ends[1].is_end);
  EXPECT_EQ(ends[2].item, 1);
}

// The ends of each lane of threads nest, and are in the order of time.
void ExpectNesting(const TraceCalls& calls, const CallLanes& lanes) {
  std::map<std::pair<int, int>, std::vector<std::int32_t>> open;
  std::uint64_t last = 0;
  for (const LaneEnd& end : lanes.thread_ends()) {
    EXPECT_GE(end.tick, last);
    last = end.tick;
    auto& stack = open[{calls.calls()[end.item].thread,
                        lanes.places()[end.item].thread_lane}];
    if (!end.is_end) {
      stack.push_back(end.item);
      continue;
    }
    ASSERT_FALSE(stack.empty());
    EXPECT_EQ(stack.back(), end.item);
    stack.pop_back();
  }
  for (const auto& [lane, stack] : open) EXPECT_TRUE(stack.empty());
}

TEST(CallLanesTest, NestedCallsShareTheLaneOfTheirThread) {
  TestTrace made;
  made.AddNode("outer", {"in"}, {});
  made.AddNode("inner", {"in"}, {});
  made.AddThread("t", 1);
  made.Note(0, 10, TraceKind::kProcessBegin, 0);
  made.Note(0, 10, TraceKind::kProcessBegin, 1);
  made.Note(0, 20, TraceKind::kProcessEnd, 1);
  made.Note(0, 20, TraceKind::kProcessEnd, 0);
  const Trace trace = made.Build();
  const TraceCalls calls(trace);
  const CallLanes lanes(trace, calls);
  EXPECT_THAT(lanes.lanes_of_threads(), ElementsAre(1));
  ExpectNesting(calls, lanes);
}

TEST(CallLanesTest, CallsOfANodeThatOverlapHaveLanesOfTheirOwn) {
  TestTrace made;
  made.AddNode("parallel", {"in"}, {});
  made.AddThread("a", 1);
  made.AddThread("b", 2);
  made.Note(0, 10, TraceKind::kProcessBegin, 0, 1);
  made.Note(1, 15, TraceKind::kProcessBegin, 0, 2);
  made.Note(0, 20, TraceKind::kProcessEnd, 0, 1);
  made.Note(0, 22, TraceKind::kProcessBegin, 0, 3);
  made.Note(0, 23, TraceKind::kProcessEnd, 0, 3);
  made.Note(1, 30, TraceKind::kProcessEnd, 0, 2);
  const Trace trace = made.Build();
  const CallLanes lanes(trace, TraceCalls(trace));
  EXPECT_THAT(lanes.lanes_of_nodes(), ElementsAre(2));
  EXPECT_EQ(lanes.places()[0].node_lane, 0);
  EXPECT_EQ(lanes.places()[1].node_lane, 1);
  EXPECT_EQ(lanes.places()[2].node_lane, 0);
}

TEST(CallLanesTest, ACallWhoseEndIsLostEndsAtTheGap) {
  TestTrace made;
  made.AddNode("n", {"in"}, {});
  made.AddThread("t", 1);
  made.Note(0, 10, TraceKind::kProcessBegin, 0, 1);
  made.Note(0, 12, TraceKind::kTaken, 0, 1);
  made.Lose(0, 5);
  made.Note(0, 90, TraceKind::kProcessBegin, 0, 2);
  made.Note(0, 95, TraceKind::kProcessEnd, 0, 2);
  const Trace trace = made.Build();
  const CallLanes lanes(trace, TraceCalls(trace));
  EXPECT_EQ(lanes.places()[0].end, 12u);
  EXPECT_THAT(lanes.lanes_of_nodes(), ElementsAre(1));
}

TEST(CallLanesTest, ACallWhoseEndIsNotKnownEndsWithTheTrace) {
  TestTrace made;
  made.AddNode("n", {"in"}, {});
  made.AddThread("t", 1);
  made.AddThread("u", 2);
  made.Note(0, 10, TraceKind::kProcessBegin, 0, 1);
  made.Note(1, 40, TraceKind::kNotReady, 0);
  const Trace trace = made.Build();
  const CallLanes lanes(trace, TraceCalls(trace));
  EXPECT_EQ(lanes.places()[0].end, 40u);
}

TEST(CallLanesTest, CallsWhoseBeginsAreLostNest) {
  TestTrace made;
  made.AddNode("outer", {"in"}, {});
  made.AddNode("inner", {"in"}, {});
  made.AddThread("t", 1);
  made.Note(0, 10, TraceKind::kTaken, 0, 1);
  made.Note(0, 15, TraceKind::kProcessEnd, 1, 1);
  made.Note(0, 20, TraceKind::kProcessEnd, 0, 1);
  const Trace trace = made.Build();
  const TraceCalls calls(trace);
  const CallLanes lanes(trace, calls);
  EXPECT_EQ(lanes.places()[0].begin, 10u);
  EXPECT_THAT(lanes.lanes_of_threads(), ElementsAre(1));
  ExpectNesting(calls, lanes);
}

TEST(CallLanesTest, LanesNestInTracesWithLostEvents) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomTrace random = MakeRandomTrace(seed);
    LosePieces(seed, &random);
    const Trace trace = random.made.Build();
    const TraceCalls calls(trace);
    const CallLanes lanes(trace, calls);
    EXPECT_EQ(lanes.places().size(), calls.calls().size());
    ExpectNesting(calls, lanes);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace syncline
