#include "framework/expansion/check_subgraph_node.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/expanded_graph.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/test_graphs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckSubgraphNodeTest : public testing::Test {
 protected:
  CheckSubgraphNodeTest()
      : graph_(options_, GraphRegistry::Global(), GraphSource()) {}

  bool Check(const std::string& fields, NodeOrigin origin = {}) {
    const CalculatorGraphConfig config =
        ParseGraph("node { calculator: \"T\" " + fields + " }");
    return CheckSubgraphNode(config.node(0), origin, type_, &graph_);
  }
  std::string Errors() const {
    return std::string(graph_.errors.ToStatus().message());
  }

  CompileOptions options_;
  SubgraphType type_ = {.name = "T", .source = std::make_shared<GraphSource>()};
  ExpandedGraph graph_;
};

TEST_F(CheckSubgraphNodeTest, AnOrdinaryNodeMayBeExpanded) {
  EXPECT_TRUE(Check("input_stream: \"a\""));
  EXPECT_TRUE(graph_.errors.empty());
  EXPECT_THAT(graph_.warnings, IsEmpty());
}

TEST_F(CheckSubgraphNodeTest, FieldsOfCalculatorsAreErrors) {
  EXPECT_FALSE(Check("source_layer: 1 output_stream: \"OUT:b\""));
  EXPECT_THAT(Errors(), HasSubstr("only applicable to calculators: "
                                  "source_layer."));
  EXPECT_TRUE(graph_.excused_names.contains("b"));
}

TEST_F(CheckSubgraphNodeTest, FieldsWithoutEffectAreWarningsUnlessStrict) {
  EXPECT_TRUE(Check("executor: \"e\""));
  EXPECT_THAT(graph_.warnings, ElementsAre(HasSubstr("executor.")));
  options_.strict = true;
  EXPECT_FALSE(Check("executor: \"e\""));
  EXPECT_THAT(Errors(), HasSubstr("has no effect on a subgraph node"));
}

TEST_F(CheckSubgraphNodeTest, NestingWithoutEndIsAnErrorAtTheNode) {
  options_.max_subgraph_depth = 1;
  EXPECT_TRUE(Check(""));
  const int inside = graph_.origins.AddExpansion({}, "outer", "U", nullptr);
  EXPECT_FALSE(Check("output_stream: \"b\"", {.expansion = inside}));
  EXPECT_EQ(graph_.errors.ToStatus().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Errors(), HasSubstr("nested more than 1 deep: U > T."));
  EXPECT_TRUE(graph_.excused_names.contains("b"));
}

TEST_F(CheckSubgraphNodeTest, OutputsOfANodeThatFailsAreExcused) {
  const CalculatorGraphConfig config = ParseGraph(
      "node { calculator: \"T\" input_stream: \"a\" output_stream: \"X:1:b\" "
      "output_side_packet: \"c\" }");
  FailSubgraphNode(config.node(0), {}, absl::NotFoundError("why"), &graph_);
  EXPECT_EQ(graph_.errors.ToStatus().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(graph_.excused_names.contains("b"));
  EXPECT_TRUE(graph_.excused_names.contains("c"));
  EXPECT_FALSE(graph_.excused_names.contains("a"));
}

}  // namespace
}  // namespace syncline
