#include "framework/recording/recording_queue.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Entries = std::vector<RecordingQueue::Entry>;

constexpr absl::Duration kAtOnce = absl::ZeroDuration();

Packet Text(std::int64_t timestamp, std::size_t bytes = 1) {
  return MakePacket<std::string>(bytes, 'x').At(Timestamp(timestamp));
}

TEST(RecordingQueueTest, WhatIsPutIsTakenInOrder) {
  RecordingQueue queue(RecordingQueue::WhenFull::kBlock, 1'000'000);
  EXPECT_TRUE(queue.Put(0, Text(1)));
  EXPECT_TRUE(queue.Put(1, Text(2)));
  Entries entries;
  EXPECT_TRUE(queue.Take(kAtOnce, &entries));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].seq, 1);
  EXPECT_EQ(entries[1].seq, 2);
  EXPECT_EQ(entries[1].stream, 1);
  EXPECT_LE(entries[0].arrival_ns, entries[1].arrival_ns);
}

TEST(RecordingQueueTest, AClosedQueueGivesWhatItHasAndTakesNothing) {
  RecordingQueue queue(RecordingQueue::WhenFull::kBlock, 1'000'000);
  EXPECT_TRUE(queue.Put(0, Text(1)));
  queue.Close();
  EXPECT_FALSE(queue.Put(0, Text(2)));
  Entries entries;
  EXPECT_TRUE(queue.Take(absl::Hours(1), &entries));
  EXPECT_EQ(entries.size(), 1u);
  EXPECT_FALSE(queue.Take(absl::Hours(1), &entries));
}

TEST(RecordingQueueTest, WhatDoesNotFitIsAGapAtItsPlace) {
  RecordingQueue queue(RecordingQueue::WhenFull::kDrop, 10'000);
  EXPECT_TRUE(queue.Put(0, Text(1, 9'000)));
  EXPECT_TRUE(queue.Put(0, Text(2, 9'000)));
  EXPECT_TRUE(queue.Put(0, Text(3, 9'000)));
  EXPECT_TRUE(queue.Put(1, Text(3, 9'000)));
  // What is small enough still fits.
  EXPECT_TRUE(queue.Put(1, Text(4, 1)));
  Entries entries;
  EXPECT_TRUE(queue.Take(kAtOnce, &entries));
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[1].missing, 2);
  EXPECT_EQ(entries[2].stream, 1);
  EXPECT_EQ(entries[2].missing, 1);
  EXPECT_EQ(entries[3].missing, 0);
  EXPECT_EQ(queue.counts().dropped, 3);
  EXPECT_EQ(queue.counts().packets, 2);
  // There is room again.
  EXPECT_TRUE(queue.Put(0, Text(4, 9'000)));
  EXPECT_EQ(queue.counts().dropped, 3);
}

TEST(RecordingQueueTest, PacketsDroppedInARowAreOneGapOfTheirStream) {
  RecordingQueue queue(RecordingQueue::WhenFull::kDrop, 10'000);
  EXPECT_TRUE(queue.Put(0, Text(1, 9'000)));
  for (int i = 2; i <= 100; ++i) {
    EXPECT_TRUE(queue.Put(0, Text(i, 9'000)));
    EXPECT_TRUE(queue.Put(1, Text(i, 9'000)));
  }
  EXPECT_TRUE(queue.Put(0, Text(101)));
  EXPECT_TRUE(queue.Put(0, Text(102, 9'000)));
  Entries entries;
  EXPECT_TRUE(queue.Take(kAtOnce, &entries));
  ASSERT_EQ(entries.size(), 5u);
  EXPECT_EQ(entries[1].missing, 99);
  EXPECT_EQ(entries[2].stream, 1);
  EXPECT_EQ(entries[2].missing, 99);
  EXPECT_EQ(entries[4].stream, 0);
  EXPECT_EQ(entries[4].missing, 1);
}

TEST(RecordingQueueTest, BoundsAreNotDroppedButTheLastOfThemIsAll) {
  RecordingQueue queue(RecordingQueue::WhenFull::kDrop, 100);
  EXPECT_TRUE(queue.Put(0, Text(1, 9'000)));
  for (int i = 2; i <= 100; ++i) {
    EXPECT_TRUE(queue.Put(0, Text(i, 9'000)));
    EXPECT_TRUE(queue.Put(0, Packet().At(Timestamp(i + 1))));
    EXPECT_TRUE(queue.Put(1, Packet().At(Timestamp(i))));
  }
  EXPECT_TRUE(queue.Put(0, Packet().At(Timestamp::Done())));
  Entries entries;
  EXPECT_TRUE(queue.Take(kAtOnce, &entries));
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[1].missing, 99);
  EXPECT_EQ(entries[2].packet.Timestamp(), Timestamp::Done());
  EXPECT_EQ(entries[3].stream, 1);
  EXPECT_EQ(entries[3].packet.Timestamp(), Timestamp(100));
  EXPECT_EQ(queue.counts().dropped, 99);
}

TEST(RecordingQueueTest, SaysOnceThatItIsFullBeforeItWaitsOrDrops) {
  for (const auto when_full :
       {RecordingQueue::WhenFull::kDrop, RecordingQueue::WhenFull::kBlock}) {
    std::vector<int> streams;
    RecordingQueue* full = nullptr;
    RecordingQueue queue(when_full, 10'000, [&](int stream) {
      streams.push_back(stream);
      EXPECT_EQ(full->counts().dropped + full->counts().waits, 0);
      Entries entries;
      EXPECT_TRUE(full->Take(kAtOnce, &entries));
    });
    full = &queue;
    EXPECT_TRUE(queue.Put(3, Text(1, 9'000)));
    EXPECT_THAT(streams, IsEmpty());
    // There is room again when it has said so.
    EXPECT_TRUE(queue.Put(4, Text(2, 9'000)));
    EXPECT_EQ(queue.counts().packets, 2);
    EXPECT_EQ(queue.counts().dropped + queue.counts().waits, 0);
    if (when_full == RecordingQueue::WhenFull::kDrop) {
      EXPECT_TRUE(queue.Put(5, Text(3, 9'000)));
      EXPECT_EQ(queue.counts().dropped, 1);
    }
    EXPECT_THAT(streams, ElementsAre(4));
  }
}

// What came while the last ones were written has waited already.
TEST(RecordingQueueTest, TakeGathersForAsLongAsTheFirstIsYoung) {
  RecordingQueue queue(RecordingQueue::WhenFull::kBlock, 1'000'000);
  EXPECT_TRUE(queue.Put(0, Text(1)));
  absl::SleepFor(absl::Milliseconds(200));
  const absl::Time start = absl::Now();
  Entries entries;
  EXPECT_TRUE(queue.Take(absl::Milliseconds(200), &entries));
  EXPECT_LT(absl::Now() - start, absl::Milliseconds(190));
}

TEST(RecordingQueueTest, APacketLargerThanTheLimitIsTakenAlone) {
  RecordingQueue queue(RecordingQueue::WhenFull::kBlock, 100);
  EXPECT_TRUE(queue.Put(0, Text(1, 50'000)));
  EXPECT_EQ(queue.counts().waits, 0);
}

TEST(RecordingQueueTest, AFullQueueMakesItsCallerWait) {
  RecordingQueue queue(RecordingQueue::WhenFull::kBlock, 10'000);
  std::thread caller([&queue] {
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(queue.Put(0, Text(i, 5'000)));
    queue.Close();
  });
  while (queue.counts().waits == 0) std::this_thread::yield();
  std::int64_t next = 1;
  Entries entries;
  while (queue.Take(kAtOnce, &entries)) {
    EXPECT_LE(entries.size(), 2u);
    for (const auto& entry : entries) EXPECT_EQ(entry.seq, next++);
  }
  caller.join();
  EXPECT_EQ(next, 101);
}

TEST(RecordingQueueTest, ClosingWakesWhoeverWaits) {
  RecordingQueue queue(RecordingQueue::WhenFull::kBlock, 10'000);
  EXPECT_TRUE(queue.Put(0, Text(1, 9'000)));
  std::atomic<int> refused{0};
  std::thread caller([&] { refused += queue.Put(0, Text(2, 9'000)) ? 0 : 1; });
  while (queue.counts().waits == 0) std::this_thread::yield();
  queue.Close();
  caller.join();
  EXPECT_EQ(refused, 1);
}

TEST(RecordingQueueTest, ManyThreadsLoseNothing) {
  for (const int threads : {1, 2, 8}) {
    RecordingQueue queue(RecordingQueue::WhenFull::kBlock, 50'000);
    std::vector<std::thread> callers;
    for (int stream = 0; stream < threads; ++stream) {
      callers.emplace_back([&queue, stream] {
        for (int i = 0; i < 2'000; ++i) queue.Put(stream, Text(i, 100));
      });
    }
    std::thread closer([&] {
      for (std::thread& caller : callers) caller.join();
      queue.Close();
    });
    std::vector<std::int64_t> next(threads, 0);
    std::int64_t seq = 0;
    Entries entries;
    while (queue.Take(absl::Milliseconds(1), &entries)) {
      for (const auto& entry : entries) {
        EXPECT_EQ(entry.seq, ++seq);
        EXPECT_EQ(entry.packet.Timestamp(), Timestamp(next[entry.stream]++));
      }
    }
    closer.join();
    EXPECT_EQ(seq, threads * 2'000);
  }
}

}  // namespace
}  // namespace syncline
