// In children of the test where a signal may end the process.
#include "tools/quit_signal.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <thread>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

// False if it does not come true within 20 seconds.
template <typename Condition>
bool Comes(Condition condition) {
  const absl::Time end = absl::Now() + absl::Seconds(20);
  while (!condition()) {
    if (absl::Now() > end) return false;
    absl::SleepFor(absl::Milliseconds(1));
  }
  return true;
}

TEST(QuitSignalTest, EachSignalCallsTheFunctionOnceAndTheProgramGoesOn) {
  std::atomic<int> calls{0};
  const QuitSignal quit([&] { ++calls; });
  for (int signals = 1; signals <= 3; ++signals) {
    raise(SIGQUIT);
    EXPECT_TRUE(Comes([&] { return calls == signals; }));
  }
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_EQ(calls, 3);
}

TEST(QuitSignalTest, ASignalDuringACallIsAnsweredAfterIt) {
  std::atomic<int> calls{0};
  std::atomic<bool> may_go{false};
  const QuitSignal quit([&] {
    ++calls;
    Comes([&] { return may_go.load(); });
  });
  raise(SIGQUIT);
  EXPECT_TRUE(Comes([&] { return calls == 1; }));
  raise(SIGQUIT);
  may_go = true;
  EXPECT_TRUE(Comes([&] { return calls == 2; }));
}

TEST(QuitSignalTest, TheEndWaitsForNoSignalsThatStillWait) {
  std::atomic<int> calls{0};
  std::atomic<bool> may_go{false};
  std::thread lets_go;
  {
    const QuitSignal quit([&] {
      ++calls;
      Comes([&] { return may_go.load(); });
    });
    for (int i = 0; i < 5; ++i) raise(SIGQUIT);
    EXPECT_TRUE(Comes([&] { return calls == 1; }));
    // After the destructor has begun, in all likelihood.
    lets_go = std::thread([&] {
      absl::SleepFor(absl::Milliseconds(200));
      may_go = true;
    });
  }
  lets_go.join();
  EXPECT_EQ(calls, 1);
}

TEST(QuitSignalTest, TheAnswerOfTheTimeIsCalled) {
  std::atomic<int> first{0};
  std::atomic<int> second{0};
  QuitSignal quit([&] { ++first; });
  raise(SIGQUIT);
  EXPECT_TRUE(Comes([&] { return first == 1; }));
  quit.Answer([&] { ++second; });
  raise(SIGQUIT);
  EXPECT_TRUE(Comes([&] { return second == 1; }));
  EXPECT_EQ(first, 1);
}

// What the first one uses may be gone by then.
TEST(QuitSignalTest, AnotherAnswerWaitsForACallOfTheOneBefore) {
  std::atomic<bool> is_called{false};
  std::atomic<bool> has_returned{false};
  QuitSignal quit([&] {
    is_called = true;
    absl::SleepFor(absl::Milliseconds(100));
    has_returned = true;
  });
  raise(SIGQUIT);
  EXPECT_TRUE(Comes([&] { return is_called.load(); }));
  quit.Answer([] {});
  EXPECT_TRUE(has_returned);
}

// More than the pipe holds.
TEST(QuitSignalTest, ManySignalsDoNotStopTheProgram) {
  std::atomic<bool> may_go{false};
  const QuitSignal quit([&] { Comes([&] { return may_go.load(); }); });
  for (int i = 0; i < 100'000; ++i) raise(SIGQUIT);
  may_go = true;
}

[[noreturn]] void SignalAfterwards() {
  {
    const QuitSignal quit([] { _exit(1); });
  }
  raise(SIGQUIT);
  _exit(2);
}

TEST(QuitSignalTest, AfterwardsTheSignalDoesWhatItDidBefore) {
  EXPECT_EXIT(SignalAfterwards(), KilledBySignal(SIGQUIT), "^$");
}

[[noreturn]] void IgnoredSignal() {
  signal(SIGQUIT, SIG_IGN);
  {
    const QuitSignal quit([] { _exit(1); });
    raise(SIGQUIT);
    absl::SleepFor(absl::Milliseconds(50));
  }
  raise(SIGQUIT);
  _exit(0);
}

TEST(QuitSignalTest, ASignalThatIsIgnoredStaysIgnored) {
  EXPECT_EXIT(IgnoredSignal(), ExitedWithCode(0), "^$");
}

TEST(QuitSignalTest, CallsOfTheSystemGoOnAfterASignal) {
  const QuitSignal quit([] {});
  struct sigaction now = {};
  ASSERT_EQ(sigaction(SIGQUIT, nullptr, &now), 0);
  EXPECT_TRUE(now.sa_flags & SA_RESTART);
}

TEST(QuitSignalTest, AfterwardsNoFileStaysOpen) {
  const auto open_files = [] {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
  };
  const auto before = open_files();
  {
    const QuitSignal quit([] {});
  }
  EXPECT_EQ(open_files(), before);
}

}  // namespace
}  // namespace syncline
