// A Graphviz that is absent, fails or hangs is a clear word, and no more.

#include "pages/dot/graphviz.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A program of this text of a shell, in place of dot.
GraphvizOptions Program(absl::string_view name, absl::string_view text) {
  GraphvizOptions options;
  options.program = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(options.program) << "#!/bin/sh\n" << text << "\n";
  chmod(options.program.c_str(), 0755);
  return options;
}

TEST(GraphvizTest, GetsTheTextAndTheFormatAndGivesTheResult) {
  const auto result =
      RunGraphviz("digraph {}", Program("echo_dot", "echo \"$1\"; cat"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, "-Tsvg\ndigraph {}");
}

TEST(GraphvizTest, AMegabyteEachWayGoesThrough) {
  const std::string text(3 << 20, 'x');
  const auto result = RunGraphviz(text, Program("cat_dot", "cat"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, text);
}

TEST(GraphvizTest, AProgramThatReadsNothingIsNoHarm) {
  const auto result = RunGraphviz(std::string(3 << 20, 'x'),
                                  Program("deaf_dot", "echo picture"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, "picture\n");
}

TEST(GraphvizTest, WithoutGraphvizItSaysWhatToInstall) {
  GraphvizOptions options;
  options.program = "no_such_dot";
  const absl::Status status = RunGraphviz("digraph {}", options).status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("\"no_such_dot\""), HasSubstr("apt install"),
                    HasSubstr(".dot needs no Graphviz")));
}

TEST(GraphvizTest, AFileThatIsNoProgramIsAnError) {
  GraphvizOptions options;
  options.program = testing::TempDir();
  EXPECT_FALSE(RunGraphviz("digraph {}", options).ok());
}

TEST(GraphvizTest, AFailureHasItsStatusAndWhatWasSaid) {
  const absl::Status status =
      RunGraphviz("digraph {}",
                  Program("bad_dot", "echo 'bad \x1b[31m label' >&2; exit 3"))
          .status();
  EXPECT_TRUE(absl::IsInternal(status));
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("status 3: bad"), HasSubstr("\\x1b[31m label")));
}

TEST(GraphvizTest, ACrashHasItsSignal) {
  const absl::Status status =
      RunGraphviz("digraph {}", Program("crash_dot", "kill -SEGV $$")).status();
  EXPECT_THAT(status.message(), HasSubstr("signal 11"));
}

TEST(GraphvizTest, NoResultIsAnError) {
  const absl::Status status =
      RunGraphviz("digraph {}", Program("mute_dot", "exit 0")).status();
  EXPECT_THAT(status.message(), HasSubstr("has written nothing"));
}

// The process of this number ends, or has ended, in twenty seconds.
void ExpectEnd(pid_t process) {
  const absl::Time start = absl::Now();
  while (kill(process, 0) == 0) {
    // Its new parent takes a moment to bury it.
    std::string state;
    std::ifstream stat(absl::StrCat("/proc/", process, "/stat"));
    stat >> state >> state >> state;
    if (state == "Z") return;
    ASSERT_LT(absl::Now() - start, absl::Seconds(20)) << "it lives";
    absl::SleepFor(absl::Milliseconds(10));
  }
}

// The number that a program writes into a file.
pid_t ReadPid(const std::string& file) {
  pid_t pid = 0;
  for (int i = 0; i < 2000 && pid == 0; ++i) {
    std::ifstream(file) >> pid;
    absl::SleepFor(absl::Milliseconds(10));
  }
  return pid;
}

TEST(GraphvizTest, AProgramThatHangsIsKilledWithAllThatItHasStarted) {
  const std::string pid_file = absl::StrCat(testing::TempDir(), "/child");
  GraphvizOptions options = Program(
      "slow_dot",
      absl::StrCat("sleep 1000 & echo $! > ", pid_file, "; sleep 1000"));
  options.timeout = absl::Milliseconds(300);
  const absl::Time start = absl::Now();
  const absl::Status status = RunGraphviz("digraph {}", options).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status));
  EXPECT_THAT(status.message(), HasSubstr("longer than 300ms"));
  EXPECT_LT(absl::Now() - start, absl::Seconds(20));
  const pid_t child = ReadPid(pid_file);
  ASSERT_GT(child, 0);
  ExpectEnd(child);
}

TEST(GraphvizTest, AProgramThatHangsEndsWithWhoWaitsForIt) {
  const std::string pid_file = absl::StrCat(testing::TempDir(), "/left");
  const GraphvizOptions options = Program(
      "stuck_dot", absl::StrCat("echo $$ > ", pid_file, "; exec sleep 1000"));
  const pid_t waiting = fork();
  if (waiting == 0) {
    RunGraphviz("digraph {}", options).status().IgnoreError();
    _exit(0);
  }
  const pid_t program = ReadPid(pid_file);
  ASSERT_GT(program, 0);
  kill(waiting, SIGKILL);
  waitpid(waiting, nullptr, 0);
  ExpectEnd(program);
}

}  // namespace
}  // namespace syncline
