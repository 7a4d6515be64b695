#include "framework/stream/queue_limits.h"

#include <limits>
#include <string>

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/input_queue.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class QueueWatchTest : public ::testing::Test {
 protected:
  // Packets of 8 bytes each.
  void Add(int count) {
    for (int i = 0; i < count; ++i) {
      Add(MakePacket<double>(0).At(Timestamp(next_++)));
    }
  }
  void Add(Packet packet) {
    if (watch_.counts_bytes()) watch_.NoteAdded(CountedBytes(packet));
    queue_.Add(std::move(packet));
  }
  void Take(int count) {
    for (int i = 0; i < count; ++i) queue_.TakeFront();
  }
  void Watch(const QueueLimit& limit, int warning_size = 0) {
    watch_ = QueueWatch(limit, {.warning_size = warning_size}, &queue_);
  }
  bool IsFull() {
    watch_.Look(&queue_);
    return queue_.Full();
  }

  // For a limit of one packet's bytes: it is raised until there are so many.
  void ExpectRaisesUpTo(int ceiling) {
    for (int packets = 1; packets < ceiling; ++packets) {
      Add(1);
      ASSERT_TRUE(IsFull());
      EXPECT_TRUE(watch_.Raise(1, &queue_)) << packets;
      EXPECT_FALSE(IsFull());
    }
    Add(1);
    ASSERT_TRUE(IsFull());
    EXPECT_FALSE(watch_.Raise(1, &queue_));
  }

  InputQueue queue_;
  QueueWatch watch_;
  int next_ = 0;
};

TEST_F(QueueWatchTest, IsNeededForWhatAQueueDoesNotKnow) {
  EXPECT_FALSE(QueueWatch::IsNeeded({.packets = 100}, {.warning_size = 10000}));
  EXPECT_TRUE(QueueWatch::IsNeeded({.packets = -1}, {}));
  EXPECT_TRUE(QueueWatch::IsNeeded({.packets = 100, .bytes = 1}, {}));
  EXPECT_TRUE(QueueWatch::IsNeeded({.packets = 100}, {.byte_step = 1}));
}

TEST_F(QueueWatchTest, AQueueIsFullWhenItsBytesAreUsedUp) {
  Watch({.packets = -1, .bytes = 24});
  Add(2);
  EXPECT_FALSE(IsFull());
  Add(1);
  EXPECT_TRUE(IsFull());
  EXPECT_EQ(watch_.Count(queue_), 24);
  Take(1);
  EXPECT_FALSE(IsFull());
}

TEST_F(QueueWatchTest, BothLimitsHold) {
  Watch({.packets = 2, .bytes = 1000});
  Add(2);
  EXPECT_TRUE(IsFull());
  Take(1);
  EXPECT_FALSE(IsFull());
  Add(MakePacket<std::string>(5000, 'x').At(Timestamp(1000)));
  Take(1);
  EXPECT_TRUE(IsFull()) << "one packet, and large";
  Take(1);
  EXPECT_FALSE(IsFull());
}

TEST_F(QueueWatchTest, AnEmptyQueueIsNeverFull) {
  Watch({.packets = -1, .bytes = 1});
  EXPECT_FALSE(IsFull());
  Add(1);
  EXPECT_TRUE(IsFull());
  queue_.Close();
  EXPECT_FALSE(IsFull());
}

TEST_F(QueueWatchTest, WhatComesAndGoesUnseenIsNotCounted) {
  Watch({.packets = -1, .bytes = 24});
  Add(50);
  Take(49);
  EXPECT_EQ(watch_.Count(queue_), 8);
  Add(1);
  Take(1);
  EXPECT_EQ(watch_.Count(queue_), 8);
  queue_.Pass(Timestamp(5000), Timestamp::Unset());
  queue_.DropBefore(Timestamp(5000));
  EXPECT_EQ(watch_.Count(queue_), 0);
}

TEST_F(QueueWatchTest, RaisesWhatIsUsedUpUpToACeiling) {
  Watch({.packets = 2, .bytes = 1000});
  Add(2);
  ASSERT_TRUE(IsFull());
  EXPECT_TRUE(watch_.Raise(3, &queue_));
  EXPECT_FALSE(IsFull());
  EXPECT_EQ(watch_.limit().packets, 3);
  EXPECT_EQ(watch_.limit().bytes, 1000);
  Add(1);
  ASSERT_TRUE(IsFull());
  EXPECT_FALSE(watch_.Raise(3, &queue_));
}

TEST_F(QueueWatchTest, RaisesBytesUpToTenfold) {
  Watch({.packets = -1, .bytes = 8});
  ExpectRaisesUpTo(10);
}

TEST_F(QueueWatchTest, RaisesBytesUpToTheirCeiling) {
  Watch({.packets = -1, .bytes = 8, .byte_ceiling = 24});
  ExpectRaisesUpTo(3);
}

TEST_F(QueueWatchTest, ACeilingBelowTheLimitLeavesTheLimit) {
  Watch({.packets = -1, .bytes = 16, .byte_ceiling = 8});
  Add(1);
  EXPECT_FALSE(IsFull());
  Add(1);
  ASSERT_TRUE(IsFull());
  EXPECT_FALSE(watch_.Raise(1, &queue_));
}

TEST_F(QueueWatchTest, HugeLimitsAreNoTrouble) {
  Watch({.packets = std::numeric_limits<int>::max(),
         .bytes = std::numeric_limits<std::int64_t>::max()});
  Add(5);
  EXPECT_FALSE(IsFull());
}

TEST_F(QueueWatchTest, TellsOfEachTenfoldOnce) {
  Watch({.packets = -1}, /*warning_size=*/5);
  Add(4);
  EXPECT_EQ(watch_.Look(&queue_), 0);
  EXPECT_FALSE(queue_.Full());
  Add(1);
  EXPECT_TRUE(queue_.HasFacts()) << "so that somebody looks";
  EXPECT_EQ(watch_.Look(&queue_), 5);
  EXPECT_FALSE(queue_.Full());
  EXPECT_TRUE(queue_.TakeLook(QueueMarks::kLong));
  EXPECT_FALSE(queue_.HasFacts());
  Take(5);
  Add(45);
  EXPECT_EQ(watch_.Look(&queue_), 0);
  Add(10);
  EXPECT_EQ(watch_.Look(&queue_), 55);
}

TEST_F(QueueWatchTest, ALargeMarkIsTheLast) {
  Watch({.packets = -1}, /*warning_size=*/std::numeric_limits<int>::max());
  Add(5);
  EXPECT_EQ(watch_.Look(&queue_), 0);
  EXPECT_FALSE(queue_.Full());
}

}  // namespace
}  // namespace syncline
