// Copyright 2023 The Acme Authors.

#include <memory>
#include <string>
#include <vector>

#include "absl/log/absl_check.h"
#include "absl/strings/string_view.h"
#include "mediapipe/acme/calculators/label_service.h"
#include "mediapipe/acme/calculators/scale_calculator.pb.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/calculator_runner.h"
#include "mediapipe/framework/port/gmock.h"
#include "mediapipe/framework/port/gtest.h"
#include "mediapipe/framework/port/parse_text_proto.h"
#include "mediapipe/framework/port/status_matchers.h"

namespace mediapipe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<CalculatorRunner> ScaleRunner() {
  return std::make_unique<CalculatorRunner>(
      ParseTextProtoOrDie<CalculatorGraphConfig::Node>(R"pb(
        calculator: "ScaleCalculator"
        input_stream: "VALUE:value"
        output_stream: "VALUE:scaled"
        output_stream: "TEXT:text"
        output_side_packet: "COUNT:count"
        options {
          [mediapipe.ScaleCalculatorOptions.ext] { factor: 3.0 }
        }
      )pb"));
}

TEST(ScaleCalculatorTest, ScalesEachValue) {
  auto runner = ScaleRunner();
  for (int i = 0; i < 3; ++i) {
    runner->MutableInputs()->Tag("VALUE").packets.push_back(
        MakePacket<float>(i).At(Timestamp(i)));
  }
  MP_ASSERT_OK(runner->Run());
  std::vector<float> values;
  for (const Packet& packet : runner->Outputs().Tag("VALUE").packets) {
    values.push_back(packet.Get<float>());
    EXPECT_EQ(packet.Timestamp().Value(), values.size() - 1);
  }
  EXPECT_THAT(values, ElementsAre(0.0f, 3.0f, 6.0f));
  EXPECT_EQ(runner->Outputs().Tag("TEXT").packets[1].Get<std::string>(),
            "3 mediapipe units");
  EXPECT_EQ(runner->OutputSidePackets().Tag("COUNT").Get<int>(), 3);
  EXPECT_EQ(runner->GetCounter("ScaleCalculator-scaled")->Get(), 3);
}

TEST(ScaleCalculatorTest, RefusesAFactorOfZero) {
  CalculatorGraphConfig::Node node;
  node.set_calculator("ScaleCalculator");
  node.add_input_stream("VALUE:value");
  node.add_output_stream("VALUE:scaled");
  node.mutable_options()
      ->MutableExtension(mediapipe::ScaleCalculatorOptions::ext)
      ->set_factor(0.0f);
  CalculatorRunner runner(node);
  runner.MutableInputs()->Tag("VALUE").packets.push_back(
      Adopt(new float(1.0f)).At(Timestamp(0)));
  EXPECT_THAT(runner.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("is zero")));
}

TEST(WindowCalculatorTest, KeepsTheLastValues) {
  CalculatorRunner runner(R"pb(
    calculator: "IntWindowCalculator"
    input_stream: "value"
    output_stream: "window"
    input_side_packet: "SIZE:size"
  )pb");
  runner.MutableSidePackets()->Tag("SIZE") = MakePacket<int>(2);
  for (int i : {1, 2, 3}) {
    runner.MutableInputs()->Index(0).packets.push_back(
        MakePacket<int>(i).At(Timestamp(i)));
  }
  MP_ASSERT_OK(runner.Run());
  const auto& packets = runner.Outputs().Index(0).packets;
  ASSERT_EQ(packets.size(), 3);
  EXPECT_THAT(packets[2].Get<std::vector<int>>(), ElementsAre(2, 3));
}

constexpr absl::string_view kLabelNode = R"pb(
  calculator: "LabelCalculator"
  input_stream: "INDEX:index"
  output_stream: "LABEL:label"
  input_side_packet: "LABELS:labels"
)pb";

absl::Status RunLabels(int index, std::string* label) {
  CalculatorRunner runner{std::string(kLabelNode)};
  runner.MutableSidePackets()->Tag("LABELS") =
      MakePacket<std::string>("mediapipe/acme/graphs/labels.txt");
  runner.MutableInputs()->Tag("INDEX").packets.push_back(
      MakePacket<int>(index).At(Timestamp(10)));
  MP_RETURN_IF_ERROR(runner.Run()) << "with index " << index;
  *label = runner.Outputs().Tag("LABEL").packets.at(0).Get<std::string>();
  return absl::OkStatus();
}

TEST(LabelCalculatorTest, FindsTheLabelInAResource) {
  std::string label;
  MP_ASSERT_OK(RunLabels(2, &label));
  EXPECT_EQ(label, "two");
}

TEST(LabelCalculatorTest, SaysWhatIsWrong) {
  std::string label;
  EXPECT_THAT(RunLabels(7, &label),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no label")));
  EXPECT_THAT(RunLabels(5, &label).message(), HasSubstr("a vowel"));
}

}  // namespace
}  // namespace mediapipe
