// Copyright 2023 The Acme Authors.

#include "glog/logging.h"
#include "calculators/core/gate_calculator.pb.h"
#include "calculators/core/packet_thinner_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_runner.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/calculator_graph.h"
#include "framework/port/integral_types.h"
#include "framework/tool/sink.h"

namespace syncline {
namespace {

TEST(CorpusStepsCalculatorTest, CountsTheStepsOfWhatTheGateLetsThrough) {
  CalculatorGraphConfig config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "GateCalculator"
      input_stream: "in"
      output_stream: "allowed"
      options {
        [syncline.GateCalculatorOptions.ext] { allow: true }
      }
    }
    node {
      calculator: "PassThroughCalculator"
      input_stream: "allowed"
      output_stream: "passed"
    }
    node {
      calculator: "CorpusStepsCalculator"
      input_stream: "passed"
      output_stream: "steps"
      output_stream: "TEXT:text"
    }
  )pb");
  std::vector<Packet> steps, texts;
  tool::AddVectorSink("steps", &config, &steps);
  tool::AddVectorSink("text", &config, &texts);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(config));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int64 t : {2, 5, 9}) {
    SYNCLINE_ASSERT_OK(
        graph.AddPacketToInputStream("in", MakePacket<int>(1).At(Timestamp(t))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  CHECK_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[2].Get<int64>(), 4);
  EXPECT_EQ(texts[1].Get<std::string>(), "step 3");
}

TEST(CorpusStepsCalculatorTest, NamesTypesOfUnnamedNamespaces) {
  struct Hidden {};
  const Packet packet = MakePacket<Hidden>();
  EXPECT_THAT(packet.DebugTypeName(),
              testing::HasSubstr("syncline::(anonymous namespace)::"));
}

}  // namespace
}  // namespace syncline
