#include "framework/component/node_config.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "framework/config/calculator.pb.h"

namespace syncline {
namespace {

CalculatorGraphConfig::Node MakeNode() {
  CalculatorGraphConfig::Node node;
  node.set_name("n");
  node.set_calculator("SomeCalculator");
  node.add_input_stream("TAG:stream");
  return node;
}

TEST(NodeConfigTest, AMessageStaysAsItIs) {
  auto message = std::make_unique<CalculatorGraphConfig::Node>(MakeNode());
  const CalculatorGraphConfig::Node* const before = message.get();
  NodeConfig config;
  config.SetMessage(std::move(message));
  EXPECT_FALSE(config.is_packed());
  EXPECT_EQ(&*config, before);
}

TEST(NodeConfigTest, BytesBecomeTheSameMessageAgain) {
  const std::string bytes = MakeNode().SerializeAsString();
  NodeConfig config;
  config.SetBytes(bytes);
  EXPECT_TRUE(config.is_packed());
  EXPECT_EQ(config->SerializeAsString(), bytes);
  EXPECT_EQ(config->calculator(), "SomeCalculator");
  EXPECT_EQ(&*config, &*config) << "it is kept";
}

TEST(NodeConfigTest, ThreadsThatAskAtOnceGetOneMessage) {
  const std::string bytes = MakeNode().SerializeAsString();
  for (int round = 0; round < 20; ++round) {
    NodeConfig config;
    config.SetBytes(bytes);
    std::vector<const CalculatorGraphConfig::Node*> seen(4);
    std::vector<std::thread> threads;
    for (auto& message : seen) {
      threads.emplace_back([&] { message = &*config; });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto* message : seen) EXPECT_EQ(message, &*config);
  }
}

}  // namespace
}  // namespace syncline
