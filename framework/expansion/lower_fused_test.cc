#include "framework/expansion/lower_fused.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Node = CalculatorGraphConfig::Node;

Node ParseNode(const std::string& text) {
  Node node;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &node));
  return node;
}

std::vector<absl::Status> Lower(Node* node) {
  return LowerFused(
      "", [](const std::string& type) { return type == "Sub"; }, node);
}

TEST(LowerFusedTest, TheNodeGetsThePortsOfItsParts) {
  Node node = ParseNode(R"pb(
    name: "n"
    fused_node {
      calculator: "A"
      input_stream: "IN:0:in"
      input_stream: "IN:1:more_2"
      output_stream: "x"
      input_side_packet: "given"
      output_side_packet: "S:made"
    }
    fused_node {
      calculator: "B"
      input_stream: "x"
      input_stream: "in"
      output_stream: "OUT:y"
      input_side_packet: "A:made"
      input_side_packet: "B:given"
    })pb");
  EXPECT_THAT(Lower(&node), IsEmpty());
  EXPECT_EQ(node.calculator(), kFusedNodeType);
  EXPECT_THAT(node.input_stream(), ElementsAre("IN:in", "MORE_2:more_2"));
  EXPECT_THAT(node.output_stream(), ElementsAre("X:x", "Y:y"));
  EXPECT_THAT(node.input_side_packet(), ElementsAre("GIVEN:given"));
  EXPECT_THAT(node.output_side_packet(), ElementsAre("MADE:made"));
  // Once more changes nothing.
  const std::string before = node.SerializeAsString();
  EXPECT_THAT(Lower(&node), IsEmpty());
  EXPECT_EQ(node.SerializeAsString(), before);
}

TEST(LowerFusedTest, WhatIsSaidOfAnInputIsSaidOfTheNodes) {
  Node node = ParseNode(R"pb(
    fused_node {
      calculator: "A"
      input_stream: "IN:in"
      input_stream: "IN:1:back"
      input_stream_info { tag_index: "IN:1" back_edge: true }
    }
    fused_node {
      calculator: "A"
      input_stream: "in"
      input_stream: "back"
      input_stream_info { tag_index: ":1" back_edge: true }
    })pb");
  EXPECT_THAT(Lower(&node), IsEmpty());
  ASSERT_THAT(node.input_stream_info(), SizeIs(1));
  EXPECT_EQ(node.input_stream_info(0).tag_index(), "BACK");
  EXPECT_TRUE(node.input_stream_info(0).back_edge());
  EXPECT_THAT(node.fused_node(0).input_stream_info(), IsEmpty());
}

TEST(LowerFusedTest, TheNodeMaySayItOfItsOwnPorts) {
  Node node = ParseNode(R"pb(
    input_stream_info { tag_index: "IN" max_queue_size: 3 message_times: true }
    fused_node { calculator: "A" input_stream: "in" })pb");
  EXPECT_THAT(Lower(&node), IsEmpty());
  ASSERT_THAT(node.input_stream_info(), SizeIs(1));
  EXPECT_TRUE(node.input_stream_info(0).message_times());
}

TEST(LowerFusedTest, PartsThatSayTheSameOfAnInputAgree) {
  Node node;
  for (int i = 0; i < 20; ++i) {
    *node.add_fused_node() = ParseNode(R"pb(
      calculator: "A"
      input_stream: "in"
      input_stream_info { max_queue_size: 3 })pb");
  }
  EXPECT_THAT(Lower(&node), IsEmpty());
  EXPECT_THAT(node.input_stream(), ElementsAre("IN:in"));
  EXPECT_THAT(node.input_stream_info(), SizeIs(1));
}

TEST(LowerFusedTest, TwoThatDisagreeAboutAnInputAreAnError) {
  Node node = ParseNode(R"pb(
    fused_node {
      calculator: "A"
      input_stream: "in"
      input_stream_info { max_queue_size: 3 }
    }
    fused_node {
      calculator: "A"
      input_stream: "in"
      input_stream_info { max_queue_size: 4 }
    })pb");
  const std::vector<absl::Status> errors = Lower(&node);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(std::string(errors[0].message()), HasSubstr("has one queue"));
}

TEST(LowerFusedTest, SubgraphsCannotBeFused) {
  Node node = ParseNode("fused_node { name: 's' calculator: 'Sub' }");
  const std::vector<absl::Status> errors = Lower(&node);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(std::string(errors[0].message()),
              HasSubstr("node \"s\" (Sub): it names a subgraph"));
}

}  // namespace
}  // namespace syncline
