// The harness runs a graph under all workers, at once or step by step, and says
// what went wrong.
#include "testing/graph_harness.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kJoin[] = R"pb(
  input_stream: "a"
  input_stream: "b"
  node {
    calculator: "SumCalculator"
    input_stream: "a"
    input_stream: "b"
    output_stream: "sum"
  })pb";

class GraphHarnessTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphHarnessTest);

TEST_P(GraphHarnessTest, RunsAGraphOnLiteralInputsAsOftenAsOneLikes) {
  GraphHarness graph(kJoin, GetParam());
  graph.Feed("a", {{0, 1}, {10, 2}});
  graph.Feed("b", {{10, 20}, {20, 30}});
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.Run());
    graph.Expect("sum", {{0, 1}, {10, 22}, {20, 30}});
  }
}

TEST_P(GraphHarnessTest, GoesStepByStep) {
  GraphHarness graph(kJoin, GetParam());
  graph.CollectBounds("sum");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{0, 1}});
  graph.Idle();
  graph.Expect("sum", {});
  graph.SetBound("b", 1);
  graph.Idle();
  graph.Expect("sum", {{0, 1}});
  // Goes back, which ends the run.
  EXPECT_EQ(graph.Add("b", 0, 7).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(graph.Finish().code(), absl::StatusCode::kInvalidArgument);
}

TEST_P(GraphHarnessTest, DestroysARunningGraph) {
  GraphHarness graph(kJoin, GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{0, 1}});
  graph.Destroy();
}

TEST(GraphHarnessErrorTest, TextThatDoesNotParseIsAnErrorOfStart) {
  GraphHarness graph("nodes {}");
  EXPECT_FALSE(graph.Start().ok());
  EXPECT_THAT(graph.Run().message(), HasSubstr("nodes"));
}

TEST(GraphHarnessErrorTest, AFailureShowsTimelines) {
  static GraphHarness* const graph = new GraphHarness(kJoin);
  graph->Feed("a", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph->Run());
  EXPECT_NONFATAL_FAILURE(graph->Expect("sum", {{0, 2}}),
                          "     0\n"
                          "a    1\n"
                          "sum  1\n");
  delete graph;
}

}  // namespace
}  // namespace syncline
