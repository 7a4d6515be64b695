#include "framework/run/graph_input.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/stream/queue_limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Timestamp> At(const std::vector<int>& times) {
  return std::vector<Timestamp>(times.begin(), times.end());
}

// Its time is what the test says.
class SetClock final : public GraphClock {
 public:
  std::int64_t NowNs() override { return now_ns; }
  Passing passing() const override { return Passing::kByItself; }
  std::int64_t SteadyNsOf(std::int64_t target_ns) override { return target_ns; }

  std::int64_t now_ns = 0;

 protected:
  void WaitUntilNs(std::int64_t target_ns) override {}
};

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

TEST_F(GraphInputTest, WhoMayNotWaitForRoomLearnsWhichInputIsFull) {
  plan_.name = "camera";
  const GraphInput input(stream_, plan_, /*checks_order=*/true);
  EXPECT_THAT(input.ThrottledError(),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("throttled"), HasSubstr("\"camera\""))));
}

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

TEST_F(GraphInputTest, WhoLooksInSeesTheBound) {
  GraphInput input(stream_, plan_, true);
  EXPECT_EQ(input.LookIn().bound, Timestamp::PreStream());
  AddAll(&input, {5});
  EXPECT_EQ(input.LookIn().bound, Timestamp(6));
  input.Close(receive_);
  EXPECT_EQ(input.LookIn().bound, Timestamp::Done());
}

// Adds packets at 5 and, from inside of the delivery of each packet before 9,
// at the next time. As with another thread that comes meanwhile, who delivers
// goes on with what was left for it.
TEST_F(GraphInputTest, APacketThatComesDuringADeliveryIsDeliveredAfterIt) {
  SetClock clock;
  GraphInput input(stream_, plan_, true, &clock);
  int inside = 0;
  std::vector<std::int64_t> times;
  const std::function<void(absl::Span<Packet>, Timestamp)> receive =
      [&](absl::Span<Packet> packets, Timestamp bound) {
        EXPECT_EQ(++inside, 1) << "one delivery at a time";
        receive_(packets, bound);
        ASSERT_EQ(packets.size(), input.times().size());
        for (const PacketTimes& packet_times : input.times()) {
          times.push_back(packet_times.acquisition_ns);
        }
        const Timestamp next = bound;
        if (!packets.empty() && next < Timestamp(9)) {
          SYNCLINE_EXPECT_OK(input.Add(MakePacket<int>(1).At(next),
                                       {.acquisition_ns = next.Value()},
                                       receive, &fails_run_));
        }
        --inside;
      };
  SYNCLINE_EXPECT_OK(input.Add(MakePacket<int>(1).At(Timestamp(5)),
                               {.acquisition_ns = 5}, receive, &fails_run_));
  EXPECT_EQ(packets_, At({5, 6, 7, 8}));
  EXPECT_EQ(bounds_, At({6, 7, 8, 9}));
  EXPECT_THAT(times, ElementsAre(5, 6, 7, 8));
  SYNCLINE_EXPECT_OK(input.SetBound(Timestamp(20), receive));
  EXPECT_EQ(bounds_.back(), Timestamp(20)) << "the next delivery begins anew";
  EXPECT_EQ(packets_.size(), 4);
}

// --- Times of packets

TEST_F(GraphInputTest, TimesGoWithTheirPackets) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 1000;
  plan_.max_held_packets = 100;
  SetClock clock;
  GraphInput input(stream_, plan_, true, &clock);
  EXPECT_TRUE(input.keeps_times());
  std::vector<PacketTimes> seen;
  const auto receive = [&](absl::Span<Packet> packets, Timestamp bound) {
    receive_(packets, bound);
    const absl::Span<const PacketTimes> times = input.times();
    EXPECT_EQ(times.size(), packets.size());
    seen.insert(seen.end(), times.begin(), times.end());
  };
  const auto add = [&](int time, const PacketTimes& times) {
    SYNCLINE_EXPECT_OK(input.Add(MakePacket<int>(1).At(Timestamp(time)), times,
                                 receive, &fails_run_));
  };
  clock.now_ns = 71;
  add(20, {.acquisition_ns = 2});
  clock.now_ns = 72;
  add(10, {.acquisition_ns = 1});
  add(30, {.acquisition_ns = 3, .publication_ns = 9});
  SYNCLINE_EXPECT_OK(input.SetBound(Timestamp(25), receive));
  EXPECT_EQ(packets_, At({10, 20}));
  EXPECT_THAT(
      seen,
      ElementsAre(PacketTimes{.acquisition_ns = 1, .publication_ns = 72},
                  PacketTimes{.acquisition_ns = 2, .publication_ns = 71}));
  seen.clear();
  input.Close(receive);
  EXPECT_THAT(
      seen, ElementsAre(PacketTimes{.acquisition_ns = 3, .publication_ns = 9}));
}

TEST_F(GraphInputTest, NoTimesAreKeptIfNobodyAsks) {
  GraphInput input(stream_, plan_, true);
  EXPECT_FALSE(input.keeps_times());
  const auto receive = [&](absl::Span<Packet> packets, Timestamp) {
    EXPECT_EQ(packets.size(), 1);
    EXPECT_TRUE(input.times().empty());
  };
  SYNCLINE_EXPECT_OK(input.Add(MakePacket<int>(1).At(Timestamp(5)),
                               {.acquisition_ns = 5}, receive, &fails_run_));
}

TEST_F(GraphInputTest, RefusesWhatNoStreamCarries) {
  GraphInput input(stream_, plan_, true);
  EXPECT_THAT(Add(&input, Timestamp::Unset()).message(), HasSubstr("\"in\""));
  EXPECT_FALSE(Add(&input, Timestamp::Done()).ok());
  EXPECT_THAT(Add(&input, MakePacket<float>(1).At(Timestamp(1))).message(),
              HasSubstr("Packet type mismatch on a calculator receiving from "
                        "stream \"in\", a graph input, at "));
  SYNCLINE_EXPECT_OK(Add(&input, Timestamp(5)));
  EXPECT_THAT(Add(&input, Timestamp(5)).message(),
              HasSubstr("Packet timestamp mismatch on a calculator receiving "
                        "from stream \"in\", a graph input. Current minimum "
                        "expected timestamp is 6 but received 5"));
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

// Packets at the times `given`, what is passed on of them, and what only when
// the input is closed.
struct TimesThatGoBack {
  std::string name;
  GraphInputInfo::BadTimestamps bad_timestamps;
  std::int64_t reorder_window = 0;
  int max_held_packets = 100;
  std::vector<Timestamp> given;
  std::vector<Timestamp> passed_on;
  std::vector<Timestamp> passed_on_at_the_end = {};
  std::int64_t dropped = 0;
  std::int64_t clamped = 0;
  std::int64_t reordered = 0;
};

const TimesThatGoBack kTimesThatGoBack[] = {
    {.name = "DROP says nothing",
     .bad_timestamps = GraphInputInfo::DROP,
     .given = {Timestamp(5), Timestamp(3), Timestamp(5), Timestamp(6),
               Timestamp::PreStream(), Timestamp::PostStream()},
     .passed_on = At({5, 6}),
     .dropped = 4},
    {.name = "CLAMP gives the earliest time that there is",
     .bad_timestamps = GraphInputInfo::CLAMP,
     .given = At({5, 3, 5, 10, 2}),
     .passed_on = At({5, 6, 7, 10, 11}),
     .clamped = 3},
    {.name = "There is nothing after Max, and PostStream is no time to move "
             "from",
     .bad_timestamps = GraphInputInfo::CLAMP,
     .given = {Timestamp(5), Timestamp::Max(), Timestamp(3),
               Timestamp::PostStream()},
     .passed_on = {Timestamp(5), Timestamp::Max()},
     .dropped = 2},
    {.name = "REORDER sorts within its window",
     .bad_timestamps = GraphInputInfo::REORDER,
     .reorder_window = 20,
     .given = At({10, 30, 15, 40, 35, 5}),
     .passed_on = At({10, 15}),
     .passed_on_at_the_end = At({30, 35, 40}),
     .dropped = 1,
     .reordered = 2},
    {.name = "A time that is there already is dropped",
     .bad_timestamps = GraphInputInfo::REORDER,
     .reorder_window = 20,
     .given = At({10, 10, 30, 10}),
     .passed_on = At({10}),
     .passed_on_at_the_end = At({30}),
     .dropped = 2},
    {.name = "No more are held than may be",
     .bad_timestamps = GraphInputInfo::REORDER,
     .reorder_window = 1000,
     .max_held_packets = 2,
     .given = At({30, 20, 10, 15, 5}),
     .passed_on = At({10, 15}),
     .passed_on_at_the_end = At({20, 30}),
     .dropped = 1,
     .reordered = 3},
    {.name = "REORDER knows both ends of time: the window ends at -3",
     .bad_timestamps = GraphInputInfo::REORDER,
     .reorder_window = std::numeric_limits<std::int64_t>::max(),
     .given = {Timestamp::Max(), Timestamp(0), Timestamp::Min(),
               Timestamp::PreStream(), Timestamp::PostStream()},
     .passed_on = {},
     .passed_on_at_the_end = {Timestamp(0), Timestamp::Max()},
     .dropped = 3,
     .reordered = 1},
    {.name = "PreStream is not held",
     .bad_timestamps = GraphInputInfo::REORDER,
     .reorder_window = std::numeric_limits<std::int64_t>::max(),
     .given = {Timestamp::PreStream()},
     .passed_on = {Timestamp::PreStream()}},
};

TEST_F(GraphInputTest, TimesThatGoBackAreTreatedAsConfigured) {
  for (const TimesThatGoBack& times : kTimesThatGoBack) {
    SCOPED_TRACE(times.name);
    plan_.bad_timestamps = times.bad_timestamps;
    plan_.reorder_window = times.reorder_window;
    plan_.max_held_packets = times.max_held_packets;
    GraphInput input(stream_, plan_, true);
    packets_.clear();
    for (const Timestamp time : times.given) {
      SYNCLINE_EXPECT_OK(Add(&input, time));
    }
    EXPECT_EQ(packets_, times.passed_on);
    const GraphInput::Snapshot seen = input.LookIn();
    EXPECT_EQ(seen.held, times.passed_on_at_the_end.size());
    EXPECT_EQ(seen.dropped, times.dropped);
    EXPECT_EQ(seen.clamped, times.clamped);
    EXPECT_EQ(seen.reordered, times.reordered);
    packets_.clear();
    EXPECT_TRUE(input.Close(receive_));
    EXPECT_EQ(packets_, times.passed_on_at_the_end);
    EXPECT_EQ(input.LookIn().held, 0);
  }
  EXPECT_FALSE(fails_run_);
}

TEST_F(GraphInputTest, TheBoundFollowsWhatIsHeld) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 20;
  plan_.max_held_packets = 100;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {10, 30, 15, 40, 35, 5});
  EXPECT_THAT(bounds_, ElementsAre(Timestamp(-10), Timestamp(11), Timestamp(11),
                                   Timestamp(20), Timestamp(20)));
  EXPECT_TRUE(input.Close(receive_));
  EXPECT_EQ(bounds_.back(), Timestamp::Done());
  GraphInput before(stream_, plan_, true);
  SYNCLINE_EXPECT_OK(Add(&before, Timestamp::PreStream()));
  EXPECT_EQ(bounds_.back(), Timestamp::OneOverPostStream());
}

TEST_F(GraphInputTest, BytesThatAreHeldBackAreCountedAndReleased) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 1000;
  plan_.max_held_packets = 100;
  const std::int64_t one = CountedBytes(MakePacket<int>(1));
  ASSERT_GT(one, 0);
  GraphInput input(stream_, plan_, true, /*clock=*/nullptr,
                   /*max_held_bytes=*/2 * one);
  AddAll(&input, {30});
  EXPECT_EQ(input.LookIn().held_bytes, one);
  AddAll(&input, {20});
  EXPECT_EQ(input.LookIn().held_bytes, 2 * one);
  EXPECT_THAT(packets_, ElementsAre()) << "so many may be held";
  AddAll(&input, {10});
  EXPECT_EQ(packets_, At({10}));
  EXPECT_EQ(input.LookIn().held_bytes, 2 * one);
  AddAll(&input, {40});
  EXPECT_EQ(packets_, At({10, 20}));
  SYNCLINE_EXPECT_OK(input.SetBound(Timestamp(35), receive_));
  EXPECT_EQ(packets_, At({10, 20, 30}));
  EXPECT_EQ(input.LookIn().held_bytes, one);
  EXPECT_TRUE(input.Close(receive_));
  EXPECT_EQ(input.LookIn().held_bytes, 0);
}

TEST_F(GraphInputTest, WithoutALimitAnyBytesMayBeHeldBack) {
  plan_.bad_timestamps = GraphInputInfo::REORDER;
  plan_.reorder_window = 1000;
  plan_.max_held_packets = 100;
  GraphInput input(stream_, plan_, true);
  AddAll(&input, {30, 20, 10});
  EXPECT_EQ(input.LookIn().held_bytes, 3 * CountedBytes(MakePacket<int>(1)));
  EXPECT_THAT(packets_, ElementsAre());
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
