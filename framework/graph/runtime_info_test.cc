#include "framework/graph/runtime_info.h"

#include <chrono>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/calculator/run_objects.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/device_times.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class RuntimeInfoTest : public ::testing::TestWithParam<Workers> {
 protected:
  RuntimeInfoTest() {
    graph_.Give("sum", SendSum);
    graph_.Start();
    graph_.Add("a", 10, 1);
    graph_.Add("a", 20, 1);
    graph_.Add("b", 10, 1);
    graph_.Idle();
  }
  ~RuntimeInfoTest() override { graph_.Finish(); }

  TestGraph graph_{GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "X:0:a" input_stream: "X:1:b" output_stream: "c" })"};
};
SYNCLINE_TEST_WITH_ALL_WORKERS(RuntimeInfoTest);

TEST_P(RuntimeInfoTest, ShowsQueuesAndBounds) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph_.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  EXPECT_GT(info->capture_time_unix_us(), 0);
  ASSERT_EQ(info->calculator_infos_size(), 1);
  const CalculatorRuntimeInfo& join = info->calculator_infos(0);
  EXPECT_EQ(join.calculator_name(), "join");
  ASSERT_EQ(join.input_stream_infos_size(), 2);
  EXPECT_EQ(join.input_stream_infos(0).stream_name(), "X:0:a");
  EXPECT_EQ(join.input_stream_infos(0).queue_size(), 1);
  EXPECT_EQ(join.input_stream_infos(0).number_of_packets_added(), 2);
  EXPECT_EQ(join.input_stream_infos(0).minimum_timestamp_or_bound(), 20);
  EXPECT_EQ(join.input_stream_infos(0).max_queue_size(), 100);
  EXPECT_EQ(join.input_stream_infos(0).queue_bytes(), 0);
  EXPECT_EQ(join.input_stream_infos(0).max_queue_bytes(), 0);
  EXPECT_EQ(join.input_stream_infos(1).queue_size(), 0);
  EXPECT_EQ(join.input_stream_infos(1).minimum_timestamp_or_bound(), 11);
  ASSERT_EQ(join.output_stream_infos_size(), 1);
  EXPECT_EQ(join.output_stream_infos(0).stream_name(), ":0:c");
  EXPECT_EQ(join.output_stream_infos(0).number_of_packets_added(), 1);
  EXPECT_EQ(join.output_stream_infos(0).minimum_timestamp_or_bound(), 11);
}

TEST_P(RuntimeInfoTest, CarriesWhyTheGraphStandsStill) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph_.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  EXPECT_THAT(info->standstill(),
              StartsWith("\"join\" waits for stream \"b\" up to 20, and the "
                         "application"));
}

TEST_P(RuntimeInfoTest, ExplainsWhatANodeWaitsFor) {
  const std::string text = graph_.graph().Explain();
  EXPECT_THAT(text, HasSubstr("\"join\""));
  EXPECT_THAT(text, HasSubstr("\"a\" (1 packet)"));
  EXPECT_THAT(text, HasSubstr("waits for stream \"b\", whose bound is 11, to "
                              "pass 20; it comes from the application"));
}

TEST(RuntimeInfoOfARunTest, ARunThatIsOverStandsNotStill) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig(R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_stream: "a" })")));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  graph.Cancel();
  EXPECT_FALSE(graph.WaitUntilDone().ok());
  const absl::StatusOr<GraphRuntimeInfo> info = graph.GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  EXPECT_EQ(info->standstill(), "");
}

class RuntimeInfoBytesTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(RuntimeInfoBytesTest);

TEST_P(RuntimeInfoBytesTest, BytesAreShownWhereTheyAreLimited) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: -1 max_queue_bytes: 8
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" name: "join"
           input_stream: "X:0:a" input_stream: "X:1:b" })");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  absl::StatusOr<GraphRuntimeInfo> info = graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  const InputStreamRuntimeInfo& one =
      info->calculator_infos(0).input_stream_infos(0);
  EXPECT_EQ(one.queue_bytes(), sizeof(int));
  EXPECT_EQ(one.max_queue_size(), 0) << "none";
  EXPECT_EQ(one.max_queue_bytes(), 8);
  // Full queues that block each other are given room.
  graph.Add("a", 20, 1);
  graph.Idle();
  info = graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  const InputStreamRuntimeInfo& two =
      info->calculator_infos(0).input_stream_infos(0);
  EXPECT_EQ(two.queue_bytes(), 2 * sizeof(int));
  EXPECT_GT(two.max_queue_bytes(), 8);
  graph.Finish();
}

class RuntimeInfoTimesTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(RuntimeInfoTimesTest);

// Two nodes whose calls take 2 ms each, and the first of which reports work of
// a device.
void RunTwo(TestGraph* graph) {
  const auto sleep = [](CalculatorContext*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return absl::OkStatus();
  };
  graph->Give("report", [sleep](CalculatorContext* cc) {
    DeviceTimes* const times = cc->environment().objects().device_times();
    times->Add({.node_id = cc->NodeId(),
                .timestamp = cc->InputTimestamp().Value(),
                .begin_ns = 1'000'000,
                .end_ns = 4'500'000});
    return sleep(cc);
  });
  graph->Give("sleep", sleep);
  graph->Start();
  graph->Add("a", 1, 1);
  graph->Add("a", 2, 1);
  graph->Idle();
}

constexpr char kTwoNodes[] = R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:report"
           input_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sleep"
           input_stream: "a" })";

TEST_P(RuntimeInfoTimesTest, HasTheTimesOnTheHostAndOnDevices) {
  TestGraph graph(GetParam(),
                  absl::StrCat("runtime_info { enable_graph_runtime_info: true "
                               "capture_period_msec: 100000 }",
                               kTwoNodes));
  RunTwo(&graph);
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  EXPECT_GE(info->calculator_infos(0).host_time_us(), 4000);
  EXPECT_EQ(info->calculator_infos(0).device_time_us(), 7000);
  EXPECT_EQ(info->calculator_infos(0).number_of_device_calls(), 2);
  EXPECT_GE(info->calculator_infos(1).host_time_us(), 4000);
  EXPECT_EQ(info->calculator_infos(1).device_time_us(), 0);
  EXPECT_EQ(info->calculator_infos(1).number_of_device_calls(), 0);
  graph.Finish();
}

TEST_P(RuntimeInfoTimesTest, CallsAreNotTimedUnlessTheGraphAsks) {
  TestGraph graph(GetParam(), kTwoNodes);
  RunTwo(&graph);
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  EXPECT_EQ(info->calculator_infos(0).host_time_us(), 0);
  graph.Finish();
}

}  // namespace
}  // namespace syncline
