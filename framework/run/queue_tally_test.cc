// The readers of a stream share its packets, and one queue is the largest.

#include "framework/run/queue_tally.h"

#include "framework/run/long_queues.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr int kBytes = kBytesOfQueuedPacket;

class QueueTallyTest : public ::testing::Test {
 protected:
  LongQueues::Key Key(int queue) { return {this, queue}; }

  LongQueues known_;
  QueueTally tally_{2, &known_};
};

TEST_F(QueueTallyTest, IsEmptyAtFirst) {
  EXPECT_EQ(tally_.total(), 0);
  EXPECT_EQ(tally_.largest().stream, -1);
}

TEST_F(QueueTallyTest, OfTheReadersOfAStreamTheMostCounts) {
  tally_.AddReader(Key(0), {1, 100}, 0, "a");
  EXPECT_EQ(tally_.total(), 100 + kBytes);
  tally_.AddReader(Key(1), {2, 300}, 0, "b");
  EXPECT_EQ(tally_.total(), 300 + 2 * kBytes);
  tally_.AddReader(Key(2), {1, 200}, 0, "c");
  EXPECT_EQ(tally_.total(), 300 + 2 * kBytes);
}

TEST_F(QueueTallyTest, StreamsAndWhatInputsHoldAreAddedUp) {
  tally_.AddReader(Key(0), {1, 100}, 0, "a");
  tally_.AddReader(Key(1), {1, 10}, 1, "b");
  EXPECT_EQ(tally_.total(), 110 + 2 * kBytes);
  tally_.AddInput(Key(2), {1, 20}, 0, "c");
  EXPECT_EQ(tally_.total(), 130 + 3 * kBytes) << "though a reader has more";
}

TEST_F(QueueTallyTest, TheFirstOfTheLargestIsNamed) {
  tally_.AddReader(Key(0), {1, 100}, 0, "a");
  tally_.AddReader(Key(1), {1, 100}, 1, "b");
  EXPECT_EQ(tally_.largest().where, "a");
  EXPECT_EQ(tally_.largest().stream, 0);
  tally_.AddInput(Key(2), {2, 100}, 1, "c");
  EXPECT_EQ(tally_.largest().where, "c");
  EXPECT_EQ(tally_.largest().stream, 1);
  EXPECT_EQ(tally_.largest().use.packets, 2);
  EXPECT_EQ(tally_.largest().use.bytes, 100);
}

TEST_F(QueueTallyTest, WhatIsKnownOfQueuesIsReplaced) {
  tally_.AddReader(Key(0), {1, 100}, 0, "a");
  QueueTally again(2, &known_);
  EXPECT_EQ(known_.Note(Key(0), 0), 0) << "it forgot";
  again.AddReader(Key(0), {1, 100}, 0, "a");
  again.AddReader(Key(1), {2, 300}, 0, "b");
  again.AddInput(Key(2), {1, 5}, 0, "c");
  EXPECT_EQ(known_.Note(Key(3), 0), again.total());
}

}  // namespace
}  // namespace syncline
