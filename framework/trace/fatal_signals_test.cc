#include "framework/trace/fatal_signals.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/config/trace_file.pb.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;
using ::testing::SizeIs;

class FatalSignalsTest : public ::testing::Test {
 protected:
  FatalSignalsTest() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    header_.add_node()->set_name("worker");
    header_.add_stream()->set_name("out");
  }

  std::string path() const {
    return absl::StrCat(
        ::testing::TempDir(), "/",
        ::testing::UnitTest::GetInstance()->current_test_info()->name(),
        ".trace");
  }
  std::unique_ptr<FatalSignalDump> Install() {
    unlink(path().c_str());
    absl::StatusOr<std::unique_ptr<FatalSignalDump>> dump =
        FatalSignalDump::Install(recorder_, header_, path());
    SYNCLINE_EXPECT_OK(dump);
    return *std::move(dump);
  }
  void Note(int count) {
    for (int i = 0; i < count; ++i) {
      recorder_->LaneOfThisThread()->NoteNow(TraceKind::kSent, 0, i);
    }
  }
  void NoteAndRaise(int signal) {
    const auto dump = Install();
    Note(3);
    raise(signal);
  }
  void ExpectThreeEvents() {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path()));
    EXPECT_FALSE(trace.is_cut_off);
    EXPECT_EQ(trace.header.node(0).name(), "worker");
    ASSERT_THAT(trace.threads, SizeIs(1));
    EXPECT_EQ(trace.num_events(), 3);
    EXPECT_EQ(trace.threads[0].events.back().timestamp, 2);
    EXPECT_GT(trace.Ns(trace.threads[0].events.back().tick), 0);
  }

  TraceFileHeader header_;
  std::shared_ptr<TraceRecorder> recorder_ = std::make_shared<TraceRecorder>(
      TraceRecorder::Options{.events_per_lane = 16});
};

// What a sanitizer makes of a signal is its own.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSignalsAreTheSystems = false;
#else
constexpr bool kSignalsAreTheSystems = true;
#endif

TEST_F(FatalSignalsTest, ACrashLeavesTheLastEvents) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    if (!kSignalsAreTheSystems && signal != SIGABRT) continue;
    EXPECT_EXIT(NoteAndRaise(signal), KilledBySignal(signal), "");
    ExpectThreeEvents();
  }
}

TEST_F(FatalSignalsTest, SoDoesAFaultOfTheProgramItself) {
  if (!kSignalsAreTheSystems) GTEST_SKIP() << "a sanitizer reports it";
  EXPECT_EXIT(
      {
        const auto dump = Install();
        Note(3);
        *reinterpret_cast<volatile int*>(8) = 1;
      },
      KilledBySignal(SIGSEGV), "");
  ExpectThreeEvents();
}

TEST_F(FatalSignalsTest, WhatDoesNotFitOnTheDiskIsToldAndTheRestIsKept) {
  const auto crash = [this] {
    const auto dump = Install();
    Note(3);
    signal(SIGXFSZ, SIG_IGN);
    // The head, and not all of the events.
    const rlimit limit = {.rlim_cur = TraceFileHead(header_).size() + 100,
                          .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    raise(SIGABRT);
  };
  EXPECT_EXIT(crash(), KilledBySignal(SIGABRT), "Not all of the last events");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path()));
  EXPECT_TRUE(trace.is_cut_off);
}

void SayAndLeave(int signal) {
  constexpr char kText[] = "the former handler\n";
  if (write(STDERR_FILENO, kText, sizeof(kText) - 1) < 0) _exit(4);
  _exit(signal == SIGABRT ? 3 : 5);
}

TEST_F(FatalSignalsTest, TheFormerHandlerFollows) {
  EXPECT_EXIT(
      {
        signal(SIGABRT, SayAndLeave);
        NoteAndRaise(SIGABRT);
      },
      ExitedWithCode(3), "the former handler");
  ExpectThreeEvents();
}

void CrashAgain(int) {
  raise(SIGSEGV);
  _exit(6);
}

TEST_F(FatalSignalsTest, ASignalDuringASignalEndsTheProcess) {
  if (!kSignalsAreTheSystems) GTEST_SKIP() << "a sanitizer reports it";
  EXPECT_EXIT(
      {
        signal(SIGABRT, CrashAgain);
        NoteAndRaise(SIGABRT);
      },
      KilledBySignal(SIGSEGV), "");
  ExpectThreeEvents();
}

TEST_F(FatalSignalsTest, AFileOfAnEarlierRunGivesWay) {
  EXPECT_EXIT(
      {
        const auto dump = Install();
        std::ofstream(path()) << "stale";
        Note(3);
        std::abort();
      },
      KilledBySignal(SIGABRT), "The last events before the crash are in ");
  ExpectThreeEvents();
}

TEST_F(FatalSignalsTest, KeepsTheNewestWhereEventsWereWrittenOver) {
  EXPECT_EXIT(
      {
        const auto dump = Install();
        Note(100);
        std::abort();
      },
      KilledBySignal(SIGABRT), "");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path()));
  EXPECT_EQ(trace.num_events(), 15);
  EXPECT_EQ(trace.num_lost(), 85);
  EXPECT_EQ(trace.threads[0].events.back().timestamp, 99);
}

TEST_F(FatalSignalsTest, ThreadsHaveTheirNames) {
  EXPECT_EXIT(
      {
        const auto dump = Install();
        pthread_setname_np(pthread_self(), "crasher");
        Note(3);
        std::abort();
      },
      KilledBySignal(SIGABRT), "");
  ExpectThreeEvents();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path()));
  EXPECT_EQ(trace.threads[0].name, "crasher");
  EXPECT_GT(trace.threads[0].tid, 0);
}

TEST_F(FatalSignalsTest, AThreadThatHasEndedNamesNobodyElse) {
  EXPECT_EXIT(
      {
        const auto dump = Install();
        std::thread([this] {
          pthread_setname_np(pthread_self(), "gone");
          Note(1);
        }).join();
        Note(2);
        std::abort();
      },
      KilledBySignal(SIGABRT), "");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path()));
  EXPECT_EQ(trace.num_events(), 3);
  for (const TraceThread& thread : trace.threads) {
    EXPECT_NE(thread.name, "gone");
  }
}

TEST_F(FatalSignalsTest, WithoutACrashThereIsNoFileAndTheHandlersGo) {
  struct sigaction before = {};
  sigaction(SIGSEGV, nullptr, &before);
  {
    const auto dump = Install();
    Note(3);
  }
  EXPECT_NE(access(path().c_str(), F_OK), 0);
  struct sigaction after = {};
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

TEST_F(FatalSignalsTest, SeveralGraphsLeaveAFileEach) {
  const std::string second = absl::StrCat(path(), "2");
  unlink(second.c_str());
  EXPECT_EXIT(
      {
        const auto one = Install();
        const auto two = FatalSignalDump::Install(recorder_, header_, second);
        Note(3);
        std::abort();
      },
      KilledBySignal(SIGABRT), "");
  ExpectThreeEvents();
  SYNCLINE_EXPECT_OK(ReadTraceFile(second));
}

TEST_F(FatalSignalsTest, TheErrorSaysWhereNoFileCanBeMade) {
  EXPECT_THAT(FatalSignalDump::Install(recorder_, header_, "/no/such/place/x")
                  .status()
                  .message(),
              HasSubstr("\"/no/such/place/x\""));
}

TEST_F(FatalSignalsTest, ThereIsALimitToHowManyGraphsAreSaved) {
  std::vector<std::unique_ptr<FatalSignalDump>> dumps;
  for (int i = 0; i < FatalSignalDump::kMostDumps; ++i) {
    dumps.push_back(Install());
  }
  EXPECT_EQ(
      FatalSignalDump::Install(recorder_, header_, path()).status().code(),
      absl::StatusCode::kResourceExhausted);
  dumps.pop_back();
  SYNCLINE_EXPECT_OK(FatalSignalDump::Install(recorder_, header_, path()));
}

}  // namespace
}  // namespace syncline
