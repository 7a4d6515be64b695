// The ways to define a typed calculator: interfaces and their implementations,
// subgraphs, registration by hand, typed ports in an untyped calculator.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/api2/node.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/subgraph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace api2 {
namespace {

class NodeDefinitionTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(NodeDefinitionTest);

// Adds one: the interface ...
class AddOne : public NodeIntf {
 public:
  static constexpr Input<int> kIn{"IN"};
  static constexpr Output<int> kOut{"OUT"};
  SYNCLINE_NODE_INTERFACE(AddOneCalculator, kIn, kOut);
};
// ... and the implementation.
class AddOneImpl : public NodeImpl<AddOne, AddOneImpl> {
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(*kIn(cc) + 1);
    return absl::OkStatus();
  }
};

// The same ports under another name: one class is registered by a macro below,
// the other is a subgraph.
class AddTwo : public AddOne {
 public:
  static constexpr char kCalculatorName[] = "AddTwoCalculator";
};
class AddTwoImpl : public NodeImpl<AddTwo> {
 public:
  static absl::Status UpdateContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(1);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(*kIn(cc) + 2, cc->InputTimestamp() + 1);
    return absl::OkStatus();
  }
};
SYNCLINE_NODE_IMPLEMENTATION(AddTwoImpl);

class AddThree : public AddOne {
 public:
  static constexpr char kCalculatorName[] = "AddThreeSubgraph";
};
class AddThreeImpl : public SubgraphImpl<AddThree, AddThreeImpl> {
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context) override {
    return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
      input_stream: "IN:in"
      output_stream: "OUT:out"
      node {
        calculator: "AddOneCalculator"
        input_stream: "IN:in"
        output_stream: "OUT:one"
      }
      node {
        calculator: "AddTwoCalculator"
        input_stream: "IN:one"
        output_stream: "OUT:out"
      })pb");
  }
};

class AddSix : public AddOne {
 public:
  static constexpr char kCalculatorName[] = "AddSixSubgraph";
};
class AddSixImpl : public SubgraphImpl<AddSix> {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override {
    return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
      input_stream: "IN:in"
      output_stream: "OUT:out"
      node {
        calculator: "AddThreeSubgraph"
        input_stream: "IN:in"
        output_stream: "OUT:three"
      }
      node {
        calculator: "AddThreeSubgraph"
        input_stream: "IN:three"
        output_stream: "OUT:out"
      })pb");
  }
};
SYNCLINE_SUBGRAPH_IMPLEMENTATION(AddSixImpl);

TEST(NodeContractTest, MayBeAskedForByItsClass) {
  const auto node = ParseTextProtoOrDie<CalculatorGraphConfig::Node>(
      R"pb(input_stream: "IN:a" output_stream: "OUT:b")pb");
  CalculatorContract cc;
  SYNCLINE_ASSERT_OK(cc.Initialize(node));
  SYNCLINE_EXPECT_OK(AddOneImpl::Contract::GetContract(&cc));
  EXPECT_EQ(cc.Inputs().Tag("IN").DebugTypeName(), "int");
}

TEST(NodeInterfaceTest, HasTheNameThatGraphsUse) {
  EXPECT_EQ(AddOne::GetCalculatorName(), "AddOneCalculator");
  EXPECT_EQ(std::string(AddOne::kCalculatorName), "AddOneCalculator");
}

TEST_P(NodeDefinitionTest, InterfacesAreImplementedByNodesAndSubgraphs) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "AddOneCalculator"
                         input_stream: "IN:in"
                         output_stream: "OUT:one"
                       }
                       node {
                         calculator: "AddSixSubgraph"
                         input_stream: "IN:one"
                         output_stream: "OUT:seven"
                       })pb",
                     GetParam());
  graph.Feed("in", {{0, 10}, {10, 20}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("one", {{0, 11}, {10, 21}});
  graph.Expect("seven", {{2, 17}, {12, 27}});
}

// Registered with REGISTER_CALCULATOR, with a constructor that takes the
// context.
class ByHandCalculator : public Node {
 public:
  static constexpr Input<int> kIn{""};
  static constexpr Output<std::string> kOut{""};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  explicit ByHandCalculator(CalculatorContext* cc) : name_(cc->NodeName()) {}
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(name_);
    return absl::OkStatus();
  }

 private:
  const std::string name_;
};
REGISTER_CALCULATOR(ByHandCalculator);

// An untyped calculator may use typed ports.
class UntypedCalculator : public CalculatorBase {
 public:
  static constexpr Input<std::string> kIn{""};
  static constexpr Output<int> kOut{""};
  static absl::Status GetContract(CalculatorContract* cc) {
    SYNCLINE_RETURN_IF_ERROR(kIn.AddToContract(cc));
    SYNCLINE_RETURN_IF_ERROR(kOut.AddToContract(cc));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(kIn(cc)->size());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(UntypedCalculator);

TEST_P(NodeDefinitionTest, TypedAndUntypedCalculatorsMix) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "ByHandCalculator"
                         name: "five5"
                         input_stream: "in"
                         output_stream: "name"
                       }
                       node {
                         calculator: "UntypedCalculator"
                         input_stream: "name"
                         output_stream: "out"
                       })pb",
                     GetParam());
  graph.Feed("in", {{0, 10}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", {{0, 5}});
}
}  // namespace
}  // namespace api2
}  // namespace syncline
