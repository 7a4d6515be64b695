// Copyright 2025 The Acme Authors.

#include <string>
#include <utility>
#include <vector>

#include "framework/port/status_matchers.h"
#include "tools/port/testdata/ported/acme/calculators/pick_calculator.h"
#include "tools/port/testdata/ported/acme/calculators/scale_calculator.pb.h"
#include "framework/api2/builder.h"
#include "framework/api2/packet.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_runner.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/parse_text_proto.h"
#include "framework/calculator_graph.h"

namespace syncline {
namespace {

using ::syncline::IsOk;
using ::syncline::StatusIs;
using ::syncline::api2::builder::Graph;
using ::syncline::api2::builder::Stream;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(AddOffsetCalculatorTest, TakesTheOffsetFromASidePacket) {
  CalculatorRunner runner(R"pb(
    calculator: "AddOffsetCalculator"
    input_stream: "IN:in"
    input_side_packet: "OFFSET:offset"
    output_stream: "OUT:out"
    output_stream: "TEXT:text"
  )pb");
  runner.MutableSidePackets()->Tag("OFFSET") = MakePacket<float>(0.5f);
  runner.MutableInputs()->Tag("IN").packets.push_back(
      MakePacket<float>(2.0f).At(Timestamp(3)));
  ASSERT_THAT(runner.Run(), IsOk());
  EXPECT_EQ(runner.Outputs().Tag("OUT").packets[0].Get<float>(), 2.5f);
  EXPECT_EQ(runner.Outputs().Tag("TEXT").packets[0].Get<std::string>(), "2.5");
}

TEST(DescribeCalculatorTest, VisitsWhatCameIn) {
  CalculatorRunner runner(R"pb(
    calculator: "DescribeCalculator"
    input_stream: "IN:in"
    output_stream: "OUT:out"
  )pb");
  runner.MutableInputs()->Tag("IN").packets = {
      MakePacket<int>(7).At(Timestamp(0)),
      MakePacket<std::string>("seven").At(Timestamp(1))};
  SYNCLINE_ASSERT_OK(runner.Run());
  const auto& packets = runner.Outputs().Tag("OUT").packets;
  EXPECT_EQ(packets[0].Get<std::string>(), "number 7");
  EXPECT_EQ(packets[1].Get<std::string>(), "text seven");
}

TEST(BuilderTest, BuildsAGraphThatRuns) {
  Graph graph;
  Stream<float> value = graph.In("VALUE").SetName("value").Cast<float>();
  auto& scale = graph.AddNode("ScaleCalculator");
  scale.GetOptions<ScaleCalculatorOptions>().set_factor(4.0f);
  value >> scale.In("VALUE");
  auto& pick = graph.AddNode<tasks::PickNode>();
  value >> pick[tasks::PickNode::kIn][0];
  scale.Out("VALUE") >> pick[tasks::PickNode::kIn][1];
  graph.SideIn("INDEX") >> pick[tasks::PickNode::kIndex];
  pick[tasks::PickNode::kOut].SetName("picked") >> graph.Out("PICKED");

  CalculatorGraph running;
  SYNCLINE_ASSERT_OK(running.Initialize(graph.GetConfig()));
  std::vector<float> picked;
  SYNCLINE_ASSERT_OK(running.ObserveOutputStream("picked", [&](const Packet& p) {
    picked.push_back(api2::FromOldPacket(p).As<float>().Get());
    return absl::OkStatus();
  }));
  const std::string side = running.Config().input_side_packet(0);
  SYNCLINE_ASSERT_OK(running.StartRun(
      {{side.substr(side.rfind(':') + 1), MakePacket<int>(1)}}));
  for (int i = 0; i < 2; ++i) {
    SYNCLINE_ASSERT_OK(running.AddPacketToInputStream(
        "value", MakePacket<float>(i + 1.0f).At(Timestamp(i))));
  }
  SYNCLINE_ASSERT_OK(running.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(running.WaitUntilDone());
  EXPECT_THAT(picked, ElementsAre(4.0f, 8.0f));
}

TEST(BuilderTest, PrintsGoldenText) {
  Graph graph;
  auto& scale = graph.AddNode("ScaleCalculator");
  scale.GetOptions<ScaleCalculatorOptions>().set_unit("m");
  graph.In("IN") >> scale.In("VALUE");
  scale.Out("VALUE") >> graph.Out("OUT");
  const auto expected = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    node {
      calculator: "ScaleCalculator"
      input_stream: "VALUE:__stream_0"
      output_stream: "VALUE:__stream_1"
      options {
        [syncline.ScaleCalculatorOptions.ext] { unit: "m" }
      }
    }
    input_stream: "IN:__stream_0"
    output_stream: "OUT:__stream_1"
  )pb");
  EXPECT_EQ(graph.GetConfig().DebugString(), expected.DebugString());
}

TEST(PickCalculatorTest, RefusesAnIndexThatIsNotThere) {
  CalculatorRunner runner(R"pb(
    calculator: "PickCalculator"
    input_stream: "in"
    input_side_packet: "INDEX:index"
    output_stream: "out"
  )pb");
  runner.MutableSidePackets()->Tag("INDEX") = MakePacket<int>(1);
  EXPECT_THAT(runner.Run(), StatusIs(absl::StatusCode::kInternal,
                                     HasSubstr("no input 1")));
}

}  // namespace
}  // namespace syncline
