#include "framework/plan/graph_validation.h"

#include <string>

#include "absl/status/status.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/graph_text/template_text.h"
#include "framework/packet/packet.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(GraphValidationTest, AValidGraphLeavesItsCanonicalConfig) {
  GraphValidation validation;
  ASSERT_TRUE(validation
                  .Validate(ParseGraph(R"pb(
                    input_stream: "a"
                    node { calculator: "TwoPassGraph" input_stream: "IN:a" }
                  )pb"))
                  .ok());
  EXPECT_EQ(validation.Config().node_size(), 2);
}

TEST(GraphValidationTest, AnInvalidGraphHasAllItsErrors) {
  GraphValidation validation;
  const absl::Status status = validation.Validate(
      ParseGraph("node { calculator: \"A\" } node { calculator: \"B\" }"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"A\""));
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"B\""));
}

TEST(GraphValidationTest, SidePacketsAreChecked) {
  GraphValidation validation;
  const CalculatorGraphConfig config =
      ParseGraph("node { calculator: \"IntNode\" input_side_packet: \"p\" }");
  EXPECT_TRUE(validation.Validate(config).ok());
  EXPECT_TRUE(validation.Validate(config, {{"p", MakePacket<int>(1)}}).ok());
  EXPECT_FALSE(
      validation.Validate(config, {{"p", MakePacket<float>(1.f)}}).ok());
}

TEST(GraphValidationTest, SeveralConfigsAreOneGraph) {
  const CalculatorGraphConfig sub = ParseGraph(R"pb(
    type: "Sub"
    input_stream: "in"
    node { calculator: "IntNode" input_stream: "in" }
  )pb");
  const CalculatorGraphConfig root = ParseGraph(R"pb(
    input_stream: "in"
    node { calculator: "Sub" input_stream: "in" }
  )pb");
  GraphValidation validation;
  ASSERT_TRUE(validation.Validate({sub, root}, {}).ok());
  EXPECT_EQ(validation.Config().node(0).name(), "sub__IntNode");
  EXPECT_TRUE(validation.Validate({sub, root}, {}, {}, "Sub").ok());
  EXPECT_FALSE(validation.Validate({sub, root}, {}, {}, "Other").ok());
}

TEST(GraphValidationTest, ARegisteredGraphTakesOptions) {
  Subgraph::SubgraphOptions options;
  auto* chain = options.mutable_options()->MutableExtension(
      NodeChainSubgraphOptions::ext);
  chain->set_node_type("PassNode");
  chain->set_chain_length(3);
  GraphValidation validation;
  ASSERT_TRUE(validation.Validate({}, {}, {}, "ChainGraph", &options).ok());
  EXPECT_EQ(validation.Config().node_size(), 3);
}

CalculatorGraphTemplate PassTemplate() {
  return ReadTemplateText(R"(
    type: "PassTemplate"
    input_stream: % "INPUT:" + in_name %
    output_stream: "OUTPUT:stream_2"
    node {
      name: "name_1"
      calculator: "PassNode"
      input_stream: % in_name %
      output_stream: "stream_2"
    }
  )")
      .value();
}

CalculatorGraphConfig GraphWithTemplate() {
  return ParseGraph(R"pb(
    input_stream: "INPUT:stream_1"
    output_stream: "OUTPUT:stream_2"
    node {
      calculator: "PassTemplate"
      input_stream: "INPUT:stream_1"
      output_stream: "OUTPUT:stream_2"
      options {
        [mediapipe.TemplateSubgraphOptions.ext] {
          dict: {
            arg: {
              key: "in_name"
              value: { str: "stream_8" }
            }
          }
        }
      }
    }
  )pb");
}

TEST(GraphValidationTest, ATemplateIsASubgraphOrTheGraph) {
  GraphValidation validation;
  ASSERT_EQ(validation.Validate({GraphWithTemplate()}, {PassTemplate()}),
            absl::OkStatus());
  EXPECT_EQ(validation.Config().node(0).name(), "passtemplate__name_1");
  EXPECT_EQ(validation.Config().node(0).input_stream(0), "stream_1");

  Subgraph::SubgraphOptions options;
  auto* argument = options.mutable_options()
                       ->MutableExtension(TemplateSubgraphOptions::ext)
                       ->mutable_dict()
                       ->add_arg();
  argument->set_key("in_name");
  argument->mutable_value()->set_str("stream_9");
  ASSERT_EQ(validation.Validate({GraphWithTemplate()}, {PassTemplate()}, {},
                                "PassTemplate", &options),
            absl::OkStatus());
  EXPECT_EQ(validation.Config().input_stream(0), "INPUT:stream_9");
  EXPECT_EQ(validation.Config().node(0).name(), "name_1");
  // By itself, and without a type.
  EXPECT_EQ(validation.Validate({}, {PassTemplate()}, {}, "", &options),
            absl::OkStatus());
  CalculatorGraphTemplate without_type = PassTemplate();
  without_type.mutable_config()->clear_type();
  EXPECT_EQ(
      validation.Validate({}, {PassTemplate(), without_type}, {}, "", &options),
      absl::OkStatus());
}

TEST(GraphValidationTest, ErrorsOfATemplateAreThoseOfTheGraph) {
  GraphValidation validation;
  const absl::Status status = validation.Validate({}, {PassTemplate()});
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(status.message().find("\"in_name\""), std::string::npos) << status;
}

TEST(GraphValidationTest, ANodeOfATemplateIsBlamedWithItsPlaceInTheTemplate) {
  const CalculatorGraphTemplate broken =
      ReadTemplateText(
          "type: \"Broken\"\n"
          "%for (x : list(1, 2))%\n"
          "  node { name: % \"n\" + x % calculator: \"NoSuchNode\" }\n"
          "%end%\n",
          "broken.pbtxt")
          .value();
  GraphValidation validation;
  const auto error = [&](const std::vector<CalculatorGraphConfig>& graphs) {
    return std::string(validation.Validate(graphs, {broken}).message());
  };
  const std::string alone = error({});
  EXPECT_NE(alone.find("broken.pbtxt:3:3: node \"n1\" (NoSuchNode): Unable to"),
            std::string::npos)
      << alone;
  EXPECT_NE(alone.find("broken.pbtxt:3:3: node \"n2\""), std::string::npos)
      << alone;
  const std::string inside =
      error({ParseGraph("node { name: 'b' calculator: 'Broken' }")});
  EXPECT_NE(inside.find("broken.pbtxt:3:3: node \"b__n2\""), std::string::npos)
      << inside;
  EXPECT_NE(inside.find("(in subgraph \"b\" (Broken))"), std::string::npos)
      << inside;
}

TEST(GraphValidationTest, ATemplateThatUsesItselfWithoutEndIsAnError) {
  const CalculatorGraphTemplate endless =
      ReadTemplateText(
          "type: \"Endless\" node { calculator: % \"End\" + "
          "\"less\" % }")
          .value();
  GraphValidation validation;
  const absl::Status status = validation.Validate({}, {endless});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(status.message().find("Endless > Endless"), std::string::npos)
      << status;
}

}  // namespace
}  // namespace syncline
