#include "framework/plan/graph_validation.h"

#include <string>

#include "absl/status/status.h"
#include "framework/config/node_chain_subgraph.pb.h"
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

TEST(GraphValidationTest, TemplatesAreRefused) {
  GraphValidation validation;
  EXPECT_EQ(validation.Validate({}, {CalculatorGraphTemplate()}).code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace syncline
