#include "framework/deps/monotonic_clock.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// A clock that gives the times it is told.
class ScriptedClock : public Clock {
 public:
  absl::Time TimeNow() override { return now; }
  void Sleep(absl::Duration duration) override { now += duration; }
  void SleepUntil(absl::Time wake_time) override { now = wake_time; }

  absl::Time now = absl::FromUnixSeconds(1000);
};

TEST(MonotonicClockTest, GoesOnlyForward) {
  ScriptedClock raw;
  std::unique_ptr<MonotonicClock> clock(
      MonotonicClock::CreateMonotonicClock(&raw));
  const absl::Time start = clock->TimeNow();
  EXPECT_EQ(start, absl::FromUnixSeconds(1000));
  raw.now += absl::Seconds(10);
  EXPECT_EQ(clock->TimeNow(), start + absl::Seconds(10));
  raw.now -= absl::Seconds(4);
  EXPECT_EQ(clock->TimeNow(), start + absl::Seconds(10));
  // The raw clock is still behind, but it does not go back again.
  raw.now += absl::Seconds(3);
  EXPECT_EQ(clock->TimeNow(), start + absl::Seconds(10));
  raw.now += absl::Seconds(2);
  EXPECT_EQ(clock->TimeNow(), start + absl::Seconds(11));

  int corrections = 0;
  double max_correction = 0;
  clock->GetCorrectionMetrics(&corrections, &max_correction);
  EXPECT_EQ(corrections, 1);
  EXPECT_DOUBLE_EQ(max_correction, 4);
  clock->GetCorrectionMetrics(nullptr, nullptr);
}

TEST(MonotonicClockTest, SleepsByTheClockBelow) {
  ScriptedClock raw;
  std::unique_ptr<MonotonicClock> clock(
      MonotonicClock::CreateMonotonicClock(&raw));
  const absl::Time start = clock->TimeNow();
  clock->Sleep(absl::Seconds(5));
  EXPECT_EQ(clock->TimeNow(), start + absl::Seconds(5));
  clock->SleepUntil(start + absl::Seconds(8));
  EXPECT_EQ(clock->TimeNow(), start + absl::Seconds(8));
  clock->SleepUntil(start);
  EXPECT_EQ(clock->TimeNow(), start + absl::Seconds(8));
}

TEST(MonotonicClockTest, SynchronizedOnesAreNeverBehindOneAnother) {
  std::unique_ptr<MonotonicClock> a(
      MonotonicClock::CreateSynchronizedMonotonicClock());
  std::unique_ptr<MonotonicClock> b(
      MonotonicClock::CreateSynchronizedMonotonicClock());
  std::atomic<bool> ordered = true;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        const absl::Time first = a->TimeNow();
        if (b->TimeNow() < first) ordered = false;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(ordered);
}

}  // namespace
}  // namespace syncline
