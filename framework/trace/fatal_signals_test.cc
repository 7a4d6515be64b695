#include "framework/trace/fatal_signals.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
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

TEST_F(FatalSignalsTest, OnAFullDiskAnOlderFileStays) {
  const auto crash = [this] {
    const auto dump = Install();
    std::ofstream(path()) << "older";
    Note(3);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {.rlim_cur = 0, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    raise(SIGABRT);
  };
  EXPECT_EXIT(crash(), KilledBySignal(SIGABRT), "");
  std::string content;
  std::ifstream(path()) >> content;
  EXPECT_EQ(content, "older");
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

// As NFS and other file systems do.
TEST_F(FatalSignalsTest, WithoutNamelessFilesTheSameIsSo) {
  const auto text_at_path = [this] {
    std::ifstream file(path());
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto num_files = [this] {
    const std::filesystem::path folder =
        std::filesystem::path(path()).parent_path();
    return std::distance(std::filesystem::directory_iterator(folder), {});
  };
  trace_internal::makes_no_nameless_files = true;
  unlink(path().c_str());
  const auto files_before = num_files();
  std::ofstream(path()) << "mine";
  {
    const absl::StatusOr<std::unique_ptr<FatalSignalDump>> dump =
        FatalSignalDump::Install(recorder_, header_, path());
    SYNCLINE_ASSERT_OK(dump);
  }
  EXPECT_EQ(text_at_path(), "mine") << "a run that ends well took the file";
  EXPECT_EQ(num_files(), files_before + 1);
  EXPECT_EXIT(NoteAndRaise(SIGABRT), KilledBySignal(SIGABRT),
              "The last events before the crash are in ");
  ExpectThreeEvents();
  EXPECT_EQ(num_files(), files_before + 1);
  trace_internal::makes_no_nameless_files = false;
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

// The type of what is at a path, not followed if it is a link.
mode_t TypeAt(const std::string& path) {
  struct stat about = {};
  return lstat(path.c_str(), &about) == 0 ? about.st_mode & S_IFMT : 0;
}

// 0 if nothing is there.
off_t SizeAt(const std::string& path) {
  struct stat about = {};
  return lstat(path.c_str(), &about) == 0 ? about.st_size : 0;
}

// Through the folder's descriptor, as the address of a socket is short.
void MakeSocket(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const int folder = open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const std::string name =
      absl::StrCat("/proc/self/fd/", folder, path.substr(slash));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  std::memcpy(address.sun_path, name.data(), name.size());
  EXPECT_EQ(
      bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)),
      0);
  close(fd);
  close(folder);
}

class NoFileTest : public FatalSignalsTest {
 protected:
  NoFileTest() { unlink(path().c_str()); }
  ~NoFileTest() override {
    if (rmdir(path().c_str()) != 0) unlink(path().c_str());
  }
  void ExpectRefused(absl::string_view what) { ExpectRefused(path(), what); }
  void ExpectRefused(const std::string& path, absl::string_view what) {
    const mode_t type = TypeAt(path);
    const absl::Status status =
        FatalSignalDump::Install(recorder_, header_, path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(),
                HasSubstr(absl::StrCat("\"", path, "\", which is ", what,
                                       ": name an ordinary file")));
    EXPECT_EQ(TypeAt(path), type);
  }
};

// A terminal of our own, as only the superuser may make other devices.
TEST_F(NoFileTest, ADeviceIsRefused) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no terminal can be made here";
  ASSERT_EQ(unlockpt(terminal), 0);
  ExpectRefused(ptsname(terminal), "a device");
  close(terminal);
}

TEST_F(NoFileTest, APipeIsRefused) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  ExpectRefused("a pipe");
}

TEST_F(NoFileTest, ASocketIsRefused) {
  MakeSocket(path());
  ExpectRefused("a socket");
}

TEST_F(NoFileTest, ASymbolicLinkIsRefusedAlsoToAFile) {
  const std::string target = absl::StrCat(path(), ".target");
  std::ofstream(target) << "precious";
  ASSERT_EQ(symlink(target.c_str(), path().c_str()), 0);
  ExpectRefused("a symbolic link");
}

TEST_F(NoFileTest, AFolderIsRefused) {
  ASSERT_EQ(mkdir(path().c_str(), 0700), 0);
  ExpectRefused("a folder");
}

TEST_F(NoFileTest, WhatComesThereLaterStays) {
  EXPECT_EXIT(
      {
        const auto dump = Install();
        Note(3);
        if (mkfifo(path().c_str(), 0600) != 0) _exit(7);
        std::abort();
      },
      KilledBySignal(SIGABRT), "was replaced by something");
  EXPECT_EQ(TypeAt(path()), S_IFIFO);
}

// A pipe in place of standard error that takes no more, so that a hook that has
// written its file is held where it says so.
class FullStandardError {
 public:
  FullStandardError() {
    if (pipe(ends_.data()) != 0) _exit(7);
    fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    const std::array<char, 4096> bytes = {};
    while (write(ends_[1], bytes.data(), bytes.size()) > 0) {
    }
    while (write(ends_[1], bytes.data(), 1) > 0) {
    }
    fcntl(ends_[1], F_SETFL, 0);
    dup2(ends_[1], STDERR_FILENO);
  }
  // From now on everything is read.
  void Drain() {
    std::thread([fd = ends_[0]] {
      std::array<char, 4096> bytes;
      while (read(fd, bytes.data(), bytes.size()) > 0) {
      }
    }).detach();
  }

 private:
  std::array<int, 2> ends_ = {};
};

void StayForEver(int) {
  while (true) pause();
}

// What becomes of a dump that is destroyed while its hook runs.
struct DestroyedDump {
  bool was_there_meanwhile = false;
  bool is_there_at_the_end = false;
};

TEST_F(FatalSignalsTest, WhoDestroysADumpWaitsForItsHook) {
  if (!kSignalsAreTheSystems) GTEST_SKIP() << "a sanitizer holds signals back";
  const auto destroy = [this](bool hook_gets_on) {
    signal(SIGABRT, StayForEver);
    FullStandardError standard_error;
    auto dump = Install();
    Note(3);
    const std::weak_ptr<TraceRecorder> recorder = recorder_;
    recorder_.reset();
    std::thread([] { std::abort(); }).detach();
    // The file is written before the hook says so.
    while (SizeAt(path()) == 0) absl::SleepFor(absl::Milliseconds(1));
    std::thread destroyer([&dump] { dump.reset(); });
    absl::SleepFor(absl::Milliseconds(100));
    DestroyedDump found;
    found.was_there_meanwhile = !recorder.expired();
    if (hook_gets_on) standard_error.Drain();
    destroyer.join();
    found.is_there_at_the_end = !recorder.expired();
    _exit(found.was_there_meanwhile && found.is_there_at_the_end != hook_gets_on
              ? 3
              : 4);
  };
  EXPECT_EXIT(destroy(/*hook_gets_on=*/true), ExitedWithCode(3), "");
  // A hook that is held for ever does not hold the destructor for ever.
  EXPECT_EXIT(destroy(/*hook_gets_on=*/false), ExitedWithCode(3), "");
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
