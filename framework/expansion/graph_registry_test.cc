#include "framework/expansion/graph_registry.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph_text/test_graphs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(GraphRegistryTest, FindsRegisteredClasses) {
  const GraphRegistry& registry = GraphRegistry::Global();
  EXPECT_TRUE(registry.IsRegistered("", "TwoPassGraph"));
  EXPECT_TRUE(registry.IsRegistered("a.b", "syncline.TwoPassGraph"));
  EXPECT_FALSE(registry.IsRegistered("", "NoGraph"));
  const auto config = registry.CreateByName("", "TwoPassGraph");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->node_size(), 2);
}

TEST(GraphRegistryTest, UnknownNamesAreNotFoundWithTheNearest) {
  const auto config = GraphRegistry::Global().CreateByName("", "TwoPasGraph");
  EXPECT_EQ(config.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(config.status().message()),
              HasSubstr("TwoPassGraph"));
}

TEST(GraphRegistryTest, LocalEntriesShadowRegisteredOnes) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry.Register("TwoPassGraph", ParseGraph("num_threads: 9")).ok());
  EXPECT_EQ(registry.CreateByName("", "TwoPassGraph")->num_threads(), 9);
  EXPECT_EQ(
      GraphRegistry::Global().CreateByName("", "TwoPassGraph")->num_threads(),
      0);
  EXPECT_TRUE(registry.IsRegistered("", "NestedGraph"));
}

TEST(GraphRegistryTest, ARegistryCanStandOnAnother) {
  GraphRegistry below;
  ASSERT_TRUE(below.Register("A", ParseGraph("num_threads: 1")).ok());
  ASSERT_TRUE(below.Register("B", ParseGraph("num_threads: 2")).ok());
  GraphRegistry above(&below);
  ASSERT_TRUE(above.Register("A", ParseGraph("num_threads: 3")).ok());
  EXPECT_EQ(above.CreateByName("", "A")->num_threads(), 3);
  EXPECT_EQ(above.CreateByName("", "B")->num_threads(), 2);
  EXPECT_TRUE(above.IsRegistered("", "B"));
  EXPECT_TRUE(above.CreateByName("", "TwoPassGraph").ok());
  EXPECT_THAT(above.Names(), Contains("B"));
  EXPECT_THAT(above.Names(), Contains("TwoPassGraph"));
}

TEST(GraphRegistryTest, PackagesApplyToLocalEntries) {
  GraphRegistry registry;
  ASSERT_TRUE(registry.Register("a.b.X", ParseGraph("")).ok());
  EXPECT_TRUE(registry.IsRegistered("a.b", "X"));
  EXPECT_TRUE(registry.IsRegistered("a", "b.X"));
  EXPECT_FALSE(registry.IsRegistered("", "X"));
}

TEST(GraphRegistryTest, ANameCanBeTakenOnlyOnce) {
  GraphRegistry registry;
  ASSERT_TRUE(registry.Register("X", ParseGraph("")).ok());
  EXPECT_EQ(registry.Register("X", ParseGraph("")).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(registry.Register("no name", ParseGraph("")).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(GraphRegistryTest, FactoriesMakeOneObjectForEachConfig) {
  GraphRegistry registry;
  int made = 0;
  ASSERT_TRUE(registry
                  .Register("X",
                            [&]() -> std::unique_ptr<Subgraph> {
                              ++made;
                              return std::make_unique<ProtoSubgraph>(
                                  ParseGraph("num_threads: 4"));
                            })
                  .ok());
  EXPECT_EQ(registry.CreateByName("", "X")->num_threads(), 4);
  EXPECT_EQ(registry.CreateByName("", "X")->num_threads(), 4);
  EXPECT_EQ(made, 2);
}

TEST(GraphRegistryTest, AFactoryWithoutAnObjectIsAStatus) {
  GraphRegistry registry;
  ASSERT_TRUE(
      registry.Register("X", []() -> std::unique_ptr<Subgraph> { return {}; })
          .ok());
  EXPECT_EQ(registry.CreateByName("", "X").status().code(),
            absl::StatusCode::kInternal);
}

TEST(GraphRegistryTest, ClassesReadTheOptionsOfTheNode) {
  CalculatorGraphConfig::Node node;
  node.mutable_options()
      ->MutableExtension(NodeChainSubgraphOptions::ext)
      ->set_chain_length(3);
  SubgraphContext context(&node);
  const auto config =
      GraphRegistry::Global().CreateByName("", "ChainGraph", &context);
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->node_size(), 3);
}

}  // namespace
}  // namespace syncline
