#include "framework/base/fatal_signal_hook.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using Stage = FatalSignalHook::Stage;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSignalsAreTheSystems = false;
#else
constexpr bool kSignalsAreTheSystems = true;
#endif

void Say(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(written);
}

void SayMessage(int signal, siginfo_t*) {
  Say(signal == SIGSEGV ? "message of SEGV; " : "message; ");
}
void SayFile(int, siginfo_t*) { Say("file; "); }
void SayFormer(int) {
  Say("former");
  _exit(3);
}

class FatalSignalHookTest : public ::testing::Test {
 protected:
  FatalSignalHookTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(FatalSignalHookTest, HooksComeInTheirStagesAndThenTheFormerHandler) {
  const auto crash = [] {
    signal(SIGSEGV, SayFormer);
    const FatalSignalHook file(Stage::kFile, SayFile);
    const FatalSignalHook message(Stage::kMessage, SayMessage);
    raise(SIGSEGV);
  };
  EXPECT_EXIT(crash(), testing::ExitedWithCode(3),
              "^message of SEGV; file; former");
}

TEST_F(FatalSignalHookTest, WithoutAFormerHandlerTheSignalEndsTheProcess) {
  if (!kSignalsAreTheSystems) GTEST_SKIP() << "a sanitizer reports it";
  const auto crash = [] {
    const FatalSignalHook message(Stage::kMessage, SayMessage);
    raise(SIGABRT);
  };
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGABRT), "^message; ");
}

// Never ends, and uses the stack in each round.
int RunOver(volatile int* depth) {
  volatile char room[1024] = {};
  *depth = *depth + 1;
  return *depth == 0 ? 0 : RunOver(depth) + room[*depth % 1024];
}

TEST_F(FatalSignalHookTest, AStackThatHasRunOverIsAFaultLikeOthers) {
  if (!kSignalsAreTheSystems) GTEST_SKIP() << "a sanitizer reports it";
  const auto crash = [] {
    const FatalSignalHook message(Stage::kMessage, SayMessage);
    volatile int depth = 0;
    RunOver(&depth);
  };
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGSEGV), "^message of SEGV; ")
      << "on the main thread";
  const auto crash_beside = [] {
    const FatalSignalHook message(Stage::kMessage, SayMessage);
    std::thread([] {
      const AlternateSignalStack stack;
      volatile int depth = 0;
      RunOver(&depth);
    }).join();
  };
  EXPECT_EXIT(crash_beside(), testing::KilledBySignal(SIGSEGV),
              "^message of SEGV; ")
      << "on another thread";
}

TEST_F(FatalSignalHookTest, AThreadGivesItsAlternateStackBack) {
  std::thread([] {
    stack_t before = {};
    sigaltstack(nullptr, &before);
    {
      const AlternateSignalStack stack;
      stack_t now = {};
      sigaltstack(nullptr, &now);
      EXPECT_EQ(now.ss_flags & SS_DISABLE, 0);
      const AlternateSignalStack second;
      stack_t still = {};
      sigaltstack(nullptr, &still);
      EXPECT_EQ(still.ss_sp, now.ss_sp) << "one is enough";
    }
    stack_t after = {};
    sigaltstack(nullptr, &after);
    EXPECT_EQ(after.ss_flags, before.ss_flags);
  }).join();
}

TEST_F(FatalSignalHookTest, AnIgnoredSignalThatSomebodySendsIsIgnored) {
  if (!kSignalsAreTheSystems) GTEST_SKIP() << "a sanitizer reports it";
  const auto go_on = [] {
    signal(SIGBUS, SIG_IGN);
    const FatalSignalHook message(Stage::kMessage, SayMessage);
    kill(getpid(), SIGBUS);
    Say("goes on; ");
    // Nor has it used the hooks up.
    const FatalSignalHook file(Stage::kFile, SayFile);
    raise(SIGSEGV);
  };
  EXPECT_EXIT(go_on(), testing::KilledBySignal(SIGSEGV),
              "^goes on; message of SEGV; file; ");
}

TEST_F(FatalSignalHookTest, AMistakeIsNotIgnored) {
  if (!kSignalsAreTheSystems) GTEST_SKIP() << "a sanitizer reports it";
  const auto crash = [] {
    signal(SIGSEGV, SIG_IGN);
    const FatalSignalHook message(Stage::kMessage, SayMessage);
    void* const page =
        mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile char*>(page) = 1;
  };
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGSEGV), "message of SEGV");
}

void RaiseAgain(int, siginfo_t*) {
  Say("once; ");
  raise(SIGSEGV);
}

TEST_F(FatalSignalHookTest, ASignalInAHookGoesToTheFormerHandler) {
  const auto crash = [] {
    signal(SIGSEGV, SayFormer);
    const FatalSignalHook message(Stage::kMessage, RaiseAgain);
    raise(SIGABRT);
  };
  EXPECT_EXIT(crash(), testing::ExitedWithCode(3), "^once; former");
}

void SayLate(int, siginfo_t*) {
  usleep(100'000);
  Say("late; ");
}

TEST_F(FatalSignalHookTest, AnotherThreadWaitsForTheHooks) {
  const auto crash = [] {
    signal(SIGSEGV, SayFormer);
    signal(SIGABRT, [](int) { pause(); });
    const FatalSignalHook message(Stage::kMessage, SayLate);
    std::thread first([] { raise(SIGABRT); });
    usleep(20'000);
    raise(SIGSEGV);
    first.join();
  };
  EXPECT_EXIT(crash(), testing::ExitedWithCode(3), "^late; former");
}

TEST_F(FatalSignalHookTest, TheHandlersGoWithTheLastHook) {
  struct sigaction before = {};
  sigaction(SIGFPE, nullptr, &before);
  {
    const FatalSignalHook message(Stage::kMessage, SayMessage);
    { const FatalSignalHook file(Stage::kFile, SayFile); }
    struct sigaction now = {};
    sigaction(SIGFPE, nullptr, &now);
    EXPECT_NE(now.sa_sigaction, before.sa_sigaction);
  }
  struct sigaction after = {};
  sigaction(SIGFPE, nullptr, &after);
  EXPECT_EQ(after.sa_sigaction, before.sa_sigaction);
}

}  // namespace
}  // namespace syncline
