#include "framework/stream/input_queue.h"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using Added = InputQueue::Added;

Added Add(InputQueue* queue, Timestamp timestamp) {
  return queue->Add(MakePacket<int>(1).At(timestamp));
}
Added Add(InputQueue* queue, int timestamp) {
  return Add(queue, Timestamp(timestamp));
}

TEST(InputQueueTest, StartsEmptyAndKnowsNothing) {
  const InputQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.bound(), Timestamp::PreStream());
  EXPECT_EQ(queue.MinTimestampOrBound(), Timestamp::PreStream());
  EXPECT_EQ(queue.SettledTimestamp(), Timestamp::Unstarted());
  EXPECT_FALSE(queue.Finished());
  EXPECT_FALSE(queue.Done());
}

TEST(InputQueueTest, APacketMovesTheBoundBehindItself) {
  InputQueue queue;
  EXPECT_EQ(Add(&queue, 10), Added::kOk);
  EXPECT_EQ(Add(&queue, 20), Added::kOk);
  EXPECT_EQ(queue.bound(), Timestamp(21));
  EXPECT_EQ(queue.MinTimestampOrBound(), Timestamp(10));
  EXPECT_EQ(queue.SettledTimestamp(), Timestamp(9));
  EXPECT_EQ(queue.size(), 2);
  EXPECT_EQ(queue.added(), 2);
}

TEST(InputQueueTest, APacketBelowTheBoundGoesBackAndChangesNothing) {
  InputQueue queue;
  Add(&queue, 10);
  EXPECT_EQ(Add(&queue, 10), Added::kGoesBack);
  EXPECT_EQ(Add(&queue, 9), Added::kGoesBack);
  EXPECT_TRUE(queue.RaiseBound(Timestamp(30)));
  EXPECT_EQ(Add(&queue, 29), Added::kGoesBack);
  EXPECT_EQ(Add(&queue, Timestamp::Unset()), Added::kGoesBack);
  EXPECT_EQ(queue.size(), 1);
  EXPECT_EQ(queue.added(), 1);
  EXPECT_EQ(queue.dropped(), 0);
  EXPECT_EQ(Add(&queue, 30), Added::kOk);
}

TEST(InputQueueTest, APacketThatGoesBackStaysWithWhoGaveIt) {
  InputQueue queue;
  Add(&queue, 10);
  Packet packet = MakePacket<int>(5).At(Timestamp(3));
  EXPECT_EQ(queue.Add(std::move(packet)), Added::kGoesBack);
  // NOLINTNEXTLINE(bugprone-use-after-move): what this is about.
  EXPECT_EQ(packet.Timestamp(), Timestamp(3));
}

TEST(InputQueueTest, NothingFollowsPreStreamMaxAndPostStream) {
  for (const Timestamp last :
       {Timestamp::PreStream(), Timestamp::Max(), Timestamp::PostStream()}) {
    InputQueue queue;
    EXPECT_EQ(Add(&queue, last), Added::kOk);
    EXPECT_EQ(Add(&queue, 10), Added::kGoesBack);
    EXPECT_EQ(Add(&queue, Timestamp::PostStream()), Added::kGoesBack);
    EXPECT_FALSE(queue.Finished());
    EXPECT_EQ(queue.TakeAt(last).Timestamp(), last);
    // It was not closed, but cannot go on.
    EXPECT_TRUE(queue.Finished());
    EXPECT_FALSE(queue.Done());
  }
}

TEST(InputQueueTest, ABoundOnlyRises) {
  InputQueue queue;
  EXPECT_TRUE(queue.RaiseBound(Timestamp(10)));
  EXPECT_FALSE(queue.RaiseBound(Timestamp(10)));
  EXPECT_FALSE(queue.RaiseBound(Timestamp(5)));
  EXPECT_EQ(queue.bound(), Timestamp(10));
}

TEST(InputQueueTest, IsDoneWhenItIsClosedAndTheLastPacketIsTaken) {
  InputQueue queue;
  Add(&queue, 10);
  queue.RaiseBound(Timestamp::Done());
  EXPECT_FALSE(queue.Done());
  queue.TakeAt(Timestamp(10));
  EXPECT_TRUE(queue.Done());
  EXPECT_TRUE(queue.Finished());
  EXPECT_EQ(queue.SettledTimestamp(), Timestamp::Max());
}

TEST(InputQueueTest, TakeAtTakesThePacketOfThatTimeOnly) {
  InputQueue queue;
  Add(&queue, 10);
  Add(&queue, 20);
  const Packet none = queue.TakeAt(Timestamp(5));
  EXPECT_TRUE(none.IsEmpty());
  EXPECT_EQ(none.Timestamp(), Timestamp(9));
  EXPECT_EQ(queue.TakeAt(Timestamp(10)).Get<int>(), 1);
  EXPECT_EQ(queue.size(), 1);
  EXPECT_EQ(queue.dropped(), 0);
}

TEST(InputQueueTest, KnowsAPacketThatWaitsAlone) {
  InputQueue queue;
  EXPECT_FALSE(queue.HasOnlyAt(Timestamp(10)));
  queue.Add(MakePacket<int>(1).At(Timestamp(10)));
  EXPECT_FALSE(queue.HasOnlyAt(Timestamp(9)));
  EXPECT_TRUE(queue.HasOnlyAt(Timestamp(10)));
  queue.Add(MakePacket<int>(2).At(Timestamp(20)));
  EXPECT_FALSE(queue.HasOnlyAt(Timestamp(10))) << "another one waits";
  EXPECT_EQ(queue.TakeAt(Timestamp(10)).Get<int>(), 1);
  ASSERT_TRUE(queue.HasOnlyAt(Timestamp(20)));
  EXPECT_EQ(queue.TakeOnly().Get<int>(), 2);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.bound(), Timestamp(21));
}

TEST(InputQueueTest, TakeAtDropsAndCountsWhatIsOlder) {
  InputQueue queue;
  Add(&queue, 10);
  Add(&queue, 20);
  Add(&queue, 30);
  EXPECT_TRUE(queue.TakeAt(Timestamp(25)).IsEmpty());
  EXPECT_EQ(queue.dropped(), 2);
  EXPECT_EQ(queue.size(), 1);
}

TEST(InputQueueTest, WhatComesAfterTakeAtMustBeLater) {
  InputQueue queue;
  EXPECT_TRUE(queue.TakeAt(Timestamp(10)).IsEmpty());
  EXPECT_EQ(queue.bound(), Timestamp(11));
  EXPECT_EQ(Add(&queue, 10), Added::kGoesBack);
}

// After PreStream nothing follows on the same stream. A stream that is settled
// there goes on.
TEST(InputQueueTest, TakeAtPreStreamDoesNotEndAStreamThatIsPastIt) {
  InputQueue queue;
  Add(&queue, 5);
  EXPECT_TRUE(queue.TakeAt(Timestamp::PreStream()).IsEmpty());
  EXPECT_EQ(queue.bound(), Timestamp(6));
  EXPECT_EQ(Add(&queue, 6), Added::kOk);
}

TEST(InputQueueTest, DropBeforeDropsAndCounts) {
  InputQueue queue;
  for (const int timestamp : {10, 20, 30}) Add(&queue, timestamp);
  queue.DropBefore(Timestamp(20));
  EXPECT_EQ(queue.front().Timestamp(), Timestamp(20));
  EXPECT_EQ(queue.at(1).Timestamp(), Timestamp(30));
  EXPECT_EQ(queue.dropped(), 1);
  EXPECT_EQ(queue.added(), 3);
}

TEST(InputQueueTest, CountsWhatItDropsByCause) {
  InputQueue queue;
  EXPECT_EQ(queue.drops().total(), 0);
  for (int i = 0; i < 10; ++i) Add(&queue, i);
  queue.DropFront();
  queue.DropBefore(Timestamp(3));
  EXPECT_EQ(queue.drops().of(DropCause::kByPolicy), 3);
  EXPECT_EQ(queue.TakeAt(Timestamp(5)).Get<int>(), 1);
  EXPECT_EQ(queue.drops().of(DropCause::kSkipped), 2);
  queue.Close();
  EXPECT_EQ(queue.drops().of(DropCause::kAtClose), 4);
  Add(&queue, 20);
  Add(&queue, 5);
  EXPECT_EQ(queue.drops().of(DropCause::kAfterClose), 2);
  EXPECT_EQ(queue.dropped(), 11);
}

TEST(InputQueueTest, WhoClosesItSaysWhyWhatWaitsIsDropped) {
  InputQueue queue;
  Add(&queue, 10);
  queue.Close(DropCause::kRunFailed);
  EXPECT_EQ(queue.drops().of(DropCause::kRunFailed), 1);
  EXPECT_EQ(queue.dropped(), 1);
}

TEST(InputQueueTest, CountsWhatWasLostElsewhere) {
  InputQueue queue;
  queue.NoteDropped(DropCause::kGoesBack);
  queue.NoteDropped(DropCause::kAtEnd, 2);
  EXPECT_EQ(queue.drops().of(DropCause::kGoesBack), 1);
  EXPECT_EQ(queue.drops().of(DropCause::kAtEnd), 2);
  EXPECT_FALSE(queue.has_trash());
}

// The value of a packet may run any code when it goes; the queue is locked.
TEST(InputQueueTest, DroppedPacketsLiveUntilSomebodyAsksForThem) {
  auto value = std::make_shared<int>(7);
  InputQueue queue;
  queue.Add(MakePacket<std::shared_ptr<int>>(value).At(Timestamp(10)));
  queue.DropBefore(Timestamp(20));
  EXPECT_TRUE(queue.has_trash());
  EXPECT_EQ(value.use_count(), 2);
  std::vector<Packet> trash;
  queue.MoveTrashTo(&trash);
  EXPECT_EQ(trash.size(), 1U);
  EXPECT_FALSE(queue.has_trash());
  EXPECT_EQ(value.use_count(), 2);
  trash.clear();
  EXPECT_EQ(value.use_count(), 1);
}

TEST(InputQueueTest, AClosedQueueDropsAndCountsWhatWaitsAndWhatComes) {
  InputQueue queue;
  Add(&queue, 10);
  Add(&queue, 20);
  queue.Close();
  EXPECT_TRUE(queue.closed());
  EXPECT_TRUE(queue.Done());
  EXPECT_EQ(queue.dropped(), 2);
  EXPECT_EQ(Add(&queue, 5), Added::kDropped);
  EXPECT_EQ(Add(&queue, 30), Added::kDropped);
  EXPECT_EQ(queue.dropped(), 4);
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.RaiseBound(Timestamp::Done()));
}

TEST(InputQueueTest, WhereTimeIsIgnoredPacketsKeepTheOrderInWhichTheyCame) {
  InputQueue queue;
  queue.IgnoreTime();
  for (const int timestamp : {20, 10, 10}) {
    EXPECT_EQ(Add(&queue, timestamp), Added::kOk);
  }
  EXPECT_EQ(queue.bound(), Timestamp::PreStream());
  EXPECT_EQ(queue.TakeFront().Timestamp(), Timestamp(20));
  EXPECT_EQ(queue.TakeFront().Timestamp(), Timestamp(10));
  queue.RaiseBound(Timestamp::Done());
  EXPECT_FALSE(queue.Done());
  queue.TakeFront();
  EXPECT_TRUE(queue.Done());
}

TEST(InputQueueTest, TheLimitIsSoft) {
  InputQueue queue(2);
  EXPECT_FALSE(queue.Full());
  for (const int timestamp : {1, 2, 3}) {
    EXPECT_EQ(Add(&queue, timestamp), Added::kOk);
  }
  EXPECT_TRUE(queue.Full());
  EXPECT_EQ(queue.size(), 3);
}

TEST(InputQueueTest, WithoutALimitItIsNeverFull) {
  InputQueue queue;
  for (int i = 0; i < 1000; ++i) Add(&queue, i);
  EXPECT_FALSE(queue.Full());
}

TEST(InputQueueTest, TellsOnceWhenItBecomesFullAndWhenNoMore) {
  InputQueue queue(2);
  EXPECT_EQ(queue.TakeFullChange(), 0);
  Add(&queue, 1);
  EXPECT_EQ(queue.TakeFullChange(), 0);
  Add(&queue, 2);
  EXPECT_EQ(queue.TakeFullChange(), 1);
  EXPECT_EQ(queue.TakeFullChange(), 0);
  queue.TakeFront();
  EXPECT_EQ(queue.TakeFullChange(), -1);
  EXPECT_EQ(queue.TakeFullChange(), 0);
  // What is over before anybody asks did not happen.
  Add(&queue, 3);
  queue.TakeFront();
  EXPECT_EQ(queue.TakeFullChange(), 0);
}

TEST(InputQueueTest, AHigherLimitMakesRoom) {
  InputQueue queue(1);
  Add(&queue, 1);
  EXPECT_EQ(queue.TakeFullChange(), 1);
  queue.SetLimit(2);
  EXPECT_EQ(queue.TakeFullChange(), -1);
  EXPECT_EQ(queue.limit(), 2);
}

TEST(InputQueueTest, IsLookedAtEachTimeItHoldsTwiceAsManyPacketsAsEver) {
  for (const int limit : {InputQueue::kNoLimit, 1000}) {
    InputQueue queue(limit);
    std::vector<int> looks;
    int time = 0;
    for (int round = 0; round < 3; ++round) {
      for (int i = 1; i <= 100 + round; ++i) {
        Add(&queue, ++time);
        const bool has_facts = queue.HasFacts();
        if (queue.TakeLook(/*most=*/64)) looks.push_back(i);
        EXPECT_EQ(has_facts, !looks.empty() && looks.back() == i && round == 0);
        EXPECT_FALSE(queue.HasFacts());
      }
      while (!queue.empty()) queue.TakeFront();
    }
    EXPECT_THAT(looks, ::testing::ElementsAre(2, 4, 8, 16, 32, 64));
    Add(&queue, ++time);
    Add(&queue, ++time);
    EXPECT_FALSE(queue.TakeLook(64));
    queue.ForgetLooks();
    EXPECT_TRUE(queue.TakeLook(64));
  }
}

TEST(InputQueueTest, ClosingAFullQueueMakesRoom) {
  InputQueue queue(1);
  Add(&queue, 1);
  EXPECT_EQ(queue.TakeFullChange(), 1);
  queue.Close();
  EXPECT_EQ(queue.TakeFullChange(), -1);
}

// Small numbers for all of these.
TEST(InputQueueTest, APacketThatPassesCountsAsAddedAndTaken) {
  for (const int before : {0, 5}) {
    for (const int time : {5, 6}) {
      for (const int bound : {0, 6, 7, 9}) {
        InputQueue passed, taken;
        for (InputQueue* const queue : {&passed, &taken}) {
          queue->RaiseBound(Timestamp(before));
        }
        EXPECT_EQ(passed.Pass(Timestamp(time), Timestamp(bound)),
                  Timestamp(time + 1));
        Add(&taken, time);
        taken.TakeFront();
        taken.RaiseBound(Timestamp(bound));
        EXPECT_EQ(passed.bound(), taken.bound());
        EXPECT_EQ(passed.added(), taken.added());
        EXPECT_TRUE(passed.empty());
      }
    }
  }
}

TEST(InputQueueTest, ABoundBesideAPassRisesAsAnyBound) {
  InputQueue queue;
  EXPECT_TRUE(queue.RaiseBoundBesidePass(Timestamp(5)));
  EXPECT_FALSE(queue.RaiseBoundBesidePass(Timestamp(5)));
  EXPECT_FALSE(queue.RaiseBoundBesidePass(Timestamp(4)));
  EXPECT_EQ(queue.bound(), Timestamp(5));
}

// Late bounds, each at most the time of the packet that passes meanwhile.
TEST(InputQueueTest, ALateBoundBesideAPassLowersNothing) {
  InputQueue queue;
  std::atomic<int> next{0};
  constexpr int kPackets = 20000;
  std::thread late([&] {
    int time = 0;
    while ((time = next.load(std::memory_order_relaxed)) < kPackets) {
      queue.RaiseBoundBesidePass(Timestamp(time));
    }
  });
  for (int time = 0; time < kPackets; ++time) {
    next.store(time, std::memory_order_relaxed);
    queue.Pass(Timestamp(time), Timestamp::Unset());
    ASSERT_EQ(queue.bound(), Timestamp(time + 1));
  }
  next.store(kPackets);
  late.join();
  EXPECT_EQ(queue.added(), kPackets);
}

}  // namespace
}  // namespace syncline
