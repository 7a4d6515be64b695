// The features that few inputs have: queues that drop packets, streams that are
// idle after others, and the times of packets.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/node/node_inputs_test_support.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// --- Queues that drop packets

class BoundedInputTest : public ::testing::Test {
 protected:
  void Place(InputStreamInfo::QueuePolicy policy, bool ignores_time = false) {
    node_.plan_inputs[1].queue_policy = policy;
    node_.plan_inputs[1].max_queue_size = 2;
    node_.kind.ignores_time = ignores_time;
    node_.Place();
    EXPECT_TRUE(node_.inputs.has_arrival_rules());
    EXPECT_TRUE(node_.inputs.AddsOneByOne(1));
    EXPECT_FALSE(node_.inputs.AddsOneByOne(0));
    for (const int timestamp : {1, 2, 3}) {
      node_.AddOne(1, Timestamp(timestamp));
    }
  }
  std::int64_t Dropped() const {
    return node_.inputs.queue(1).drops().of(DropCause::kQueueFull);
  }

  InputsUnderTest node_{2};
};

TEST_F(BoundedInputTest, PopDropsTheOldest) {
  Place(InputStreamInfo::POP);
  EXPECT_THAT(node_.Waiting(1), ElementsAre(2, 3));
  EXPECT_EQ(Dropped(), 1);
  EXPECT_THAT(node_.effects.trash, SizeIs(1));
  // The rule has seen that the front is another.
  node_.Bound(0, Timestamp(9));
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(2)));
}

TEST_F(BoundedInputTest, TheRuleSeesAtOnceThatTheOldestIsGone) {
  Place(InputStreamInfo::POP);
  node_.Bound(0, Timestamp(9));
  node_.AddOne(1, Timestamp(4));
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(3)));
}

TEST_F(BoundedInputTest, RejectDropsTheNewOneAndKeepsItsTime) {
  Place(InputStreamInfo::REJECT);
  EXPECT_THAT(node_.Waiting(1), ElementsAre(1, 2));
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(4));
  EXPECT_EQ(Dropped(), 1);
  EXPECT_THAT(node_.effects.errors, IsEmpty());
}

TEST_F(BoundedInputTest, FaultReportsTheFirst) {
  Place(InputStreamInfo::FAULT);
  node_.AddOne(1, Timestamp(4));
  EXPECT_EQ(Dropped(), 2);
  ASSERT_THAT(node_.effects.errors, SizeIs(1));
  EXPECT_EQ(node_.effects.errors[0].code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(node_.effects.errors[0].message()),
              HasSubstr("\"b\" at node \"n\" (T) has no room for the packet "
                        "at 3: its max_queue_size: 2 is used up, from 1 on."));
}

TEST_F(BoundedInputTest, WhatGoesBackTakesNoRoom) {
  Place(InputStreamInfo::POP);
  node_.AddOne(1, Timestamp(1));
  EXPECT_THAT(node_.Waiting(1), ElementsAre(2, 3));
  EXPECT_EQ(Dropped(), 1);
  EXPECT_THAT(node_.effects.errors, SizeIs(1));
}

TEST_F(BoundedInputTest, WhereTimeIsIgnoredARejectedPacketMovesNoBound) {
  Place(InputStreamInfo::REJECT, /*ignores_time=*/true);
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp::PreStream());
  EXPECT_EQ(Dropped(), 1);
}

TEST_F(BoundedInputTest, ItsRoomIsWhatIsLeft) {
  Place(InputStreamInfo::POP);
  EXPECT_EQ(node_.inputs.Room(1), 0);
  node_.Bound(0, Timestamp(9));
  node_.Take();
  EXPECT_EQ(node_.inputs.Room(1), 1);
  EXPECT_EQ(node_.inputs.Room(0), 100);
  EXPECT_FALSE(node_.inputs.RaiseRoom(1, 5, 1000, &node_.effects));
  EXPECT_EQ(node_.inputs.Snapshot()[1].limit, 2);
  EXPECT_FALSE(node_.inputs.Snapshot()[1].is_full);
}

// --- Streams that are idle after others

class IdleInputTest : public ::testing::Test {
 protected:
  IdleInputTest() {
    node_.plan_inputs[1].idle_after_port = 0;
    node_.plan_inputs[1].idle_gap = 10;
    node_.Place();
    EXPECT_TRUE(node_.inputs.has_arrival_rules());
    EXPECT_FALSE(node_.inputs.AddsOneByOne(1));
  }

  InputsUnderTest node_{3};
};

TEST_F(IdleInputTest, IsSettledByTheOther) {
  EXPECT_TRUE(node_.inputs.SettleSilent(0, Timestamp(15), &node_.effects));
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(5));
  EXPECT_EQ(node_.inputs.queue(2).bound(), Timestamp::PreStream());
  EXPECT_FALSE(node_.inputs.SettleSilent(0, Timestamp(15), &node_.effects));
  EXPECT_FALSE(node_.inputs.SettleSilent(2, Timestamp(90), &node_.effects));
  EXPECT_FALSE(
      node_.inputs.SettleSilent(0, Timestamp::PreStream(), &node_.effects));
  node_.Bound(0, Timestamp(20));
  node_.Bound(2, Timestamp(20));
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Wait(5)));
}

TEST_F(IdleInputTest, WhatComesForASettledTimeIsLate) {
  node_.inputs.SettleSilent(0, Timestamp(15), &node_.effects);
  node_.Add(1, 4);
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kLate), 1);
  EXPECT_THAT(node_.effects.errors, IsEmpty());
  // What it settled itself is not.
  node_.Bound(1, Timestamp(8));
  node_.Add(1, 6);
  node_.Add(1, 5);
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kGoesBack), 2);
  EXPECT_THAT(node_.effects.errors, SizeIs(2));
}

TEST_F(IdleInputTest, BehindAPacketTheRuleSeesNoBound) {
  node_.Add(1, 1);
  EXPECT_FALSE(node_.inputs.SettleSilent(0, Timestamp(15), &node_.effects));
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(5));
}

TEST_F(IdleInputTest, AtTheEndItIsSettledUpToTheEarliestPacket) {
  EXPECT_FALSE(node_.inputs.SettleSilentAtEnd());
  node_.Add(0, 7);
  node_.Add(2, 6);
  node_.Bound(0, Timestamp(9));
  EXPECT_TRUE(node_.inputs.SettleSilentAtEnd());
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(7));
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(6)));
  EXPECT_FALSE(node_.inputs.SettleSilentAtEnd());
  node_.Add(1, 3);
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kLate), 1);
}

TEST_F(IdleInputTest, AtTheEndOneWithPacketsIsLeftAlone) {
  node_.Add(1, 7);
  EXPECT_FALSE(node_.inputs.SettleSilentAtEnd());
}

TEST(NodeInputsTest, WithoutIdleStreamsNothingIsSettled) {
  InputsUnderTest node(2);
  node.Place();
  node.Add(0, 1);
  EXPECT_FALSE(node.inputs.has_arrival_rules());
  EXPECT_FALSE(node.inputs.SettleSilent(0, Timestamp(50), &node.effects));
  EXPECT_FALSE(node.inputs.SettleSilentAtEnd());
}

// --- Times of packets

TEST(NodeInputsTest, TimesAreShownWithTheirPackets) {
  InputsUnderTest node(2);
  node.plan_inputs[1].message_times = true;
  node.Place();
  EXPECT_TRUE(node.inputs.has_arrival_rules());
  EXPECT_TRUE(node.inputs.AddsOneByOne(1));
  EXPECT_EQ(node.inputs.TimesOfFront(1), nullptr);
  const PacketTimes first = {.acquisition_ns = 1};
  const PacketTimes second = {.acquisition_ns = 2};
  node.AddOne(1, Timestamp(10), {&first, 1});
  node.AddOne(1, Timestamp(20), {&second, 1});
  node.Add(0, 15);
  EXPECT_EQ(node.inputs.TimesOfFront(0), nullptr);
  EXPECT_EQ(node.inputs.TimesOfFront(1)->acquisition_ns, 1);
  node.Bound(0, Timestamp(21));
  EXPECT_EQ(node.Take(), Timestamp(10));
  const InputStream& shown = node.shown().begin()[1];
  EXPECT_EQ(shown.MessageTimes(), first);
  EXPECT_FALSE(node.shown().begin()[0].KeepsMessageTimes());
  EXPECT_EQ(node.inputs.TimesOfFront(1)->acquisition_ns, 2);
  EXPECT_EQ(node.Take(), Timestamp(15));
  EXPECT_EQ(shown.MessageTimes(), PacketTimes());
  EXPECT_EQ(node.Take(), Timestamp(20));
  EXPECT_EQ(shown.MessageTimes(), second);
}

}  // namespace
}  // namespace syncline
