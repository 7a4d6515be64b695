#include "framework/expansion/node_origin.h"

#include <memory>
#include <string>

#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/test_graphs.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

std::shared_ptr<const GraphPositions> Positions() {
  return ParseSource(
             "node {}\n"
             "node {}\n"
             "packet_generator {}\n"
             "status_handler {}\n"
             "executor {}\n")
      .positions;
}

TEST(NodeOriginTest, PartsOfTheGraphHaveFileAndLine) {
  OriginTable origins(Positions());
  EXPECT_EQ(origins.Prefix({0, 1}), "graph.pbtxt:2: ");
  EXPECT_EQ(origins.Prefix({0, 0, OriginField::kPacketGenerator}),
            "graph.pbtxt:3: ");
  EXPECT_EQ(origins.Prefix({0, 0, OriginField::kStatusHandler}),
            "graph.pbtxt:4: ");
  EXPECT_EQ(origins.FieldPrefix("executor", 0), "graph.pbtxt:5: ");
  EXPECT_EQ(origins.Chain({0, 1}), "");
  EXPECT_EQ(origins.Location({0, 1}), "graph.pbtxt:2");
}

TEST(NodeOriginTest, WithoutPositionsThereIsNothingToSay) {
  OriginTable origins(nullptr);
  EXPECT_EQ(origins.Prefix({0, 1}), "");
  EXPECT_EQ(origins.FieldPrefix("executor", 0), "");
  EXPECT_EQ(origins.Location({0, 1}), "");
}

TEST(NodeOriginTest, TheChainGoesFromTheInnermostSubgraphOut) {
  OriginTable origins(Positions());
  const int outer = origins.AddExpansion({0, 1}, "o", "Outer", nullptr);
  const int inner = origins.AddExpansion({outer, 0}, "i", "Inner", Positions());
  EXPECT_EQ(origins.Depth(0), 0);
  EXPECT_EQ(origins.Depth(inner), 2);
  EXPECT_EQ(origins.Location({inner, 0}),
            "graph.pbtxt:1 (in subgraph \"i\" (Inner), in subgraph \"o\" "
            "(Outer) at graph.pbtxt:2)");
  EXPECT_EQ(origins.Location({outer, 0}),
            "(in subgraph \"o\" (Outer) at graph.pbtxt:2)");
  EXPECT_TRUE(origins.IsInside(inner, "Outer"));
  EXPECT_TRUE(origins.IsInside(inner, "Inner"));
  EXPECT_FALSE(origins.IsInside(outer, "Inner"));
  EXPECT_EQ(origins.TypeChain(inner, "Outer"), "Outer > Inner > Outer");
}

TEST(NodeOriginTest, VeryDeepChainsAreCut) {
  OriginTable origins(nullptr);
  int expansion = 0;
  for (int i = 0; i < 1000; ++i) {
    expansion = origins.AddExpansion({expansion, 0}, "n", "T", nullptr);
  }
  EXPECT_LT(origins.Chain({expansion, 0}).size(), 500);
  EXPECT_NE(origins.Chain({expansion, 0}).find("and 992 more around them"),
            std::string::npos);
  EXPECT_EQ(origins.TypeChain(expansion, "X").substr(0, 8), "... > T ");
}

}  // namespace
}  // namespace syncline
