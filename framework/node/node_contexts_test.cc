#include "framework/node/node_contexts.h"

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_environment.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::SizeIs;

// A node with two inputs and an output.
class NodeContextsTest : public ::testing::Test {
 protected:
  NodeContextsTest() {
    config_.set_calculator("T");
    config_.add_input_stream("a");
    config_.add_input_stream("b");
    config_.add_output_stream("c");
    EXPECT_TRUE(contract_.Initialize(config_, "n").ok());
    environment_ =
        std::make_unique<NodeEnvironment>(contract_, NodeEnvironment::Run());
    contexts_.Place(2, 1, &memory_);
  }

  std::pmr::monotonic_buffer_resource memory_;
  CalculatorGraphConfig::Node config_;
  CalculatorContract contract_;
  std::unique_ptr<NodeEnvironment> environment_;
  NodeContexts contexts_;
};

TEST_F(NodeContextsTest, TheFirstLiesInTheRowOfTheNode) {
  CalculatorContext* const first = contexts_.Make(*environment_);
  CalculatorContext* const second = contexts_.Make(*environment_);
  EXPECT_EQ(static_cast<const void*>(first), contexts_.start());
  EXPECT_NE(second, first);
  // So do its streams.
  const auto* const input =
      reinterpret_cast<const std::byte*>(&*first->Inputs().begin());
  const auto* const output =
      reinterpret_cast<const std::byte*>(&*first->Outputs().begin());
  EXPECT_GE(input, contexts_.start() + sizeof(CalculatorContext));
  EXPECT_LT(output, contexts_.start() + NodeContexts::Bytes(2, 1));
}

TEST_F(NodeContextsTest, ShowTheHeadersOfTheirInputs) {
  contexts_.SetHeader(1, MakePacket<int>(7));
  CalculatorContext* const context = contexts_.Make(*environment_);
  EXPECT_TRUE(context->Inputs().begin()[0].Header().IsEmpty());
  EXPECT_EQ(context->Inputs().begin()[1].Header().Get<int>(), 7);
  std::vector<Packet> dropped;
  contexts_.MoveHeadersTo(&dropped);
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].Get<int>(), 7);
}

TEST_F(NodeContextsTest, AreReleasedAllAtOnceAndMadeAnew) {
  contexts_.Make(*environment_);
  CalculatorContext* const second = contexts_.Make(*environment_);
  NodeContexts::Released released = contexts_.Release();
  EXPECT_EQ(static_cast<const void*>(released.first.get()), contexts_.start());
  ASSERT_THAT(*released.others, SizeIs(1));
  EXPECT_EQ(released.others->front().get(), second);
  released = NodeContexts::Released();
  EXPECT_EQ(contexts_.Release().others, nullptr);
  EXPECT_EQ(static_cast<const void*>(contexts_.Make(*environment_)),
            contexts_.start());
}

TEST_F(NodeContextsTest, WhatTheyHoldGoesWithThem) {
  auto value = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = value;
  CalculatorContext* const context = contexts_.Make(*environment_);
  context->Inputs().begin()->Fill(
      MakePacket<std::shared_ptr<int>>(std::move(value)), false);
  NodeContexts::Released released = contexts_.Release();
  EXPECT_FALSE(watch.expired());
  released = NodeContexts::Released();
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace syncline
