#include "framework/expansion/subgraph.h"

#include <memory>

#include "absl/status/status.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/resources.h"
#include "framework/calculator/service.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/expansion/test_service.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

CalculatorGraphConfig::Node NodeWithLength(int length) {
  CalculatorGraphConfig::Node node;
  node.mutable_options()
      ->MutableExtension(NodeChainSubgraphOptions::ext)
      ->set_chain_length(length);
  return node;
}

TEST(SubgraphTest, ContextGivesTheNodeAndItsOptions) {
  CalculatorGraphConfig::Node node = NodeWithLength(4);
  node.set_name("n");
  SubgraphContext context(&node);
  EXPECT_EQ(context.OriginalNode().name(), "n");
  EXPECT_TRUE(context.HasOptions<NodeChainSubgraphOptions>());
  EXPECT_EQ(context.Options<NodeChainSubgraphOptions>().chain_length(), 4);
  context.MutableOptions<NodeChainSubgraphOptions>()->set_chain_length(5);
  EXPECT_EQ(context.Options<NodeChainSubgraphOptions>().chain_length(), 5);
}

TEST(SubgraphTest, AContextWithoutANodeHasDefaults) {
  SubgraphContext context;
  EXPECT_EQ(context.OriginalNode().name(), "");
  EXPECT_FALSE(context.HasOptions<NodeChainSubgraphOptions>());
  EXPECT_EQ(context.Options<NodeChainSubgraphOptions>().chain_length(), 0);
  EXPECT_FALSE(context.Service(kTestService).IsAvailable());
}

TEST(SubgraphTest, StaticHelpersReadTheOptionsOfOlderClasses) {
  const CalculatorGraphConfig::Node node = NodeWithLength(6);
  EXPECT_TRUE(Subgraph::HasOptions<NodeChainSubgraphOptions>(node));
  EXPECT_EQ(Subgraph::GetOptions<NodeChainSubgraphOptions>(node).chain_length(),
            6);
  EXPECT_EQ(&Subgraph::GetNode(node), &node);
}

TEST(SubgraphTest, ContextGivesServicesThatTheGraphHas) {
  GraphServiceManager services;
  ASSERT_TRUE(
      services
          .SetServiceObject(kTestService, std::make_shared<TestServiceObject>())
          .ok());
  SubgraphContext context(nullptr, &services);
  EXPECT_TRUE(context.Service(kTestService).IsAvailable());
  EXPECT_FALSE(context.Service(kDefaultTestService).IsAvailable());
}

TEST(SubgraphTest, ContextGivesTheGraphsResourcesOrDefaultOnes) {
  GraphServiceManager services;
  const std::shared_ptr<Resources> resources = CreateDefaultResources();
  ASSERT_TRUE(services.SetServiceObject(kResourcesService, resources).ok());
  SubgraphContext given(nullptr, &services);
  EXPECT_EQ(&given.GetResources(), resources.get());
  SubgraphContext none;
  EXPECT_EQ(&none.GetResources(), &none.GetResources());
}

TEST(SubgraphTest, AProtoSubgraphIsItsConfig) {
  CalculatorGraphConfig config;
  config.set_num_threads(7);
  ProtoSubgraph subgraph(config);
  SubgraphContext context;
  EXPECT_EQ(static_cast<Subgraph&>(subgraph).GetConfig(&context)->num_threads(),
            7);
}

TEST(SubgraphTest, AClassThatOverridesNothingIsUnimplemented) {
  Subgraph subgraph;
  SubgraphContext context;
  EXPECT_EQ(subgraph.GetConfig(&context).status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace syncline
