#include "framework/expansion/expanded_graph.h"

#include <string>

#include "absl/status/status.h"
#include "framework/expansion/compile_options.h"
#include "framework/expansion/graph_errors.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/test_graphs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class ExpandedGraphTest : public ::testing::Test {
 protected:
  std::string Errors() const {
    return std::string(graph_.errors.ToStatus().message());
  }

  CompileOptions options_;
  ExpandedGraph graph_{options_, options_.SubgraphTypes(),
                       ParseSource("\nnode { name: \"n\" }")};
};

TEST_F(ExpandedGraphTest, TakesTheConfigAndItsPositions) {
  EXPECT_EQ(graph_.expanded.node(0).name(), "n");
  EXPECT_EQ(graph_.origins.Prefix({0, 0}), "graph.pbtxt:2: ");
}

TEST_F(ExpandedGraphTest, ErrorsAndWarningsSayWhere) {
  const int inside = graph_.origins.AddExpansion({0, 0}, "outer", "U", nullptr);
  graph_.WarningAt({.expansion = inside}, "node \"m\"", "is odd.");
  EXPECT_THAT(graph_.warnings,
              ElementsAre("node \"m\": is odd. (in subgraph \"outer\" (U) at "
                          "graph.pbtxt:2)"));
  graph_.ErrorAt({.expansion = inside}, "node \"m\"",
                 absl::InternalError("is bad."));
  EXPECT_THAT(Errors(), HasSubstr("\nnode \"m\": is bad. (in subgraph"));
  graph_.ErrorAt({0, 0}, "node \"n\"", absl::InternalError("is worse."));
  EXPECT_THAT(Errors(), HasSubstr("\ngraph.pbtxt:2: node \"n\": is worse."));
  EXPECT_EQ(graph_.errors.ToStatus().code(), absl::StatusCode::kInternal);
}

TEST_F(ExpandedGraphTest, BeyondTheLimitErrorsAreOnlyCounted) {
  for (int i = 0; i < GraphErrors::kMaxKept; ++i) {
    graph_.ErrorAt({}, "node", absl::InternalError("is bad."));
  }
  graph_.ErrorAt({}, "node", absl::InternalError("is last."));
  EXPECT_EQ(graph_.errors.count(), GraphErrors::kMaxKept + 1);
  EXPECT_THAT(Errors(), Not(HasSubstr("is last.")));
}

TEST(CompileOptionsTest, SubgraphTypesAreThoseOfTheProcessUnlessGiven) {
  EXPECT_EQ(&CompileOptions().SubgraphTypes(), &GraphRegistry::Global());
  const GraphRegistry registry;
  EXPECT_EQ(&CompileOptions{.registry = &registry}.SubgraphTypes(), &registry);
}

}  // namespace
}  // namespace syncline
