#include "tools/trace/critical.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/trace/call_graph.h"
#include "tools/trace/made_trace.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// in -> a -> x -> b.
class CriticalTest : public ::testing::Test {
 protected:
  void AddA(int thread, std::int64_t timestamp, std::uint64_t begin,
            std::uint64_t end) {
    builder_.On(thread).At(begin).Begin(a_, timestamp);
    builder_.At(end).End(a_, timestamp).Sent(x_, timestamp);
  }
  void AddB(int thread, std::int64_t timestamp, std::uint64_t begin,
            std::uint64_t end) {
    builder_.On(thread).At(begin).Begin(b_, timestamp);
    builder_.Taken(x_, timestamp, 0).At(end).End(b_, timestamp);
  }
  CallGraph Graph() const {
    const Trace trace = builder_.Build();
    return CallGraph(trace, TraceCalls(trace));
  }
  CriticalReport Report() const {
    const Trace trace = builder_.Build();
    return ComputeCritical(trace, TraceCalls(trace));
  }

  TraceBuilder builder_;
  const int in_ = builder_.AddInput("in");
  const int a_ = builder_.AddNode("a", {in_});
  const int x_ = builder_.AddOutput(a_, "x");
  const int b_ = builder_.AddNode("b", {x_});
};

TEST_F(CriticalTest, CallsDependOnTheirPacketsAndOnTheCallBefore) {
  AddA(0, 1, 0, 10);
  AddA(0, 2, 11, 20);
  AddB(1, 1, 12, 15);
  AddB(1, 2, 25, 30);
  const CallGraph graph = Graph();
  ASSERT_EQ(graph.size(), 4);
  EXPECT_THAT(graph.Before(0), IsEmpty());
  EXPECT_THAT(graph.Before(1), ElementsAre(0));
  EXPECT_THAT(graph.Before(2), ElementsAre(0));
  EXPECT_THAT(graph.Before(3), UnorderedElementsAre(1, 2));
  EXPECT_EQ(graph.duration(3), 5);
}

TEST_F(CriticalTest, CallsThatOverlappedDoNotWaitForEachOther) {
  AddA(0, 1, 0, 10);
  AddA(1, 2, 5, 15);
  AddA(0, 3, 16, 20);
  const CallGraph graph = Graph();
  EXPECT_EQ(graph.most_at_once()[a_], 2);
  EXPECT_THAT(graph.Before(1), IsEmpty());
  EXPECT_THAT(graph.Before(2), ElementsAre(0));
}

TEST_F(CriticalTest, TimeInCallsWithinACallIsNotOfTheCall) {
  builder_.At(0).Begin(b_, 9);
  AddA(0, 1, 2, 5);
  AddA(0, 2, 6, 7);
  builder_.At(10).End(b_, 9);
  const CallGraph graph = Graph();
  EXPECT_EQ(graph.duration(0), 6);
  EXPECT_EQ(graph.duration(1), 3);
  EXPECT_EQ(graph.duration(2), 1);
}

TEST_F(CriticalTest, CallsThatAreNotWholeAreLeftOut) {
  builder_.Lost(1).At(5).End(a_, 1).Sent(x_, 1);
  AddB(0, 1, 6, 8);
  builder_.At(9).Begin(a_, 2);
  const CallGraph graph = Graph();
  ASSERT_EQ(graph.size(), 1);
  EXPECT_THAT(graph.Before(0), IsEmpty());
}

TEST_F(CriticalTest, TheLongestChainGoesOverNodesAndPackets) {
  AddA(0, 1, 0, 10);
  AddB(1, 1, 10, 40);
  AddA(0, 2, 11, 12);
  AddB(1, 2, 41, 61);
  const CriticalReport report = Report();
  // a(1), b(1), b(2): 10 + 30 + 20.
  EXPECT_EQ(report.chain_ns, 60);
  EXPECT_EQ(report.calls_on_chain, 3);
  EXPECT_EQ(report.duration_ns, 61);
  EXPECT_EQ(report.work_ns, 61);
  EXPECT_EQ(report.threads, 2);
  ASSERT_EQ(report.nodes.size(), 2);
  EXPECT_EQ(report.nodes[0].node, b_);
  EXPECT_EQ(report.nodes[0].busy_ns, 50);
  EXPECT_EQ(report.nodes[0].least_ns, 50);
  EXPECT_EQ(report.nodes[0].on_chain_ns, 50);
  EXPECT_EQ(report.nodes[0].calls_on_chain, 2);
  EXPECT_EQ(report.nodes[1].on_chain_ns, 10);
}

TEST_F(CriticalTest, ANodeWhoseCallsOverlapNeedsLessTime) {
  AddA(0, 1, 0, 10);
  AddA(1, 2, 0, 10);
  const CriticalReport report = Report();
  EXPECT_EQ(report.nodes[0].busy_ns, 20);
  EXPECT_EQ(report.nodes[0].least_ns, 10);
}

TEST_F(CriticalTest, TheEstimateKnowsWhatOneMoreThreadWins) {
  // Three calls at a time that do not depend on each other, on two threads.
  AddA(0, 1, 0, 10);
  AddA(1, 2, 0, 10);
  builder_.On(0).At(10).Begin(b_, 5);
  builder_.At(20).End(b_, 5);
  const CriticalReport report = Report();
  EXPECT_EQ(report.threads, 2);
  EXPECT_EQ(report.estimate_ns, 20);
  EXPECT_EQ(report.estimate_of_one_more_ns, 10);
  EXPECT_EQ(EstimateTicks(Graph(), 1), 30);
}

TEST_F(CriticalTest, OneMoreThreadWinsNothingForAChain) {
  AddA(0, 1, 0, 10);
  AddB(0, 1, 10, 30);
  const CriticalReport report = Report();
  EXPECT_EQ(report.estimate_ns, 30);
  EXPECT_EQ(report.estimate_of_one_more_ns, 30);
}

TEST_F(CriticalTest, ATraceWithoutCallsHasNothing) {
  const CriticalReport report = Report();
  EXPECT_EQ(report.duration_ns, 0);
  EXPECT_EQ(report.chain_ns, 0);
  EXPECT_EQ(report.estimate_ns, 0);
}

// Nothing is faster than the chain, than the work of all threads, and than the
// busiest node; and nothing slower than one thread.
TEST(CriticalOfMadeTracesTest, EstimatesStayWithinTheirLimits) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    MadeTraceOptions options;
    options.seed = seed;
    options.threads = 1 + static_cast<int>(seed % 6);
    const Trace trace = MakeTrace(options);
    const TraceCalls calls(trace);
    const CriticalReport report = ComputeCritical(trace, calls);
    EXPECT_LE(report.chain_ns, report.duration_ns);
    EXPECT_LE(report.nodes[0].least_ns, report.chain_ns);
    const CallGraph graph(trace, calls);
    EXPECT_EQ(EstimateTicks(graph, 1), report.work_ns);
    for (const int threads : {2, 3, 100}) {
      const std::int64_t estimate = EstimateTicks(graph, threads);
      EXPECT_GE(estimate, report.chain_ns);
      EXPECT_GE(estimate, report.work_ns / threads);
      EXPECT_LE(estimate, report.work_ns);
    }
    EXPECT_EQ(EstimateTicks(graph, 100000), report.chain_ns);
  }
}

}  // namespace
}  // namespace syncline
