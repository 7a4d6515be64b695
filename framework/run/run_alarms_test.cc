// Alarms ring at their times, a clock that is moved is heard, and neither after
// Stop.

#include "framework/run/run_alarms.h"

#include <atomic>
#include <cstdint>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/steady_time.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr std::int64_t kHourNs = std::int64_t{3600} * 1'000'000'000;

bool WaitFor(const std::atomic<int>& rings, int count) {
  for (int i = 0; i < 30000 && rings < count; ++i) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  return rings == count;
}

TEST(RunAlarmsTest, EachAlarmRingsByItself) {
  std::atomic<int> ends{0}, looks{0};
  RunAlarms alarms;
  EXPECT_FALSE(alarms.Has(RunAlarms::kMemory));
  alarms.Add(RunAlarms::kMaxDuration, [&] { ++ends; });
  alarms.Add(RunAlarms::kMemory, [&] { ++looks; });
  EXPECT_TRUE(alarms.Has(RunAlarms::kMemory));
  EXPECT_FALSE(alarms.Has(RunAlarms::kDeadlockTimeout));
  SYNCLINE_EXPECT_OK(
      alarms.SetAt(RunAlarms::kMaxDuration, SteadyNowNs() + kHourNs));
  SYNCLINE_EXPECT_OK(alarms.SetAt(RunAlarms::kMemory, SteadyNowNs()));
  EXPECT_TRUE(WaitFor(looks, 1));
  EXPECT_EQ(ends, 0);
  SYNCLINE_EXPECT_OK(alarms.SetAt(RunAlarms::kMaxDuration, SteadyNowNs()));
  EXPECT_TRUE(WaitFor(ends, 1)) << "the time so far is replaced";
  EXPECT_EQ(looks, 1);
  alarms.Stop();
}

TEST(RunAlarmsTest, NothingIsCalledAfterStop) {
  std::atomic<int> rings{0}, moves{0};
  ManualClock clock;
  RunAlarms alarms;
  alarms.Add(RunAlarms::kDeadlockTimeout, [&] { ++rings; });
  alarms.ListenTo(&clock, [&] { ++moves; });
  SYNCLINE_EXPECT_OK(clock.AdvanceTo(1));
  EXPECT_EQ(moves, 1);
  constexpr std::int64_t kSoonNs = 20'000'000;
  SYNCLINE_EXPECT_OK(
      alarms.SetAt(RunAlarms::kDeadlockTimeout, SteadyNowNs() + kSoonNs));
  alarms.Stop();
  SYNCLINE_EXPECT_OK(clock.AdvanceTo(2));
  EXPECT_EQ(moves, 1);
  SYNCLINE_EXPECT_OK(alarms.SetAt(RunAlarms::kDeadlockTimeout, SteadyNowNs()));
  absl::SleepFor(absl::Nanoseconds(2 * kSoonNs));
  EXPECT_EQ(rings, 0);
}

TEST(RunAlarmsTest, StopWaitsForACallThatGoesOn) {
  std::atomic<bool> is_in{false}, is_over{false};
  RunAlarms alarms;
  alarms.Add(RunAlarms::kMemory, [&] {
    is_in = true;
    absl::SleepFor(absl::Milliseconds(50));
    is_over = true;
  });
  SYNCLINE_EXPECT_OK(alarms.SetAt(RunAlarms::kMemory, SteadyNowNs()));
  while (!is_in) absl::SleepFor(absl::Milliseconds(1));
  alarms.Stop();
  EXPECT_TRUE(is_over);
}

}  // namespace
}  // namespace syncline
