// What is asked of calculators, and what may be wrong with their answers.
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/legacy/legacy_support.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(DescribeNodesTest, ANodeHasItsContractAndAFactoryOfItsType) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node { calculator: "ChoosyNode" input_stream: "in" output_stream: "a" }
    node { calculator: "ChoosyNode" input_stream: "a" }
    node { calculator: "IntNode" input_stream: "a" }
  )pb");
  const PlanNode& choosy = plan.nodes()[0];
  EXPECT_TRUE(choosy.bounds.are_processed);
  EXPECT_EQ(choosy.bounds.offset, TimestampDiff(5));
  EXPECT_EQ(choosy.contract->GetNodeName(), "ChoosyNode_1");
  EXPECT_EQ(choosy.factory, plan.nodes()[1].factory) << "one for each type";
  EXPECT_NE(choosy.factory, plan.nodes()[2].factory);
  EXPECT_FALSE(plan.nodes()[2].bounds.are_processed);
  EXPECT_EQ(plan.nodes()[2].bounds.offset, TimestampDiff::Unset());
}

// What it sees as the current contract, from which a log line takes the name of
// its node.
const CalculatorContract* seen_contract = nullptr;
class LookingNode : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    seen_contract =
        LegacyCalculatorSupport::Scoped<CalculatorContract>::current();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(LookingNode);

TEST(DescribeNodesTest, GetContractRunsWithItsContractAsTheCurrentOne) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node { calculator: "LookingNode" input_stream: "in" }
  )pb");
  EXPECT_EQ(seen_contract, plan.nodes()[0].contract);
  EXPECT_EQ(LegacyCalculatorSupport::Scoped<CalculatorContract>::current(),
            nullptr);
}

TEST(DescribeNodesTest, ContractsKnowTheCanonicalNameAfterSorting) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntNode" input_stream: "x" }
    node { calculator: "IntNode" output_stream: "x" }
  )pb");
  EXPECT_EQ(plan.nodes()[0].name, "IntNode_1");
  EXPECT_TRUE(plan.nodes()[0].is_source);
  EXPECT_EQ(plan.nodes()[0].contract->GetNodeName(), "IntNode_1");
  EXPECT_EQ(plan.nodes()[1].contract->GetNodeName(), "IntNode_2");
  EXPECT_EQ(plan.streams()[0].name, "x");
}

TEST(DescribeNodesTest, AnUnknownCalculatorNamesTheNearestOnes) {
  const absl::Status status = ErrorOf(R"pb(
    node { name: "n" calculator: "IntToFlotNode" }
    node { calculator: "TwoPasGraph" }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(
      Message(status),
      AllOf(HasSubstr("node \"n\" (IntToFlotNode): Unable to find "
                      "Calculator \"IntToFlotNode\""),
            HasSubstr("\"IntToFloatNode\""), HasSubstr("\"TwoPassGraph\"")));
}

TEST(DescribeNodesTest, ANodeWithoutACalculatorIsAnError) {
  EXPECT_THAT(Message(ErrorOf("node {}")),
              HasSubstr("Unable to find Calculator \"\""));
}

TEST(DescribeNodesTest, PackagesAndFullNamesFindCalculators) {
  const char* const node = "node { input_stream: \"in\" calculator: ";
  const auto find = [&](const char* package, const char* name) {
    return CompileText(absl::StrCat("input_stream: \"in\" package: \"", package,
                                    "\" ", node, "\"", name, "\" }"))
        .ok();
  };
  EXPECT_TRUE(find("", "test_space.inner.NamespacedNode"));
  EXPECT_TRUE(find("", ".test_space.inner.NamespacedNode"));
  EXPECT_TRUE(find("test_space.inner", "NamespacedNode"));
  EXPECT_TRUE(find("test_space", "inner.NamespacedNode"));
  EXPECT_TRUE(find("test_space.inner", "IntNode"));
  EXPECT_TRUE(find("", "syncline.IntNode"));
  EXPECT_TRUE(find("", "mediapipe.IntNode"));
  EXPECT_FALSE(find("", "NamespacedNode"));
  EXPECT_FALSE(find("other", "inner.NamespacedNode"));
}

TEST(DescribeNodesTest, AContractThatFailsKeepsItsCodeAndText) {
  const absl::Status status = ErrorOf("node { calculator: \"FailingNode\" }");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Message(status),
              HasSubstr("GetContract failed: FailingNode: no contract today"));
}

TEST(DescribeNodesTest, AContractThatThrowsOrMisusesIsAStatus) {
  EXPECT_THAT(
      Message(ErrorOf("node { name: \"n\" calculator: \"ThrowingNode\" }")),
      AllOf(HasSubstr("node \"n\" (ThrowingNode)"),
            HasSubstr("thrown by GetContract")));
  EXPECT_THAT(Message(ErrorOf("node { calculator: \"MisusingNode\" }")),
              HasSubstr("misused in GetContract"));
}

TEST(DescribeNodesTest, MissingAndUnexpectedPortsAreErrors) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "in"
    node {
      name: "n"
      calculator: "OptionalNode"
      input_stream: "INN:in"
      input_side_packet: "OTHER:p"
    }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("OptionalNode::GetContract failed to validate: "),
                    HasSubstr("\nFor input streams of n ValidatePacketTypeSet "
                              "failed:\n"),
                    HasSubstr("Failed to get tag \"IN\" index 0"),
                    HasSubstr("Tag \"INN\" index 0 was not expected"),
                    HasSubstr("For output streams of n"),
                    HasSubstr("For input side packets of n")));
}

TEST(DescribeNodesTest, OptionalPortsMayBeLeftOut) {
  PlanOf(R"pb(
    input_stream: "in"
    node {
      calculator: "OptionalNode"
      input_stream: "IN:in"
      output_stream: "OUT:out"
    }
  )pb");
}

TEST(DescribeNodesTest, ANodeOptionsTypeGivenTwiceIsAnError) {
  EXPECT_THAT(Message(ErrorOf(R"pb(
                node {
                  name: "n"
                  calculator: "IntNode"
                  node_options {
                    [type.googleapis.com/syncline.NodeChainSubgraphOptions] {}
                  }
                  node_options {
                    [type.googleapis.com/syncline.NodeChainSubgraphOptions] {}
                  }
                }
              )pb")),
              AllOf(HasSubstr("node \"n\" (IntNode)"),
                    HasSubstr("NodeChainSubgraphOptions")));
}

TEST(DescribeNodesTest, AllErrorsOfAllNodesComeTogether) {
  const absl::Status status = ErrorOf(R"pb(
    node { calculator: "NoSuchNode" output_stream: "a" }
    node { calculator: "ThrowingNode" input_stream: "a" output_stream: "b" }
    node { calculator: "IntNode" input_stream: "b" input_stream: "c" }
    executor { name: "gpu" }
    max_queue_size: -7
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(
      Message(status),
      AllOf(HasSubstr("NoSuchNode"), HasSubstr("ThrowingNode"),
            HasSubstr("\"c\" does not have a corresponding output"),
            HasSubstr("reserved executor name"), HasSubstr("max_queue_size")));
}

}  // namespace
}  // namespace syncline
