// When packets are worth a look, when a sum of them is too much, how often it
// is looked at, and how the queues are added up.

#include "framework/report/memory_budget.h"

#include <cstdint>
#include <limits>

#include "framework/base/machine_memory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

int asked_for_memory = 0;

MachineMemory SmallMachine() {
  ++asked_for_memory;
  return {.bytes = 10 * kMiB, .source = "the toaster"};
}

MachineMemory Forbidden() {
  ADD_FAILURE() << "A limit is given, so the machine's memory is not asked for";
  return {};
}

// As many bytes, with what a packet costs.
QueueUse Bytes(std::int64_t bytes) {
  return {.packets = 1, .bytes = bytes - kBytesOfQueuedPacket};
}

class MemoryBudgetTest : public ::testing::Test {
 protected:
  MemoryBudget::Key Key(int queue) { return {this, queue}; }
};

TEST_F(MemoryBudgetTest, AnEighthOfAGivenLimitIsNotable) {
  const MemoryBudget budget(800, Forbidden);
  EXPECT_FALSE(budget.IsNotable(Bytes(99)));
  EXPECT_TRUE(budget.IsNotable(Bytes(100)));
}

TEST_F(MemoryBudgetTest, AMebibyteIsNotableWithoutAGivenLimit) {
  const MemoryBudget budget(0, Forbidden);
  EXPECT_FALSE(budget.IsNotable(Bytes(kMiB - 1)));
  EXPECT_TRUE(budget.IsNotable(Bytes(kMiB)));
}

TEST_F(MemoryBudgetTest, NothingIsNotableWhereThereIsNoLimit) {
  MemoryBudget budget(-1, Forbidden);
  EXPECT_FALSE(budget.IsNotable(Bytes(1000 * kMiB)));
  EXPECT_FALSE(budget.MayBeOver(Key(0), Bytes(1000 * kMiB)));
  EXPECT_EQ(budget.FreeBytes(1), std::numeric_limits<std::int64_t>::max() - 1);
}

TEST_F(MemoryBudgetTest, QueuesThatGrowAreAddedUp) {
  MemoryBudget budget(1000, Forbidden);
  EXPECT_FALSE(budget.MayBeOver(Key(0), Bytes(600)));
  EXPECT_FALSE(budget.MayBeOver(Key(0), Bytes(700))) << "it is the same one";
  EXPECT_FALSE(budget.MayBeOver(Key(1), Bytes(300))) << "that is all it may";
  EXPECT_TRUE(budget.MayBeOver(Key(1), Bytes(301)));
  EXPECT_EQ(budget.FreeBytes(1000), 0);
  EXPECT_EQ(budget.FreeBytes(1001), -1);
}

TEST_F(MemoryBudgetTest, HalfOfTheMachineIsTheLimitAndIsAskedForOnce) {
  MemoryBudget budget(0, SmallMachine);
  asked_for_memory = 0;
  EXPECT_FALSE(budget.MayBeOver(Key(0), Bytes(5 * kMiB)));
  EXPECT_TRUE(budget.MayBeOver(Key(0), Bytes(5 * kMiB + 1)));
  EXPECT_EQ(asked_for_memory, 1);
}

TEST_F(MemoryBudgetTest, OneEndsTheRunAndNobodyMeasuresAfterwards) {
  MemoryBudget budget(1000, Forbidden);
  EXPECT_FALSE(budget.has_ended_run());
  EXPECT_TRUE(budget.ClaimEnd());
  EXPECT_TRUE(budget.has_ended_run());
  EXPECT_FALSE(budget.ClaimEnd());
  EXPECT_FALSE(budget.MayBeOver(Key(0), Bytes(1001)));
}

TEST_F(MemoryBudgetTest, OneBeginsToLookAgainAndAgain) {
  MemoryBudget budget(0, SmallMachine);
  EXPECT_TRUE(budget.BeginLooking());
  EXPECT_FALSE(budget.BeginLooking());
  budget.StopLooking();
  EXPECT_TRUE(budget.BeginLooking());
}

TEST_F(MemoryBudgetTest, ThePauseFollowsWhatIsFreeBetweenTwoLimits) {
  constexpr std::int64_t kMs = 1'000'000;
  EXPECT_EQ(MemoryBudget::PauseNs(-1, 0), 50 * kMs);
  EXPECT_EQ(MemoryBudget::PauseNs(400 * kMs, 0), 100 * kMs);
  EXPECT_EQ(MemoryBudget::PauseNs(4'000'000 * kMs, 0), 1000 * kMs);
  EXPECT_EQ(MemoryBudget::PauseNs(0, 2 * kMs), 200 * kMs)
      << "a hundredth of a processor";
}

TEST_F(MemoryBudgetTest, LengthsAreWarnedOfAtTheMarkAndAtEachTenfold) {
  MemoryBudget budget(0, SmallMachine);
  EXPECT_FALSE(budget.IsWarnedOf(Key(0), 19, 20));
  EXPECT_TRUE(budget.IsWarnedOf(Key(0), 20, 20));
  EXPECT_FALSE(budget.IsWarnedOf(Key(0), 199, 20));
  EXPECT_TRUE(budget.IsWarnedOf(Key(0), 20'000, 20)) << "all that it passed";
  EXPECT_FALSE(budget.IsWarnedOf(Key(0), 199'999, 20));
  EXPECT_TRUE(budget.IsWarnedOf(Key(0), 200'000, 20));
  EXPECT_TRUE(budget.IsWarnedOf(Key(1), 20, 20)) << "each for itself";
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(budget.IsWarnedOf(Key(2), kMost - 1, kMost / 5));
  EXPECT_FALSE(budget.IsWarnedOf(Key(2), kMost - 1, kMost / 5));
  EXPECT_TRUE(budget.IsWarnedOf(Key(3), kMost / 10, kMost / 10));
  EXPECT_TRUE(budget.IsWarnedOf(Key(3), kMost / 10 * 10, kMost / 10));
}

TEST_F(MemoryBudgetTest, TheLimitIsNamed) {
  EXPECT_EQ(MemoryBudget(77, Forbidden).LimitText(),
            "max_memory_bytes, which is 77");
  EXPECT_THAT(MemoryBudget(0, SmallMachine).LimitText(),
              HasSubstr("half of the 10485760 bytes that the toaster has"));
}

// The readers of a stream share its packets, and one queue is the largest.
constexpr int kBytes = kBytesOfQueuedPacket;

class QueueTallyTest : public ::testing::Test {
 protected:
  MemoryBudget::Key Key(int queue) { return {this, queue}; }

  MemoryBudget known_{1000, Forbidden};
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
  EXPECT_FALSE(known_.MayBeOver(Key(0), Bytes(400)));
  EXPECT_FALSE(known_.MayBeOver(Key(9), Bytes(500)));
  QueueTally again(2, &known_);
  again.AddReader(Key(0), Bytes(300), 0, "a");
  again.AddReader(Key(1), Bytes(500), 0, "b");  // 200 more than the first
  again.AddInput(Key(2), Bytes(100), 0, "c");
  EXPECT_EQ(again.total(), 600);
  EXPECT_FALSE(known_.MayBeOver(Key(3), Bytes(400))) << "900 are forgotten";
  EXPECT_TRUE(known_.MayBeOver(Key(3), Bytes(401))) << "the others are not";
}

}  // namespace
}  // namespace syncline
