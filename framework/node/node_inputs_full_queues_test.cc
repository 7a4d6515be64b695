// What is told of the queues of a node: that they are full, or longer than they
// should be, or have more room; and how their limits are raised.

#include <cstdint>
#include <limits>
#include <vector>

#include "framework/node/effects.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_inputs_test_support.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/queue_limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

class NodeFullQueuesTest : public ::testing::Test {
 protected:
  // Of the only input.
  void Place(const QueueLimit& limit, const QueueMarks& marks = {}) {
    node_.limits[0] = limit;
    node_.marks = marks;
    node_.Place();
  }
  void Fill(int first, int last) {
    for (int timestamp = first; timestamp <= last; ++timestamp) {
      node_.Add(0, timestamp);
    }
  }
  // What was told since this was last asked.
  std::vector<Effects::QueueFact> Told() {
    std::vector<Effects::QueueFact> told(node_.effects.queue_facts.begin(),
                                         node_.effects.queue_facts.end());
    node_.effects.queue_facts.clear();
    return told;
  }
  // The lengths of which a warning was given.
  std::vector<int> LongLengths() {
    std::vector<int> lengths;
    for (const Effects::QueueFact& fact : Told()) {
      if (fact.change != 0 || fact.is_short) continue;
      EXPECT_EQ(fact.stream, 10);
      EXPECT_EQ(fact.node, 5);
      EXPECT_EQ(fact.long_port, 0);
      lengths.push_back(static_cast<int>(fact.size));
    }
    return lengths;
  }

  InputsUnderTest node_{1};
};

TEST_F(NodeFullQueuesTest, AQueueBecomesFullAndHasRoomAgain) {
  Place({.packets = 1});
  node_.Add(0, 1);
  std::vector<Effects::QueueFact> told = Told();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].stream, 10);
  EXPECT_EQ(told[0].change, 1);
  EXPECT_TRUE(told[0].is_node);
  node_.Add(0, 2);
  node_.Take();
  for (const Effects::QueueFact& fact : Told()) EXPECT_EQ(fact.change, 0);
  node_.Take();
  told = Told();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].change, -1);
  // While no queue is full, taking looks at none.
  node_.inputs.RaiseRoom(0, 5, 10, &node_.effects);
  node_.Add(0, 3);
  node_.Take();
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(NodeFullQueuesTest, AFewPacketsMayBeLarge) {
  Place({.packets = 100});
  Fill(1, 4);
  const std::vector<Effects::QueueFact> told = Told();
  ASSERT_THAT(told, SizeIs(2));
  EXPECT_TRUE(told[0].is_short);
  EXPECT_EQ(told[0].size, 2);
  EXPECT_EQ(told[1].size, 4);
  EXPECT_EQ(told[1].long_port, 0);
}

TEST_F(NodeFullQueuesTest, LookedAtAnewOnceAThousandHaveCome) {
  Place({.packets = 2});
  int looks = 0;
  for (int timestamp = 1; timestamp <= 4096; timestamp += 2) {
    Fill(timestamp, timestamp + 1);
    for (const Effects::QueueFact& fact : Told())
      looks += fact.is_short ? 1 : 0;
    node_.Take();
    node_.Take();
  }
  // The first time, and after 1024, 2048, 3072 and 4096: those when it is full.
  EXPECT_EQ(looks, 5);
}

TEST_F(NodeFullQueuesTest, WithinItsLimitNoQueueIsLong) {
  Place({.packets = 1000}, {.warning_size = 200});
  Fill(1, 1000);
  EXPECT_THAT(LongLengths(), IsEmpty());
}

TEST_F(NodeFullQueuesTest, BeyondTwiceItsLimitItIsLong) {
  Place({.packets = 100});
  Fill(1, 250);
  // By a quarter more each time.
  EXPECT_THAT(LongLengths(), ElementsAre(200, 224));
}

TEST_F(NodeFullQueuesTest, ShortOnesAreNotWorthIt) {
  Place({.packets = 2});
  Fill(1, 127);
  EXPECT_THAT(LongLengths(), IsEmpty());
  node_.Add(0, 128);
  EXPECT_THAT(LongLengths(), ElementsAre(128));
}

TEST_F(NodeFullQueuesTest, WhatGrowsAnewIsToldAnew) {
  Place({.packets = 2});
  Fill(1, 128);
  EXPECT_THAT(LongLengths(), ElementsAre(128));
  while (node_.inputs.HasPackets()) node_.Take();
  Fill(201, 328);
  EXPECT_THAT(LongLengths(), ElementsAre(128));
}

TEST_F(NodeFullQueuesTest, AMarkMakesShorterOnesWorthIt) {
  Place({.packets = 2}, {.warning_size = 10});
  Fill(1, 12);
  EXPECT_THAT(LongLengths(), ElementsAre(10, 12));
}

TEST_F(NodeFullQueuesTest, AMarkMayEndTheRun) {
  Place({.packets = 100}, {.error_size = 4});
  Fill(1, 5);
  EXPECT_THAT(LongLengths(), ElementsAre(4));
}

TEST_F(NodeFullQueuesTest, WithoutALimitItIsWatched) {
  Place({}, {.warning_size = 10});
  Fill(1, 12);
  const std::vector<Effects::QueueFact> told = Told();
  bool is_warned = false;
  for (const Effects::QueueFact& fact : told) {
    if (fact.long_port >= 0 || fact.size != 10) continue;
    is_warned = true;
    EXPECT_EQ(fact.stream, 10);
    EXPECT_EQ(fact.change, 0);
    EXPECT_TRUE(fact.is_node);
    EXPECT_EQ(fact.node, 5);
  }
  EXPECT_TRUE(is_warned);
  // Where the watch looks next is no limit.
  EXPECT_EQ(node_.inputs.Room(0), kUnlimited);
  const NodeSnapshot::Input seen = node_.inputs.Snapshot()[0];
  EXPECT_EQ(seen.limit, InputQueue::kNoLimit);
  EXPECT_EQ(seen.byte_limit, InputQueue::kNoLimit);
  EXPECT_EQ(seen.bytes, -1);
}

TEST_F(NodeFullQueuesTest, BytesAreALimitToo) {
  Place({.bytes = 100});
  EXPECT_TRUE(node_.inputs.counts_bytes());
  node_.AddSized(0, 1, 60);
  EXPECT_THAT(Told(), IsEmpty());
  std::vector<Packet> uncounted;
  EXPECT_EQ(node_.inputs.Measure(0, &uncounted).bytes, 60);
  EXPECT_THAT(uncounted, IsEmpty());
  node_.AddSized(0, 2, 60);
  bool is_full = false;
  for (const Effects::QueueFact& fact : Told()) is_full |= fact.change == 1;
  EXPECT_TRUE(is_full);
  EXPECT_TRUE(node_.inputs.queue(0).Full());
  const NodeSnapshot::Input seen = node_.inputs.Snapshot()[0];
  EXPECT_EQ(seen.limit, InputQueue::kNoLimit);
  EXPECT_EQ(seen.byte_limit, 100);
  EXPECT_EQ(seen.bytes, 120);
  EXPECT_TRUE(seen.is_full);
  // Room for one more packet.
  EXPECT_TRUE(node_.inputs.RaiseLimit(0, 1000, &node_.effects));
  EXPECT_FALSE(node_.inputs.queue(0).Full());
  ASSERT_THAT(node_.effects.queue_facts, SizeIs(1));
  EXPECT_EQ(node_.effects.queue_facts[0].change, -1);
}

TEST_F(NodeFullQueuesTest, BytesAreLookedAtAfterEachPacket) {
  Place({.bytes = 30});
  node_.AddSized(0, 1, 10);
  node_.AddSized(0, 2, 10);
  Told();
  // Three is no number of packets at which a queue is looked at.
  node_.AddSized(0, 3, 10);
  EXPECT_TRUE(node_.inputs.queue(0).Full());
  const std::vector<Effects::QueueFact> told = Told();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].change, 1);
}

TEST_F(NodeFullQueuesTest, WhatIsNoLongerFullIsToldAnew) {
  Place({.bytes = 200});
  for (int timestamp = 1; timestamp < 200; ++timestamp) {
    node_.AddSized(0, timestamp, 1);
  }
  EXPECT_THAT(LongLengths(), ElementsAre(128));
  node_.AddSized(0, 200, 1);
  EXPECT_TRUE(node_.inputs.queue(0).Full());
  EXPECT_THAT(LongLengths(), ElementsAre(200));
  node_.AddSized(0, 201, 1);
  EXPECT_THAT(LongLengths(), IsEmpty());
  node_.Take();
  node_.Take();
  EXPECT_FALSE(node_.inputs.queue(0).Full());
  EXPECT_THAT(LongLengths(), ElementsAre(199));
}

TEST_F(NodeFullQueuesTest, AStepOfBytesIsTold) {
  Place({.packets = 100}, {.byte_step = 100});
  node_.AddSized(0, 1, 99);
  EXPECT_THAT(LongLengths(), IsEmpty());
  node_.AddSized(0, 2, 2);
  EXPECT_THAT(LongLengths(), ElementsAre(2));
}

TEST_F(NodeFullQueuesTest, ALimitIsRaisedByOneUpToACeiling) {
  Place({.packets = 2});
  Fill(1, 2);
  Told();
  EXPECT_FALSE(node_.inputs.RaiseLimit(0, 2, &node_.effects));
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_TRUE(node_.inputs.RaiseLimit(0, 3, &node_.effects));
  EXPECT_EQ(node_.inputs.queue(0).limit(), 3);
  ASSERT_THAT(node_.effects.queue_facts, SizeIs(1));
  EXPECT_EQ(node_.effects.queue_facts[0].change, -1);
  // One that is not full has room already.
  EXPECT_TRUE(node_.inputs.RaiseLimit(0, 3, &node_.effects));
  EXPECT_TRUE(node_.inputs.RaiseLimit(0, 1, &node_.effects));
  EXPECT_EQ(node_.inputs.queue(0).limit(), 3);
}

TEST_F(NodeFullQueuesTest, WithAWatchTheCeilingHoldsAsWell) {
  Place({.packets = 2, .bytes = 1000});
  Fill(1, 2);
  EXPECT_FALSE(node_.inputs.RaiseLimit(0, 2, &node_.effects));
  EXPECT_TRUE(node_.inputs.RaiseLimit(0, 3, &node_.effects));
  EXPECT_FALSE(node_.inputs.queue(0).Full());
  EXPECT_TRUE(node_.inputs.RaiseRoom(0, 3, 5, &node_.effects));
  EXPECT_EQ(node_.inputs.Snapshot()[0].limit, 5);
  EXPECT_FALSE(node_.inputs.RaiseRoom(0, 3, 5, &node_.effects));
}

TEST_F(NodeFullQueuesTest, RoomIsRaisedAtOnce) {
  Place({.packets = 3});
  node_.Add(0, 1);
  EXPECT_EQ(node_.inputs.Room(0), 2);
  EXPECT_FALSE(node_.inputs.RaiseRoom(0, 2, 10, &node_.effects));
  EXPECT_FALSE(node_.inputs.RaiseRoom(0, 5, 5, &node_.effects));
  EXPECT_THAT(node_.effects.gate_facts, IsEmpty());
  EXPECT_TRUE(node_.inputs.RaiseRoom(0, 4, 5, &node_.effects));
  EXPECT_EQ(node_.inputs.Room(0), 4);
  ASSERT_THAT(node_.effects.gate_facts, SizeIs(1));
  EXPECT_EQ(node_.effects.gate_facts[0].kind, Effects::GateFact::Kind::kRoom);
  EXPECT_EQ(node_.effects.gate_facts[0].stream, 10);
}

TEST_F(NodeFullQueuesTest, AQueueWithoutALimitGetsNoMoreRoom) {
  Place({.bytes = 1000});
  node_.AddSized(0, 1, 60);
  EXPECT_FALSE(node_.inputs.RaiseRoom(0, 300, 1000, &node_.effects));
  EXPECT_THAT(node_.effects.gate_facts, IsEmpty());
  EXPECT_EQ(node_.inputs.Snapshot()[0].limit, InputQueue::kNoLimit);
}

TEST_F(NodeFullQueuesTest, AFullQueueHasNoRoomAndGetsNone) {
  Place({.packets = 1});
  Fill(1, 3);
  EXPECT_EQ(node_.inputs.Room(0), 0);
  EXPECT_FALSE(node_.inputs.RaiseRoom(0, 4, 10, &node_.effects));
}

TEST(NodeInputsRoomTest, WhoWaitsForRoomIsToldOfEachCall) {
  InputsUnderTest node(2);
  node.Place();
  node.Add(0, 1);
  node.Add(1, 1);
  node.inputs.WatchRoom(1);
  node.Take();
  ASSERT_THAT(node.effects.gate_facts, SizeIs(1));
  EXPECT_EQ(node.effects.gate_facts[0].kind, Effects::GateFact::Kind::kRoom);
  EXPECT_EQ(node.effects.gate_facts[0].stream, 11);
}

TEST_F(NodeFullQueuesTest, WhatWaitsIsMeasuredByItsPackets) {
  Place({.packets = 100});
  Fill(1, 3);
  std::vector<Packet> uncounted;
  const QueueUse use = node_.inputs.Measure(0, &uncounted);
  EXPECT_EQ(use.packets, 3);
  EXPECT_EQ(use.bytes, 0);
  ASSERT_THAT(uncounted, SizeIs(3));
  EXPECT_EQ(uncounted[2].Timestamp(), Timestamp(3));
}

TEST_F(NodeFullQueuesTest, ASnapshotShowsTheQueue) {
  Place({.packets = 3});
  Fill(1, 3);
  node_.Add(0, 1);
  NodeSnapshot::Input seen = node_.inputs.Snapshot()[0];
  EXPECT_EQ(seen.queue_size, 3);
  EXPECT_EQ(seen.packets_added, 3);
  EXPECT_EQ(seen.drops.of(DropCause::kGoesBack), 1);
  EXPECT_EQ(seen.limit, 3);
  EXPECT_EQ(seen.bytes, -1);
  EXPECT_EQ(seen.byte_limit, -1);
  EXPECT_TRUE(seen.is_full);
  EXPECT_EQ(seen.bound, Timestamp(4));
  EXPECT_EQ(seen.min_timestamp_or_bound, Timestamp(1));
}

}  // namespace
}  // namespace syncline
