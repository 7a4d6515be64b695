// Copies of one packet on many threads.

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "framework/packet/packet.h"
#include "framework/packet/synced_packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 2000;

void OnThreads(const std::function<void(int)>& code) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(code, i);
  for (std::thread& thread : threads) thread.join();
}

// What is written to it must be seen by whoever destroys it.
struct Witness {
  explicit Witness(std::atomic<int>* destroyed) : destroyed(destroyed) {}
  ~Witness() {
    int sum = 0;
    for (const int note : notes) sum += note;
    sum_at_end += sum;
    ++*destroyed;
  }
  std::atomic<int>* const destroyed;
  mutable int notes[kThreads] = {};
  static inline std::atomic<int> sum_at_end = 0;
};

TEST(PacketThreadsTest, CopiesComeAndGoOnAllThreads) {
  std::atomic<int> destroyed = 0;
  {
    const Packet packet = MakePacket<Witness>(&destroyed);
    OnThreads([&packet](int) {
      std::vector<Packet> copies;
      for (int i = 0; i < kRounds; ++i) {
        copies.push_back(packet.At(Timestamp(i)));
        EXPECT_EQ(&copies.back().Get<Witness>(), &packet.Get<Witness>());
        if (copies.size() > 10) copies.clear();
      }
    });
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(PacketThreadsTest, TheThreadThatDropsTheLastCopySeesWhatOthersDid) {
  std::atomic<int> destroyed = 0;
  Witness::sum_at_end = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<Packet> copies(kThreads, MakePacket<Witness>(&destroyed));
    OnThreads([&copies](int i) {
      copies[i].Get<Witness>().notes[i] = 1;
      copies[i] = Packet();
    });
  }
  EXPECT_EQ(destroyed, 50);
  EXPECT_EQ(Witness::sum_at_end, 50 * kThreads);
}

TEST(PacketThreadsTest, OneThreadOfManyConsumesTheValue) {
  for (int round = 0; round < 50; ++round) {
    std::vector<Packet> copies(kThreads, MakePacket<int>(round));
    std::atomic<int> consumed = 0;
    OnThreads([&](int i) {
      if (copies[i].Consume<int>().ok()) ++consumed;
      copies[i] = Packet();
    });
    EXPECT_LE(consumed, 1);
  }
}

TEST(PacketThreadsTest, ASyncedPacketIsReplacedWhileOthersReadIt) {
  SyncedPacket synced(MakePacket<int>(0));
  OnThreads([&synced](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      if (thread == 0) {
        synced.UpdatePacket(MakePacket<int>(i));
      } else {
        EXPECT_GE(synced.Get().Get<int>(), 0);
      }
    }
  });
  EXPECT_EQ(synced.Get().Get<int>(), kRounds - 1);
}

}  // namespace
}  // namespace syncline
