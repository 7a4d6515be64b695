// What holds packets back and what keeps them in order: back-pressure, calls
// that overlap, side packets, source layers, several executors.

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class GraphFlowTest : public ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Threads, GraphFlowTest, ::testing::Values(0, 1, 2, 8));

// --- Back-pressure

TEST_P(GraphFlowTest, AFullQueuePausesItsSource) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 3
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:slow"
           input_stream: "a" output_stream: "b" })");
  std::atomic<int> sent{0};
  std::atomic<int> taken{0};
  std::atomic<int> most{0};
  graph.Give("count", [&, count = CountTo(200)](CalculatorContext* cc) {
    ++sent;
    return count(cc);
  });
  graph.Give("slow", [&](CalculatorContext* cc) {
    most = std::max<int>(most, sent - taken);
    ++taken;
    return SendSum(cc);
  });
  graph.Observe("b");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(taken, 201);
  // Three in the queue, one taken out of it, one on its way.
  EXPECT_LE(most, 6);
}

TEST_P(GraphFlowTest, AddIfNotFullRefusesAndLosesNothing) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 2
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:block"
           input_stream: "b" })");
  std::atomic<bool> may_go{GetParam() == 0};
  graph.Give("sum", SendSum);
  // Keeps the graph busy, so that it does not find itself in a deadlock.
  graph.Give("block", [&](CalculatorContext*) {
    while (!may_go) absl::SleepFor(absl::Milliseconds(1));
    return absl::OkStatus();
  });
  graph.graph().SetGraphInputStreamAddMode(
      CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
  graph.Observe("c");
  graph.Start();
  graph.Add("b", 0, 1);
  int accepted = 0;
  absl::Status status;
  for (int i = 1; i < 100 && status.ok(); ++i) {
    status = graph.graph().AddPacketToInputStream(
        "a", MakePacket<int>(i).At(Timestamp(i)));
    if (status.ok()) ++accepted;
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("Graph is throttled."));
  EXPECT_GE(accepted, 2);
  may_go = true;
  graph.Close("b");
  graph.Finish();
  EXPECT_EQ(graph.Count("c"), accepted + 1);
}

TEST_P(GraphFlowTest, ReportsADeadlockWhereAskedTo) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 2 report_deadlock: true
    input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("count", CountTo(100));
  graph.Give("sum", SendSum);
  graph.Start();
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(),
              HasSubstr("Detected a deadlock due to input throttling"));
  EXPECT_THAT(status.message(), HasSubstr("\"join\""));
  EXPECT_THAT(status.message(), HasSubstr("\"b\""));
  EXPECT_THAT(status.message(), HasSubstr("report_deadlock"));
}

TEST_P(GraphFlowTest, QueuesGrowWhereADetourNeedsIt) {
  // The join gets nothing from the detour until 20 packets went in.
  TestGraph graph(GetParam(), R"(
    max_queue_size: 2
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:late"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("count", CountTo(59));
  graph.Give("late", [](CalculatorContext* cc) {
    if (cc->InputTimestamp().Value() % 20 == 19) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(1000).At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("c"), 60);
}

TEST_P(GraphFlowTest, APollerWithALimitHoldsTheSourceBack) {
  if (GetParam() == 0) return;
  TestGraph graph(GetParam(), R"(
    max_queue_size: 1
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" })");
  graph.Give("count", CountTo(1000));
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(3);
  graph.Start();
  absl::SleepFor(absl::Milliseconds(20));
  EXPECT_LE(poller->QueueSize(), 4);
  int count = 0;
  Packet packet;
  while (poller->Next(&packet)) {
    EXPECT_EQ(packet.Get<int>(), count);
    ++count;
  }
  EXPECT_EQ(count, 1001);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
}

// --- Overlapping calls

TEST_P(GraphFlowTest, ResultsOfOverlappingCallsComeInTheOrderOfInputs) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:uneven"
           max_in_flight: 4 input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:check"
           input_stream: "b" })");
  graph.Give("count", CountTo(400));
  graph.Give("uneven", [](CalculatorContext* cc) {
    if (cc->InputTimestamp().Value() % 7 == 0) {
      absl::SleepFor(absl::Microseconds(300));
    }
    return SendSum(cc);
  });
  std::atomic<int> next{0};
  graph.Give("check", [&](CalculatorContext* cc) {
    EXPECT_EQ(cc->Inputs().Index(0).Get<int>(), next.fetch_add(1));
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(next, 401);
}

TEST_P(GraphFlowTest, CallsDoOverlap) {
  if (GetParam() < 2) return;
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:meet"
           max_in_flight: 2 input_stream: "a" output_stream: "b" })");
  graph.Give("count", CountTo(1));
  std::atomic<int> inside{0};
  graph.Give("meet", [&](CalculatorContext*) {
    ++inside;
    while (inside < 2) absl::SleepFor(absl::Milliseconds(1));
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
}

// --- Determinism

TEST_P(GraphFlowTest, DeterministicRefusesWhatDependsOnTheSchedule) {
  const auto initialize = [](const std::string& node) {
    CalculatorGraph graph;
    return graph.Initialize(TestConfig(
        GetParam(), absl::StrCat("deterministic: true input_stream: 'a' ",
                                 "input_stream: 'b' node { name: 'it' ", node,
                                 " input_stream: 'A:a' input_stream: 'B:b' "
                                 "output_stream: 'c' }")));
  };
  SYNCLINE_EXPECT_OK(initialize("calculator: 'TestLambda'"));
  SYNCLINE_EXPECT_OK(
      initialize("calculator: 'TestLambda' input_stream_handler { "
                 "input_stream_handler: 'BarrierInputStreamHandler' }"));
  for (const char* const node :
       {"calculator: 'TestLambda' input_stream_handler { "
        "input_stream_handler: 'ImmediateInputStreamHandler' }",
        "calculator: 'TestLambda' input_stream_handler { "
        "input_stream_handler: 'FixedSizeInputStreamHandler' }",
        "calculator: 'TestLambda' input_stream_handler { "
        "input_stream_handler: 'SyncSetInputStreamHandler' options { "
        "[syncline.SyncSetInputStreamHandlerOptions.ext] { "
        "sync_set { tag_index: 'A' } sync_set { tag_index: 'B' } } } }",
        "calculator: 'TestLambdaBounds'"}) {
    const absl::Status status = initialize(node);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << node;
    EXPECT_THAT(status.message(), HasSubstr("\"it\" (TestLambda"));
    EXPECT_THAT(status.message(), HasSubstr("deterministic: true"));
  }
}

// --- Side packets

TEST_P(GraphFlowTest, ANodeOpensWhenItsSidePacketsAreThere) {
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

TEST_P(GraphFlowTest, ANodeWithoutStreamsIsNotOpenedAgainForEqualInputs) {
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

TEST_P(GraphFlowTest, SourcesRunLayerByLayer) {
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

TEST_P(GraphFlowTest, OneThreadRunsWhatIsNearestToTheOutputs) {
  if (GetParam() > 1) return;
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

TEST_P(GraphFlowTest, HeadersAreThereWhenANodeOpens) {
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

TEST_P(GraphFlowTest, NodesRunOnTheExecutorsTheyName) {
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
    EXPECT_THAT(std::string(name), ::testing::StartsWith("other"));
    return SendSum(cc);
  });
  graph.Give("sum", SendSum);
  graph.Observe("c");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("c"), 501);
}

TEST_P(GraphFlowTest, ManyThreadsMayFeedOneGraph) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })");
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  std::vector<std::thread> feeders;
  for (const char* const stream : {"a", "b"}) {
    feeders.emplace_back([&graph, stream] {
      for (int i = 0; i < 300; ++i) graph.Add(stream, i, 1);
    });
  }
  for (std::thread& feeder : feeders) feeder.join();
  graph.Finish();
  EXPECT_EQ(graph.Count("c"), 300);
}

TEST_P(GraphFlowTest, ABusyShortCallThatBlocksDoesNotKeepOthersWaiting) {
  if (GetParam() < 2) return;
  // The first call of "blocker" that is not short waits for "opener", which is
  // queued behind it: a second thread has to come for that.
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:opener"
           input_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:blocker"
           input_stream: "a" })");
  graph.Give("count", CountTo(2000));
  std::atomic<int> opened{-1};
  graph.Give("opener", [&](CalculatorContext* cc) {
    opened = static_cast<int>(cc->InputTimestamp().Value());
    return absl::OkStatus();
  });
  graph.Give("blocker", [&](CalculatorContext* cc) {
    if (cc->InputTimestamp() == Timestamp(1500)) {
      while (opened < 1500) absl::SleepFor(absl::Milliseconds(1));
    }
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
}

}  // namespace
}  // namespace syncline
