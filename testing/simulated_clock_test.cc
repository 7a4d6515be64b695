// Simulated time moves when told or when nothing else can run, wakes sleepers
// one by one in the order of their times and then of their calls, and does not
// hide a thread that never comes to rest.
#include "testing/simulated_clock.h"

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/test_calculators.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::Time kStart = absl::UnixEpoch();

// What happened, from any threads.
class Log {
 public:
  void Add(const std::string& what) {
    MutexLock lock(&mutex_);
    entries_.push_back(what);
  }
  std::vector<std::string> entries() {
    MutexLock lock(&mutex_);
    return entries_;
  }

 private:
  Mutex mutex_;
  std::vector<std::string> entries_ ABSL_GUARDED_BY(mutex_);
};

std::string At(SimulatedClock& clock, const std::string& who) {
  return absl::StrCat(who, "@", absl::ToInt64Seconds(clock.TimeNow() - kStart));
}

TEST(SimulatedClockTest, TimeStandsStillBetweenWhatHappens) {
  SimulatedClock clock({.start = kStart + absl::Seconds(7)});
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Seconds(7));
  absl::SleepFor(absl::Milliseconds(2));
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Seconds(7));
}

TEST(SimulatedClockTest, AYearIsSoonOver) {
  SimulatedClock clock;
  const absl::Time real_start = absl::Now();
  clock.Sleep(absl::Hours(24 * 365));
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Hours(24 * 365));
  clock.SleepUntil(kStart);
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Hours(24 * 365))
      << "time never goes back";
  EXPECT_LT(absl::Now() - real_start, absl::Minutes(1));
}

TEST(SimulatedClockTest, TimeWaitsForEveryThreadThatHasStarted) {
  SimulatedClock clock;
  Log log;
  clock.ThreadStart();
  clock.ThreadStart();
  std::thread sleeper([&] {
    clock.Sleep(absl::Seconds(10));
    log.Add(At(clock, "sleeper"));
    clock.ThreadFinish();
  });
  clock.WaitForSleepers(1);
  EXPECT_EQ(clock.TimeNow(), kStart);
  log.Add(At(clock, "main"));
  clock.Sleep(absl::Seconds(4));
  log.Add(At(clock, "main"));
  clock.Sleep(absl::Seconds(4));
  log.Add(At(clock, "main"));
  clock.ThreadFinish();
  sleeper.join();
  EXPECT_THAT(log.entries(),
              ElementsAre("main@0", "main@4", "main@8", "sleeper@10"));
}

// The threads start in order, since each is given its permit before the next is
// there, and sleep for the same time again and again.
TEST(SimulatedClockTest, EqualTimesWakeInTheOrderOfTheCalls) {
  SimulatedClock clock;
  Log log;
  std::vector<std::thread> threads;
  {
    SimulatedThread main(&clock);
    for (const std::string name : {"a", "b", "c", "d"}) {
      // The permit is in line before the next thread is made.
      auto permit = std::make_shared<SimulatedClock::Permit>(name);
      clock.JoinLine(permit.get());
      threads.emplace_back([&clock, &log, name, permit] {
        clock.Take(permit.get());
        for (int i = 0; i < 3; ++i) {
          clock.Sleep(absl::Seconds(1));
          log.Add(At(clock, name));
        }
        clock.GiveBack(permit.get());
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(log.entries(),
              ElementsAre("a@1", "b@1", "c@1", "d@1", "a@2", "b@2", "c@2",
                          "d@2", "a@3", "b@3", "c@3", "d@3"));
}

// "b" asks for a time that is over, after "a" has asked for now.
TEST(SimulatedClockTest, ATimeThatIsOverCountsAsNowInTheOrderOfTheCalls) {
  SimulatedClock clock;
  Log log;
  std::vector<std::thread> threads;
  {
    SimulatedThread main(&clock);
    clock.Sleep(absl::Seconds(1));
    for (const std::string name : {"a", "b", "c"}) {
      auto permit = std::make_shared<SimulatedClock::Permit>(name);
      clock.JoinLine(permit.get());
      threads.emplace_back([&clock, &log, name, permit] {
        clock.Take(permit.get());
        clock.SleepUntil(name == "b" ? kStart : kStart + absl::Seconds(1));
        log.Add(At(clock, name));
        clock.GiveBack(permit.get());
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(log.entries(), ElementsAre("a@1", "b@1", "c@1"));
}

TEST(SimulatedClockTest, ASleepOfZeroLetsAllOthersRunFirst) {
  SimulatedClock clock;
  Log log;
  std::thread other;
  {
    SimulatedThread main(&clock);
    SimulatedClock::Permit permit("other");
    clock.JoinLine(&permit);
    other = std::thread([&] {
      clock.Take(&permit);
      log.Add(At(clock, "other"));
      clock.GiveBack(&permit);
    });
    clock.Sleep(absl::ZeroDuration());
    log.Add(At(clock, "main"));
    clock.SleepUntil(kStart - absl::Hours(1));
    log.Add(At(clock, "main"));
    // `permit` is given back: the other came first.
    other.join();
  }
  EXPECT_THAT(log.entries(), ElementsAre("other@0", "main@0", "main@0"));
}

TEST(SimulatedClockTest, TimeThatIsToldMovesSoFarAndNoFurther) {
  SimulatedClock clock({.advances_by_itself = false});
  Log log;
  clock.ThreadStart();
  std::thread ticker([&] {
    for (int i = 0; i < 5; ++i) {
      clock.Sleep(absl::Seconds(10));
      log.Add(At(clock, "tick"));
    }
    clock.ThreadFinish();
  });
  clock.WaitForSleepers(1);
  EXPECT_EQ(clock.TimeNow(), kStart);
  clock.AdvanceBy(absl::Seconds(9));
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Seconds(9));
  EXPECT_THAT(log.entries(), ElementsAre());
  // Stops on the way at each time that somebody waits for.
  clock.AdvanceTo(kStart + absl::Seconds(35));
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Seconds(35));
  EXPECT_THAT(log.entries(), ElementsAre("tick@10", "tick@20", "tick@30"));
  clock.AdvanceTo(kStart);
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Seconds(35));
  clock.AdvanceBy(absl::Minutes(1));
  EXPECT_EQ(log.entries().size(), 5u);
  ticker.join();
}

TEST(SimulatedClockTest, CallsComeInTheirPlaceAmongTheSleepers) {
  SimulatedClock clock;
  Log log;
  std::function<void()> again = [&] { log.Add(At(clock, "again")); };
  {
    SimulatedThread main(&clock);
    clock.CallAt(kStart + absl::Seconds(2), [&] {
      log.Add(At(clock, "call"));
      clock.CallAt(kStart + absl::Seconds(2), again);
    });
    EXPECT_THAT(log.entries(), ElementsAre());
    clock.Sleep(absl::Seconds(1));
    log.Add(At(clock, "main"));
    clock.Sleep(absl::Seconds(1));
    log.Add(At(clock, "main"));
  }
  EXPECT_THAT(log.entries(),
              ElementsAre("main@1", "call@2", "main@2", "again@2"));
}

TEST(SimulatedClockTest, OnlyTheThreadWithATurnHasAClock) {
  EXPECT_EQ(SimulatedClock::OfThisThread(), nullptr);
  SimulatedClock outer, inner;
  {
    SimulatedThread first(&outer);
    EXPECT_EQ(SimulatedClock::OfThisThread(), &outer);
    {
      SimulatedThread second(&inner);
      EXPECT_EQ(SimulatedClock::OfThisThread(), &inner);
      outer.Sleep(absl::Seconds(1));
      EXPECT_EQ(inner.TimeNow(), kStart);
    }
    EXPECT_EQ(SimulatedClock::OfThisThread(), &outer);
  }
  EXPECT_EQ(SimulatedClock::OfThisThread(), nullptr);
}

// --- Stuck

// A clock that tells of the first stand still.
struct Watched {
  Mutex mutex;
  std::vector<std::string> reports ABSL_GUARDED_BY(mutex);
  Latch reported;
  SimulatedClock clock{{.stuck_after = absl::Milliseconds(20),
                        .on_stuck = [this](const std::string& text) {
                          {
                            MutexLock lock(&mutex);
                            reports.push_back(text);
                          }
                          reported.Open();
                        }}};
};

TEST(SimulatedClockTest, AThreadThatNeverComesToRestIsReportedOnce) {
  Watched watched;
  SimulatedClock& clock = watched.clock;
  clock.ThreadStart();
  clock.ThreadStart();
  std::thread sleeper([&] {
    clock.Sleep(absl::Seconds(3));
    clock.ThreadFinish();
  });
  // This one waits for something other than the clock.
  watched.reported.Wait();
  absl::SleepFor(absl::Milliseconds(50));
  {
    MutexLock lock(&watched.mutex);
    ASSERT_EQ(watched.reports.size(), 1u);
    EXPECT_THAT(
        watched.reports[0],
        HasSubstr("Simulated time is 1970-01-01T00:00:00+00:00. It "
                  "stands still for:\n  1 threads after ThreadStart()"));
    EXPECT_THAT(watched.reports[0],
                HasSubstr("Until 1970-01-01T00:00:03+00:00: a thread"));
  }
  EXPECT_EQ(clock.TimeNow(), kStart);
  clock.ThreadFinish();
  sleeper.join();
  EXPECT_EQ(clock.TimeNow(), kStart + absl::Seconds(3));
}

TEST(SimulatedClockTest, AStuckTurnIsReportedByItsName) {
  Watched watched;
  std::thread waits;
  {
    SimulatedThread stuck(&watched.clock, "the stuck one");
    waits = std::thread(
        [&] { SimulatedThread waiting(&watched.clock, "the waiting one"); });
    watched.reported.Wait();
    MutexLock lock(&watched.mutex);
    EXPECT_THAT(watched.reports[0],
                HasSubstr("\"the stuck one\", which has the permit\n  \"the "
                          "waiting one\", which waits for a permit"));
  }
  waits.join();
}

TEST(SimulatedClockTest, NobodyIsStuckWhereTimeIsNotTold) {
  Latch latch;
  SimulatedClock clock(
      {.advances_by_itself = false,
       .stuck_after = absl::Milliseconds(1),
       .on_stuck = [](const std::string& text) { ADD_FAILURE() << text; }});
  std::thread sleeper([&] { clock.Sleep(absl::Seconds(3)); });
  clock.WaitForSleepers(1);
  absl::SleepFor(absl::Milliseconds(20));
  clock.AdvanceBy(absl::Seconds(3));
  sleeper.join();
}

TEST(SimulatedClockDeathTest, ByDefaultAStuckSimulationEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        SimulatedClock clock({.stuck_after = absl::Milliseconds(10)});
        clock.ThreadStart();
        clock.ThreadStart();
        clock.Sleep(absl::Seconds(1));
      },
      "stands still for:\n  1 threads after ThreadStart");
}

TEST(SimulatedClockDeathTest, MisuseEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(SimulatedClock().ThreadFinish(), "on which no thread runs");
  EXPECT_DEATH(SimulatedClock().AdvanceBy(absl::Seconds(1)),
               "advances_by_itself = false");
}

}  // namespace
}  // namespace syncline
