// Copyright 2023 The Acme Authors.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mediapipe/acme/calculators/label_service.h"
#include "mediapipe/acme/calculators/scale_calculator.pb.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/port/file_helpers.h"
#include "mediapipe/framework/port/gmock.h"
#include "mediapipe/framework/port/gtest.h"
#include "mediapipe/framework/port/parse_text_proto.h"
#include "mediapipe/framework/port/status_matchers.h"
#include "mediapipe/framework/thread_pool_executor.h"

namespace mediapipe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CalculatorGraphConfig LoadMainGraph() {
  std::string text;
  MP_EXPECT_OK(file::GetContents("mediapipe/acme/graphs/main_graph.pbtxt", &text));
  return ParseTextProtoOrDie<CalculatorGraphConfig>(text);
}

TEST(AcmeGraphTest, RunsThroughSubgraphsOfBothKinds) {
  CalculatorGraph graph;
  MP_ASSERT_OK(graph.Initialize(LoadMainGraph()));
  MP_ASSERT_OK_AND_ASSIGN(OutputStreamPoller poller,
                          graph.AddOutputStreamPoller("result"));
  MP_ASSERT_OK(graph.StartRun({}));
  for (int i = 1; i <= 3; ++i) {
    MP_ASSERT_OK(graph.AddPacketToInputStream(
        "value", MakePacket<float>(i).At(Timestamp(i * 1000))));
  }
  MP_ASSERT_OK(graph.CloseAllInputStreams());
  std::vector<float> results;
  Packet packet;
  while (poller.Next(&packet)) results.push_back(packet.Get<float>());
  EXPECT_THAT(results, ElementsAre(1500.0f, 3000.0f, 4500.0f));
  MP_EXPECT_OK(graph.WaitUntilDone());
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
  MP_ASSERT_OK(graph.ObserveOutputStream("result", [&received](const Packet& p) {
    received.push_back(p);
    return absl::OkStatus();
  }));
  for (int run = 0; run < 2; ++run) {
    received.clear();
    MP_ASSERT_OK(graph.StartRun({}));
    MP_ASSERT_OK(graph.AddPacketToInputStream(
        "value", MakePacket<float>(1.0f).At(Timestamp::FromSeconds(0.5))));
    MP_ASSERT_OK(graph.WaitUntilIdle());
    EXPECT_EQ(received.size(), 1);
    MP_ASSERT_OK(graph.CloseInputStream("value"));
    MP_ASSERT_OK(graph.WaitUntilDone());
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
  MP_ASSERT_OK(
      graph.SetExecutor("own", std::make_shared<ThreadPoolExecutor>(1)));
  MP_ASSERT_OK(graph.Initialize(config));
  MP_ASSERT_OK(graph.StartRun({{"text", MakePacket<std::string>("2.5")}}));
  MP_ASSERT_OK(graph.AddPacketToInputStream(
      "value", MakePacket<float>(4.0f).At(Timestamp(1))));
  MP_ASSERT_OK(graph.CloseAllPacketSources());
  MP_ASSERT_OK(graph.WaitUntilDone());
  ASSERT_EQ(dumped.size(), 1);
  EXPECT_EQ(dumped[0].Get<float>(), 10.0f);
  MP_ASSERT_OK_AND_ASSIGN(Packet count, graph.GetOutputSidePacket("count"));
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
      options { [mediapipe.ScaleCalculatorOptions.ext] { factor: 0 } }
    }
  )pb");
  CalculatorGraph graph;
  MP_ASSERT_OK(graph.Initialize(config));
  MP_ASSERT_OK(graph.StartRun({}));
  MP_ASSERT_OK(graph.AddPacketToInputStream(
      "value", MakePacket<float>(4.0f).At(Timestamp(1))));
  const absl::Status status = graph.WaitUntilDone();
  EXPECT_THAT(status.message(), HasSubstr("mediapipe::Graph failed"));
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
  MP_ASSERT_OK(graph.SetServiceObject(kLabelService, statistics));
  MP_ASSERT_OK(graph.Initialize(config));
  MP_ASSERT_OK(graph.StartRun({}));
  MP_ASSERT_OK(graph.AddPacketToInputStream(
      "index", MakePacket<int>(3).At(Timestamp::Min() + 1)));
  MP_ASSERT_OK(graph.WaitUntilIdle());
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
            "options { [mediapipe.ScaleCalculatorOptions.ext] { factor: 1 } }");
  EXPECT_EQ(ScaleCalculatorOptions().GetTypeName(),
            "mediapipe.ScaleCalculatorOptions");
  EXPECT_THAT(MakePacket<ScaleCalculatorOptions>().DebugTypeName(),
              HasSubstr("mediapipe::ScaleCalculatorOptions"));
}

}  // namespace
}  // namespace mediapipe
