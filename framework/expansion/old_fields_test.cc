#include "framework/expansion/old_fields.h"

#include "framework/config/calculator.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OldFieldsTest, WhatStandsInOldFieldsMovesToTheNewOnes) {
  CalculatorGraphConfig::Node node;
  node.add_external_input("a");
  ASSERT_TRUE(RenameOldFields(&node));
  EXPECT_THAT(node.external_input(), IsEmpty());
  EXPECT_THAT(node.input_side_packet(), ElementsAre("a"));

  PacketGeneratorConfig generator;
  generator.add_external_input("b");
  generator.add_external_output("c");
  ASSERT_TRUE(RenameOldFields(&generator));
  EXPECT_THAT(generator.input_side_packet(), ElementsAre("b"));
  EXPECT_THAT(generator.output_side_packet(), ElementsAre("c"));

  StatusHandlerConfig handler;
  handler.add_external_input("d");
  ASSERT_TRUE(RenameOldFields(&handler));
  EXPECT_THAT(handler.input_side_packet(), ElementsAre("d"));
}

TEST(OldFieldsTest, NewFieldsStayAsTheyAre) {
  CalculatorGraphConfig::Node node;
  node.add_input_side_packet("a");
  ASSERT_TRUE(RenameOldFields(&node));
  EXPECT_THAT(node.input_side_packet(), ElementsAre("a"));
}

TEST(OldFieldsTest, AMessageWithBothNamesStaysUnchanged) {
  CalculatorGraphConfig::Node node;
  node.add_external_input("a");
  node.add_input_side_packet("b");
  EXPECT_FALSE(RenameOldFields(&node));
  EXPECT_THAT(node.external_input(), ElementsAre("a"));
  EXPECT_THAT(node.input_side_packet(), ElementsAre("b"));

  // The inputs alone could move.
  PacketGeneratorConfig generator;
  generator.add_external_input("c");
  generator.add_external_output("d");
  generator.add_output_side_packet("e");
  EXPECT_FALSE(RenameOldFields(&generator));
  EXPECT_THAT(generator.external_input(), ElementsAre("c"));
  EXPECT_THAT(generator.input_side_packet(), IsEmpty());

  StatusHandlerConfig handler;
  handler.add_external_input("f");
  handler.add_input_side_packet("g");
  EXPECT_FALSE(RenameOldFields(&handler));
  EXPECT_THAT(handler.external_input(), ElementsAre("f"));
}

}  // namespace
}  // namespace syncline
