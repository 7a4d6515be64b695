// How a scheduler's settings end runs, on which threads its pools run nodes,
// what wakes them, and runs in epochs.

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/context.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/target_time_condition.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SchedulerGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SchedulerGraphTest);

absl::Status SendTime(CalculatorContext* cc) {
  const std::int64_t ms = cc->Clock()->NowNs() / 1'000'000;
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(static_cast<int>(ms)).At(Timestamp(ms)));
  return absl::OkStatus();
}

constexpr char kTicker[] = R"(
  node { name: "ticker" calculator: "TestLambda"
         input_side_packet: "PROCESS:tick" output_stream: "out"
         condition { type: "PeriodicCondition" options {
           [syncline.PeriodicConditionOptions.ext] {
             recess_period: "10ms" } } } }
)";
constexpr char kForgetful[] = R"(
  node { name: "forgetful" calculator: "TestLambda"
         input_side_packet: "PROCESS:tick" output_stream: "out"
         condition { type: "TargetTimeCondition" } }
)";

TEST_P(SchedulerGraphTest, MaxDurationEndsASimulatedRun) {
  TestGraph graph(GetParam(), absl::StrCat("clock { type: \"ManualClock\" } "
                                           "scheduler { max_duration_ms: 35 } ",
                                           kTicker));
  graph.Give("tick", SendTime);
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 10:10 20:20 30:30");
}

TEST_P(SchedulerGraphTest, MaxDurationEndsARealRun) {
  TestGraph graph(GetParam(),
                  absl::StrCat("scheduler { max_duration_ms: 60 } ", kTicker));
  // Ticks that were missed are caught up with, so two may have one time.
  graph.Give("tick", [next = std::make_shared<int>(0)](CalculatorContext* cc) {
    const int value = (*next)++;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(Timestamp(value)));
    return absl::OkStatus();
  });
  graph.Observe("out");
  const absl::Time start = absl::Now();
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(60));
  EXPECT_GE(graph.Count("out"), 1);
}

TEST_P(SchedulerGraphTest, MaxDurationClosesInputsAndWhatIsHeld) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in" scheduler { max_duration_ms: 30 }
    node { name: "held" calculator: "TestLambdaOffset" input_stream: "in"
           input_side_packet: "PROCESS:f" output_stream: "out"
           condition { type: "BooleanCondition" options {
             [syncline.BooleanConditionOptions.ext] {
               enable_tick: false on_false: PAUSE } } } })");
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("in", 1, 1);
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  EXPECT_EQ(graph.Seen("out"), "");
}

TEST_P(SchedulerGraphTest, MaxDurationOnATickOfASyntheticClock) {
  TestGraph graph(GetParam(), absl::StrCat("clock { type: \"SyntheticClock\" } "
                                           "scheduler { max_duration_ms: 15 } ",
                                           kTicker));
  graph.Give("tick", SendTime);
  graph.Observe("out");
  graph.Start();
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.graph().GetClock()->AdvanceTo(10'000'000));
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.graph().GetClock()->AdvanceTo(20'000'000));
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  EXPECT_EQ(graph.Seen("out"), "0:0 10:10");
}

// A graph in which nothing happens goes on until somebody ends it.
void ExpectToGoOnUntilClosed(const Workers& workers,
                             absl::string_view scheduler) {
  TestGraph graph(workers, absl::StrCat(scheduler, kForgetful));
  graph.Give("tick", SendTime);
  graph.Start();
  graph.Idle();
  absl::SleepFor(absl::Milliseconds(20));
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllPacketSources());
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
}

TEST_P(SchedulerGraphTest, WithoutStopOnDeadlockSomebodyHasToEndTheRun) {
  ExpectToGoOnUntilClosed(GetParam(), "scheduler { stop_on_deadlock: false } ");
}

TEST_P(SchedulerGraphTest, ADeadlockMayHaveToLast) {
  TestGraph graph(
      GetParam(),
      absl::StrCat("scheduler { stop_on_deadlock_timeout: 30 } ", kForgetful));
  graph.Give("tick", SendTime);
  const absl::Time start = absl::Now();
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(30));
}

TEST_P(SchedulerGraphTest, ADeadlockTimeoutBelowZeroIsNone) {
  ExpectToGoOnUntilClosed(GetParam(),
                          "scheduler { stop_on_deadlock_timeout: -1 } ");
}

TEST_P(SchedulerGraphTest, ADeadlockTimeoutBeginsAnewWhenSomethingHappens) {
  TestGraph graph(
      GetParam(),
      absl::StrCat("scheduler { stop_on_deadlock_timeout: 60 } ", kForgetful));
  absl::Time last_call;
  graph.Give("tick", [&](CalculatorContext*) {
    last_call = absl::Now();
    return absl::OkStatus();
  });
  graph.Start();
  const auto target = graph.graph().GetCondition<TargetTimeCondition>(
      "forgetful/TargetTimeCondition");
  SYNCLINE_ASSERT_OK(target);
  std::thread outside([&] {
    for (int i = 0; i < 3; ++i) {
      absl::SleepFor(absl::Milliseconds(20));
      // Too late on a slow machine: then the run is over.
      (*target)
          ->SetNextTargetTime(graph.graph().GetClock()->NowNs())
          .IgnoreError();
    }
  });
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  EXPECT_GE(absl::Now() - last_call, absl::Milliseconds(60));
  outside.join();
}

// --- Pools

// The CPUs that this thread may run on.
std::vector<int> Cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

TEST(ThreadPoolsTest, NodesRunInTheirPoolAndPinnedOnesOnAThreadOfTheirOwn) {
  const int cpu = Cpus().back();
  TestGraph graph({.threads = 2}, absl::StrCat(R"(
    scheduler {
      thread_pool { name: "pool" initial_size: 2 pin_cores: )",
                                               cpu, R"(
                    member { node: "a" } member { node: "b" pin: true } } }
    node { name: "a" calculator: "TestLambda" input_side_packet: "PROCESS:a"
           output_stream: "a" condition { type: "CountCondition" options {
             [syncline.CountConditionOptions.ext] { count: 50 } } } }
    node { name: "b" calculator: "TestLambda" input_side_packet: "PROCESS:b"
           output_stream: "b" condition { type: "CountCondition" options {
             [syncline.CountConditionOptions.ext] { count: 50 } } } }
    node { name: "c" calculator: "TestLambda" input_side_packet: "PROCESS:c"
           output_stream: "c" condition { type: "CountCondition" options {
             [syncline.CountConditionOptions.ext] { count: 50 } } } })"));
  struct Place {
    std::set<std::thread::id> threads;
    std::set<std::vector<int>> cpus;
  };
  std::map<std::string, Place> places;
  for (const std::string name : {"a", "b", "c"}) {
    Place& place = places[name];
    graph.Give(name, [&place](CalculatorContext*) {
      place.threads.insert(std::this_thread::get_id());
      place.cpus.insert(Cpus());
      return absl::OkStatus();
    });
  }
  SYNCLINE_ASSERT_OK(graph.Run());
  const std::vector<int> pinned = {cpu};
  EXPECT_THAT(places["a"].cpus, ElementsAre(pinned));
  EXPECT_LE(places["a"].threads.size(), 2);
  EXPECT_THAT(places["b"].cpus, ElementsAre(pinned));
  EXPECT_EQ(places["b"].threads.size(), 1);
  EXPECT_THAT(places["c"].cpus, ElementsAre(Cpus()));
  for (const std::thread::id thread : places["b"].threads) {
    EXPECT_EQ(places["a"].threads.count(thread), 0);
    EXPECT_EQ(places["c"].threads.count(thread), 0);
  }
}

// The most of 8 nodes that were in `call` at a time, once the nodes have been
// measured. Each packet comes when nothing is left to do, so that threads are
// asked for anew.
int MostAtATime(void (*call)()) {
  constexpr int kNodes = 8;
  constexpr int kPackets = 20;
  std::string text = "input_stream: 'in' ";
  for (int i = 0; i < kNodes; ++i) {
    absl::StrAppend(&text, "node { name: 'n", i,
                    "' calculator: 'TestLambda' input_stream: 'in' "
                    "input_side_packet: 'PROCESS:call' } ");
  }
  TestGraph graph({.threads = kNodes}, text);
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  graph.Give("call", [&](CalculatorContext* cc) {
    const int now = inside.fetch_add(1) + 1;
    int known = most.load();
    while (cc->InputTimestamp() >= Timestamp(kPackets / 2) && now > known &&
           !most.compare_exchange_weak(known, now)) {
    }
    call();
    inside.fetch_sub(1);
    return absl::OkStatus();
  });
  graph.Start();
  for (int time = 0; time < kPackets; ++time) {
    graph.Add("in", time, 0);
    SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  }
  graph.Finish();
  return most;
}

TEST(ThreadPoolsTest, NodesThatSleepRunBesideOneAnotherOnAnyNumberOfCores) {
  EXPECT_EQ(MostAtATime([] { absl::SleepFor(absl::Milliseconds(5)); }), 8);
}

// --- Wake-ups

TEST(ThreadWakeupsTest, AnEventWakesOneThreadAtMostAndAFarTimeNone) {
  constexpr int kEvents = 50;
  const auto pool = std::make_shared<ThreadPoolExecutor>(2);
  std::atomic<int> calls{0};
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetExecutor("", pool));
  SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig(R"(
    node { name: "event" calculator: "TestLambda" output_stream: "event"
           input_side_packet: "PROCESS:ask"
           condition { name: "reply" type: "AsynchronousCondition" } }
    node { calculator: "TestLambda" output_stream: "time"
           condition { type: "PeriodicCondition" options {
             [syncline.PeriodicConditionOptions.ext] {
               recess_period: "1000s" } } } })")));
  SYNCLINE_ASSERT_OK(graph.StartRun(
      {{"ask", MakePacket<TestFunction>([&](CalculatorContext* cc) {
          ++calls;
          return cc->Condition<AsynchronousCondition>("reply")->event_state(
              AsynchronousEventState::EVENT_WAITING);
        })}}));
  const auto reply = graph.GetCondition<AsynchronousCondition>("event/reply");
  SYNCLINE_ASSERT_OK(reply);
  const auto wait_for = [&](int count) {
    for (int i = 0; i < 10'000 && calls < count; ++i) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    ASSERT_EQ(calls, count);
    // The thread goes to sleep.
    absl::SleepFor(absl::Milliseconds(1));
  };
  wait_for(1);
  absl::SleepFor(absl::Milliseconds(20));
  std::int64_t before = pool->wakeups();
  for (int i = 0; i < kEvents; ++i) {
    SYNCLINE_ASSERT_OK(
        (*reply)->event_state(AsynchronousEventState::EVENT_DONE));
    wait_for(i + 2);
  }
  EXPECT_LE(pool->wakeups() - before, kEvents);
  absl::SleepFor(absl::Milliseconds(20));
  before = pool->wakeups();
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_EQ(pool->wakeups(), before) << "nothing is due";
  graph.Cancel();
  graph.WaitUntilDone().IgnoreError();
}

// How often this thread has slept so far.
long Sleeps() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

TEST(WakeUpTest, APacketIntoAnIdlePoolWakesOneThreadAndTheCallerOnce) {
  constexpr int kPackets = 300;
  auto pool = std::make_shared<ThreadPoolExecutor>(4);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetExecutor("", pool));
  SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig(R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:send"
           input_stream: "in" output_stream: "a" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:send"
           input_stream: "a" output_stream: "b" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:send"
           input_stream: "b" output_stream: "c" })")));
  SYNCLINE_ASSERT_OK(
      graph.StartRun({{"send", MakePacket<TestFunction>(SendSum)}}));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  const std::int64_t wakeups = pool->wakeups();
  const long sleeps = Sleeps();
  for (int i = 0; i < kPackets; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
    SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  }
  EXPECT_LE(pool->wakeups() - wakeups, kPackets);
  // Once a packet; on a busy machine it also finds a lock taken now and then.
  EXPECT_LE(Sleeps() - sleeps, kPackets * 3 / 2);
  SYNCLINE_EXPECT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
}

// --- Epochs

TEST(EpochTest, RunsWhatIsReadyAndSaysWhatComesNext) {
  TestGraph graph({.threads = 0},
                  absl::StrCat("clock { type: \"SyntheticClock\" } ", kTicker));
  graph.Give("tick", SendTime);
  graph.Observe("out");
  graph.Start();
  absl::StatusOr<CalculatorGraph::EpochReport> report =
      graph.graph().RunEpoch(absl::Seconds(10));
  SYNCLINE_ASSERT_OK(report);
  EXPECT_GT(report->tasks, 0);
  EXPECT_FALSE(report->is_finished);
  EXPECT_EQ(report->overrun, absl::ZeroDuration());
  ASSERT_TRUE(report->next_ns.has_value());
  EXPECT_EQ(*report->next_ns, 10'000'000);
  EXPECT_EQ(graph.Seen("out"), "0:0");
  // Nothing is ready.
  report = graph.graph().RunEpoch(absl::Seconds(10));
  SYNCLINE_ASSERT_OK(report);
  EXPECT_EQ(report->tasks, 0);
  SYNCLINE_EXPECT_OK(graph.graph().GetClock()->AdvanceTo(*report->next_ns));
  SYNCLINE_EXPECT_OK(graph.graph().RunEpoch(absl::Seconds(10)).status());
  EXPECT_EQ(graph.Seen("out"), "0:0 10:10");
  graph.graph().Cancel();
  EXPECT_EQ(graph.graph().RunEpoch(absl::Seconds(1)).status().code(),
            absl::StatusCode::kCancelled);
  graph.FinishWithStatus().IgnoreError();
}

TEST(EpochTest, ABudgetIsKeptButForTheLastTask) {
  TestGraph graph({.threads = 0}, R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:tick"
           output_stream: "out" })");
  auto next = std::make_shared<int>(0);
  graph.Give("tick", [next](CalculatorContext* cc) {
    absl::SleepFor(absl::Milliseconds(1));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(*next).At(Timestamp(*next)));
    ++*next;
    return absl::OkStatus();
  });
  graph.Start();
  const absl::Time start = absl::Now();
  const auto report = graph.graph().RunEpoch(absl::Milliseconds(5));
  SYNCLINE_ASSERT_OK(report);
  EXPECT_LT(absl::Now() - start, absl::Seconds(20));
  EXPECT_GE(*next, 1);
  // One pass, whatever the budget.
  SYNCLINE_EXPECT_OK(graph.graph().RunEpoch(absl::ZeroDuration()).status());
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

// Two sources of five packets each, and one that reads both.
constexpr char kTwoSources[] = R"(
  node { calculator: "TestLambda" name: "a" input_side_packet: "PROCESS:a"
         output_stream: "x" condition { type: "CountCondition" options {
           [syncline.CountConditionOptions.ext] { count: 5 } } } }
  node { calculator: "TestLambda" name: "b" input_side_packet: "PROCESS:b"
         output_stream: "y" condition { type: "CountCondition" options {
           [syncline.CountConditionOptions.ext] { count: 5 } } } }
  node { calculator: "TestLambda" name: "join" input_side_packet: "PROCESS:join"
         input_stream: "x" input_stream: "y" output_stream: "out" })";

// Sends 0, 1, 2 ... and writes its letter.
TestFunction Counts(char letter, std::string* calls) {
  return
      [letter, calls, next = std::make_shared<int>(0)](CalculatorContext* cc) {
        calls->push_back(letter);
        cc->Outputs().Index(0).AddPacket(
            MakePacket<int>(*next).At(Timestamp(*next)));
        ++*next;
        return absl::OkStatus();
      };
}

TEST(EpochTest, WithoutABudgetEachReadyNodeIsCalledOnce) {
  TestGraph graph({.threads = 0}, kTwoSources);
  std::string calls;
  graph.Give("a", Counts('a', &calls));
  graph.Give("b", Counts('b', &calls));
  graph.Give("join", [&](CalculatorContext*) {
    calls.push_back('j');
    return absl::OkStatus();
  });
  graph.Start();
  std::vector<std::string> epochs;
  for (bool is_finished = false; !is_finished;) {
    calls.clear();
    const auto report = graph.graph().RunEpoch(
        epochs.size() % 2 == 0 ? absl::ZeroDuration() : -absl::Seconds(1));
    SYNCLINE_ASSERT_OK(report);
    std::sort(calls.begin(), calls.end());
    if (!calls.empty()) epochs.push_back(calls);
    is_finished = report->is_finished;
  }
  EXPECT_EQ(epochs,
            (std::vector<std::string>{"ab", "abj", "abj", "abj", "abj", "j"}));
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
}

TEST(EpochTest, WithoutABudgetANodeWhoseCallsMayOverlapIsCalledOnceToo) {
  TestGraph graph({.threads = 0}, R"(
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           input_stream: "a" max_in_flight: 3 })");
  int calls = 0;
  graph.Give("count", [&](CalculatorContext*) {
    ++calls;
    return absl::OkStatus();
  });
  graph.Start();
  SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::ZeroDuration()));
  for (int i = 0; i < 5; ++i) graph.Add("a", i, i);
  for (int epoch = 1; epoch <= 5; ++epoch) {
    SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::ZeroDuration()));
    EXPECT_EQ(calls, epoch);
  }
  graph.Finish();
}

TEST(EpochTest, ABudgetIsLookedAtBeforeEachCallByTheClockOfTheGraph) {
  TestGraph graph(
      {.threads = 0},
      absl::StrCat("clock { type: \"SyntheticClock\" } ", kTwoSources));
  std::string calls;
  const auto takes_a_second = [&](TestFunction function) {
    return [&graph, function](CalculatorContext* cc) {
      SYNCLINE_EXPECT_OK(graph.graph().GetClock()->AdvanceTo(
          cc->Clock()->NowNs() + 1'000'000'000));
      return function(cc);
    };
  };
  graph.Give("a", takes_a_second(Counts('a', &calls)));
  graph.Give("b", takes_a_second(Counts('b', &calls)));
  graph.Give("join", takes_a_second([&](CalculatorContext*) {
               calls.push_back('j');
               return absl::OkStatus();
             }));
  graph.Start();
  for (const int seconds : {1, 3}) {
    calls.clear();
    const auto report = graph.graph().RunEpoch(absl::Seconds(seconds));
    SYNCLINE_ASSERT_OK(report);
    EXPECT_EQ(calls.size(), static_cast<std::size_t>(seconds)) << calls;
    EXPECT_EQ(report->overrun, absl::ZeroDuration());
  }
  calls.clear();
  const auto report = graph.graph().RunEpoch(absl::Milliseconds(500));
  SYNCLINE_ASSERT_OK(report);
  EXPECT_EQ(calls.size(), 1u);
  EXPECT_EQ(report->overrun, absl::Milliseconds(500));
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

TEST(EpochTest, WhatIsDueAtOneTimeIsCalledOneByOneToo) {
  std::string nodes = "clock { type: \"SyntheticClock\" } ";
  for (int i = 0; i < 10; ++i) {
    absl::StrAppend(&nodes, R"(
      node { calculator: "TestLambda" input_side_packet: "PROCESS:tick"
             output_stream: "out)",
                    i, R"("
             condition { type: "PeriodicCondition" options {
               [syncline.PeriodicConditionOptions.ext] {
                 recess_period: "10ms" } } } })");
  }
  TestGraph graph({.threads = 0}, nodes);
  int calls = 0;
  graph.Give("tick", [&](CalculatorContext* cc) {
    ++calls;
    return graph.graph().GetClock()->AdvanceTo(cc->Clock()->NowNs() + 1000);
  });
  graph.Start();
  while (calls < 10) {
    SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::Nanoseconds(1)));
  }
  for (int round = 1; round < 3; ++round) {
    calls = 0;
    SYNCLINE_ASSERT_OK(graph.graph().GetClock()->AdvanceTo(round * 10'000'000));
    SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::Nanoseconds(2500)));
    EXPECT_EQ(calls, 3);
    calls = 0;
    SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::ZeroDuration()));
    EXPECT_EQ(calls, 7);
  }
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

TEST(EpochTest, APauseInTheMiddleOfAPassKeepsTheRestForLater) {
  TestGraph graph({.threads = 0}, kTwoSources);
  std::string calls;
  graph.Give("a", [&, count = Counts('a', &calls)](CalculatorContext* cc) {
    graph.graph().Pause();
    return count(cc);
  });
  graph.Give("b", [&, count = Counts('b', &calls)](CalculatorContext* cc) {
    graph.graph().Pause();
    return count(cc);
  });
  graph.Give("join", [](CalculatorContext*) { return absl::OkStatus(); });
  graph.Start();
  SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::ZeroDuration()));
  EXPECT_EQ(calls.size(), 1u);
  SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::ZeroDuration()));
  EXPECT_EQ(calls.size(), 1u);
  graph.graph().Resume();
  SYNCLINE_ASSERT_OK(graph.graph().RunEpoch(absl::ZeroDuration()));
  EXPECT_EQ(calls.size(), 2u);
  graph.graph().Resume();
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

TEST(EpochTest, AnErrorOfANodeIsThatOfTheEpoch) {
  TestGraph graph({.threads = 0}, kTicker);
  graph.Give("tick",
             [](CalculatorContext*) { return absl::DataLossError("no idea"); });
  graph.Start();
  EXPECT_THAT(graph.graph().RunEpoch(absl::Seconds(10)),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("\"ticker\""), HasSubstr("no idea"))));
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kDataLoss);
}

TEST(EpochTest, ThreadsMayShareTheEpochsOfAGraph) {
  TestGraph graph({.threads = 0}, R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:tick"
           output_stream: "out" condition { type: "CountCondition" options {
             [syncline.CountConditionOptions.ext] { count: 1000 } } } })");
  int running = 0;
  int calls = 0;
  graph.Give("tick", [&](CalculatorContext*) {
    // A call at a time, each seeing what the one before it did.
    EXPECT_EQ(++running, 1);
    ++calls;
    --running;
    return absl::OkStatus();
  });
  graph.Start();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (bool is_finished = false; !is_finished;) {
        const auto report = graph.graph().RunEpoch(absl::Microseconds(50));
        SYNCLINE_EXPECT_OK(report);
        is_finished = !report.ok() || report->is_finished;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 1000);
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
}

TEST(EpochTest, AGraphWithThreadsOfItsOwnHasNone) {
  TestGraph graph({.threads = 2}, kForgetful);
  graph.Give("tick", SendTime);
  EXPECT_EQ(graph.graph().RunEpoch(absl::Seconds(1)).status().code(),
            absl::StatusCode::kFailedPrecondition);
  graph.Start();
  EXPECT_THAT(
      std::string(graph.graph().RunEpoch(absl::Seconds(1)).status().message()),
      HasSubstr("EpochScheduler"));
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
}

}  // namespace
}  // namespace syncline
