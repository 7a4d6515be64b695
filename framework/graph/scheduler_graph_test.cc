// How a scheduler's settings end runs, and runs in epochs.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/context.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

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

TEST_P(SchedulerGraphTest, WithoutStopOnDeadlockSomebodyHasToEndTheRun) {
  TestGraph graph(
      GetParam(),
      absl::StrCat("scheduler { stop_on_deadlock: false } ", kForgetful));
  graph.Give("tick", SendTime);
  graph.Start();
  graph.Idle();
  absl::SleepFor(absl::Milliseconds(20));
  graph.Idle();
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllPacketSources());
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
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
