// Copyright 2024 The Acme Authors.

#include <string>
#include "absl/strings/string_view.h"
#include <vector>

#include "tools/port/testdata/ported/acme/calculators/loops.h"
#include "framework/calculator_framework.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/calculator_graph_template.pb.h"
#include "framework/tool/template_expander.h"
#include "framework/tool/template_parser.h"
#include "framework/calculator_graph.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

constexpr char kLoop[] = R"pb(
  input_stream: "readings"
  output_stream: "values"
  node {
    calculator: "BeginLoopReadingCalculator"
    input_stream: "ITERABLE:readings"
    output_stream: "ITEM:reading"
    output_stream: "BATCH_END:end"
  }
  node {
    calculator: "ReadingValueCalculator"
    input_stream: "READING:reading"
    output_stream: "VALUE:value"
  }
  node {
    calculator: "EndLoopAcmeFloatCalculator"
    input_stream: "ITEM:value"
    input_stream: "BATCH_END:end"
    output_stream: "ITERABLE:values"
  }
)pb";

TEST(LoopTest, GoesThroughAVectorOfOnesOwn) {
  CalculatorGraph graph(ParseTextProtoOrDie<CalculatorGraphConfig>(kLoop));
  std::vector<float> values;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("values", [&](const Packet& packet) {
    values = packet.Get<std::vector<float>>();
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  Packet readings =
      MakePacket<std::vector<AcmeReading>>(
          std::vector<AcmeReading>{{1.0f}, {2.0f}}).At(Timestamp(7));
  EXPECT_EQ(MakePacket<AcmeReading>().RegisteredTypeName(),
            "::syncline::AcmeReading");
  SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream("readings", readings));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_THAT(values, ElementsAre(1.0f, 2.0f));
}

TEST(TemplateTest, MakesANodeForEachName) {
  CalculatorGraphTemplate templ;
  tool::TemplateParser::Parser parser;
  constexpr absl::string_view kTemplate = R"(
    %param names%
    input_stream: "in"
    %for (name : names)%
    node {
      calculator: "PassThroughCalculator"
      input_stream: "in"
      output_stream: %"out_" + name%
    }
    %end%
  )";
  ASSERT_TRUE(parser.ParseFromString(kTemplate, &templ));
  const auto arguments = ParseTextProtoOrDie<TemplateDict>(R"pb(
    arg {
      key: "names"
      value: { element: { str: "a" } element: { str: "b" } }
    }
  )pb");
  CalculatorGraphConfig config;
  tool::TemplateExpander expander;
  SYNCLINE_ASSERT_OK(expander.ExpandTemplates(arguments, templ, &config));
  ASSERT_EQ(config.node_size(), 2);
  EXPECT_EQ(config.node(1).output_stream(0), "out_b");
}

}  // namespace
}  // namespace syncline
