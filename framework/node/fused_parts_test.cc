// Which part of a fused node reads what of whom, and which parts are refused.
#include "framework/node/fused_parts.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/name_registry.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/config/calculator.pb.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(FusedPartsTest, LinkWhatAPartReadsWithWhoeverMakesIt) {
  SYNCLINE_ASSERT_OK(Make(kFusedChain));
  ASSERT_EQ(parts_->parts().size(), 2u);
  const int in = outer_->Inputs().GetId("IN", 0).value();
  const int mid = outer_->Outputs().GetId("MID", 0).value();
  const int out = outer_->Outputs().GetId("OUT", 0).value();
  EXPECT_EQ(part(0).inputs[0].outer_port, in);
  EXPECT_EQ(part(0).inputs[0].part, -1);
  EXPECT_FALSE(part(0).joins);
  EXPECT_EQ(part(0).outputs[0].outer_port, mid);
  ASSERT_EQ(part(0).outputs[0].readers.size(), 1u);
  EXPECT_EQ(part(0).outputs[0].readers[0].part, 1);
  EXPECT_EQ(part(0).outputs[0].readers[0].port, 0);
  EXPECT_EQ(part(1).inputs[0].outer_port, -1);
  EXPECT_EQ(part(1).inputs[0].part, 0);
  EXPECT_EQ(part(1).inputs[0].port, 0);
  EXPECT_TRUE(part(1).joins);
  EXPECT_FALSE(part(1).MayKeepPackets());
  EXPECT_EQ(part(1).outputs[0].outer_port, out);
  EXPECT_THAT(part(1).outputs[0].readers, IsEmpty());
}

TEST_F(FusedPartsTest, NumberPortsByPartAndPlace) {
  SYNCLINE_ASSERT_OK(Make(R"pb(
    fused_node {
      calculator: "PartA"
      input_stream: "in"
      output_stream: "a"
      output_stream: "b"
    }
    fused_node { calculator: "PartB" input_stream: "other" input_stream: "b" }
  )pb"));
  EXPECT_THAT(part(0).outputs[0].readers, IsEmpty());
  ASSERT_EQ(part(0).outputs[1].readers.size(), 1u);
  EXPECT_EQ(part(0).outputs[1].readers[0].part, 1);
  EXPECT_EQ(part(0).outputs[1].readers[0].port, 1);
  EXPECT_EQ(part(1).inputs[0].part, -1);
  EXPECT_EQ(part(1).inputs[1].part, 0);
  EXPECT_EQ(part(1).inputs[1].port, 1);
  EXPECT_TRUE(part(1).MayKeepPackets());
}

TEST_F(FusedPartsTest, HaveTheNamesThatNodesWouldHave) {
  SYNCLINE_ASSERT_OK(Make(R"pb(
    name: "chain"
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartA" name: "last" input_stream: "in" }
  )pb"));
  EXPECT_EQ(part(0).contract.GetNodeName(), "chain/PartA_1");
  EXPECT_EQ(part(1).contract.GetNodeName(), "chain/PartA_2");
  EXPECT_EQ(part(2).contract.GetNodeName(), "chain/last");
  EXPECT_NE(part(0).factory, nullptr);
}

TEST_F(FusedPartsTest, DoNotSeePortsThatTheGraphLeftOpen) {
  PartA::contract = [](CalculatorContract* cc) {
    cc->OutputSidePackets().Tag("M").Set<LambdaFunction>();
    return absl::OkStatus();
  };
  CalculatorGraphConfig::Node node = LoweredFusedNode(R"pb(
    fused_node {
      calculator: "PartA"
      input_stream: "A:a"
      input_stream: "B:b"
      input_side_packet: "OPEN:s"
      input_side_packet: "CLOSE:t"
      output_side_packet: "M:m"
    }
    fused_node {
      calculator: "PartB"
      input_stream: "B:b"
      input_side_packet: "OPEN:m"
      output_stream: "c"
    }
  )pb");
  // As for a subgraph whose user leaves "a", "t" and the outputs out.
  node.mutable_input_stream()->DeleteSubrange(0, 1);
  node.mutable_input_side_packet()->DeleteSubrange(0, 1);
  node.clear_output_side_packet();
  node.clear_output_stream();
  SYNCLINE_ASSERT_OK(MakeAs(std::move(node)));
  EXPECT_THAT(part(0).config.input_stream(), ElementsAre("B:b"));
  EXPECT_THAT(part(0).config.input_side_packet(), ElementsAre("OPEN:s"));
  EXPECT_EQ(part(0).inputs.size(), 1u);
  EXPECT_THAT(part(1).config.input_side_packet(), ElementsAre("OPEN:m"));
  EXPECT_EQ(part(1).outputs[0].outer_port, -1);
}

TEST_F(FusedPartsTest, TakeLogLevelAndPersistenceFromTheNode) {
  SYNCLINE_ASSERT_OK(Make(R"pb(
    log_level: "DEBUG"
    persistent: true
    fused_node { calculator: "PartA" input_stream: "in" }
    fused_node { calculator: "PartB" input_stream: "in" log_level: "ERROR" }
  )pb"));
  EXPECT_EQ(part(0).config.log_level(), "DEBUG");
  EXPECT_EQ(part(1).config.log_level(), "ERROR");
  EXPECT_TRUE(part(0).contract.IsPersistent());
  SYNCLINE_ASSERT_OK(
      Make(R"pb(fused_node { calculator: "PartA" input_stream: "in" })pb"));
  EXPECT_FALSE(part(0).contract.IsPersistent());
}

TEST_F(FusedPartsTest, AreSourcesIfTheyAreCalledWithoutInputs) {
  const auto is_source = [this](const std::string& node_text) {
    SYNCLINE_EXPECT_OK(Make(node_text));
    return part(0).is_source;
  };
  const std::string kNoPorts = R"pb(fused_node { calculator: "PartA" })pb";
  EXPECT_FALSE(is_source(kNoPorts));
  EXPECT_FALSE(is_source(kFusedChain));
  EXPECT_TRUE(is_source(
      R"pb(fused_node { calculator: "PartA" output_stream: "out" })pb"));
  EXPECT_TRUE(is_source(kNoPorts + R"pb(condition { type: "C" })pb"));
  EXPECT_TRUE(
      is_source(kNoPorts + R"pb(any_of { condition { name: "c" } })pb"));
  PartA::contract = [](CalculatorContract* cc) {
    cc->AddCondition("C");
    return absl::OkStatus();
  };
  EXPECT_TRUE(is_source(kNoPorts));
}

TEST_F(FusedPartsTest, AreRefusedWhereThereAreNone) {
  CalculatorGraphConfig::Node node;
  node.set_calculator("FusedNode");
  EXPECT_THAT(MakeAs(node), StatusIs(StatusCode::kInvalidArgument,
                                     HasSubstr("this one has none")));
}

TEST_F(FusedPartsTest, RunOneCallAtATimeWithOneInputSet) {
  SYNCLINE_EXPECT_OK(Make(std::string(kFusedChain) + "max_in_flight: 1"));
  EXPECT_THAT(Make(std::string(kFusedChain) + "max_in_flight: 2"),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("it has max_in_flight, but what is fused")));
  EXPECT_THAT(Make(std::string(kFusedChain) + "batch { max_size: 2 }"),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("it has batch, but what is fused")));
}

TEST_F(FusedPartsTest, AnUnknownCalculatorIsNamedWithItsPartAndTheNearest) {
  EXPECT_THAT(
      Make(R"pb(name: "n"
                fused_node { calculator: "PartAA" input_stream: "in" })pb"),
      StatusIs(StatusCode::kNotFound,
               AllOf(HasSubstr("in it, node \"n/PartAA\" (PartAA): Unable to "
                               "find Calculator \"PartAA\"."),
                     HasSubstr("PartA"), Not(HasSubstr("alwayslink")))));
  EXPECT_THAT(Make(R"pb(fused_node { calculator: "Zyx" })pb"),
              StatusIs(StatusCode::kNotFound, HasSubstr("alwayslink")));
}

TEST_F(FusedPartsTest, AFactoryThatIsNullIsAnError) {
  absl::StatusOr<RegistrationToken> token = CalculatorBaseRegistry::Register(
      "NullPart", [] { return std::unique_ptr<CalculatorBaseFactory>(); });
  ASSERT_TRUE(token.ok());
  EXPECT_THAT(
      Make(R"pb(fused_node { calculator: "NullPart" input_stream: "in" })pb"),
      StatusIs(StatusCode::kInternal,
               AllOf(HasSubstr("NullPart"), HasSubstr("its factory is null"))));
  token->Unregister();
}

TEST_F(FusedPartsTest, AnErrorOfAContractSaysOnceWhichFunctionFailed) {
  PartA::contract = [](CalculatorContract* cc) {
    return absl::DataLossError("no idea");
  };
  const auto factory = CalculatorBaseRegistry::CreateByName("FusedNode");
  SYNCLINE_ASSERT_OK(factory.status());
  const CalculatorGraphConfig::Node node = LoweredFusedNode(kFusedChain);
  CalculatorContract contract;
  SYNCLINE_ASSERT_OK(contract.Initialize(node));
  EXPECT_EQ(InvokeGetContract(**factory, &contract),
            absl::DataLossError("in it, node \"chain/PartA\" (PartA): "
                                "GetContract failed: PartA: no idea"));
}

TEST_F(FusedPartsTest, ErrorsOfContractsNameThePart) {
  PartA::contract = [](CalculatorContract* cc) {
    return absl::DataLossError("no idea");
  };
  EXPECT_THAT(Make(kFusedChain),
              StatusIs(StatusCode::kDataLoss,
                       AllOf(HasSubstr("in it, node \"chain/PartA\" (PartA): "),
                             HasSubstr("no idea"))));
  CalculatorGraphConfig::Node node = LoweredFusedNode(kFusedChain);
  node.mutable_fused_node(1)->set_output_stream(0, "out:out");
  EXPECT_THAT(MakeAs(std::move(node)),
              StatusIs(StatusCode::kDataLoss, HasSubstr("no idea")));
  PartA::contract = nullptr;
  node = LoweredFusedNode(kFusedChain);
  node.mutable_fused_node(1)->set_output_stream(0, "out:out");
  EXPECT_THAT(MakeAs(std::move(node)),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"chain/PartB\" (PartB)"),
                             HasSubstr("output_stream"))));
}

}  // namespace
}  // namespace syncline
