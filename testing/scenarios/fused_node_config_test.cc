// Which configs of fused nodes are refused, and why.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct BadCase {
  std::string node;
  std::vector<std::string> fragments;
};

TEST(FusedNodeConfigTest, WhatCannotBeFusedIsRefusedWithBothNames) {
  const std::string a =
      R"(fused_node { name: "a" calculator: "SumCalculator"
                      input_stream: "in" output_stream: "x" )";
  const std::string b =
      R"(fused_node { name: "b" calculator: "SumCalculator"
                      input_stream: "x" output_stream: "y" )";
  const std::vector<BadCase> cases = {
      {a + "max_in_flight: 2 }", {"node \"a\"", "max_in_flight"}},
      {a + "condition { type: 'CountCondition' } executor: 'e' }",
       {"node \"a\"", "executor, condition"}},
      {a + "batch { max_size: 2 } gxf_defaults: true }",
       {"node \"a\"", "gxf_defaults, batch"}},
      {a + "fused_node { calculator: 'SumCalculator' } }",
       {"node \"a\"", "cannot have fused nodes itself"}},
      {a + "input_stream_info { tag_index: 'NO' back_edge: true } }",
       {"node \"a\"", "tag_index \"NO\""}},
      {a + "input_stream_info { tag_index: '' message_times: true } }",
       {"node \"a\"", "message_times"}},
      {a + "} " + b + "input_stream_info { back_edge: true } }",
       {"node \"b\"", "stays within"}},
      {b + "} " + a + "}", {"node \"b\"", "node \"a\"", "run before"}},
      {a + "} " + a + "}", {"node \"a\"", "\"x\"", "producer already"}},
      {a + "} max_in_flight: 2", {"one call at a time"}},
      {a + "} batch { max_size: 2 }", {"one call at a time"}},
      {a + "} calculator: 'SumCalculator'", {"can be one of them"}},
      {a + "} input_stream: 'in'", {"input_stream", "write that into them"}},
      {a + "} options {}", {"options", "write that into them"}},
      {"fused_node { name: 'a' calculator: 'SumCalculatr' }",
       {"a\"", "SumCalculatr", "SumCalculator"}},
      {"fused_node { name: 'a' }", {"node \"a\"", "no calculator"}},
      {"fused_node { calculator: 'SumCalculator' input_stream: 'a:b:c' }",
       {"SumCalculator"}},
      {"calculator: 'FusedNode' input_stream: 'in'", {"fused_node", "none"}},
      {a + "} fused_node { name: 'p' calculator: 'BlockingCalculator' "
           "input_stream: 'in' output_stream: 'z' }",
       {"whole/p\"", "LATCH"}},
      {a + "} fused_node { name: 's' calculator: 'FusedTextCalculator' "
           "input_stream: 'x' }",
       {"whole/s\"", "\"x\"", "int"}},
      {a + "} fused_node { name: 's' calculator: 'FusedTextCalculator' "
           "input_stream: 'in' }",
       {"whole/s\"", "\"in\"", "int"}},
      {a + "} fused_node { name: 'i' calculator: 'FusedImmediateCalculator' "
           "input_stream: 'x' }",
       {"whole/i\"", "ImmediateInputStreamHandler", "default rule"}},
  };
  for (const BadCase& bad : cases) {
    const std::string text = absl::StrCat(
        "input_stream: 'in' executor { name: 'e' type: 'ThreadPoolExecutor' } ",
        "node { name: 'whole' ", bad.node, " }");
    SCOPED_TRACE(text);
    CalculatorGraph graph;
    const absl::Status status =
        graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text));
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr("\"whole\""));
    for (const std::string& fragment : bad.fragments) {
      EXPECT_THAT(status.message(), HasSubstr(fragment));
    }
  }
}

class FusedTextCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(FusedTextCalculator);

class FusedImmediateCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(FusedImmediateCalculator);

// The config becomes smaller by that.
TEST(FusedNodeConfigTest, PartsMaySayTheSameOfAnInput) {
  std::string node = "node {";
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&node,
                    "fused_node { calculator: 'SumCalculator' input_stream: "
                    "'in' input_stream_info { max_queue_size: 3 } }");
  }
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
          absl::StrCat("input_stream: 'in' ", node, "}"))));
}

TEST(FusedNodeConfigTest, TypesGoThroughAFusedNode) {
  CalculatorGraph graph;
  const absl::Status status =
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        node {
          calculator: "SumCalculator"
          input_stream: "in"
          output_stream: "number"
        }
        node {
          fused_node {
            calculator: "DelayCalculator"
            input_stream: "number"
            output_stream: "same"
          }
          fused_node {
            calculator: "DelayCalculator"
            input_stream: "same"
            output_stream: "still"
          }
        }
        node { calculator: "FusedTextCalculator" input_stream: "still" })pb"));
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("FusedTextCalculator"), HasSubstr("\"still\""),
                    HasSubstr("\"int\"")));
}

}  // namespace
}  // namespace syncline
