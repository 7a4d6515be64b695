// Time passes by itself, when told or when idle, and never goes back; numbers
// that do not fit end at the ends of the range.
#include "framework/base/graph_clock.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMaxNs = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMinNs = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMillisecond = 1000 * 1000;

std::int64_t SteadyNowNs() {
  return std::chrono::nanoseconds(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::shared_ptr<RealtimeClock> Realtime(RealtimeClock::Options options) {
  return RealtimeClock::Create(options).value();
}

TEST(SaturatingAddNsTest, EndsAtTheEndsOfTheRange) {
  EXPECT_EQ(SaturatingAddNs(2, 3), 5);
  EXPECT_EQ(SaturatingAddNs(kMaxNs, 1), kMaxNs);
  EXPECT_EQ(SaturatingAddNs(kMinNs, -1), kMinNs);
  EXPECT_EQ(SaturatingAddNs(kMinNs, kMaxNs), -1);
}

// --- RealtimeClock

TEST(RealtimeClockTest, BeginsAtZeroAndPassesByItself) {
  RealtimeClock clock;
  EXPECT_EQ(clock.passing(), GraphClock::Passing::kByItself);
  const std::int64_t first = clock.NowNs();
  EXPECT_GE(first, 0);
  EXPECT_LT(first, 10'000 * kMillisecond);
  absl::SleepFor(absl::Milliseconds(2));
  EXPECT_GE(clock.NowNs(), first + 2 * kMillisecond);
}

TEST(RealtimeClockTest, BeginsAtItsOffsetAndAtTheTimeOfDay) {
  const auto late = Realtime({.initial_time_offset = 100.5});
  EXPECT_GE(late->NowNs(), 100'500 * kMillisecond);
  EXPECT_GE(late->time(), 100.5);
  EXPECT_LT(late->time(), 110.5);
  const auto early = Realtime({.initial_time_offset = -100.0});
  EXPECT_LT(early->timestamp(), 0);

  const absl::Time before = absl::Now();
  const auto epoch = Realtime({.use_time_since_epoch = true});
  EXPECT_GE(epoch->TimeNow(), before);
  EXPECT_LT(epoch->TimeNow(), before + absl::Seconds(10));
}

TEST(RealtimeClockTest, AScaleMakesTimeFasterOrSlower) {
  const auto fast = Realtime({.initial_time_scale = 1000});
  absl::SleepFor(absl::Milliseconds(2));
  EXPECT_GE(fast->NowNs(), 2000 * kMillisecond);
  const auto slow = Realtime({.initial_time_scale = 1e-6});
  absl::SleepFor(absl::Milliseconds(2));
  EXPECT_LT(slow->NowNs(), 2 * kMillisecond);
  EXPECT_EQ(slow->time_scale(), 1e-6);
}

TEST(RealtimeClockTest, SleepsInItsOwnTime) {
  const auto fast = Realtime({.initial_time_scale = 1e6});
  const std::int64_t start_ns = SteadyNowNs();
  const std::int64_t now = fast->NowNs();
  // A quarter of an hour: a millisecond.
  fast->Sleep(absl::Minutes(15));
  EXPECT_GE(fast->NowNs(), now + 900'000 * kMillisecond);
  EXPECT_LT(SteadyNowNs() - start_ns, 60'000 * kMillisecond);

  const auto slow = Realtime({.initial_time_scale = 0.01});
  const std::int64_t slow_start_ns = SteadyNowNs();
  slow->Sleep(absl::Microseconds(100));
  EXPECT_GE(SteadyNowNs() - slow_start_ns, 10 * kMillisecond);
}

TEST(RealtimeClockTest, ASleeperLooksAgainWhenTheScaleChanges) {
  RealtimeClock clock;
  std::thread sleeper(
      [&] { clock.SleepUntil(absl::UnixEpoch() + absl::Hours(1)); });
  while (clock.num_sleeping() == 0) absl::SleepFor(absl::Milliseconds(1));
  SYNCLINE_EXPECT_OK(clock.SetTimeScale(1e9));
  sleeper.join();
  EXPECT_EQ(clock.num_sleeping(), 0);
  EXPECT_GE(clock.NowNs(), 3600'000 * kMillisecond);
}

TEST(RealtimeClockTest, WhatIsPastIsNotWaitedFor) {
  RealtimeClock clock;
  const std::int64_t start_ns = SteadyNowNs();
  clock.Sleep(-absl::InfiniteDuration());
  clock.Sleep(absl::ZeroDuration());
  clock.SleepUntil(absl::InfinitePast());
  clock.SleepUntil(clock.TimeNow());
  EXPECT_LT(SteadyNowNs() - start_ns, 10'000 * kMillisecond);
  EXPECT_THAT(clock.SleepFor(-1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-1 ns")));
  SYNCLINE_EXPECT_OK(clock.SleepFor(1000));
}

TEST(RealtimeClockTest, SaysWhenTheMachineReachesATime) {
  for (const double scale : {1.0, 3.0, 0.7, 1e-9, 1e9}) {
    const auto clock = Realtime({.initial_time_scale = scale});
    for (const std::int64_t ahead : {1L, 7L, 1000L, 123456789L}) {
      const std::int64_t target_ns = clock->NowNs() + ahead;
      const std::int64_t steady_ns = clock->SteadyNsOf(target_ns);
      const long double expected = SteadyNowNs() + ahead / scale;
      EXPECT_LT(steady_ns, expected + 1e-6L * expected + 10) << scale;
    }
    const std::int64_t reached_ns = clock->SteadyNsOf(clock->NowNs());
    EXPECT_LE(reached_ns, SteadyNowNs() + 1) << scale;
    EXPECT_EQ(clock->SteadyNsOf(kMaxNs), kMaxNs) << scale;
    EXPECT_LT(clock->SteadyNsOf(kMinNs), SteadyNowNs()) << scale;
  }
}

TEST(RealtimeClockTest, HasReachedATimeWhenTheMachineReachesWhatItSaid) {
  for (const double scale : {1.0, 3.0, 0.7, 1234.5}) {
    const auto clock = Realtime({.initial_time_scale = scale});
    for (int i = 0; i < 100; ++i) {
      const std::int64_t target_ns = clock->NowNs() + 1000 + i;
      const std::int64_t steady_ns = clock->SteadyNsOf(target_ns);
      while (SteadyNowNs() < steady_ns) {
      }
      ASSERT_GE(clock->NowNs(), target_ns) << scale;
    }
  }
}

TEST(RealtimeClockTest, EndsAtTheEndOfTheRange) {
  const auto clock =
      Realtime({.initial_time_offset = 9.2e9, .initial_time_scale = 1e300});
  absl::SleepFor(absl::Milliseconds(1));
  EXPECT_EQ(clock->NowNs(), kMaxNs);
  clock->Sleep(absl::InfiniteDuration());
  clock->SleepUntil(absl::InfiniteFuture());
  EXPECT_EQ(clock->SteadyNsOf(kMaxNs), kMaxNs);
  const auto tiny = Realtime({.initial_time_scale = 5e-324});
  EXPECT_EQ(tiny->NowNs(), 0);
  EXPECT_EQ(tiny->SteadyNsOf(1), kMaxNs);
}

TEST(RealtimeClockTest, RefusesScalesAndOffsetsThatAreNoSpeedAndNoTime) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  RealtimeClock clock;
  for (const double scale : {0.0, -1.0, nan, inf, -inf}) {
    EXPECT_THAT(
        RealtimeClock::Create({.initial_time_scale = scale}),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("above 0")));
    EXPECT_THAT(clock.SetTimeScale(scale),
                StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_EQ(clock.time_scale(), 1.0);
  }
  for (const double offset : {nan, inf, -inf, 1e10, -1e300}) {
    EXPECT_THAT(
        RealtimeClock::Create({.initial_time_offset = offset}),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("offset")));
  }
}

TEST(RealtimeClockTest, CannotBeAdvanced) {
  RealtimeClock clock;
  EXPECT_THAT(clock.AdvanceBy(1),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("passes by itself")));
  EXPECT_THAT(clock.AdvanceTo(kMaxNs),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(RealtimeClockTest, NeverGoesBackWhileItsScaleChanges) {
  RealtimeClock clock;
  std::atomic<int> changes{0};
  const Listener listener = clock.AddListener([&] { ++changes; });
  std::atomic<bool> is_over{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      std::int64_t last = clock.NowNs();
      while (!is_over) {
        const std::int64_t now = clock.NowNs();
        EXPECT_GE(now, last);
        last = now;
      }
    });
  }
  for (int i = 0; i < 500; ++i) {
    SYNCLINE_EXPECT_OK(clock.SetTimeScale(i % 2 == 0 ? 100 : 0.01));
  }
  is_over = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(changes, 500);
}

// --- ManualClock, SyntheticClock

TEST(SteppedClockTest, MovesForwardOnlyAndTellsItsListeners) {
  ManualClock manual(5);
  SyntheticClock synthetic(5);
  EXPECT_EQ(manual.passing(), GraphClock::Passing::kWhenIdle);
  EXPECT_EQ(synthetic.passing(), GraphClock::Passing::kWhenTold);
  for (GraphClock* clock : {static_cast<GraphClock*>(&manual),
                            static_cast<GraphClock*>(&synthetic)}) {
    std::vector<std::int64_t> seen;
    const Listener listener =
        clock->AddListener([&] { seen.push_back(clock->NowNs()); });
    EXPECT_EQ(clock->NowNs(), 5);
    SYNCLINE_EXPECT_OK(clock->AdvanceTo(7));
    SYNCLINE_EXPECT_OK(clock->AdvanceTo(7));
    SYNCLINE_EXPECT_OK(clock->AdvanceBy(3));
    SYNCLINE_EXPECT_OK(clock->AdvanceBy(0));
    EXPECT_THAT(clock->AdvanceTo(9),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("shows 10 ns and cannot go back to 9")));
    EXPECT_THAT(clock->AdvanceBy(-1),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_EQ(clock->NowNs(), 10);
    EXPECT_EQ(clock->TimeNow(), absl::FromUnixNanos(10));
    EXPECT_EQ(clock->SteadyNsOf(10), kMinNs);
    EXPECT_EQ(clock->SteadyNsOf(11), kMaxNs);
    SYNCLINE_EXPECT_OK(clock->AdvanceBy(kMaxNs));
    EXPECT_EQ(clock->NowNs(), kMaxNs);
    EXPECT_EQ(seen, (std::vector<std::int64_t>{7, 10, kMaxNs}));
  }
}

TEST(ManualClockTest, SleepJumps) {
  ManualClock clock;
  int changes = 0;
  const Listener listener = clock.AddListener([&] { ++changes; });
  clock.Sleep(absl::Hours(1));
  EXPECT_EQ(clock.time(), 3600.0);
  clock.SleepUntil(absl::UnixEpoch() + absl::Hours(2));
  EXPECT_EQ(clock.time(), 7200.0);
  clock.SleepUntil(absl::UnixEpoch());
  clock.Sleep(-absl::Hours(1));
  EXPECT_EQ(clock.time(), 7200.0);
  EXPECT_EQ(changes, 2);
  clock.Sleep(absl::InfiniteDuration());
  EXPECT_EQ(clock.NowNs(), kMaxNs);
  EXPECT_THAT(clock.SleepFor(-5), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(SyntheticClockTest, SleepWaitsUntilTheClockIsTold) {
  SyntheticClock clock;
  std::atomic<bool> is_awake{false};
  std::thread sleeper([&] {
    clock.SleepUntil(absl::FromUnixNanos(1000));
    is_awake = true;
  });
  SYNCLINE_EXPECT_OK(clock.AdvanceTo(999));
  absl::SleepFor(absl::Milliseconds(5));
  EXPECT_FALSE(is_awake);
  SYNCLINE_EXPECT_OK(clock.AdvanceBy(1));
  sleeper.join();
  EXPECT_TRUE(is_awake);
}

// --- MakeGraphClock

TEST(MakeGraphClockTest, FindsClocksByTheNamesOfGxfAndHoloscan) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      std::shared_ptr<GraphClock> realtime,
      MakeGraphClock("nvidia::gxf::RealtimeClock",
                     {.initial_time_offset = 2.0, .initial_time_scale = 0.5}));
  EXPECT_EQ(realtime->passing(), GraphClock::Passing::kByItself);
  EXPECT_GE(realtime->time(), 2.0);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      std::shared_ptr<GraphClock> manual,
      MakeGraphClock("ManualClock", {.initial_timestamp = 7}));
  EXPECT_EQ(manual->passing(), GraphClock::Passing::kWhenIdle);
  EXPECT_EQ(manual->NowNs(), 7);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(std::shared_ptr<GraphClock> synthetic,
                                MakeGraphClock("holoscan::SyntheticClock"));
  EXPECT_EQ(synthetic->passing(), GraphClock::Passing::kWhenTold);
  EXPECT_EQ(synthetic->NowNs(), 0);
}

TEST(MakeGraphClockTest, AnUnknownNameIsAnsweredWithNearOnes) {
  EXPECT_THAT(MakeGraphClock("ManuelClock"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("Did you mean \"ManualClock\"?")));
  EXPECT_THAT(MakeGraphClock("nvidia::gxf::Realtimeclock"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("Did you mean \"RealtimeClock\"?")));
  EXPECT_THAT(MakeGraphClock(""), StatusIs(absl::StatusCode::kNotFound,
                                           HasSubstr("\"SyntheticClock\"")));
}

TEST(MakeGraphClockTest, RefusesParametersOfAnotherClock) {
  EXPECT_THAT(MakeGraphClock("RealtimeClock", {.initial_timestamp = 1}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"initial_timestamp\"")));
  EXPECT_THAT(MakeGraphClock("ManualClock", {.initial_time_scale = 1.0}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("A ManualClock has no parameter "
                                 "\"initial_time_scale\"")));
  EXPECT_THAT(MakeGraphClock("SyntheticClock", {.initial_time_offset = 1.0}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MakeGraphClock("SyntheticClock", {.use_time_since_epoch = true}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MakeGraphClock("RealtimeClock", {.initial_time_scale = 0.0}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace syncline
