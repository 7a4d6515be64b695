// How long calls and packets take is found out of a trace, for nodes and sinks
// of a graph.
#include "pages/live/call_meter.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kSlowAndFast[] = R"(
  input_stream: "in"
  output_stream: "out"
  node { name: "slow" calculator: "TestLambda" input_stream: "in"
         output_stream: "x" input_side_packet: "PROCESS:slow" }
  node { name: "fast" calculator: "TestLambda" input_stream: "x"
         output_stream: "out" output_stream: "unread"
         input_side_packet: "PROCESS:fast" }
  node { name: "end" calculator: "TestLambda" input_stream: "x" })";

absl::Status PassFirst(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

absl::Status PassSlowly(CalculatorContext* cc) {
  absl::SleepFor(absl::Milliseconds(4));
  return PassFirst(cc);
}

class CallMeterTest : public ::testing::Test {
 protected:
  CallMeterTest() : graph_(Workers{.threads = 2}, kSlowAndFast) {
    graph_.Give("slow", PassSlowly);
    graph_.Give("fast", PassFirst);
  }
  int Node(const std::string& name) {
    return graph_.graph().plan().FindNode(name);
  }

  TestGraph graph_;
  CallMeter meter_{&graph_.graph()};
};

TEST_F(CallMeterTest, KnowsNothingOfAGraphThatIsNotTraced) {
  graph_.Start();
  graph_.Add("in", 1, 1);
  graph_.Finish();
  meter_.Read();
  EXPECT_FALSE(meter_.has_events());
  EXPECT_THAT(meter_.SinkLatencies(), IsEmpty());
}

TEST_F(CallMeterTest, SumsUpCallsByNode) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  graph_.Start();
  meter_.Read();
  for (int i = 0; i < 5; ++i) {
    graph_.Add("in", i, i);
    // Calls that go on while it is read count when they end.
    meter_.Read();
  }
  graph_.Idle();
  meter_.Read();
  EXPECT_TRUE(meter_.has_events());
  const std::vector<NodeCalls> calls = meter_.Calls();
  ASSERT_THAT(calls, SizeIs(3));
  const NodeCalls& slow = calls[Node("slow")];
  EXPECT_EQ(slow.num, 5);
  EXPECT_GE(slow.total_ns, 5 * 4'000'000);
  EXPECT_GE(slow.longest_ns, 4'000'000);
  EXPECT_LE(slow.longest_ns, slow.total_ns);
  EXPECT_GT(slow.busy, 0.1);
  EXPECT_LE(slow.busy, 1.01);
  EXPECT_GT(slow.per_second, 5);
  const NodeCalls& fast = calls[Node("fast")];
  EXPECT_EQ(fast.num, 5);
  EXPECT_LT(fast.total_ns, slow.total_ns);
  graph_.Finish();
}

TEST_F(CallMeterTest, KnowsWhichNodesAreInCalls) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  absl::Notification begun;
  absl::Notification goes_on;
  graph_.Give("slow", [&](CalculatorContext* cc) {
    begun.Notify();
    goes_on.WaitForNotification();
    return PassFirst(cc);
  });
  graph_.Start();
  graph_.Add("in", 1, 1);
  begun.WaitForNotification();
  meter_.Read();
  EXPECT_THAT(meter_.NodesInCalls(), ElementsAre(Node("slow")));
  goes_on.Notify();
  graph_.Finish();
  meter_.Read();
  EXPECT_THAT(meter_.NodesInCalls(), IsEmpty());
}

TEST_F(CallMeterTest, LatenciesAreOfOutputsAndOfNodesWithoutThem) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  graph_.Start();
  for (int i = 0; i < 4; ++i) {
    graph_.Add("in", i, i);
    meter_.Read();
  }
  graph_.Finish();
  meter_.Read();
  std::vector<std::string> sinks;
  for (const SinkLatency& sink : meter_.SinkLatencies()) {
    sinks.push_back(sink.name + (sink.is_node ? " node" : " stream"));
    EXPECT_EQ(sink.num, 4) << sink.name;
    EXPECT_GE(sink.p50_ns, 4'000'000) << sink.name;
    EXPECT_LE(sink.p50_ns, sink.p99_ns);
    EXPECT_LE(sink.p99_ns, sink.longest_ns);
  }
  EXPECT_THAT(sinks, testing::UnorderedElementsAre("out stream", "end node"));
}

TEST_F(CallMeterTest, ReadsTheNewestOfWhatCameWhileNobodyLooked) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  graph_.Give("slow", PassFirst);
  graph_.Start();
  // Evenly, for a tenth of a second at least.
  const absl::Time start = absl::Now();
  int num_added = 0;
  while (num_added < 20'000 || absl::Now() - start < absl::Milliseconds(100)) {
    graph_.Add("in", num_added, 1);
    ++num_added;
  }
  graph_.Idle();
  const double rate = num_added / absl::ToDoubleSeconds(absl::Now() - start);
  meter_.Read();
  const std::vector<NodeCalls> calls = meter_.Calls();
  ASSERT_THAT(calls, SizeIs(3));
  EXPECT_GT(calls[Node("fast")].num, 100);
  EXPECT_LT(calls[Node("fast")].num, num_added);
  // The rate is that of the part that was read.
  EXPECT_GT(calls[Node("fast")].per_second, rate / 10);
  EXPECT_LT(calls[Node("fast")].per_second, rate * 10);
  // A mean of so many calls holds no time between two of them.
  EXPECT_LT(calls[Node("fast")].total_ns / calls[Node("fast")].num, 1'000'000);
  graph_.Finish();
}

TEST_F(CallMeterTest, ForgetsAnotherRun) {
  SYNCLINE_ASSERT_OK(graph_.graph().EnableFlightRecorder());
  graph_.Start();
  graph_.Add("in", 1, 1);
  graph_.Finish();
  meter_.Read();
  EXPECT_EQ(meter_.Calls()[Node("slow")].num, 1);
  meter_.Forget();
  EXPECT_EQ(meter_.Calls()[Node("slow")].num, 0);
  EXPECT_THAT(meter_.SinkLatencies(), IsEmpty());
}

}  // namespace
}  // namespace syncline
