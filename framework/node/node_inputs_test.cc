// What comes to the inputs of a node, what leaves them, and what is passed on.

#include "framework/node/node_inputs.h"

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/node/node_inputs_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/queue_limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(NodeInputsTest, PacketsAreCopiedUnlessTheyMayBeMoved) {
  InputsUnderTest node(1);
  node.Place();
  Packet packets[] = {node.At(Timestamp(1)), node.At(Timestamp(2))};
  EXPECT_TRUE(node.inputs.Add(0, packets, /*may_move=*/false, Timestamp(5),
                              /*sizes=*/{}, &node.effects));
  EXPECT_FALSE(packets[0].IsEmpty());
  EXPECT_THAT(node.Waiting(0), ElementsAre(1, 2));
  EXPECT_EQ(node.inputs.queue(0).bound(), Timestamp(5));
  packets[0] = node.At(Timestamp(6));
  EXPECT_FALSE(node.inputs.Add(0, {packets, 1}, /*may_move=*/true,
                               Timestamp::Unset(), /*sizes=*/{},
                               &node.effects));
  EXPECT_TRUE(packets[0].IsEmpty());
  EXPECT_TRUE(node.inputs.HasPackets());
}

TEST(NodeInputsTest, OnlyWhatTheRuleLooksAtIsAChange) {
  InputsUnderTest node(2);
  node.Place();
  EXPECT_TRUE(node.Add(0, 1));
  EXPECT_FALSE(node.Add(0, 2));
  EXPECT_FALSE(node.Bound(0, Timestamp(9)));
  EXPECT_TRUE(node.Bound(1, Timestamp(1)));
  EXPECT_FALSE(node.Bound(1, Timestamp(1)));
  EXPECT_THAT(node.inputs.Evaluate(), Is(Wait(1)));
  EXPECT_TRUE(node.Bound(1, Timestamp(2)));
  EXPECT_THAT(node.inputs.Evaluate(), Is(Ready(1)));
}

TEST(NodeInputsTest, APacketAtTheBoundMayPassTheQueueAndNoneBeforeIt) {
  InputsUnderTest node(1);
  node.Place();
  ASSERT_TRUE(node.inputs.packets_may_pass());
  node.Bound(0, Timestamp(5));
  EXPECT_FALSE(node.inputs.CanPass(Timestamp(4)));
  EXPECT_TRUE(node.inputs.CanPass(Timestamp(5))) << "the most common packet";
  EXPECT_TRUE(node.inputs.CanPass(Timestamp(6)));
}

TEST(NodeInputsTest, APacketThatGoesBackIsCountedAndAnError) {
  InputsUnderTest node(2);
  node.Place();
  node.Bound(1, Timestamp(8));
  EXPECT_FALSE(node.Add(1, 3));
  ASSERT_THAT(node.effects.errors, SizeIs(1));
  EXPECT_EQ(node.effects.errors[0].code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(node.effects.errors[0].message()),
              HasSubstr("stream \"b\": node \"n\" (T) is past that time "
                        "already. Current minimum expected timestamp is 8 but "
                        "received 3."));
  EXPECT_THAT(node.effects.trash, SizeIs(1));
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kGoesBack), 1);
}

TEST(NodeInputsTest, AClosedNodeCountsWhatComesAndReportsNothing) {
  InputsUnderTest node(2);
  node.Place();
  node.Add(1, 1);
  node.inputs.Close(DropCause::kAtClose, &node.effects);
  EXPECT_THAT(node.effects.trash, SizeIs(1));
  EXPECT_FALSE(node.Add(1, 2));
  EXPECT_THAT(node.effects.trash, SizeIs(2));
  EXPECT_THAT(node.effects.errors, IsEmpty());
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kAtClose), 1);
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kAfterClose), 1);
}

TEST(NodeInputsTest, WhatIsTakenIsShown) {
  for (const int num_inputs : {1, 2}) {
    InputsUnderTest node(num_inputs);
    node.Place();
    node.Add(0, 7);
    if (num_inputs == 2) node.Bound(1, Timestamp(8));
    EXPECT_EQ(node.Take(), Timestamp(7));
    const InputStream& shown = *node.shown().begin();
    EXPECT_FALSE(shown.IsEmpty()) << num_inputs;
    EXPECT_EQ(shown.Value().Timestamp(), Timestamp(7)) << num_inputs;
  }
}

TEST(NodeInputsTest, ABoundIsPassedOnOnce) {
  InputsUnderTest node(1);
  node.Place();
  EXPECT_TRUE(node.inputs.TakeBoundToPass(Timestamp(3)));
  EXPECT_FALSE(node.inputs.TakeBoundToPass(Timestamp(3)));
  EXPECT_TRUE(node.inputs.TakeBoundToPass(Timestamp(4)));
  // What a call takes with it need not be passed on.
  node.Add(0, 7);
  node.Take();
  EXPECT_FALSE(node.inputs.HasMoreAfter(Timestamp(7), true));
  EXPECT_FALSE(node.inputs.TakeBoundToPass(Timestamp(8)));
  EXPECT_TRUE(node.inputs.TakeBoundToPass(Timestamp(9)));
  node.Add(0, 12);
  node.Take();
  node.inputs.TakeBoundToPass(Timestamp(50));
  node.inputs.HasMoreAfter(Timestamp(12), true);
  EXPECT_FALSE(node.inputs.TakeBoundToPass(Timestamp(20)));
}

TEST(NodeInputsTest, WhatIsTakenForNoCallIsCounted) {
  InputsUnderTest node(3);
  node.Place();
  node.Add(0, 1);
  node.Bound(1, Timestamp(2));
  node.Add(2, 1);
  EXPECT_EQ(node.Take(), Timestamp(1));
  node.inputs.NoteLost(node.shown(), DropCause::kRunFailed);
  EXPECT_EQ(node.inputs.queue(0).drops().of(DropCause::kRunFailed), 1);
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kRunFailed), 0);
  EXPECT_EQ(node.inputs.queue(2).drops().of(DropCause::kRunFailed), 1);
}

}  // namespace
}  // namespace syncline
