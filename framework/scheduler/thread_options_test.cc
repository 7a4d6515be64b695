#include "framework/scheduler/thread_options.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/thread_limits.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Options = ThreadPoolExecutorOptions;

absl::StatusOr<ThreadOptions> Read(const std::string& text) {
  return ReadThreadOptions(ParseTextProtoOrDie<Options>(text));
}

// What is done to a thread ends with it.
void OnAThread(const std::function<void()>& code) { std::thread(code).join(); }

// A CPU that this process may run on.
int AllowedCpu() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof(set), &set);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &set)) ++cpu;
  return cpu;
}

TEST(ReadThreadOptionsTest, DefaultsLeaveThreadsAsTheSystemMakesThem) {
  const auto options = Read("");
  SYNCLINE_ASSERT_OK(options.status());
  EXPECT_EQ(options->name_prefix(), "syncline");
  EXPECT_EQ(options->stack_size(), 0u);
  EXPECT_EQ(options->nice_priority_level(), 0);
  EXPECT_THAT(options->cpu_set(), IsEmpty());
  EXPECT_FALSE(options->scheduling().has_value());
  EXPECT_FALSE(options->MayFailInThread());
}

TEST(ReadThreadOptionsTest, ReadsWhatIsGiven) {
  const auto options = Read(
      "stack_size: 70000 nice_priority_level: 4 thread_name_prefix: 'p' "
      "cpu: [3, 1, 3] scheduling_policy: RR realtime_priority: 5 "
      "if_refused: FALLBACK");
  SYNCLINE_ASSERT_OK(options.status());
  EXPECT_EQ(options->stack_size(), 70000u);
  EXPECT_EQ(options->nice_priority_level(), 4);
  EXPECT_EQ(options->name_prefix(), "p");
  EXPECT_THAT(options->cpu_set(), ElementsAre(1, 3));
  EXPECT_TRUE(options->cpu_set_is_required());
  EXPECT_EQ(options->scheduling()->policy, Options::RR);
  EXPECT_EQ(options->scheduling()->realtime_priority, 5);
  EXPECT_TRUE(options->runs_if_refused());
  EXPECT_FALSE(options->MayFailInThread());
}

TEST(ReadThreadOptionsTest, RefusesWhatNoMachineCanGrant) {
  const struct {
    std::string text;
    std::string named;
  } cases[] = {
      {"stack_size: 0", "stack_size"},
      {"stack_size: -1", "stack_size"},
      {absl::StrCat("stack_size: ", kMaxStackBytes + 1), "stack_size"},
      {"nice_priority_level: 20", "nice_priority_level"},
      {"nice_priority_level: -21", "nice_priority_level"},
      {"cpu: -1", "cpu"},
      {"cpu: [0, 2147483647]", "cpu"},
      {"cpu: 0 require_processor_performance: LOW",
       "require_processor_performance"},
      {"scheduling_policy: FIFO", "realtime_priority"},
      {"scheduling_policy: RR realtime_priority: 100", "realtime_priority"},
      {"scheduling_policy: FIFO realtime_priority: 0", "realtime_priority"},
      {"realtime_priority: 1", "realtime_priority"},
      {"scheduling_policy: FIFO realtime_priority: 1 deadline_ns: 5000",
       "DEADLINE only"},
      {"scheduling_policy: DEADLINE", "deadline_runtime_ns"},
      {"scheduling_policy: DEADLINE deadline_runtime_ns: 1000",
       "deadline_runtime_ns"},
      {"scheduling_policy: DEADLINE deadline_runtime_ns: 5000 "
       "deadline_ns: 4000 deadline_period_ns: 6000",
       "deadline_ns"},
      {"scheduling_policy: DEADLINE deadline_runtime_ns: 5000 "
       "deadline_ns: 6000",
       "deadline_period_ns"},
      {"scheduling_policy: DEADLINE deadline_runtime_ns: -5 deadline_ns: -4 "
       "deadline_period_ns: -3",
       "deadline_runtime_ns"},
  };
  for (const auto& bad : cases) {
    const absl::Status status = Read(bad.text).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << bad.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.named))
        << bad.text;
  }
}

void ExpectGranted(const ThreadOptions& options, int number) {
  const ThreadRefusals refusals = ApplyThreadOptions(options, number);
  SYNCLINE_EXPECT_OK(refusals.fails_start);
  SYNCLINE_EXPECT_OK(refusals.is_logged);
}

TEST(ApplyTest, SetsNameAndNiceness) {
  OnAThread([] {
    // The test may run with a niceness of its own, which cannot be lowered.
    const int nicer = std::min(19, getpriority(PRIO_PROCESS, 0) + 3);
    ThreadOptions options;
    options.set_name_prefix("a_long_prefix_of_names")
        .set_nice_priority_level(nicer);
    ExpectGranted(options, 12);
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof(name));
    EXPECT_STREQ(name, "a_long_prefi/12");
    const auto thread = static_cast<id_t>(syscall(SYS_gettid));
    EXPECT_EQ(getpriority(PRIO_PROCESS, thread), nicer);
  });
}

TEST(ApplyTest, TiesTheThreadToItsCpus) {
  OnAThread([] {
    const int cpu = AllowedCpu();
    ThreadOptions options;
    options.set_cpu_set({cpu}, /*required=*/true);
    ExpectGranted(options, 0);
    cpu_set_t set;
    sched_getaffinity(0, sizeof(set), &set);
    EXPECT_EQ(CPU_COUNT(&set), 1);
    EXPECT_TRUE(CPU_ISSET(cpu, &set));
  });
}

TEST(ApplyTest, ACpuThatDoesNotExistIsNamed) {
  for (const std::set<int>& cpus :
       {std::set<int>{8191}, std::set<int>{AllowedCpu(), 8191}}) {
    OnAThread([&] {
      ThreadOptions options;
      options.set_cpu_set(cpus, /*required=*/true);
      const absl::Status status = ApplyThreadOptions(options, 0).fails_start;
      EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()), HasSubstr("8191"));
    });
  }
}

// Whether the kernel grants real-time policies depends on the machine. Either
// way, what the status says is what the thread has.
TEST(ApplyTest, APolicyIsInForceOrRefusedByName) {
  constexpr int kDeadline = 6;  // SCHED_DEADLINE
  const struct {
    ThreadScheduling scheduling;
    int policy;
  } cases[] = {
      {{.policy = Options::OTHER}, SCHED_OTHER},
      {{.policy = Options::FIFO, .realtime_priority = 1}, SCHED_FIFO},
      {{.policy = Options::RR, .realtime_priority = 2}, SCHED_RR},
      {{.policy = Options::DEADLINE,
        .runtime_ns = 100'000,
        .deadline_ns = 10'000'000,
        .period_ns = 10'000'000},
       kDeadline},
  };
  for (const auto& wanted : cases) {
    OnAThread([&] {
      const std::string name =
          Options::SchedulingPolicy_Name(wanted.scheduling.policy);
      ThreadOptions options;
      options.set_scheduling(wanted.scheduling);
      const absl::Status status = ApplyThreadOptions(options, 0).fails_start;
      const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
      if (status.ok()) {
        EXPECT_EQ(policy, wanted.policy) << name;
        return;
      }
      EXPECT_NE(wanted.policy, SCHED_OTHER) << status;
      EXPECT_EQ(policy, SCHED_OTHER) << name;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(absl::StrCat("scheduling_policy ", name)));
      EXPECT_THAT(status.code(), AnyOf(StatusCode::kPermissionDenied,
                                       StatusCode::kResourceExhausted,
                                       StatusCode::kUnimplemented))
          << status;
      RecordProperty(name, std::string(status.message()));
    });
  }
}

TEST(ApplyDeathTest, SaysWhatAnOrdinaryUserLacksForRealTime) {
  ThreadOptions options;
  options.set_scheduling({.policy = Options::FIFO, .realtime_priority = 7});
  const auto try_as_ordinary_user = [&options] {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_RTPRIO, &none);
    // In a sandbox there may be no other user, nor the right to be lost.
    if (setuid(65534) != 0) std::cerr << "Still the same user. ";
    const absl::Status status = ApplyThreadOptions(options, 0).fails_start;
    std::cerr << status;
    std::_Exit(status.code() == StatusCode::kPermissionDenied ? 0 : 1);
  };
  EXPECT_EXIT(try_as_ordinary_user(), ::testing::ExitedWithCode(0),
              "scheduling_policy FIFO with realtime_priority 7.*"
              "CAP_SYS_NICE.*FALLBACK");
}

TEST(ApplyTest, WhatIsRefusedFailsTheStartOrIsLogged) {
  OnAThread([] {
    ThreadOptions options;
    options.set_cpu_set({8191}, /*required=*/true);
    ThreadRefusals refusals = ApplyThreadOptions(options, 0);
    EXPECT_FALSE(refusals.fails_start.ok());
    SYNCLINE_EXPECT_OK(refusals.is_logged);
    options.set_runs_if_refused(true);
    refusals = ApplyThreadOptions(options, 0);
    SYNCLINE_EXPECT_OK(refusals.fails_start);
    EXPECT_THAT(std::string(refusals.is_logged.message()), HasSubstr("8191"));
    // What is only wished never fails the start.
    options.set_cpu_set({8191}, /*required=*/false);
    options.set_runs_if_refused(false);
    refusals = ApplyThreadOptions(options, 0);
    SYNCLINE_EXPECT_OK(refusals.fails_start);
    EXPECT_THAT(std::string(refusals.is_logged.message()), HasSubstr("8191"));
  });
}

TEST(ApplyTest, OtherKeepsTheNiceness) {
  OnAThread([] {
    const auto thread = static_cast<id_t>(syscall(SYS_gettid));
    // Not every user may be less nice than the process is.
    const int level = std::max(5, getpriority(PRIO_PROCESS, thread));
    ThreadOptions options;
    options.set_nice_priority_level(level).set_scheduling(
        {.policy = Options::OTHER});
    ExpectGranted(options, 0);
    EXPECT_EQ(getpriority(PRIO_PROCESS, thread), level);
  });
}

TEST(ApplyTest, GrantsTheRestOfWhatIsRequired) {
  OnAThread([] {
    ThreadOptions options;
    options.set_cpu_set({8191}, /*required=*/true)
        .set_scheduling({.policy = Options::OTHER});
    EXPECT_THAT(
        std::string(ApplyThreadOptions(options, 0).fails_start.message()),
        HasSubstr("8191"));
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  });
}

TEST(ThreadOptionsTest, NoPoolHasNoThreadsOrTooMany) {
  for (const int num_threads : {-1, 0, kMaxPoolThreads + 1}) {
    EXPECT_THAT(
        CheckThreads(ThreadOptions(), num_threads),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("num_threads")))
        << num_threads;
  }
  SYNCLINE_EXPECT_OK(CheckThreads(ThreadOptions(), kMaxPoolThreads));
}

TEST(ThreadOptionsTest, AStackThatIsTooSmallIsRefused) {
  ThreadOptions options;
  SYNCLINE_EXPECT_OK(CheckThreads(options, 1));
  options.set_stack_size(MinStackSize() - 1);
  EXPECT_THAT(
      CheckThreads(options, 1),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("stack_size")));
  options.set_stack_size(MinStackSize());
  SYNCLINE_EXPECT_OK(CheckThreads(options, 1));
}

}  // namespace
}  // namespace syncline
