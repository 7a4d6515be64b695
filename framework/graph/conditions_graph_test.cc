// Nodes with conditions in whole graphs: what they wait for, what ends a wait,
// and what a wait means for the rest of the graph.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_batch.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/boolean_condition.h"
#include "framework/condition/condition.h"
#include "framework/condition/target_time_condition.h"
#include "framework/config/graph_runtime_info.pb.h"
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

using ::testing::AllOf;
using ::testing::HasSubstr;

class ConditionsGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(ConditionsGraphTest);

constexpr std::int64_t kMs = 1'000'000;

// Sends the time of the clock in ms, at the same timestamp.
absl::Status SendTime(CalculatorContext* cc) {
  const std::int64_t ms = cc->Clock()->NowNs() / kMs;
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(static_cast<int>(ms)).At(Timestamp(ms)));
  return absl::OkStatus();
}

// A source of 0, 1, 2, ... without an end of its own.
TestFunction CountForEver() {
  auto next = std::make_shared<int>(0);
  return [next](CalculatorContext* cc) {
    const int value = (*next)++;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(Timestamp(value)));
    return absl::OkStatus();
  };
}

std::string Count(int count) {
  return absl::StrCat(
      " condition { type: \"CountCondition\" options { "
      "[syncline.CountConditionOptions.ext] { count: ",
      count, " } } }");
}

std::string Periodic(const std::string& period) {
  return absl::StrCat(
      " condition { type: \"PeriodicCondition\" options { "
      "[syncline.PeriodicConditionOptions.ext] { recess_period: \"",
      period, "\" } } }");
}

std::string Boolean(const std::string& options) {
  return absl::StrCat(
      " condition { name: \"enabled\" type: \"BooleanCondition\" options { "
      "[syncline.BooleanConditionOptions.ext] { ",
      options, " } } }");
}

std::string Source(const std::string& conditions) {
  return absl::StrCat(
      "node { name: \"source\" calculator: \"TestLambda\" "
      "input_side_packet: \"PROCESS:source\" output_stream: \"out\"",
      conditions, " }");
}

std::string Inner(const std::string& conditions) {
  return absl::StrCat(
      "input_stream: \"in\" node { name: \"inner\" calculator: "
      "\"TestLambdaOffset\" input_side_packet: \"PROCESS:f\" input_stream: "
      "\"in\" output_stream: \"out\"",
      conditions, " }");
}

constexpr char kManual[] = " clock { type: \"ManualClock\" } ";

// Counts what it is told.
class DispatchCounter : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return ConditionResult::Ready();
  }
  absl::StatusOr<bool> OnDispatch(const NodeFacts&,
                                  const ConditionResult&) override {
    ++dispatched;
    return true;
  }
  void OnDispatchUndone() override { ++undone; }
  void BeforeExecute() override { ++begun; }
  void Stop() override {
    EXPECT_EQ(dispatched, begun + undone) << "before Stop";
    last_undone = undone;
  }
  static std::atomic<int> last_undone;

 private:
  int dispatched = 0;
  int undone = 0;
  int begun = 0;
};
std::atomic<int> DispatchCounter::last_undone{0};
REGISTER_CONDITION(DispatchCounter);

// --- Ends

TEST_P(ConditionsGraphTest, WhatASourceWasDispatchedForIsUndoneIfItStops) {
  for (const bool is_error : {false, true}) {
    TestGraph graph(GetParam(), Source(R"( condition {
        type: "DispatchCounter" })") +
                                    R"(
      node { calculator: "TestLambda" input_side_packet: "PROCESS:stop"
             input_stream: "out" })");
    graph.Give("source", CountForEver());
    graph.Give("stop", [&](CalculatorContext*) {
      return is_error ? absl::AbortedError("enough") : tool::StatusStop();
    });
    DispatchCounter::last_undone = -1;
    EXPECT_EQ(graph.Run().ok(), !is_error);
    // With other threads, the next call may be on its way already. An error
    // lets it run.
    if (GetParam().threads == 0 && !is_error) {
      EXPECT_EQ(DispatchCounter::last_undone, 1);
    }
  }
}

TEST_P(ConditionsGraphTest, ASourceRunsAsOftenAsItsCountSays) {
  TestGraph graph(GetParam(), Source(Count(3)));
  graph.Give("source", CountForEver());
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 1:1 2:2");
}

TEST_P(ConditionsGraphTest, ACountOfZeroClosesTheNodeBeforeItRuns) {
  std::atomic<int> closed{0};
  TestGraph graph(GetParam(),
                  R"(node { calculator: "TestLambda" output_stream: "out"
                            input_side_packet: "PROCESS:source"
                            input_side_packet: "CLOSE:close")" +
                      Count(0) + "}");
  graph.Give("source", CountForEver());
  graph.Give("close", [&](CalculatorContext*) {
    ++closed;
    return absl::OkStatus();
  });
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "");
  EXPECT_EQ(closed, 1);
}

TEST_P(ConditionsGraphTest, ANodeAtItsEndClosesAndDropsWhatComesLater) {
  TestGraph graph(GetParam(), Inner(Count(2)) + R"(
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "out" output_stream: "both" })");
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Observe("both");
  graph.Start();
  for (int i = 1; i <= 4; ++i) graph.Add("in", i, i);
  graph.Idle();
  // The join goes on without the stream that has ended.
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2");
  EXPECT_EQ(graph.Seen("both"), "1:2 2:4 3:3 4:4");
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info);
  const auto& in = info->calculator_infos(0).input_stream_infos(0);
  ASSERT_EQ(in.dropped_packets_size(), 1);
  EXPECT_EQ(in.dropped_packets(0).number_of_packets(), 2);
  graph.Finish();
}

TEST_P(ConditionsGraphTest, CloseIsNotHeldBack) {
  // The count is not used up, and the event never comes.
  TestGraph graph(GetParam(), Inner(Boolean("enable_tick: false "
                                            "on_false: PAUSE")));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "");
}

// --- Times

TEST_P(ConditionsGraphTest, APeriodicSourceTicksAtItsTimes) {
  TestGraph graph(GetParam(), kManual + Source(Periodic("10ms") + Count(4)));
  graph.Give("source", SendTime);
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 10:10 20:20 30:30");
}

TEST_P(ConditionsGraphTest, EachRunHasATimeOfItsOwn) {
  TestGraph graph(GetParam(), kManual + Source(Periodic("10ms") + Count(2)));
  graph.Give("source", SendTime);
  graph.Observe("out");
  for (int run = 0; run < 2; ++run) {
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_EQ(graph.Seen("out"), "0:0 10:10");
  }
}

TEST_P(ConditionsGraphTest, TwoRhythmsMeetAtTheirTimes) {
  TestGraph graph(GetParam(), kManual + std::string(R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:a"
           output_stream: "a")") + Periodic("20ms") +
                                  Count(4) + R"( }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:b"
           output_stream: "b")" + Periodic("30ms") +
                                  Count(3) + R"( }
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "both" })");
  graph.Give("a", SendTime);
  graph.Give("b", SendTime);
  graph.Give("sum", SendSum);
  graph.Observe("both");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("both"), "0:0 20:20 30:30 40:40 60:120");
}

TEST_P(ConditionsGraphTest, APeriodOfAnInnerNodeDelaysItsInputSets) {
  TestGraph graph(GetParam(), kManual + Inner(Periodic("10ms")));
  std::vector<std::int64_t> times;
  graph.Give("f", [&](CalculatorContext* cc) {
    times.push_back(cc->Clock()->NowNs() / kMs);
    return SendSum(cc);
  });
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 3; ++i) graph.Add("in", i, i);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 3:3");
  EXPECT_EQ(times, (std::vector<std::int64_t>{0, 10, 20}));
}

TEST_P(ConditionsGraphTest, RealTimePassesBetweenTicks) {
  const absl::Time start = absl::Now();
  TestGraph graph(GetParam(), Source(Periodic("10ms") + Count(3)));
  graph.Give("source", CountForEver());
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 1:1 2:2");
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(20));
}

TEST_P(ConditionsGraphTest, ACallThatGetsStuckHoldsUpNoOtherTimes) {
  if (GetParam().threads < 2) GTEST_SKIP() << "There is no other thread.";
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sticks"
           output_stream: "a")" + Periodic("1ms") +
                                  R"(}
    node { calculator: "TestLambda" input_side_packet: "PROCESS:ticks"
           output_stream: "b")" + Periodic("1ms") +
                                  "}");
  std::atomic<int> ticks{0};
  std::atomic<bool> is_stuck{false};
  std::atomic<bool> go{false};
  graph.Give("sticks",
             [&, calls = std::make_shared<int>(0)](CalculatorContext*) {
               // By now its calls are known to be short.
               if (++*calls != 50) return absl::OkStatus();
               is_stuck = true;
               while (!go) std::this_thread::yield();
               return absl::OkStatus();
             });
  graph.Give("ticks", [&](CalculatorContext*) {
    ++ticks;
    return absl::OkStatus();
  });
  graph.Start();
  const auto wait_for = [&](auto condition) {
    for (int i = 0; i < 20'000 && !condition(); ++i) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    return condition();
  };
  EXPECT_TRUE(wait_for([&] { return is_stuck.load(); }));
  const int before = ticks;
  EXPECT_TRUE(wait_for([&] { return ticks >= before + 20; }));
  go = true;
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

TEST_P(ConditionsGraphTest, ASyntheticClockIsMovedFromOutside) {
  TestGraph graph(GetParam(), " clock { type: \"SyntheticClock\" } " +
                                  Source(Periodic("10ms") + Count(3)));
  graph.Give("source", SendTime);
  graph.Observe("out");
  graph.Start();
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:0");
  const std::shared_ptr<GraphClock> clock = graph.graph().GetClock();
  SYNCLINE_EXPECT_OK(clock->AdvanceTo(9 * kMs));
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:0");
  SYNCLINE_EXPECT_OK(clock->AdvanceBy(2 * kMs));
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "0:0 11:11");
  SYNCLINE_EXPECT_OK(clock->AdvanceTo(20 * kMs));
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
  EXPECT_EQ(graph.Seen("out"), "0:0 11:11 20:20");
}

TEST_P(ConditionsGraphTest, ATargetTimeIsSetByTheCall) {
  TestGraph graph(GetParam(),
                  kManual + Source(" condition { name: \"next\" type: "
                                   "\"TargetTimeCondition\" }"));
  graph.Give("source", [](CalculatorContext* cc) {
    const std::int64_t now = cc->Clock()->NowNs();
    // 0, 1, 3, 7, 15 ms; then no time is set, and the run ends.
    if (now <= 7 * kMs) {
      const absl::Status status =
          cc->Condition<TargetTimeCondition>("next")->SetNextTargetTime(
              2 * now + kMs);
      if (!status.ok()) return status;
    }
    return SendTime(cc);
  });
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 1:1 3:3 7:7 15:15");
}

// --- Events

TEST_P(ConditionsGraphTest, ACalculatorSwitchesAnotherNodeOff) {
  TestGraph graph(GetParam(), R"(input_stream: "in"
    node { name: "switch" calculator: "TestLambda"
           input_side_packet: "PROCESS:switch" input_stream: "in"
           output_stream: "passed" }
    node { name: "inner" calculator: "TestLambdaOffset"
           input_side_packet: "PROCESS:f" input_stream: "passed"
           output_stream: "out")" +
                                  Boolean("") + "}");
  graph.Give("switch", [](CalculatorContext* cc) {
    if (cc->Inputs().Index(0).Get<int>() == 3) {
      cc->Condition<BooleanCondition>("inner/enabled")->disable_tick();
      return absl::OkStatus();
    }
    return SendSum(cc);
  });
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 4; ++i) {
    graph.Add("in", i, i);
    graph.Idle();
  }
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, APausedNodeGoesOnWhereItWas) {
  TestGraph graph(GetParam(), Inner(Boolean("on_false: PAUSE")));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  const auto enabled =
      graph.graph().GetCondition<BooleanCondition>("inner/enabled");
  SYNCLINE_ASSERT_OK(enabled);
  graph.Add("in", 1, 1);
  graph.Idle();
  (*enabled)->disable_tick();
  graph.Add("in", 2, 2);
  graph.Add("in", 3, 3);
  EXPECT_EQ(graph.Seen("out"), "1:1");
  (*enabled)->enable_tick();
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 3:3");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ARequestIsAnsweredByAThreadOfItsOwn) {
  std::vector<std::thread> threads;
  std::atomic<int> answered{0};
  TestGraph graph(GetParam(), Source(" condition { name: \"reply\" type: "
                                     "\"AsynchronousCondition\" }" +
                                     Count(4)));
  graph.Give("source", [&](CalculatorContext* cc) {
    const auto reply = cc->Condition<AsynchronousCondition>("reply");
    const absl::Status status =
        reply->event_state(AsynchronousEventState::EVENT_WAITING);
    if (!status.ok()) return status;
    const int value = answered.load();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(Timestamp(value)));
    threads.emplace_back([&, reply] {
      absl::SleepFor(absl::Milliseconds(2));
      answered.fetch_add(1);
      // The last one comes after the end of the run, which is an error.
      reply->event_state(AsynchronousEventState::EVENT_DONE).IgnoreError();
    });
    return absl::OkStatus();
  });
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(graph.Seen("out"), "0:0 1:1 2:2 3:3");
}

TEST_P(ConditionsGraphTest, AnEventThatSaysNeverEndsTheNode) {
  std::thread thread;
  TestGraph graph(GetParam(), Source(" condition { name: \"reply\" type: "
                                     "\"AsynchronousCondition\" }"));
  graph.Give("source", [&](CalculatorContext* cc) {
    const auto reply = cc->Condition<AsynchronousCondition>("reply");
    const absl::Status status =
        reply->event_state(AsynchronousEventState::EVENT_WAITING);
    if (!status.ok()) return status;
    thread = std::thread([reply] {
      absl::SleepFor(absl::Milliseconds(2));
      reply->event_state(AsynchronousEventState::EVENT_NEVER).IgnoreError();
    });
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
  thread.join();
}

// --- Groups

TEST_P(ConditionsGraphTest, OfAGroupOneIsEnough) {
  TestGraph graph(GetParam(), kManual + Source(Count(3) + R"(
    any_of {
      condition { name: "slow" type: "PeriodicCondition" options {
        [syncline.PeriodicConditionOptions.ext] { recess_period: "100ms" } } }
      condition { name: "fast" type: "PeriodicCondition" options {
        [syncline.PeriodicConditionOptions.ext] { recess_period: "10ms" } } }
    })"));
  graph.Give("source", SendTime);
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 10:10 20:20");
}

TEST_P(ConditionsGraphTest, AGroupIsOverWhenAllOfItsMembersAre) {
  TestGraph graph(GetParam(), Source(R"(
    any_of {
      condition { name: "one" type: "CountCondition" }
      condition { name: "three" type: "CountCondition" options {
        [syncline.CountConditionOptions.ext] { count: 3 } } }
    })"));
  graph.Give("source", CountForEver());
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 1:1 2:2");
}

// --- What a wait means for others

TEST_P(ConditionsGraphTest, AHeldNodePassesBoundsUpToItsOldestInputSet) {
  TestGraph graph(GetParam(), Inner(Boolean("enable_tick: false "
                                            "on_false: PAUSE")) +
                                  R"(
    input_stream: "other"
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:f"
           input_stream: "other" input_stream: "out" output_stream: "both" })");
  graph.Give("f", SendSum);
  graph.Observe("both");
  graph.Start();
  const auto enabled =
      graph.graph().GetCondition<BooleanCondition>("inner/enabled");
  SYNCLINE_ASSERT_OK(enabled);
  graph.Add("other", 5, 5);
  graph.Add("other", 10, 10);
  graph.Add("in", 10, 1);
  // Nothing of the held node can come before 10, so 5 goes on; 10 does not.
  if (GetParam().is_application_thread()) {
    // Runs what there is: the held node keeps the graph busy.
    (*enabled)->enable_tick();
    graph.Idle();
    EXPECT_EQ(graph.Seen("both"), "5:5 10:11");
  } else {
    for (int i = 0; i < 10000 && graph.Seen("both") != "5:5"; ++i) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    EXPECT_EQ(graph.Seen("both"), "5:5");
    (*enabled)->enable_tick();
    graph.Idle();
    EXPECT_EQ(graph.Seen("both"), "5:5 10:11");
  }
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ASourceWaitsForRoomBehindIt) {
  TestGraph graph(GetParam(), "max_queue_size: 3 input_stream: \"gate\" " +
                                  Source(Count(6) + R"(
    condition { type: "DownstreamMessageAffordableCondition" options {
      [syncline.DownstreamMessageAffordableConditionOptions.ext] {
        min_size: 2 } } })") + R"(
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:f"
           input_stream: "out" input_stream: "gate" output_stream: "both" })");
  graph.Give("source", CountForEver());
  graph.Give("f", SendSum);
  graph.Observe("both");
  graph.Start();
  graph.Idle();
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info);
  std::int64_t queued = 0;
  for (const auto& node : info->calculator_infos()) {
    for (const auto& in : node.input_stream_infos()) {
      queued = std::max<std::int64_t>(queued, in.queue_size());
    }
  }
  // There must be room for two before a call.
  EXPECT_EQ(queued, 2);
  graph.Finish();
  EXPECT_EQ(graph.Count("both"), 6);
}

TEST_P(ConditionsGraphTest, ARunEndsWhenNobodyCanEndAWait) {
  // No time is ever set.
  TestGraph graph(GetParam(), Source(" condition { name: \"next\" type: "
                                     "\"TargetTimeCondition\" }"));
  graph.Give("source", CountForEver());
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0");
}

TEST_P(ConditionsGraphTest, ARunThatReportsDeadlocksNamesTheCondition) {
  TestGraph graph(GetParam(), "report_deadlock: true " +
                                  Source(" condition { name: \"next\" type: "
                                         "\"TargetTimeCondition\" }"));
  graph.Give("source", CountForEver());
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("deadlock"), HasSubstr("\"source\""),
                    HasSubstr("condition \"next\" (TargetTimeCondition)"),
                    HasSubstr("WAIT")));
}

// --- From outside

TEST_P(ConditionsGraphTest, CancelEndsEveryWait) {
  TestGraph graph(GetParam(),
                  R"(
    node { name: "t" calculator: "TestLambda" output_stream: "t"
           input_side_packet: "PROCESS:source")" +
                      Periodic("1000s") + R"( }
    node { name: "e" calculator: "TestLambda" output_stream: "e"
           input_side_packet: "PROCESS:source")" +
                      Boolean("enable_tick: false on_false: PAUSE") + R"( })");
  graph.Give("source", CountForEver());
  graph.Observe("t");
  graph.Start();
  std::thread canceller([&] {
    absl::SleepFor(absl::Milliseconds(5));
    graph.graph().Cancel();
  });
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kCancelled);
  canceller.join();
}

TEST_P(ConditionsGraphTest, AnErrorEndsEveryWait) {
  TestGraph graph(GetParam(), R"(input_stream: "in"
    node { name: "t" calculator: "TestLambda" output_stream: "t"
           input_side_packet: "PROCESS:source")" +
                                  Periodic("1000s") + R"( }
    node { calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:fail" })");
  graph.Give("source", CountForEver());
  graph.Give("fail",
             [](CalculatorContext*) { return absl::AbortedError("enough"); });
  graph.Start();
  graph.Add("in", 1, 1);
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kAborted);
}

TEST_P(ConditionsGraphTest, StoppingTheSourcesEndsOneThatWaits) {
  std::atomic<bool> is_closed{false};
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" output_stream: "out"
           input_side_packet: "PROCESS:source"
           input_side_packet: "CLOSE:close")" +
                                  Periodic("1000s") + " }");
  graph.Give("source", CountForEver());
  graph.Give("close", [&](CalculatorContext*) {
    is_closed = true;
    return absl::OkStatus();
  });
  graph.Observe("out");
  graph.Start();
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllPacketSources());
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  EXPECT_TRUE(is_closed);
}

TEST_P(ConditionsGraphTest, AGraphThatWaitsCanBeDestroyed) {
  TestGraph graph(GetParam(), Source(Periodic("1000s")));
  graph.Give("source", CountForEver());
  graph.Start();
  graph.Destroy();
}

TEST_P(ConditionsGraphTest, AConditionOutlivesItsRunAndChangesNothing) {
  absl::StatusOr<std::shared_ptr<BooleanCondition>> enabled;
  {
    TestGraph graph(GetParam(), Source(Count(1) + Boolean("")));
    graph.Give("source", CountForEver());
    graph.Start();
    enabled = graph.graph().GetCondition<BooleanCondition>("source/enabled");
    SYNCLINE_ASSERT_OK(enabled);
    SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
    (*enabled)->disable_tick();
  }
  (*enabled)->enable_tick();
}

// --- Several calls at once, and batches

TEST_P(ConditionsGraphTest, CallsThatOverlapDoNotExceedTheCount) {
  TestGraph graph(GetParam(), Inner(" max_in_flight: 4" + Count(5)));
  std::atomic<int> calls{0};
  graph.Give("f", [&](CalculatorContext* cc) {
    calls.fetch_add(1);
    absl::SleepFor(absl::Microseconds(200));
    return SendSum(cc);
  });
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 20; ++i) graph.Add("in", i, i);
  graph.Finish();
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 3:3 4:4 5:5");
}

// Sends the number of input sets, and their sum.
absl::Status SendBatch(CalculatorContext* cc) {
  int sum = 0;
  for (const BatchedInputs& set : cc->Batch()) {
    sum += set.Inputs().Index(0).Get<int>();
  }
  const int size = static_cast<int>(cc->Batch().size());
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(100 * size + sum).At(cc->InputTimestamp()));
  return absl::OkStatus();
}

TEST_P(ConditionsGraphTest, ABatchIsOneCallForSeveralInputSets) {
  TestGraph graph(GetParam(), Inner(" batch { max_size: 3 }"));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 7; ++i) graph.Add("in", i, i);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "3:306 6:315");
  // What is left goes at the end.
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "3:306 6:315 7:107");
}

TEST_P(ConditionsGraphTest, WithoutABatchThereIsOneInputSet) {
  TestGraph graph(GetParam(), Inner(""));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 2; ++i) graph.Add("in", i, i);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "1:101 2:102");
}

TEST_P(ConditionsGraphTest, ABatchThatIsNotFullGoesAfterItsDelay) {
  TestGraph graph(GetParam(),
                  " clock { type: \"SyntheticClock\" } " +
                      Inner(" batch { max_size: 3 max_delay_ns: 10000000 }"));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  const std::shared_ptr<GraphClock> clock = graph.graph().GetClock();
  graph.Add("in", 1, 1);
  graph.Idle();
  SYNCLINE_EXPECT_OK(clock->AdvanceBy(6 * kMs));
  graph.Add("in", 2, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "");
  // Counted from the first.
  SYNCLINE_EXPECT_OK(clock->AdvanceBy(4 * kMs));
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "2:203");
  for (int i = 3; i <= 5; ++i) graph.Add("in", i, i);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "2:203 5:312");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ABatchHoldsTheBoundAtItsFirstInputSet) {
  TestGraph graph(GetParam(), Inner(" batch { max_size: 3 }") + R"(
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:sum"
           input_stream: "in" input_stream: "out" output_stream: "both" })");
  graph.Give("f", SendBatch);
  graph.Give("sum", SendSum);
  graph.Observe("both");
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Add("in", 2, 2);
  graph.Idle();
  EXPECT_EQ(graph.Seen("both"), "");
  graph.Add("in", 3, 3);
  graph.Idle();
  EXPECT_EQ(graph.Seen("both"), "1:1 2:2 3:309");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ABatchWaitsForTheConditionsOfItsNode) {
  TestGraph graph(GetParam(), Inner(" batch { max_size: 2 }" + Count(2)));
  graph.Give("f", SendBatch);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 7; ++i) graph.Add("in", i, i);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "2:203 4:207");
}

// --- What is wrong

class FailingCondition : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return absl::DataLossError("no idea");
  }
};
REGISTER_CONDITION(FailingCondition);

TEST_P(ConditionsGraphTest, AnErrorOfAConditionNamesItAndItsNode) {
  TestGraph graph(GetParam(), Source(" condition { name: \"bad\" type: "
                                     "\"FailingCondition\" }"));
  graph.Give("source", CountForEver());
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("\"source\""),
                    HasSubstr("condition \"bad\" (FailingCondition)"),
                    HasSubstr("no idea")));
}

TEST_P(ConditionsGraphTest, AConditionThatIsNotThereIsAnErrorOfTheCall) {
  TestGraph graph(GetParam(), Source(Count(1)));
  graph.Give("source", [](CalculatorContext* cc) {
    cc->Condition<BooleanCondition>("enabled")->enable_tick();
    return absl::OkStatus();
  });
  EXPECT_THAT(graph.Run().message(),
              AllOf(HasSubstr("has no condition \"enabled\""),
                    HasSubstr("\"CountCondition\"")));
}

TEST_P(ConditionsGraphTest, ASnapshotShowsWhatANodeWaitsFor) {
  TestGraph graph(GetParam(), " clock { type: \"SyntheticClock\" } " +
                                  Source(Periodic("10ms") + Count(3)));
  graph.Give("source", CountForEver());
  graph.Start();
  graph.Idle();
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info);
  const auto& conditions = info->calculator_infos(0).condition_infos();
  ASSERT_EQ(conditions.size(), 2);
  EXPECT_EQ(conditions[0].condition_name(), "PeriodicCondition");
  EXPECT_EQ(conditions[0].state(), "WAIT_TIME");
  EXPECT_EQ(conditions[0].target_time_ns(), 10 * kMs);
  EXPECT_EQ(conditions[1].condition_type(), "CountCondition");
  EXPECT_EQ(conditions[1].state(), "READY");
  EXPECT_THAT(graph.graph().Explain(),
              AllOf(HasSubstr("\"source\""), HasSubstr("WAIT_TIME")));
  graph.graph().Cancel();
  graph.FinishWithStatus().IgnoreError();
}

}  // namespace
}  // namespace syncline
