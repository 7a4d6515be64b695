// Copyright 2023 The Acme Authors.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/port/testdata/ported/acme/calculators/label_service.h"
#include "tools/port/testdata/ported/acme/calculators/scale_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/port/file_helpers.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/thread_pool_executor.h"
#include "framework/calculator_graph.h"
#include "framework/output_stream_poller.h"
#include "framework/tool/sink.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CalculatorGraphConfig LoadMainGraph() {
  std::string text;
  SYNCLINE_EXPECT_OK(file::GetContents("tools/port/testdata/ported/acme/graphs/main_graph.pbtxt", &text));
  return ParseTextProtoOrDie<CalculatorGraphConfig>(text);
}

TEST(AcmeGraphTest, RunsThroughSubgraphsOfBothKinds) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(LoadMainGraph()));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(OutputStreamPoller poller,
                          graph.AddOutputStreamPoller("result"));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 1; i <= 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "value", MakePacket<float>(i).At(Timestamp(i * 1000))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  std::vector<float> results;
  Packet packet;
  while (poller.Next(&packet)) results.push_back(packet.Get<float>());
  EXPECT_THAT(results, ElementsAre(1500.0f, 3000.0f, 4500.0f));
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  std::map<std::string, int64_t> counters;
  for (const auto& [name, value] :
       graph.GetCounterFactory()->GetCounterSet()->GetCountersValues()) {
    counters[name] = value;
  }
  EXPECT_EQ(counters.size(), 4);
}

TEST(AcmeGraphTest, RunsAgainAfterTheFirstTime) {
  CalculatorGraph graph(LoadMainGraph());
  std::vector<Packet> received;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("result", [&received](const Packet& p) {
    received.push_back(p);
    return absl::OkStatus();
  }));
  for (int run = 0; run < 2; ++run) {
    received.clear();
    SYNCLINE_ASSERT_OK(graph.StartRun({}));
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "value", MakePacket<float>(1.0f).At(Timestamp::FromSeconds(0.5))));
    SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
    EXPECT_EQ(received.size(), 1);
    SYNCLINE_ASSERT_OK(graph.CloseInputStream("value"));
    SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  }
}

TEST(AcmeGraphTest, TakesSidePacketsFromAGenerator) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "value"
    input_side_packet: "text"
    executor { name: "own" }
    packet_generator {
      packet_generator: "FactorPacketGenerator"
      input_side_packet: "TEXT:text"
      output_side_packet: "FACTOR:factor"
    }
    status_handler { status_handler: "ExpectOkStatusHandler" }
    node {
      calculator: "ScaleCalculator"
      input_stream: "VALUE:value"
      output_stream: "VALUE:scaled"
      input_side_packet: "FACTOR:factor"
      output_side_packet: "COUNT:count"
      executor: "own"
    }
  )pb");
  std::vector<Packet> dumped;
  tool::AddVectorSink("scaled", &config, &dumped);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.SetExecutor("own", std::make_shared<ThreadPoolExecutor>(1)));
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.StartRun({{"text", MakePacket<std::string>("2.5")}}));
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
      "value", MakePacket<float>(4.0f).At(Timestamp(1))));
  SYNCLINE_ASSERT_OK(graph.CloseAllPacketSources());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  ASSERT_EQ(dumped.size(), 1);
  EXPECT_EQ(dumped[0].Get<float>(), 10.0f);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(Packet count, graph.GetOutputSidePacket("count"));
  EXPECT_EQ(count.Get<int>(), 1);
}

TEST(AcmeGraphTest, HandlesTheStatusOfAFailedRun) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "value"
    status_handler { status_handler: "ExpectOkStatusHandler" }
    node {
      calculator: "ScaleCalculator"
      input_stream: "VALUE:value"
      output_stream: "VALUE:scaled"
      options { [syncline.ScaleCalculatorOptions.ext] { factor: 0 } }
    }
  )pb");
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
      "value", MakePacket<float>(4.0f).At(Timestamp(1))));
  const absl::Status status = graph.WaitUntilDone();
  EXPECT_THAT(status.message(), HasSubstr("syncline::Graph failed"));
}

TEST(AcmeGraphTest, GivesServicesToCalculators) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "index"
    node {
      calculator: "LabelCalculator"
      input_stream: "INDEX:index"
      output_stream: "LABEL:label"
    }
  )pb");
  auto statistics = std::make_shared<LabelStatistics>();
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetServiceObject(kLabelService, statistics));
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
      "index", MakePacket<int>(3).At(Timestamp::Min() + 1)));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  EXPECT_EQ(statistics->asked(), 1);
  graph.Cancel();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST(AcmeGraphTest, PrintsTheNamesOfItsTypes) {
  CalculatorGraphConfig::Node node;
  node.mutable_options()
      ->MutableExtension(ScaleCalculatorOptions::ext)
      ->set_factor(1.0f);
  EXPECT_EQ(node.ShortDebugString(),
            "options { [syncline.ScaleCalculatorOptions.ext] { factor: 1 } }");
  EXPECT_EQ(ScaleCalculatorOptions().GetTypeName(),
            "syncline.ScaleCalculatorOptions");
  EXPECT_THAT(MakePacket<ScaleCalculatorOptions>().DebugTypeName(),
              HasSubstr("syncline::ScaleCalculatorOptions"));
}

}  // namespace
}  // namespace syncline
