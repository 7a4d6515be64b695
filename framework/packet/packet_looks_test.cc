// Who only looks at a packet is in nobody's way who wants its value.
#include "framework/packet/packet_looks.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Keeps one packet.
class OneKeeper : public PacketKeeper {
 public:
  OneKeeper() { AddPacketKeeper(this); }
  ~OneKeeper() override { RemovePacketKeeper(this); }
  void LetGo(const Packet& packet) override {
    MutexLock lock(&mutex_);
    if (kept_ == packet) kept_ = Packet();
  }
  void Keep(const Packet& packet) {
    MutexLock lock(&mutex_);
    kept_ = packet;
  }
  bool keeps() {
    MutexLock lock(&mutex_);
    return !kept_.IsEmpty();
  }

 private:
  Mutex mutex_;
  Packet kept_;
};

TEST(PacketLooksTest, AKeeperLetsGoOfWhatSomebodyTakes) {
  OneKeeper keeper;
  OneKeeper other;
  Packet packet = MakePacket<int>(7);
  keeper.Keep(packet);
  other.Keep(MakePacket<int>(8));
  const auto value = packet.Consume<int>();
  SYNCLINE_ASSERT_OK(value.status());
  EXPECT_EQ(**value, 7);
  EXPECT_FALSE(keeper.keeps());
  EXPECT_TRUE(other.keeps());
}

TEST(PacketLooksTest, AReaderKeepsItsPacket) {
  OneKeeper keeper;
  Packet packet = MakePacket<int>(7);
  const Packet of_reader = packet;
  EXPECT_EQ(packet.Consume<int>().status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(of_reader.Get<int>(), 7);
}

TEST(PacketLooksTest, AConsumerWaitsForALookThatGoesOn) {
  OneKeeper keeper;
  Packet packet = MakePacket<int>(7);
  absl::Notification looks;
  std::thread looker([&, seen = packet]() mutable {
    const PacketLook look;
    const Packet looked_at = std::move(seen);
    looks.Notify();
    absl::SleepFor(absl::Milliseconds(50));
    EXPECT_EQ(looked_at.Get<int>(), 7);
  });
  looks.WaitForNotification();
  SYNCLINE_EXPECT_OK(packet.Consume<int>().status());
  looker.join();
}

// As two who look again and again do, so that somebody looks all the time.
TEST(PacketLooksTest, AConsumerDoesNotWaitForLooksThatBeginLater) {
  OneKeeper keeper;
  std::atomic<bool> is_over{false};
  std::atomic<int> num_looks{0};
  const auto look_on_and_on = [&] {
    auto look = std::make_unique<PacketLook>();
    while (!is_over) {
      absl::SleepFor(absl::Milliseconds(5));
      auto next = std::make_unique<PacketLook>();
      look = std::move(next);
      ++num_looks;
    }
  };
  std::thread one(look_on_and_on);
  std::thread other(look_on_and_on);
  while (num_looks < 4) absl::SleepFor(absl::Milliseconds(1));
  absl::Duration longest;
  for (int i = 0; i < 10; ++i) {
    Packet packet = MakePacket<int>(i);
    keeper.Keep(packet);
    const absl::Time start = absl::Now();
    SYNCLINE_EXPECT_OK(packet.Consume<int>().status());
    longest = std::max(longest, absl::Now() - start);
  }
  is_over = true;
  one.join();
  other.join();
  EXPECT_LT(longest, absl::Milliseconds(500));
}

TEST(PacketLooksTest, WhoLooksDoesNotWaitForItself) {
  OneKeeper keeper;
  Packet packet = MakePacket<int>(7);
  const PacketLook look;
  const Packet seen = packet;
  const absl::Time start = absl::Now();
  EXPECT_FALSE(packet.Consume<int>().ok());
  EXPECT_LT(absl::Now() - start, absl::Milliseconds(500));
}

TEST(PacketLooksTest, ALookWithoutAnEndIsNotWaitedForLong) {
  Packet packet = MakePacket<int>(7);
  const Packet seen = packet;
  absl::Notification looks;
  absl::Notification is_over;
  std::thread looker([&] {
    const PacketLook look;
    looks.Notify();
    is_over.WaitForNotification();
  });
  looks.WaitForNotification();
  EXPECT_FALSE(packet.Consume<int>().ok());
  is_over.Notify();
  looker.join();
}

}  // namespace
}  // namespace syncline
