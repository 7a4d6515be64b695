#include "framework/run/graph_input.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphInputTest : public ::testing::Test {
 protected:
  GraphInputTest() {
    type_.Set<int>();
    stream_.name = "in";
    stream_.type = &type_;
  }
  absl::Status Add(GraphInput* input, Timestamp timestamp) {
    return Add(input, MakePacket<int>(1).At(timestamp));
  }
  absl::Status Add(GraphInput* input, Packet packet) {
    return input->Add(std::move(packet), PacketTimes(), receive_, &fails_run_);
  }
  // Adds a packet at each time; all must be taken.
  void AddAll(GraphInput* input, const std::vector<int>& times) {
    for (const int time : times)
      SYNCLINE_EXPECT_OK(Add(input, Timestamp(time)));
  }

  PacketType type_;
  PlanStream stream_;
  PlanGraphInput plan_;
  bool fails_run_ = false;
  std::vector<Timestamp> packets_;
  std::vector<Timestamp> bounds_;
  std::function<void(absl::Span<Packet>, Timestamp)> receive_ =
      [this](absl::Span<Packet> packets, Timestamp bound) {
        for (const Packet& packet : packets) {
          packets_.push_back(packet.Timestamp());
        }
        bounds_.push_back(bound);
      };
};

TEST_F(GraphInputTest, PassesPacketsAndBoundsOn) {
  GraphInput input(stream_, plan_, true);
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  SYNCLINE_EXPECT_OK(input.SetBound(Timestamp(9), receive_));
  SYNCLINE_EXPECT_OK(Add(&input, Packet().At(Timestamp(11))));
  EXPECT_TRUE(input.Close(receive_));
  EXPECT_FALSE(input.Close(receive_));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5)));
  EXPECT_THAT(bounds_, ElementsAre(Timestamp(6), Timestamp(9), Timestamp(12),
                                   Timestamp::Done()));
}

TEST_F(GraphInputTest, RefusesWhatNoStreamCarries) {
  GraphInput input(stream_, plan_, true);
  EXPECT_THAT(Add(&input, Timestamp::Unset()).message(), HasSubstr("\"in\""));
  EXPECT_FALSE(Add(&input, Timestamp::Done()).ok());
  EXPECT_THAT(Add(&input, MakePacket<float>(1).At(Timestamp(1))).message(),
              HasSubstr("type mismatch"));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  EXPECT_THAT(Add(&input, Timestamp(5)).message(),
              HasSubstr("Current minimum expected timestamp is 6 but received "
                        "5"));
  EXPECT_THAT(Add(&input, Timestamp::PostStream()).message(),
              HasSubstr("only packet"));
  EXPECT_FALSE(input.SetBound(Timestamp(3), receive_).ok());
  EXPECT_THAT(input.SetBound(Timestamp::Done(), receive_).message(),
              HasSubstr("CloseInputStream"));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5)));
}

TEST_F(GraphInputTest, IsClosedForGood) {
  GraphInput input(stream_, plan_, true);
  input.Close(receive_);
  EXPECT_EQ(Add(&input, Timestamp(5)).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(input.SetBound(Timestamp(5), receive_).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(GraphInputTest, TimestampsMayGoBackWhereTimeIsIgnored) {
  GraphInput input(stream_, plan_, false);
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(3)));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5), Timestamp(3)));
}

TEST_F(GraphInputTest, ManyThreadsDeliverOneAtATimeAndInOrder) {
  GraphInput input(stream_, plan_, true);
  std::atomic<int> delivering{0};
  Timestamp last = Timestamp::PreStream();
  int count = 0;
  const auto receive = [&](absl::Span<Packet> packets, Timestamp) {
    EXPECT_EQ(delivering.fetch_add(1), 0);
    for (const Packet& packet : packets) {
      EXPECT_GT(packet.Timestamp(), last);
      last = packet.Timestamp();
      ++count;
    }
    delivering.fetch_sub(1);
  };
  std::atomic<int> accepted{0};
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const Timestamp timestamp(next.fetch_add(1));
        bool fails_run = false;
        if (input
                .Add(MakePacket<int>(1).At(timestamp), PacketTimes(), receive,
                     &fails_run)
                .ok()) {
          ++accepted;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, accepted);
}

// --- Timestamps that go back

TEST_F(GraphInputTest, ATimestampThatGoesBackFailsTheRunUnlessConfigured) {
  GraphInput input(stream_, plan_, true);
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  EXPECT_FALSE(Add(&input, Timestamp::Unset()).ok());
  EXPECT_FALSE(fails_run_) << "a mistake of the caller's, not of a clock";
  EXPECT_FALSE(Add(&input, Timestamp(5)).ok());
  EXPECT_TRUE(fails_run_);
  EXPECT_EQ(input.LookIn().rejected, 1);
}

TEST_F(GraphInputTest, RejectTellsTheCallerOnly) {
  plan_.bad_timestamps = GraphInputInfo::REJECT;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {5});
  EXPECT_FALSE(Add(&input, Timestamp(5)).ok());
  EXPECT_FALSE(Add(&input, Timestamp::PostStream()).ok());
  EXPECT_FALSE(fails_run_);
  AddAll(&input, {6});
  EXPECT_EQ(input.LookIn().rejected, 2);
  EXPECT_EQ(input.LookIn().packets_added, 2);
}

TEST_F(GraphInputTest, DropSaysNothing) {
  plan_.bad_timestamps = GraphInputInfo::DROP;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {5, 3, 5, 6});
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp::PreStream()));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp::PostStream()));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5), Timestamp(6)));
  EXPECT_EQ(input.LookIn().dropped, 4);
}

TEST_F(GraphInputTest, ClampGivesTheEarliestTimeThatThereIs) {
  plan_.bad_timestamps = GraphInputInfo::CLAMP;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {5, 3, 5, 10, 2});
  EXPECT_THAT(packets_, ElementsAre(Timestamp(5), Timestamp(6), Timestamp(7),
                                    Timestamp(10), Timestamp(11)));
  EXPECT_EQ(input.LookIn().clamped, 3);
  EXPECT_EQ(input.LookIn().dropped, 0);
  // There is nothing after Max, and PostStream is no time to move from.
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp::Max()));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(3)));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp::PostStream()));
  EXPECT_EQ(packets_.back(), Timestamp::Max());
  EXPECT_EQ(input.LookIn().dropped, 2);
}

TEST_F(GraphInputTest, ReorderSortsWithinItsWindow) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 20;
  plan_.max_held_packets = 100;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {10, 30, 15, 40, 35, 5});
  EXPECT_THAT(packets_, ElementsAre(Timestamp(10), Timestamp(15)));
  EXPECT_THAT(bounds_, ElementsAre(Timestamp(-10), Timestamp(11), Timestamp(11),
                                   Timestamp(20), Timestamp(20)));
  EXPECT_EQ(input.LookIn().held, 3);
  EXPECT_EQ(input.LookIn().reordered, 2);
  EXPECT_EQ(input.LookIn().dropped, 1);
  EXPECT_TRUE(input.Close(receive_));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(10), Timestamp(15), Timestamp(30),
                                    Timestamp(35), Timestamp(40)));
  EXPECT_EQ(bounds_.back(), Timestamp::Done());
  EXPECT_EQ(input.LookIn().held, 0);
}

TEST_F(GraphInputTest, ReorderDropsATimestampThatIsThereAlready) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 20;
  plan_.max_held_packets = 100;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {10, 10, 30, 10});
  EXPECT_EQ(input.LookIn().dropped, 2);
  EXPECT_THAT(packets_, ElementsAre(Timestamp(10)));
}

TEST_F(GraphInputTest, ABoundLetsHeldPacketsGoOn) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 1000;
  plan_.max_held_packets = 100;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {20, 10, 40, 30});
  EXPECT_THAT(packets_, ElementsAre());
  SYNCLINE_EXPECT_OK(input.SetBound(Timestamp(30), receive_));
  EXPECT_THAT(packets_, ElementsAre(Timestamp(10), Timestamp(20)));
  EXPECT_EQ(bounds_.back(), Timestamp(30));
  SYNCLINE_EXPECT_OK(Add(&input, Packet().At(Timestamp(30))));
  EXPECT_EQ(packets_.back(), Timestamp(30));
  EXPECT_EQ(bounds_.back(), Timestamp(31));
}

TEST_F(GraphInputTest, ReorderHoldsNoMoreThanItMay) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 1000;
  plan_.max_held_packets = 2;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {30, 20, 10, 15, 5});
  EXPECT_THAT(packets_, ElementsAre(Timestamp(10), Timestamp(15)));
  EXPECT_EQ(input.LookIn().held, 2);
  EXPECT_EQ(input.LookIn().dropped, 1);
}

TEST_F(GraphInputTest, ReorderKnowsBothEndsOfTime) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = std::numeric_limits<std::int64_t>::max();
  plan_.max_held_packets = 100;
  GraphInput input(stream_, plan_, true);
  for (const Timestamp time :
       {Timestamp::Max(), Timestamp(0), Timestamp::Min(),
        Timestamp::PreStream(), Timestamp::PostStream()}) {
    SYNCLINE_EXPECT_OK(Add(&input, time));
  }
  EXPECT_EQ(input.LookIn().dropped, 3) << "the window ends at -3";
  input.Close(receive_);
  EXPECT_THAT(packets_, ElementsAre(Timestamp(0), Timestamp::Max()));

  GraphInput before(stream_, plan_, true);
  SYNCLINE_EXPECT_OK(Add(&before, Timestamp::PreStream()));
  EXPECT_EQ(packets_.back(), Timestamp::PreStream());
  EXPECT_EQ(bounds_.back(), Timestamp::OneOverPostStream());
}

// Whatever the order is in which they come, they leave in theirs.
TEST_F(GraphInputTest, ReorderLosesNothingThatIsWithinTheWindow) {
  constexpr int kWindow = 50;
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = kWindow;
  plan_.max_held_packets = 1000;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    // By when they come: the time, and up to a window more.
    std::vector<std::pair<int, int>> arrivals;
    for (int time = 0; time < 300; time += 1 + static_cast<int>(random() % 9)) {
      arrivals.emplace_back(time + static_cast<int>(random() % kWindow), time);
    }
    const std::size_t size = arrivals.size();
    std::sort(arrivals.begin(), arrivals.end());
    packets_.clear();
    GraphInput input(stream_, plan_, true);
    for (const auto& arrival : arrivals) AddAll(&input, {arrival.second});
    input.Close(receive_);
    EXPECT_EQ(packets_.size(), size);
    EXPECT_TRUE(std::is_sorted(packets_.begin(), packets_.end()));
    EXPECT_EQ(input.LookIn().dropped, 0);
  }
}

}  // namespace
}  // namespace syncline
