#include "framework/run/output_tap.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/packet_times.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/run/described_observer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Packets with their timestamps as values.
std::vector<Packet> PacketsAt(const std::vector<int>& times) {
  std::vector<Packet> packets;
  for (const int time : times) {
    packets.push_back(MakePacket<int>(time).At(Timestamp(time)));
  }
  return packets;
}

class ObserverTest : public ::testing::Test {
 protected:
  // Remembers what it is told; a time without a packet in brackets.
  absl::Status Tell(const Packet& packet) {
    const std::string time = packet.Timestamp().DebugString();
    told_.push_back(packet.IsEmpty() ? "(" + time + ")" : time);
    if (told_.back() == fails_at_) return absl::DataLossError("broken");
    return absl::OkStatus();
  }

  std::vector<std::string> told_;
  std::string fails_at_;
  Observer observer_{7, "out", [this](const Packet& p) { return Tell(p); }};
  BoundObserver bound_observer_{7, "out",
                                [this](const Packet& p) { return Tell(p); }};
};

TEST_F(ObserverTest, TellsOfPacketsInOrder) {
  observer_.StartRun();
  const OutputTap::Facts facts =
      observer_.Deliver(PacketsAt({1, 2}), Timestamp(3));
  EXPECT_TRUE(facts.has_seen);
  EXPECT_EQ(facts.full_change, 0);
  EXPECT_TRUE(facts.status.ok());
  observer_.Deliver(PacketsAt({5}), Timestamp(9));
  EXPECT_THAT(told_, ElementsAre("1", "2", "5"));
  EXPECT_EQ(observer_.stream(), 7);
}

TEST_F(ObserverTest, HasTheDescriptionThatItsCallbackGives) {
  EXPECT_EQ(observer_.description(), nullptr);
  Observer described(7, "out",
                     DescribedObserver{.name = "the file",
                                       .callback = [this](const Packet& p) {
                                         return Tell(p);
                                       }});
  described.StartRun();
  described.Deliver(PacketsAt({1}), Timestamp(2));
  EXPECT_THAT(told_, ElementsAre("1"));
  ASSERT_NE(described.description(), nullptr);
  EXPECT_EQ(described.description()->name, "the file");
  EXPECT_FALSE(described.description()->only_looks_on);
}

TEST_F(ObserverTest, SaysNothingOfBoundsUnlessAsked) {
  observer_.StartRun();
  EXPECT_FALSE(observer_.Deliver({}, Timestamp(3)).has_seen);
  EXPECT_FALSE(observer_.Deliver({}, Timestamp::Done()).has_seen);
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(ObserverTest, TellsOfBoundsThatPacketsHaveNotTold) {
  bound_observer_.StartRun();
  bound_observer_.Deliver({}, Timestamp(3));
  bound_observer_.Deliver({}, Timestamp(3));
  bound_observer_.Deliver(PacketsAt({5}), Timestamp(6));
  EXPECT_FALSE(bound_observer_.Deliver({}, Timestamp(6)).has_seen);
  bound_observer_.Deliver(PacketsAt({8}), Timestamp(20));
  EXPECT_FALSE(bound_observer_.Deliver({}, Timestamp::Done()).has_seen);
  EXPECT_THAT(told_, ElementsAre("(2)", "5", "8", "(19)"));
}

TEST_F(ObserverTest, TellsOfBoundsThemselvesUpToTheEndOfTheStream) {
  BoundObserver observer(
      7, "out", [this](const Packet& p) { return Tell(p); },
      BoundObserver::Tells::kBound);
  for (int run = 0; run < 2; ++run) {
    told_.clear();
    observer.StartRun();
    observer.Deliver({}, Timestamp::PreStream());
    observer.Deliver({}, Timestamp(3));
    observer.Deliver({}, Timestamp(3));
    observer.Deliver(PacketsAt({5}), Timestamp(6));
    observer.Deliver(PacketsAt({8}), Timestamp(20));
    observer.Deliver({}, Timestamp::PostStream());
    observer.Deliver({}, Timestamp::OneOverPostStream());
    EXPECT_TRUE(observer.Deliver({}, Timestamp::Done()).has_seen);
    observer.Deliver({}, Timestamp::Done());
    EXPECT_THAT(
        told_,
        ElementsAre("(3)", "5", "8", "(20)", "(Timestamp::PostStream())",
                    "(Timestamp::OneOverPostStream())", "(Timestamp::Done())"));
  }
  told_.clear();
  observer.StartRun();
  const std::vector<Packet> only = {
      MakePacket<int>(1).At(Timestamp::PostStream())};
  observer.Deliver(only, Timestamp::OneOverPostStream());
  observer.Deliver({}, Timestamp::Done());
  EXPECT_THAT(told_,
              ElementsAre("Timestamp::PostStream()", "(Timestamp::Done())"));
}

TEST_F(ObserverTest, AnErrorNamesStreamAndTimeAndIsTheLastCallOfTheRun) {
  fails_at_ = "2";
  for (Observer* const observer :
       {&observer_, static_cast<Observer*>(&bound_observer_)}) {
    told_.clear();
    observer->StartRun();
    const absl::Status status =
        observer->Deliver(PacketsAt({1, 2, 3}), Timestamp(4)).status;
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(
        std::string(status.message()),
        HasSubstr("The observer of stream \"out\" failed at 2: broken"));
    EXPECT_FALSE(observer->Deliver(PacketsAt({4}), Timestamp(5)).has_seen);
    EXPECT_THAT(told_, ElementsAre("1", "2"));
    observer->StartRun();
    EXPECT_TRUE(observer->Deliver(PacketsAt({4}), Timestamp(5)).has_seen);
  }
}

// What comes while the callback runs is told by who calls it already.
TEST_F(ObserverTest, WhatComesDuringACallIsToldAfterIt) {
  for (const char* const failing : {"", "(19)"}) {
    told_.clear();
    fails_at_ = failing;
    int inside = 0;
    BoundObserver observer(7, "out", [&](const Packet& packet) {
      EXPECT_EQ(++inside, 1);
      const absl::Status status = Tell(packet);
      if (packet.Timestamp() == Timestamp(5)) {
        const OutputTap::Facts left = observer.Deliver({}, Timestamp(20));
        EXPECT_FALSE(left.has_seen);
        EXPECT_TRUE(left.status.ok());
      }
      if (packet.Timestamp() == Timestamp(19)) {
        observer.Deliver(PacketsAt({20}), Timestamp(21));
      }
      --inside;
      if (told_.size() > 9) return absl::AbortedError("the same again");
      return status;
    });
    observer.StartRun();
    const OutputTap::Facts facts =
        observer.Deliver(PacketsAt({5}), Timestamp(6));
    EXPECT_TRUE(facts.has_seen);
    if (fails_at_.empty()) {
      EXPECT_THAT(told_, ElementsAre("5", "(19)", "20"));
      EXPECT_TRUE(facts.status.ok());
    } else {
      EXPECT_THAT(told_, ElementsAre("5", "(19)"));
      EXPECT_EQ(facts.status.code(), absl::StatusCode::kDataLoss);
    }
    told_.clear();
    observer.Deliver(PacketsAt({30}), Timestamp(31));
    EXPECT_EQ(told_.empty(), !fails_at_.empty());
  }
}

TEST_F(ObserverTest, TellsOfTimesUntilTheFirstError) {
  const std::vector<PacketTimes> times = {
      {.acquisition_ns = 10}, {.acquisition_ns = 20}, {.acquisition_ns = 30}};
  BoundObserver observer(
      7, "out", [this](const Packet& p) { return Tell(p); },
      BoundObserver::Tells::kSettledTime,
      [this](const Packet& packet, const PacketTimes& of_packet) {
        told_.push_back(absl::StrCat(packet.Timestamp().DebugString(), " at ",
                                     of_packet.acquisition_ns));
        if (told_.back() == fails_at_) return absl::DataLossError("broken");
        return absl::OkStatus();
      });
  observer.StartRun();
  EXPECT_TRUE(observer.DeliverTimes(PacketsAt({1, 2, 3}), times).ok());
  EXPECT_THAT(told_, ElementsAre("1 at 10", "2 at 20", "3 at 30"));
  told_.clear();
  fails_at_ = "2 at 20";
  EXPECT_EQ(observer.DeliverTimes(PacketsAt({1, 2, 3}), times).code(),
            absl::StatusCode::kDataLoss);
  EXPECT_THAT(told_, ElementsAre("1 at 10", "2 at 20"));
  EXPECT_TRUE(bound_observer_.DeliverTimes(PacketsAt({1, 2, 3}), times).ok())
      << "without a function nothing is told";
}

TEST_F(ObserverTest, AnExceptionIsAnError) {
  Observer observer(0, "out", [](const Packet&) -> absl::Status {
    throw std::runtime_error("thrown");
  });
  observer.StartRun();
  EXPECT_THAT(
      std::string(
          observer.Deliver(PacketsAt({1}), Timestamp(2)).status.message()),
      HasSubstr("thrown"));
}

// Bounds that are passed on may overtake packets and one another.
TEST(BoundObserverTest, TellsOneAtATimeAndInOrderWhateverThreadsBoundsComeOn) {
  constexpr int kTimes = 20'000;
  std::atomic<int> inside{0};
  Timestamp last = Timestamp::Unstarted();
  std::vector<int> seen;
  BoundObserver observer(0, "out", [&](const Packet& packet) {
    EXPECT_EQ(inside.fetch_add(1), 0);
    EXPECT_LT(last, packet.Timestamp());
    last = packet.Timestamp();
    if (!packet.IsEmpty()) seen.push_back(packet.Get<int>());
    inside.fetch_sub(1);
    return absl::OkStatus();
  });
  observer.StartRun();
  std::atomic<int> settled{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (settled.load() < kTimes) {
        observer.Deliver({}, Timestamp(settled.load()));
      }
    });
  }
  for (int time = 0; time < kTimes; time += 2) {
    observer.Deliver(PacketsAt({time}), Timestamp(time + 1));
    settled.store(time + 2);
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(seen.size(), kTimes / 2);
  EXPECT_EQ(seen.back(), kTimes - 2);
}

TEST(ObservedTimeTest, IsTheLastTimeThatIsSettled) {
  EXPECT_EQ(ObservedTime(Timestamp(5)), Timestamp(4));
  EXPECT_EQ(ObservedTime(Timestamp::PreStream()), Timestamp::Unstarted());
  EXPECT_EQ(ObservedTime(Timestamp::OneOverPostStream()),
            Timestamp::Unstarted());
  EXPECT_EQ(ObservedTime(Timestamp::Done()), Timestamp::Unstarted());
}

}  // namespace
}  // namespace syncline
