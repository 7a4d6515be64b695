#include "framework/graph/runtime_info.h"

#include <string>

#include "absl/status/statusor.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
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

}  // namespace
}  // namespace syncline
