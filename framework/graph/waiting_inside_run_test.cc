// A call of the run that waits for the run would wait for itself.

#include <string>

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/workers.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kSum[] = R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "b" })";

class WaitingInsideRunTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(WaitingInsideRunTest);

TEST_P(WaitingInsideRunTest, AnObserverCannotWaitForItsRun) {
  using Wait = absl::Status (CalculatorGraph::*)();
  for (const Wait wait :
       {&CalculatorGraph::WaitUntilIdle, &CalculatorGraph::WaitUntilDone,
        &CalculatorGraph::WaitForObservedOutput}) {
    TestGraph graph(GetParam(), kSum);
    graph.Give("sum", SendSum);
    SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
        "b", [&](const Packet&) { return (graph.graph().*wait)(); }));
    graph.Start();
    graph.Add("a", 1, 1);
    const absl::Status status = graph.FinishWithStatus();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("would wait for itself"));
  }
}

TEST_P(WaitingInsideRunTest, ACalculatorMayWaitForAnotherGraph) {
  TestGraph graph(GetParam(), kSum);
  graph.Give("sum", [&](CalculatorContext* cc) {
    TestGraph inner(GetParam(), kSum);
    inner.Give("sum", SendSum);
    inner.Start();
    inner.Add("a", 1, cc->Inputs().Index(0).Get<int>());
    SYNCLINE_EXPECT_OK(inner.graph().WaitUntilIdle());
    SYNCLINE_EXPECT_OK(inner.FinishWithStatus());
    return SendSum(cc);
  });
  graph.Observe("b");
  graph.Start();
  graph.Add("a", 1, 7);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  graph.Finish();
  EXPECT_EQ(graph.Seen("b"), "1:7");
}

}  // namespace
}  // namespace syncline
