// When a node may open: once the side packets that other nodes make and the
// headers of its inputs have come.
#include "framework/node/open_prerequisites.h"

#include <vector>

#include "framework/plan/graph_plan.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(OpenPrerequisitesTest, OnlySidePacketsOfOtherNodesAreToCome) {
  std::vector<PlanSidePacket> side_packets(4);
  side_packets[1].producer.node = 0;
  side_packets[3].producer.node = 5;
  const std::vector<int> ids = {0, 1, 2};
  PlanNode node;
  EXPECT_EQ(OpenPrerequisites::SidePacketsToCome(side_packets, node), 0);
  node.input_side_packets = ids;
  EXPECT_EQ(OpenPrerequisites::SidePacketsToCome(side_packets, node), 1);
}

TEST(OpenPrerequisitesTest, ANodeThatNeedsNothingMayOpenWhenTheRunStarts) {
  OpenPrerequisites to_open;
  EXPECT_TRUE(to_open.RunStarted(PlanNode(), 0));
}

TEST(OpenPrerequisitesTest, TheLastHeaderOrSidePacketLetsTheNodeOpen) {
  const std::vector<PlanInput> inputs(2);
  PlanNode node;
  node.inputs = inputs;
  OpenPrerequisites side_packet_last;
  EXPECT_FALSE(side_packet_last.RunStarted(node, 1));
  EXPECT_FALSE(side_packet_last.HeaderArrived(inputs[0]));
  EXPECT_FALSE(side_packet_last.HeaderArrived(inputs[1]));
  EXPECT_TRUE(side_packet_last.SidePacketArrived());

  OpenPrerequisites header_last;
  EXPECT_FALSE(header_last.RunStarted(node, 1));
  EXPECT_FALSE(header_last.HeaderArrived(inputs[1]));
  EXPECT_FALSE(header_last.SidePacketArrived());
  EXPECT_TRUE(header_last.HeaderArrived(inputs[0]));
}

TEST(OpenPrerequisitesTest, ABackEdgeIsNotWaitedForAndDoesNotCount) {
  std::vector<PlanInput> inputs(2);
  inputs[1].back_edge = true;
  PlanNode node;
  node.inputs = inputs;
  OpenPrerequisites to_open;
  EXPECT_FALSE(to_open.RunStarted(node, 0));
  EXPECT_FALSE(to_open.HeaderArrived(inputs[1]));
  EXPECT_TRUE(to_open.HeaderArrived(inputs[0]));
  EXPECT_FALSE(to_open.HeaderArrived(inputs[1])) << "it may open only once";
}

}  // namespace
}  // namespace syncline
