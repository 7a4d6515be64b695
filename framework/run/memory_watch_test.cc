// When packets are worth a look, when a sum of them is too much, and how often
// it is looked at.

#include "framework/run/memory_watch.h"

#include <cstdint>
#include <limits>

#include "framework/base/machine_memory.h"
#include "framework/run/long_queues.h"
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

class MemoryWatchTest : public ::testing::Test {
 protected:
  LongQueues::Key Key(int queue) { return {this, queue}; }
};

TEST_F(MemoryWatchTest, AnEighthOfAGivenLimitIsNotable) {
  const MemoryWatch watch(800, Forbidden);
  EXPECT_FALSE(watch.IsNotable(Bytes(99)));
  EXPECT_TRUE(watch.IsNotable(Bytes(100)));
}

TEST_F(MemoryWatchTest, AMebibyteIsNotableWithoutAGivenLimit) {
  const MemoryWatch watch(0, Forbidden);
  EXPECT_FALSE(watch.IsNotable(Bytes(kMiB - 1)));
  EXPECT_TRUE(watch.IsNotable(Bytes(kMiB)));
}

TEST_F(MemoryWatchTest, NothingIsNotableWhereThereIsNoLimit) {
  MemoryWatch watch(-1, Forbidden);
  EXPECT_FALSE(watch.IsNotable(Bytes(1000 * kMiB)));
  EXPECT_FALSE(watch.MayBeOver(Key(0), Bytes(1000 * kMiB)));
  EXPECT_EQ(watch.FreeBytes(1), std::numeric_limits<std::int64_t>::max() - 1);
}

TEST_F(MemoryWatchTest, QueuesThatGrowAreAddedUp) {
  MemoryWatch watch(1000, Forbidden);
  EXPECT_FALSE(watch.MayBeOver(Key(0), Bytes(600)));
  EXPECT_FALSE(watch.MayBeOver(Key(0), Bytes(700))) << "it is the same one";
  EXPECT_FALSE(watch.MayBeOver(Key(1), Bytes(300))) << "that is all it may";
  EXPECT_TRUE(watch.MayBeOver(Key(1), Bytes(301)));
  EXPECT_EQ(watch.FreeBytes(1000), 0);
  EXPECT_EQ(watch.FreeBytes(1001), -1);
}

TEST_F(MemoryWatchTest, HalfOfTheMachineIsTheLimitAndIsAskedForOnce) {
  MemoryWatch watch(0, SmallMachine);
  asked_for_memory = 0;
  EXPECT_FALSE(watch.MayBeOver(Key(0), Bytes(5 * kMiB)));
  EXPECT_TRUE(watch.MayBeOver(Key(0), Bytes(5 * kMiB + 1)));
  EXPECT_EQ(asked_for_memory, 1);
}

TEST_F(MemoryWatchTest, OneEndsTheRunAndNobodyMeasuresAfterwards) {
  MemoryWatch watch(1000, Forbidden);
  EXPECT_FALSE(watch.has_ended_run());
  EXPECT_TRUE(watch.ClaimEnd());
  EXPECT_TRUE(watch.has_ended_run());
  EXPECT_FALSE(watch.ClaimEnd());
  EXPECT_FALSE(watch.MayBeOver(Key(0), Bytes(1001)));
}

TEST_F(MemoryWatchTest, OneBeginsToLookAgainAndAgain) {
  MemoryWatch watch(0, SmallMachine);
  EXPECT_TRUE(watch.BeginLooking());
  EXPECT_FALSE(watch.BeginLooking());
  watch.StopLooking();
  EXPECT_TRUE(watch.BeginLooking());
}

TEST_F(MemoryWatchTest, ThePauseFollowsWhatIsFreeBetweenTwoLimits) {
  constexpr std::int64_t kMs = 1'000'000;
  EXPECT_EQ(MemoryWatch::PauseNs(-1, 0), 50 * kMs);
  EXPECT_EQ(MemoryWatch::PauseNs(400 * kMs, 0), 100 * kMs);
  EXPECT_EQ(MemoryWatch::PauseNs(4'000'000 * kMs, 0), 1000 * kMs);
  EXPECT_EQ(MemoryWatch::PauseNs(0, 2 * kMs), 200 * kMs)
      << "a hundredth of a processor";
}

TEST_F(MemoryWatchTest, LengthsAreWarnedOfAtTheMarkAndAtEachTenfold) {
  MemoryWatch watch(0, SmallMachine);
  LongQueues& queues = watch.long_queues();
  EXPECT_FALSE(queues.IsWarnedOf(Key(0), 19, 20));
  EXPECT_TRUE(queues.IsWarnedOf(Key(0), 20, 20));
  EXPECT_FALSE(queues.IsWarnedOf(Key(0), 199, 20));
  EXPECT_TRUE(queues.IsWarnedOf(Key(0), 20'000, 20)) << "all that it passed";
  EXPECT_FALSE(queues.IsWarnedOf(Key(0), 199'999, 20));
  EXPECT_TRUE(queues.IsWarnedOf(Key(0), 200'000, 20));
  EXPECT_TRUE(queues.IsWarnedOf(Key(1), 20, 20)) << "each for itself";
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(queues.IsWarnedOf(Key(2), kMost - 1, kMost / 5));
  EXPECT_FALSE(queues.IsWarnedOf(Key(2), kMost - 1, kMost / 5));
}

TEST_F(MemoryWatchTest, TheLimitIsNamed) {
  EXPECT_EQ(MemoryWatch(77, Forbidden).LimitText(),
            "max_memory_bytes, which is 77");
  EXPECT_THAT(MemoryWatch(0, SmallMachine).LimitText(),
              HasSubstr("half of the 10485760 bytes that the toaster has"));
}

}  // namespace
}  // namespace syncline
