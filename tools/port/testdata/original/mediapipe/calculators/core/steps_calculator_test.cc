// Copyright 2023 The Acme Authors.

#include "absl/log/check.h"
#include "absl/log/log.h"
#include "mediapipe/calculators/core/gate_calculator.pb.h"
#include "mediapipe/calculators/core/packet_thinner_calculator.pb.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/calculator_runner.h"
#include "mediapipe/framework/port/gmock.h"
#include "mediapipe/framework/port/gtest.h"
#include "mediapipe/framework/port/parse_text_proto.h"
#include "mediapipe/framework/port/status_matchers.h"

namespace mediapipe {
namespace {

TEST(CorpusStepsCalculatorTest, CountsTheStepsOfWhatTheGateLetsThrough) {
  CalculatorGraphConfig config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "GateCalculator"
      input_stream: "in"
      output_stream: "allowed"
      options {
        [mediapipe.GateCalculatorOptions.ext] { allow: true }
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
  MP_ASSERT_OK(graph.Initialize(config));
  MP_ASSERT_OK(graph.StartRun({}));
  for (int64 t : {2, 5, 9}) {
    MP_ASSERT_OK(
        graph.AddPacketToInputStream("in", MakePacket<int>(1).At(Timestamp(t))));
  }
  MP_ASSERT_OK(graph.CloseAllInputStreams());
  MP_ASSERT_OK(graph.WaitUntilDone());
  CHECK_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[2].Get<int64>(), 4);
  EXPECT_EQ(texts[1].Get<std::string>(), "step 3");
}

TEST(CorpusStepsCalculatorTest, NamesTypesOfUnnamedNamespaces) {
  struct Hidden {};
  const Packet packet = MakePacket<Hidden>();
  EXPECT_THAT(packet.DebugTypeName(),
              testing::HasSubstr("mediapipe::(anonymous namespace)::"));
}

}  // namespace
}  // namespace mediapipe
