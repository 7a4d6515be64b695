// Nodes with conditions in whole graphs: when they are called, and when they
// end. What a wait means for others, batches and mistakes have files of their
// own.

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
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/condition/condition.h"
#include "framework/condition/target_time_condition.h"
#include "framework/config/conditions.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

SYNCLINE_TEST_WITH_ALL_WORKERS(ConditionsGraphTest);

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

// One call of another node brings the whole input set.
TEST_P(ConditionsGraphTest, AJoinThatOneNodeFeedsIsCalledAsItsConditionsSay) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:copy"
           input_stream: "in" output_stream: "a" output_stream: "b" }
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:f"
           input_stream: "a" input_stream: "b"
           output_stream: "out")" +
                                  Count(2) + "}");
  graph.Give("copy", [](CalculatorContext* cc) {
    for (int port = 0; port < 2; ++port) {
      cc->Outputs().Index(port).AddPacket(cc->Inputs().Index(0).Value());
    }
    return absl::OkStatus();
  });
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 4; ++i) graph.Add("in", i, i);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:2 2:4");
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
      absl::Status status =
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

// Is called every 100 ms or every 10 ms, unless its node says otherwise.
class TwoRhythmsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    ConditionGroup* const either = cc->AddAnyOf();
    AddPeriodic("slow", "100ms", either);
    AddPeriodic("fast", "10ms", either);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override { return SendTime(cc); }

 private:
  static void AddPeriodic(const char* name, const char* period,
                          ConditionGroup* group) {
    ConditionConfig& condition = *group->add_condition();
    condition.set_name(name);
    condition.set_type("PeriodicCondition");
    condition.mutable_options()
        ->MutableExtension(PeriodicConditionOptions::ext)
        ->set_recess_period(period);
  }
};
REGISTER_CALCULATOR(TwoRhythmsCalculator);

TEST_P(ConditionsGraphTest, AGroupMayComeFromTheContract) {
  const std::string node =
      "node { calculator: \"TwoRhythmsCalculator\" output_stream: \"out\"" +
      Count(3);
  TestGraph graph(GetParam(), kManual + node + "}");
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("out"), "0:0 10:10 20:20");

  TestGraph other(GetParam(), kManual + node + R"(
    condition { name: "fast" type: "PeriodicCondition" options {
      [syncline.PeriodicConditionOptions.ext] { recess_period: "80ms" } } } })");
  other.Observe("out");
  SYNCLINE_EXPECT_OK(other.Run());
  EXPECT_EQ(other.Seen("out"), "0:0 80:80 100:100");
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

}  // namespace
}  // namespace syncline
