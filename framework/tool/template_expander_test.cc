// Graph templates through the classes that users know, from text to a graph
// that runs.

#include "framework/tool/template_expander.h"

#include <string>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/deps/message_matchers.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"
#include "framework/tool/template_parser.h"
#include "gmock/gmock.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "gtest/gtest.h"

namespace syncline {
namespace tool {
namespace {

using ::testing::HasSubstr;

constexpr char kFan[] = R"(
  type: "FanTemplate"
  %param outputs: list("a")%
  input_stream: "IN:in"
  %for (name : outputs)%
  output_stream: % "OUT:" + (size(name) - 1) + ":" + name %
  node {
    calculator: "PassThroughCalculator"
    input_stream: "in"
    output_stream: % name %
  }
  %end%
)";

CalculatorGraphTemplate FanTemplate() {
  TemplateParser::Parser parser;
  CalculatorGraphTemplate result;
  EXPECT_TRUE(parser.ParseFromString(kFan, &result)) << parser.status();
  return result;
}

TemplateDict TwoOutputs() {
  return ParseTextProtoOrDie<TemplateDict>(R"pb(
    arg {
      key: "outputs"
      value {
        element { str: "x" }
        element { str: "yy" }
      }
    }
  )pb");
}

TEST(TemplateExpanderTest, ATemplateIsParsedAndExpanded) {
  CalculatorGraphConfig config;
  SYNCLINE_ASSERT_OK(
      TemplateExpander().ExpandTemplates(TwoOutputs(), FanTemplate(), &config));
  EXPECT_THAT(config, EqualsProto(ParseTextProtoOrDie<CalculatorGraphConfig>(
                          R"pb(
                            type: "FanTemplate"
                            input_stream: "IN:in"
                            output_stream: "OUT:0:x"
                            output_stream: "OUT:1:yy"
                            node {
                              calculator: "PassThroughCalculator"
                              input_stream: "in"
                              output_stream: "x"
                            }
                            node {
                              calculator: "PassThroughCalculator"
                              input_stream: "in"
                              output_stream: "yy"
                            }
                          )pb")));
}

TEST(TemplateExpanderTest, WhatIsNoTemplateIsSaidSo) {
  TemplateParser::Parser parser;
  CalculatorGraphTemplate result;
  EXPECT_FALSE(parser.ParseFromString("node { %end% }", &result));
  EXPECT_THAT(parser.status(), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("<text>:1:8: %end%")));
  google::protobuf::io::ArrayInputStream stream(kFan, sizeof(kFan) - 1, 7);
  EXPECT_TRUE(parser.Parse(&stream, &result));
  EXPECT_THAT(result, EqualsProto(FanTemplate()));
  SYNCLINE_EXPECT_OK(parser.status());

  CalculatorGraphConfig config;
  EXPECT_THAT(TemplateExpander().ExpandTemplates(
                  ParseTextProtoOrDie<TemplateDict>(
                      "arg { key: 'outputs' value { num: 1 } }"),
                  result, &config),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("template \"FanTemplate\"")));
}

// Sends 5 into "in" and returns what comes out of `stream`.
int Through(CalculatorGraph* graph, const std::string& stream) {
  int result = 0;
  SYNCLINE_EXPECT_OK(graph->ObserveOutputStream(stream, [&](const Packet& p) {
    result = p.Get<int>();
    return absl::OkStatus();
  }));
  SYNCLINE_EXPECT_OK(graph->StartRun({}));
  SYNCLINE_EXPECT_OK(
      graph->AddPacketToInputStream("in", MakePacket<int>(5).At(Timestamp(0))));
  SYNCLINE_EXPECT_OK(graph->CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph->WaitUntilDone());
  return result;
}

TEST(TemplateExpanderTest, AGraphUsesATemplateAsASubgraph) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "FanTemplate"
      input_stream: "IN:in"
      output_stream: "OUT:0:first"
      output_stream: "OUT:1:second"
    }
  )pb");
  TemplateSubgraphOptions options;
  *options.mutable_dict() = TwoOutputs();
  config.mutable_node(0)->add_node_options()->PackFrom(options);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize({config}, {FanTemplate()}));
  EXPECT_EQ(Through(&graph, "second"), 5);
}

TEST(TemplateExpanderTest, ATemplateIsTheGraph) {
  Subgraph::SubgraphOptions options;
  *options.mutable_options()
       ->MutableExtension(TemplateSubgraphOptions::ext)
       ->mutable_dict() = TwoOutputs();
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize({}, {FanTemplate()}, {}, "FanTemplate", &options));
  EXPECT_EQ(Through(&graph, "yy"), 5);
}

TEST(TemplateExpanderTest, ARegistryTakesTemplates) {
  GraphRegistry registry;
  SYNCLINE_ASSERT_OK(registry.Register("Fan", FanTemplate()));
  EXPECT_TRUE(registry.IsRegistered("", "Fan"));
  const auto config = registry.CreateByName("", "Fan");
  SYNCLINE_ASSERT_OK(config.status());
  EXPECT_EQ(config->node_size(), 1);
  const auto same =
      TemplateSubgraph(FanTemplate()).GetConfig(Subgraph::SubgraphOptions());
  SYNCLINE_ASSERT_OK(same.status());
  EXPECT_THAT(*same, EqualsProto(*config));
}

}  // namespace
}  // namespace tool
}  // namespace syncline
