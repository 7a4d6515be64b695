// What comes before what: side packets and headers that a node needs before it
// opens, source layers, priorities, and the executor that a node runs on.

#include <pthread.h>

#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class GraphOrderTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphOrderTest);

// --- Side packets

TEST_P(GraphOrderTest, ANodeOpensWhenItsSidePacketsAreThere) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:set"
           input_stream: "a" output_side_packet: "size" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:use"
           input_side_packet: "size"
           input_stream: "a" output_stream: "b" })");
  graph.Give("set", [](CalculatorContext* cc) {
    if (cc->InputTimestamp() == Timestamp(2)) {
      cc->OutputSidePackets().Index(0).Set(MakePacket<int>(100));
    }
    return absl::OkStatus();
  });
  graph.Give("use", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->InputSidePackets().Index(0).Get<int>() +
                        cc->Inputs().Index(0).Get<int>())
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Observe("b");
  graph.Start();
  graph.Add("a", 1, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("b"), "");
  EXPECT_EQ(graph.graph().GetOutputSidePacket("size").status().code(),
            absl::StatusCode::kUnavailable);
  graph.Add("a", 2, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("b"), "1:101 2:102");
  graph.Finish();
  EXPECT_EQ(graph.graph().GetOutputSidePacket("size")->Get<int>(), 100);
}

TEST_P(GraphOrderTest, ANodeWithoutStreamsIsNotOpenedAgainForEqualInputs) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "OPEN:open"
           input_side_packet: "in" output_side_packet: "out" })");
  std::atomic<int> opened{0};
  graph.Give("open", [&](CalculatorContext* cc) {
    ++opened;
    cc->OutputSidePackets().Index(0).Set(
        MakePacket<int>(2 * cc->InputSidePackets().Index(0).Get<int>()));
    return absl::OkStatus();
  });
  graph.Give("in", MakePacket<int>(4));
  SYNCLINE_EXPECT_OK(graph.Run());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(graph.graph().GetOutputSidePacket("out")->Get<int>(), 8);
  graph.Give("in", MakePacket<int>(5));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(opened, 2);
  EXPECT_EQ(graph.graph().GetOutputSidePacket("out")->Get<int>(), 10);
}

// --- Order

TEST_P(GraphOrderTest, SourcesRunLayerByLayer) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:second"
           output_stream: "a" source_layer: 1 }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:first"
           output_stream: "b" source_layer: 0 })");
  std::atomic<int> first{0};
  graph.Give("first", [&, count = CountTo(20)](CalculatorContext* cc) {
    ++first;
    return count(cc);
  });
  graph.Give("second", [&, count = CountTo(20)](CalculatorContext* cc) {
    EXPECT_EQ(first, 22) << "the first layer has not ended";
    return count(cc);
  });
  SYNCLINE_EXPECT_OK(graph.Run());
}

// Seeds take the place of priorities.
class OneThreadTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ONE_THREAD(OneThreadTest);

TEST_P(OneThreadTest, RunsWhatIsNearestToTheOutputs) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:one"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:two"
           input_stream: "a" output_stream: "c" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:three"
           input_stream: "b" output_stream: "d" })");
  std::string order;
  graph.Give("count", [&, count = CountTo(1)](CalculatorContext* cc) {
    order += "s";
    return count(cc);
  });
  const auto note = [&](const char* name) {
    return [&order, name](CalculatorContext* cc) {
      order += name;
      return SendSum(cc);
    };
  };
  graph.Give("one", note("1"));
  graph.Give("two", note("2"));
  graph.Give("three", note("3"));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(order, "s213s213s");
}

TEST_P(GraphOrderTest, HeadersAreThereWhenANodeOpens) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_side_packet: "OPEN:set"
           input_stream: "in" output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "OPEN:get"
           input_stream: "a" output_stream: "b" })");
  graph.Give("set", [](CalculatorContext* cc) {
    EXPECT_EQ(cc->Inputs().Index(0).Header().Get<int>(), 1);
    cc->Outputs().Index(0).SetHeader(MakePacket<int>(2));
    return absl::OkStatus();
  });
  std::atomic<int> header{0};
  graph.Give("get", [&](CalculatorContext* cc) {
    header = cc->Inputs().Index(0).Header().Get<int>();
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.StartWithHeaders({{"in", MakePacket<int>(1)}}));
  graph.Finish();
  EXPECT_EQ(header, 2);
}

TEST_P(GraphOrderTest, NodesRunOnTheExecutorsTheyName) {
  TestGraph graph(GetParam(), R"(
    executor { name: "other" type: "ThreadPoolExecutor"
               options { [syncline.ThreadPoolExecutorOptions.ext] {
                 num_threads: 2 thread_name_prefix: "other" } } }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:there"
           executor: "other" input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "b" output_stream: "c" })");
  graph.Give("count", CountTo(500));
  graph.Give("there", [](CalculatorContext* cc) {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof(name));
    if (!GetParam().is_seeded()) {  // a seed runs it all on one thread
      EXPECT_THAT(std::string(name), ::testing::StartsWith("other"));
    }
    return SendSum(cc);
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("c"), 501);
}

}  // namespace
}  // namespace syncline
