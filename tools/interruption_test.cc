// In children of the test: a signal may end the process, and once one came its
// handler stays.
#include "tools/interruption.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

// Signals within 0.2 s of the first count as the same one.
constexpr absl::Duration kUntilTheNext = absl::Milliseconds(250);
constexpr absl::Duration kLong = absl::Seconds(10);

bool IsReadable(int fd) {
  pollfd one = {.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&one, 1, 0) == 1;
}

// Each ends the child, with 0 where all is as it should be.

[[noreturn]] void OneSignal(int signal) {
  absl::Notification called;
  int code = 1;
  {
    const Interruption interruption("program", [&] { called.Notify(); });
    if (interruption.signal() != 0 || IsReadable(interruption.fd())) _exit(2);
    raise(signal);
    code = called.WaitForNotificationWithTimeout(kLong) ? 0 : 3;
    if (interruption.signal() != signal) code = 4;
    if (!IsReadable(interruption.fd())) code = 5;
  }
  _exit(code);
}

TEST(InterruptionTest, TheFirstSignalIsToldAndCallsTheFunction) {
  EXPECT_EXIT(OneSignal(SIGTERM), ExitedWithCode(0),
              "^program: interrupted by SIGTERM; closing the graph \\(a second "
              "signal ends the program at once\\)\n$");
  EXPECT_EXIT(OneSignal(SIGINT), ExitedWithCode(0),
              "^program: interrupted; closing the graph");
}

[[noreturn]] void TwoSignals(absl::Duration between) {
  int signal = 0;
  {
    const Interruption interruption("program", [] {});
    raise(SIGINT);
    absl::SleepFor(between);
    raise(SIGTERM);
    signal = interruption.signal();
  }
  _exit(signal);
}

TEST(InterruptionTest, ASignalRightAfterTheFirstIsTheSame) {
  EXPECT_EXIT(TwoSignals(absl::ZeroDuration()), ExitedWithCode(SIGINT), "");
}

TEST(InterruptionTest, ALaterSignalEndsTheProcess) {
  EXPECT_EXIT(TwoSignals(kUntilTheNext), KilledBySignal(SIGTERM), "");
}

[[noreturn]] void SignalAfterARunThatWasInterrupted(bool at_once) {
  const absl::Time start = absl::Now();
  {
    absl::Notification called;
    const Interruption interruption("program", [&] { called.Notify(); });
    raise(SIGINT);
    called.WaitForNotificationWithTimeout(kLong);
  }
  if (!at_once) absl::SleepFor(kUntilTheNext);
  // Too late for a signal at once, as on a machine that is busy.
  if (at_once && absl::Now() - start > kUntilTheNext / 2) _exit(7);
  raise(SIGINT);
  _exit(7);
}

TEST(InterruptionTest, ASignalThatBelongsToTheFirstMayComeAfterTheRun) {
  EXPECT_EXIT(SignalAfterARunThatWasInterrupted(/*at_once=*/true),
              ExitedWithCode(7), "");
  EXPECT_EXIT(SignalAfterARunThatWasInterrupted(/*at_once=*/false),
              KilledBySignal(SIGINT), "");
}

[[noreturn]] void IgnoredSignal() {
  signal(SIGINT, SIG_IGN);
  const Interruption interruption("program", [] { _exit(1); });
  raise(SIGINT);
  _exit(interruption.signal() == 0 && !IsReadable(interruption.fd()) ? 0 : 2);
}

TEST(InterruptionTest, ASignalThatIsIgnoredStaysIgnored) {
  EXPECT_EXIT(IgnoredSignal(), ExitedWithCode(0), "^$");
}

[[noreturn]] void SignalAfterARun(int signal) {
  {
    const Interruption interruption("program", [] { _exit(1); });
  }
  raise(signal);
  _exit(2);
}

TEST(InterruptionTest, AfterARunSignalsDoWhatTheyDidBefore) {
  EXPECT_EXIT(SignalAfterARun(SIGINT), KilledBySignal(SIGINT), "^$");
  EXPECT_EXIT(SignalAfterARun(SIGTERM), KilledBySignal(SIGTERM), "^$");
}

// Calculators may be reading something, which goes on after the signal.
TEST(InterruptionTest, CallsOfTheSystemGoOnAfterASignal) {
  const Interruption interruption("program", [] {});
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now = {};
    ASSERT_EQ(sigaction(signal, nullptr, &now), 0);
    EXPECT_TRUE(now.sa_flags & SA_RESTART);
  }
}

TEST(InterruptionTest, AfterARunNoFileStaysOpen) {
  const auto open_files = [] {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
  };
  const auto before = open_files();
  {
    const Interruption interruption("program", [] {});
  }
  EXPECT_EQ(open_files(), before);
}

// One run after the other, as in --replay of many.
[[noreturn]] void SignalInTheSecondRun() {
  {
    const Interruption interruption("program", [] { _exit(1); });
  }
  absl::Notification called;
  int code = 2;
  {
    const Interruption interruption("program", [&] { called.Notify(); });
    if (interruption.signal() != 0 || IsReadable(interruption.fd())) _exit(3);
    raise(SIGTERM);
    if (called.WaitForNotificationWithTimeout(kLong)) code = 0;
  }
  _exit(code);
}

TEST(InterruptionTest, TheNextRunHasAnInterruptionOfItsOwn) {
  EXPECT_EXIT(SignalInTheSecondRun(), ExitedWithCode(0),
              "program: interrupted");
}

// Of a program that is armed again, after a signal or without one: the signal
// that it has then, or what is wrong.
int SignalOfArmedAgain(bool had_one, absl::Duration between) {
  absl::Notification first_called;
  absl::Notification called;
  Interruption interruption("program", [&] { first_called.Notify(); });
  if (had_one) {
    raise(SIGINT);
    if (!first_called.WaitForNotificationWithTimeout(kLong)) return 100;
    if (interruption.signal() != SIGINT) return 101;
  }
  interruption.ArmAgain([&] { called.Notify(); }, "stopping");
  if (interruption.signal() != 0 || IsReadable(interruption.fd())) return 102;
  absl::SleepFor(between);
  raise(SIGTERM);
  const bool was_called =
      called.WaitForNotificationWithTimeout(between + kUntilTheNext);
  if (was_called != (interruption.signal() != 0)) return 103;
  if (first_called.HasBeenNotified() != had_one) return 104;
  return interruption.signal();
}

// No thread is left when the process ends.
[[noreturn]] void SignalAfterArming(bool had_one, absl::Duration between) {
  _exit(SignalOfArmedAgain(had_one, between));
}

TEST(InterruptionTest, ArmedAgainItHasASignalOfItsOwn) {
  constexpr char kTold[] =
      "program: interrupted by SIGTERM; stopping \\(a second signal ends the "
      "program at once\\)";
  EXPECT_EXIT(SignalAfterArming(true, kUntilTheNext), ExitedWithCode(SIGTERM),
              kTold);
  EXPECT_EXIT(SignalAfterArming(false, absl::ZeroDuration()),
              ExitedWithCode(SIGTERM), kTold);
}

TEST(InterruptionTest, ASignalRightAfterTheFirstIsTheSameThoughItIsArmedAgain) {
  EXPECT_EXIT(SignalAfterArming(true, absl::ZeroDuration()), ExitedWithCode(0),
              "");
}

}  // namespace
}  // namespace syncline
