// A poller's limit in bytes, with payloads whose sizes are strange. What
// pollers do in a graph is in output_stream_poller_test.
#include "framework/run/poller_queue.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "framework/packet/packet.h"
#include "framework/packet/payload_size.h"
#include "framework/packet/timestamp.h"
#include "framework/run/output_stream_poller.h"
#include "framework/scheduler/application_thread_executor.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Says what size it has with each call.
struct Strange {
  std::function<std::size_t()> size;
};

}  // namespace

template <>
struct PayloadSize<Strange> {
  static std::size_t Bytes(const Strange& value) { return value.size(); }
};

namespace {

class PollerQueueTest : public ::testing::Test {
 protected:
  PollerQueueTest() { queue_.StartRun(); }

  // The change in being full.
  int Deliver(std::function<std::size_t()> size) {
    const std::vector<Packet> packets = {
        MakePacket<Strange>(Strange{std::move(size)}).At(Timestamp(next_++))};
    return queue_.Deliver(packets, Timestamp(next_)).full_change;
  }
  int Deliver(std::size_t size) {
    return Deliver([this, size] {
      ++asked_;
      return size;
    });
  }
  void Take() {
    Packet packet;
    ASSERT_EQ(queue_.Next(absl::ZeroDuration(), &packet),
              OutputStreamPoller::Result::kPacket);
  }

  PollerQueue queue_{0, /*observes_bounds=*/false,
                     std::make_shared<WaitPoint>()};
  int next_ = 0;
  int asked_ = 0;
};

TEST_F(PollerQueueTest, IsFullWhenItsBytesAreUsedUp) {
  queue_.SetByteLimit(100);
  EXPECT_EQ(Deliver(99), 0);
  EXPECT_EQ(Deliver(1), 1);
  EXPECT_TRUE(queue_.IsFull());
  Take();
  EXPECT_FALSE(queue_.IsFull());
  EXPECT_EQ(Deliver(99), 1);
  queue_.Reset();
  EXPECT_FALSE(queue_.IsFull());
  EXPECT_EQ(Deliver(99), 0);
}

TEST_F(PollerQueueTest, ASizeThatChangesInTheQueueMakesNoDifference) {
  queue_.SetByteLimit(100);
  std::size_t size = 60;
  const auto changing = [&size] { return size; };
  EXPECT_EQ(Deliver(changing), 0);
  EXPECT_EQ(Deliver(changing), 1);
  size = 1000000;
  Take();
  EXPECT_FALSE(queue_.IsFull());
  Take();
  size = 0;
  EXPECT_EQ(Deliver(60), 0);
  EXPECT_EQ(Deliver(40), 1) << "nothing is left of the first two";
}

TEST_F(PollerQueueTest, ASizeIsAskedForOnce) {
  queue_.SetByteLimit(100);
  Deliver(60);
  EXPECT_EQ(asked_, 1);
  queue_.SetByteLimit(-1);
  queue_.SetByteLimit(50);
  EXPECT_TRUE(queue_.IsFull());
  Take();
  EXPECT_EQ(asked_, 1);
}

TEST_F(PollerQueueTest, WithoutALimitInBytesNobodyAsks) {
  queue_.SetLimit(1);
  EXPECT_EQ(Deliver(60), 1);
  EXPECT_EQ(Deliver(60), 0);
  Take();
  EXPECT_EQ(asked_, 0);
}

TEST_F(PollerQueueTest, WhatWasThereBeforeTheLimitCounts) {
  Deliver(60);
  Deliver(60);
  queue_.SetByteLimit(100);
  EXPECT_TRUE(queue_.IsFull());
  Take();
  EXPECT_FALSE(queue_.IsFull());
  EXPECT_EQ(Deliver(40), 1);
}

// With the queue's lock held, these would wait for themselves.
TEST_F(PollerQueueTest, ASizeMayLookAtThePoller) {
  int seen = 0;
  const auto looking = [&] {
    seen += queue_.size();
    return 60;
  };
  Deliver(looking);
  Deliver(looking);
  EXPECT_EQ(seen, 0);
  queue_.SetByteLimit(100);
  EXPECT_EQ(seen, 2 + 2);
  Deliver(looking);
  EXPECT_EQ(seen, 2 + 2 + 2);
}

// A packet that goes while its size is asked for takes nothing with it.
TEST_F(PollerQueueTest, ASizeMayTakeThePacketItIsAskedAbout) {
  Deliver([&] {
    Take();
    return 60;
  });
  Deliver(50);
  queue_.SetByteLimit(100);
  EXPECT_FALSE(queue_.IsFull());
  EXPECT_EQ(Deliver(40), 0);
  EXPECT_EQ(Deliver(10), 1);
}

TEST_F(PollerQueueTest, AbsurdSizesDoNotOverflow) {
  queue_.SetByteLimit(100);
  for (int i = 0; i < 100; ++i) Deliver(std::size_t(-1));
  EXPECT_TRUE(queue_.IsFull());
  for (int i = 0; i < 100; ++i) Take();
  EXPECT_EQ(Deliver(99), 0);
  EXPECT_EQ(Deliver(1), 1);
}

TEST_F(PollerQueueTest, LimitsThatComeAndGoMissNoPacket) {
  constexpr int kPackets = 2000;
  std::thread writer([this] {
    for (int i = 0; i < kPackets; ++i) Deliver([] { return 10; });
  });
  std::thread reader([this] {
    Packet packet;
    for (int i = 0; i < kPackets; ++i) {
      EXPECT_EQ(queue_.Next(absl::InfiniteDuration(), &packet),
                OutputStreamPoller::Result::kPacket);
    }
  });
  for (int i = 0; i < 200; ++i) {
    queue_.SetByteLimit(100);
    queue_.SetByteLimit(-1);
  }
  writer.join();
  reader.join();
  queue_.SetByteLimit(100);
  EXPECT_EQ(Deliver(99), 0);
  EXPECT_EQ(Deliver(1), 1);
}

TEST_F(PollerQueueTest, KeepsNothingForNobody) {
  const auto value = std::make_shared<int>(0);
  const auto deliver = [&] {
    return Deliver([value]() -> std::size_t { return *value; });
  };
  queue_.SetLimit(2);
  queue_.SetByteLimit(100);
  deliver();
  EXPECT_EQ(deliver(), 1);
  queue_.Abandon();
  EXPECT_FALSE(queue_.IsFull());
  EXPECT_EQ(value.use_count(), 1);
  for (int run = 0; run < 2; ++run) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(deliver(), 0);
    EXPECT_EQ(queue_.size(), 0);
    EXPECT_EQ(value.use_count(), 1);
    queue_.EndRun();
    queue_.StartRun();
  }
}

}  // namespace
}  // namespace syncline
