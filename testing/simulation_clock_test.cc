// MediaPipe's name for the simulated clock means what it does there: code of
// its users compiles, starts at the same time and sleeps for nothing.
#include "testing/simulation_clock.h"

#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "absl/time/time.h"
#include "framework/base/clock.h"
#include "framework/base/mutex.h"
#include "framework/tool/simulation_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

static_assert(std::is_base_of_v<Clock, SimulationClock>);

TEST(SimulationClockTest, StartsAtTheEpochAndStandsStill) {
  SimulationClock clock;
  EXPECT_EQ(clock.TimeNow(), absl::UnixEpoch());
  EXPECT_EQ(clock.TimeNow(), absl::UnixEpoch());
}

TEST(SimulationClockTest, ASleepAdvancesItByItself) {
  const auto clock = std::make_shared<SimulationClock>();
  clock->ThreadStart();
  clock->Sleep(absl::Milliseconds(10));
  EXPECT_EQ(clock->TimeNow(), absl::UnixEpoch() + absl::Milliseconds(10));
  clock->SleepUntil(absl::UnixEpoch() + absl::Hours(1));
  EXPECT_EQ(clock->TimeNow(), absl::UnixEpoch() + absl::Hours(1));
  clock->ThreadFinish();
}

TEST(SimulationClockTest, ThreadsWakeInTheOrderOfTheirTimes) {
  SimulationClock clock;
  Mutex mutex;
  std::vector<int> woken;
  std::vector<std::thread> threads;
  // All have started before the first can sleep.
  for (int i = 0; i < 3; ++i) clock.ThreadStart();
  for (const int seconds : {3, 1, 2}) {
    threads.emplace_back([&clock, &mutex, &woken, seconds] {
      clock.Sleep(absl::Seconds(seconds));
      {
        MutexLock lock(&mutex);
        woken.push_back(seconds);
      }
      clock.ThreadFinish();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(woken, ElementsAre(1, 2, 3));
  EXPECT_EQ(clock.TimeNow(), absl::UnixEpoch() + absl::Seconds(3));
}

}  // namespace
}  // namespace syncline
