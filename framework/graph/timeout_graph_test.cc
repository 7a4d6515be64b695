// TimeoutInputStreamHandler in whole graphs: when a node is called though its
// inputs are not settled, what that means for what comes later, and what a wait
// means for the run.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/condition/boolean_condition.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TimeoutGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(TimeoutGraphTest);

constexpr std::int64_t kMs = 1'000'000;
constexpr char kSynthetic[] = " clock { type: \"SyntheticClock\" } ";
constexpr char kManual[] = " clock { type: \"ManualClock\" } ";

// What a node was called with: "10 ms 5: 1 -", that is when, at which input
// timestamp, and with which values.
class CallLog {
 public:
  // Notes the call, and sends the sum of its packets if it has any.
  TestFunction Function() {
    return [this](CalculatorContext* cc) {
      std::string call = absl::StrCat(cc->Clock()->NowNs() / kMs, " ms ",
                                      cc->InputTimestamp().DebugString(), ":");
      bool has_packets = false;
      for (const InputStream& input : cc->Inputs()) {
        has_packets = has_packets || !input.IsEmpty();
        absl::StrAppend(&call, input.IsEmpty()
                                   ? " -"
                                   : absl::StrCat(" ", input.Get<int>()));
      }
      {
        MutexLock lock(&mutex_);
        calls_.push_back(call);
      }
      return has_packets ? SendSum(cc) : absl::OkStatus();
    };
  }
  // Of all calls since it was last asked.
  std::string Take() {
    MutexLock lock(&mutex_);
    std::string text = absl::StrJoin(calls_, ", ");
    calls_.clear();
    return text;
  }
  int Count() {
    MutexLock lock(&mutex_);
    return static_cast<int>(calls_.size());
  }

 private:
  Mutex mutex_;
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
};

std::string Handler(const std::string& since, int timeout_ms = 100) {
  return absl::Substitute(
      R"( input_stream_handler {
            input_stream_handler: "TimeoutInputStreamHandler"
            options { [syncline.TimeoutInputStreamHandlerOptions.ext] {
              timeout_ns: $0 since: $1 } } } )",
      timeout_ms * kMs, since);
}

// A node "n" that joins "a" and "b".
std::string Node(const std::string& fields) {
  return absl::StrCat(
      R"( node { name: "n" calculator: "TestLambdaOffset"
                 input_side_packet: "PROCESS:f"
                 input_stream: "a" input_stream: "b" output_stream: "out" )",
      fields, " } ");
}
std::string Join(const std::string& fields) {
  return absl::StrCat(" input_stream: \"a\" input_stream: \"b\" ",
                      Node(fields));
}

std::string Source(const std::string& stream, const std::string& conditions) {
  return absl::Substitute(
      R"( node { name: "source_$0" calculator: "TestLambda"
                 output_stream: "$0" input_side_packet: "PROCESS:$0" $1 } )",
      stream, conditions);
}
std::string Periodic(const std::string& period, int count) {
  return absl::Substitute(
      R"( condition { type: "PeriodicCondition"
                      options { [syncline.PeriodicConditionOptions.ext] {
                        recess_period: "$0" } } }
          condition { type: "CountCondition"
                      options { [syncline.CountConditionOptions.ext] {
                        count: $1 } } } )",
      period, count);
}
// Of which nobody sets the time.
constexpr char kWaitsForNobody[] =
    " condition { name: \"next\" type: \"TargetTimeCondition\" } ";

// Sends the time of the clock in ms, at the same timestamp.
absl::Status SendTime(CalculatorContext* cc) {
  const std::int64_t ms = cc->Clock()->NowNs() / kMs;
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(static_cast<int>(ms)).At(Timestamp(ms)));
  return absl::OkStatus();
}

// A graph whose clock the test moves.
class TimedGraph : public TestGraph {
 public:
  TimedGraph(const Workers& workers, const std::string& text)
      : TestGraph(workers, kSynthetic + text) {
    Give("f", log_.Function());
    Observe("out");
  }
  void Begin() {
    Start();
    Idle();
    clock_ = graph().GetClock();
  }
  // The calls until it is so late.
  std::string At(int ms) {
    SYNCLINE_EXPECT_OK(clock_->AdvanceTo(ms * kMs));
    Idle();
    return log_.Take();
  }
  std::string Calls() {
    Idle();
    return log_.Take();
  }

  // Packets of input `port` that were dropped as late; others must not be.
  std::int64_t Late(int port) {
    const absl::StatusOr<GraphRuntimeInfo> info = graph().GetGraphRuntimeInfo();
    SYNCLINE_EXPECT_OK(info.status());
    std::int64_t late = 0;
    for (const DroppedPacketsInfo& dropped :
         info->calculator_infos(0).input_stream_infos(port).dropped_packets()) {
      EXPECT_EQ(dropped.cause(), DroppedPacketsInfo::LATE);
      late += dropped.number_of_packets();
    }
    return late;
  }

 private:
  CallLog log_;
  std::shared_ptr<GraphClock> clock_;
};

// --- What is called when

TEST_P(TimeoutGraphTest, APacketWaitsForTheOthersForItsTimeAndNoLonger) {
  TimedGraph graph(GetParam(), Join(Handler("OLDEST_PACKET")));
  graph.Begin();
  EXPECT_EQ(graph.At(500), "") << "nothing waits";
  graph.Add("a", 10, 1);
  EXPECT_EQ(graph.At(550), "");
  graph.Add("a", 20, 2);
  EXPECT_EQ(graph.At(599), "");
  EXPECT_EQ(graph.At(600), "600 ms 10: 1 -");
  graph.Add("b", 20, 5);
  EXPECT_EQ(graph.Calls(), "600 ms 20: 2 5") << "in time";
  EXPECT_EQ(graph.At(2000), "");
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "10:1 20:7");
  EXPECT_EQ(graph.Late(1), 0);
}

TEST_P(TimeoutGraphTest, WhatComesTooLateIsDroppedAndCountedAndTheRunGoesOn) {
  TimedGraph graph(GetParam(), Join(Handler("OLDEST_PACKET")));
  graph.Begin();
  graph.Add("a", 10, 1);
  EXPECT_EQ(graph.At(100), "100 ms 10: 1 -");
  for (const int time : {3, 10, 11}) graph.Add("b", time, 5);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "10:1 11:5");
  EXPECT_EQ(graph.Late(1), 2);
  EXPECT_EQ(graph.Late(0), 0);
}

TEST_P(TimeoutGraphTest, ANodeIsNotIdleForLongerThanItsTimeSinceTheLastCall) {
  TimedGraph graph(GetParam(), Join(Handler("LAST_CALL")));
  graph.Begin();
  EXPECT_EQ(graph.At(99), "");
  EXPECT_EQ(graph.At(100), "100 ms Timestamp::Unstarted(): - -");
  graph.SetBound("a", 11);
  graph.SetBound("b", 5);
  EXPECT_EQ(graph.At(200), "200 ms 4: - -");
  graph.Add("b", 5, 7);
  EXPECT_EQ(graph.Calls(), "200 ms 5: - 7") << "settled, so at once";
  EXPECT_EQ(graph.At(250), "");
  graph.Add("a", 30, 1);
  graph.Add("a", 40, 2);
  EXPECT_EQ(graph.At(299), "");
  EXPECT_EQ(graph.At(300), "300 ms 30: 1 -, 300 ms 40: 2 -");
  EXPECT_EQ(graph.At(400), "400 ms 40: - -");
  EXPECT_EQ(graph.At(500), "500 ms 40: - -");
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "5:7 30:1 40:2");
}

TEST_P(TimeoutGraphTest, AfterTheEndOfTheInputsNothingIsCalled) {
  TimedGraph graph(GetParam(), Join(Handler("LAST_CALL")));
  graph.Begin();
  graph.Add("a", 10, 1);
  graph.Close("a");
  EXPECT_EQ(graph.At(100), "100 ms 10: 1 -");
  EXPECT_EQ(graph.At(200), "200 ms 10: - -") << "b is open";
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "10:1");
}

TEST_P(TimeoutGraphTest, ATimeThatPassesBeforeTheNodeIsOpenCounts) {
  TimedGraph graph(GetParam(), Join(Handler("OLDEST_PACKET")));
  graph.Start();
  graph.Add("a", 10, 1);
  SYNCLINE_EXPECT_OK(graph.graph().GetClock()->AdvanceTo(60 * kMs));
  graph.Add("a", 43, 2);
  SYNCLINE_EXPECT_OK(graph.graph().GetClock()->AdvanceTo(100 * kMs));
  EXPECT_EQ(graph.Calls(), "100 ms 10: 1 -");
  graph.Finish();
}

// --- What else a node has

TEST_P(TimeoutGraphTest, ForcedSetsPassOnBoundsLikeSettledOnes) {
  TimedGraph graph(GetParam(), Join(Handler("OLDEST_PACKET")) + R"(
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "out" output_stream: "both" })");
  graph.Give("sum", SendSum);
  graph.Observe("both");
  graph.Begin();
  graph.Add("a", 10, 1);
  graph.Add("a", 20, 2);
  EXPECT_EQ(graph.At(50), "");
  graph.SetBound("b", 8);
  graph.Idle();
  EXPECT_EQ(graph.Seen("both"), "");
  EXPECT_EQ(graph.At(100), "100 ms 10: 1 -, 100 ms 20: 2 -");
  EXPECT_EQ(graph.Seen("both"), "10:2 20:4");
  graph.Finish();
}

TEST_P(TimeoutGraphTest, ConditionsHoldAForcedSetLikeASettledOne) {
  TimedGraph graph(GetParam(), Join(Handler("OLDEST_PACKET") + R"(
    condition { name: "enabled" type: "BooleanCondition"
                options { [syncline.BooleanConditionOptions.ext] {
                  enable_tick: false on_false: PAUSE } } })"));
  graph.Begin();
  graph.Add("a", 10, 1);
  EXPECT_EQ(graph.At(100), "");
  // It is settled, though.
  graph.Add("b", 10, 5);
  EXPECT_EQ(graph.At(300), "");
  EXPECT_EQ(graph.Late(1), 1);
  const auto condition =
      graph.graph().GetCondition<BooleanCondition>("n/enabled");
  SYNCLINE_ASSERT_OK(condition.status());
  (*condition)->enable_tick();
  EXPECT_EQ(graph.Calls(), "300 ms 10: 1 -");
  graph.Finish();
}

TEST_P(TimeoutGraphTest, ForcedSetsGoIntoBatchesWhichHaveATimeOfTheirOwn) {
  TimedGraph graph(GetParam(),
                   Join(Handler("OLDEST_PACKET", 30) +
                        " batch { max_size: 3 max_delay_ns: 50000000 } "));
  graph.Begin();
  graph.Add("a", 10, 1);
  EXPECT_EQ(graph.At(30), "") << "one set is in the batch, until 80 ms";
  EXPECT_EQ(graph.At(40), "");
  graph.Add("a", 20, 2);
  EXPECT_EQ(graph.At(70), "") << "the second";
  EXPECT_EQ(graph.At(79), "");
  EXPECT_EQ(graph.At(80), "80 ms 20: 2 -");
  graph.Add("a", 30, 3);
  EXPECT_EQ(graph.At(110), "");
  EXPECT_EQ(graph.At(130), "");
  graph.Add("a", 40, 4);
  EXPECT_EQ(graph.At(160), "160 ms 40: 4 -")
      << "both times at once: the batch has the set";
  graph.Finish();
  EXPECT_EQ(graph.Late(1), 0);
}

TEST_P(TimeoutGraphTest, CallsMayOverlapUnlessTheirTimestampsRepeat) {
  TimedGraph graph(GetParam(),
                   Join(Handler("OLDEST_PACKET") + " max_in_flight: 3 "));
  graph.Begin();
  for (int i = 1; i <= 10; ++i) graph.Add("a", i, i);
  graph.At(100);
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9 10:10");
  graph.Finish();

  CalculatorGraph refused;
  EXPECT_THAT(refused
                  .Initialize(TestConfig(
                      Join(Handler("LAST_CALL") + " max_in_flight: 3 ")))
                  .message(),
              AllOf(HasSubstr("\"n\""), HasSubstr("TimeoutInputStreamHandler"),
                    HasSubstr("may give several calls one timestamp")));
}

// --- What a wait means for the run

TEST_P(TimeoutGraphTest, ARunIsNotIdleWhileAPacketWaitsForItsTime) {
  CallLog log;
  TestGraph graph(GetParam(), Join(Handler("OLDEST_PACKET", 5)));
  graph.Give("f", log.Function());
  graph.Observe("out");
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "10:1");
  graph.Finish();
}

TEST_P(TimeoutGraphTest, ARunIsIdleBetweenCallsWithoutPackets) {
  CallLog log;
  TestGraph graph(GetParam(), Join(Handler("LAST_CALL", 2)));
  graph.Give("f", log.Function());
  graph.Observe("out");
  graph.Start();
  graph.Idle();
  std::thread closer([&] {
    while (log.Count() < 3) absl::SleepFor(absl::Milliseconds(1));
    SYNCLINE_EXPECT_OK(graph.graph().CloseAllInputStreams());
  });
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  closer.join();
  const int count = log.Count();
  absl::SleepFor(absl::Milliseconds(5));
  EXPECT_EQ(log.Count(), count);
}

TEST_P(TimeoutGraphTest, ASimulatedClockReachesATimeoutWhenNothingElseCanRun) {
  std::string calls;
  for (const char* const since : {"OLDEST_PACKET", "LAST_CALL"}) {
    CallLog log;
    TestGraph graph(GetParam(), absl::StrCat("deterministic: true", kManual,
                                             Source("a", Periodic("10ms", 4)),
                                             Source("b", Periodic("100ms", 2)),
                                             Node(Handler(since, 25))));
    graph.Give("f", log.Function());
    graph.Give("a", SendTime);
    graph.Give("b", SendTime);
    SYNCLINE_EXPECT_OK(graph.Run());
    absl::StrAppend(&calls, log.Take(), "\n");
  }
  EXPECT_EQ(calls,
            "0 ms 0: 0 0, 35 ms 10: 10 -, 45 ms 20: 20 -, 55 ms 30: 30 -, "
            "100 ms 100: - 100\n"
            "0 ms 0: 0 0, 25 ms 10: 10 -, 25 ms 20: 20 -, 50 ms 30: 30 -, "
            "75 ms 30: - -, 100 ms 100: - 100\n");
}

// What two nodes with timeouts were called with, of which the second has an
// executor of its own; some packets come too late for the first.
std::string TwoTimeouts(const Workers& workers) {
  CallLog first;
  CallLog second;
  TestGraph graph(
      workers,
      absl::StrCat(
          "deterministic: true", kManual,
          R"(executor { name: "own" type: "ThreadPoolExecutor" options {
               [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 } } })",
          Source("a", Periodic("7ms", 60)), Source("b", Periodic("23ms", 18)),
          Source("c", Periodic("13ms", 30)), Node(Handler("OLDEST_PACKET", 9)),
          R"(node { calculator: "TestLambdaOffset" executor: "own"
                    input_side_packet: "PROCESS:g" output_stream: "both"
                    input_stream: "out" input_stream: "c" )",
          Handler("LAST_CALL", 8), "}"));
  graph.Give("f", first.Function());
  graph.Give("g", second.Function());
  graph.Give("a", SendTime);
  graph.Give("c", SendTime);
  // On its way for longer than the others wait.
  graph.Give("b", [](CalculatorContext* cc) {
    const std::int64_t ms = cc->Clock()->NowNs() / kMs;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(1000).At(Timestamp(ms - ms / 23 % 4 * 5)));
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
  return absl::StrCat(first.Take(), "\n", second.Take());
}

TEST_P(TimeoutGraphTest, ASimulatedRunIsTheSameForAnyNumberOfThreads) {
  static const std::string& expected =
      *new std::string(TwoTimeouts(Workers{.threads = 1}));
  EXPECT_THAT(expected, HasSubstr("ms 7: 7 -"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(TwoTimeouts(GetParam()), expected);
}

TEST_P(TimeoutGraphTest, ACallWithoutPacketsMovesNoSimulatedClock) {
  CallLog log;
  TestGraph graph(GetParam(), kManual + Join(Handler("LAST_CALL")));
  graph.Give("f", log.Function());
  graph.Start();
  graph.Idle();
  graph.Idle();
  EXPECT_EQ(log.Count(), 0);
  EXPECT_EQ(graph.graph().GetClock()->NowNs(), 0);
  // Packets that wait do.
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_EQ(log.Take(), "100 ms 10: 1 -");
  graph.Finish();
  EXPECT_EQ(graph.graph().GetClock()->NowNs(), 100 * kMs);
}

TEST_P(TimeoutGraphTest, ACallWithoutPacketsKeepsNoRunFromItsEnd) {
  for (const char* const clock : {"", kManual}) {
    CallLog log;
    TestGraph graph(GetParam(),
                    absl::StrCat(clock, Source("a", kWaitsForNobody),
                                 Source("b", kWaitsForNobody),
                                 Node(Handler("LAST_CALL", 20))));
    graph.Give("f", log.Function());
    graph.Give("a", SendTime);
    graph.Give("b", SendTime);
    SYNCLINE_EXPECT_OK(graph.Run());
  }
}

TEST_P(TimeoutGraphTest, APacketThatWaitsForItsTimeKeepsTheRunFromItsEnd) {
  for (const char* const clock : {"", kManual}) {
    CallLog log;
    TestGraph graph(GetParam(),
                    absl::StrCat(clock, Source("a", Periodic("1ms", 3)),
                                 Source("b", kWaitsForNobody),
                                 Node(Handler("OLDEST_PACKET", 5))));
    graph.Give("f", log.Function());
    graph.Give("a", CountTo(2));
    graph.Give("b", [](CalculatorContext*) { return absl::OkStatus(); });
    graph.Observe("out");
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_EQ(graph.Seen("out"), "0:0 1:1 2:2");
  }
}

TEST_P(TimeoutGraphTest, CancelEndsAWait) {
  for (const char* const since : {"OLDEST_PACKET", "LAST_CALL"}) {
    CallLog log;
    TestGraph graph(GetParam(), Join(Handler(since, 1'000'000)));
    graph.Give("f", log.Function());
    graph.Start();
    graph.Add("a", 10, 1);
    std::thread canceller([&] {
      absl::SleepFor(absl::Milliseconds(5));
      graph.graph().Cancel();
    });
    EXPECT_EQ(graph.graph().WaitUntilDone().code(),
              absl::StatusCode::kCancelled);
    canceller.join();
  }
}

TEST_P(TimeoutGraphTest, AnErrorElsewhereEndsAWait) {
  CallLog log;
  TestGraph graph(GetParam(), Join(Handler("OLDEST_PACKET", 1'000'000)) + R"(
    node { calculator: "TestLambda" input_stream: "a"
           input_side_packet: "PROCESS:fail" })");
  graph.Give("f", log.Function());
  graph.Give("fail",
             [](CalculatorContext*) { return absl::DataLossError("no"); });
  graph.Start();
  EXPECT_TRUE(graph.AddWithStatus("a", 10, 1).ok());
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kDataLoss);
}

TEST_P(TimeoutGraphTest, WhereSourcesStopWhatWaitsStillGoesAtItsTime) {
  TimedGraph graph(GetParam(), Join(Handler("OLDEST_PACKET")) + R"(
    input_stream: "c" input_stream: "d"
    node { calculator: "TestLambda" input_stream: "c"
           input_side_packet: "PROCESS:stop" }
    node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:sum"
           input_stream: "d" output_stream: "batched"
           batch { max_size: 3 max_delay_ns: 100000000 } })");
  graph.Give("stop", [](CalculatorContext*) { return tool::StatusStop(); });
  graph.Give("sum", SendSum);
  graph.Observe("batched");
  graph.Begin();
  graph.Add("a", 10, 1);
  graph.Add("d", 5, 5);
  graph.Add("c", 1, 1);
  EXPECT_EQ(graph.At(99), "");
  EXPECT_EQ(graph.At(100), "100 ms 10: 1 -");
  EXPECT_EQ(graph.Seen("batched"), "5:5");
  graph.Finish();
}

TEST_P(TimeoutGraphTest, OfManyWaitsNoneIsForgotten) {
  for (const char* const since : {"OLDEST_PACKET", "LAST_CALL"}) {
    CallLog log;
    // The condition is asked after each call, with and without an input set.
    TestGraph graph(GetParam(), Join(Handler(since, 1) + R"(
      condition { type: "CountCondition" options {
        [syncline.CountConditionOptions.ext] { count: 100000 } } })"));
    graph.Give("f", log.Function());
    graph.Observe("out");
    graph.Start();
    for (int i = 0; i < 60; ++i) {
      graph.Add("a", 2 * i, i);
      if (i % 7 == 0) graph.Idle();
      if (i % 5 == 0) absl::SleepFor(absl::Microseconds(700));
    }
    graph.Idle();
    EXPECT_EQ(graph.Count("out"), 60);
    graph.Finish();
  }
}

TEST_P(TimeoutGraphTest, EachRunHasItsOwnTimes) {
  CallLog log;
  TestGraph graph(GetParam(), kManual + Join(Handler("OLDEST_PACKET")));
  graph.Give("f", log.Function());
  for (int run = 0; run < 2; ++run) {
    graph.Start();
    graph.Add("a", 10, 1);
    graph.Idle();
    EXPECT_EQ(log.Take(), "100 ms 10: 1 -");
    graph.Finish();
  }
}

// --- What can be seen, and what is refused

TEST_P(TimeoutGraphTest, ASnapshotShowsUntilWhenANodeWaits) {
  TimedGraph graph(GetParam(), Join(Handler("LAST_CALL")));
  graph.Begin();
  const std::string until =
      ". At 100ms of the graph's clock it is called all the same.";
  EXPECT_THAT(graph.graph().Explain(),
              AllOf(HasSubstr("\"n\""), HasSubstr(until)));
  graph.Add("a", 10, 1);
  graph.Idle();
  EXPECT_THAT(graph.graph().Explain(),
              AllOf(HasSubstr("waits for stream \"b\""),
                    HasSubstr("to pass 10"), HasSubstr(until)));
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info);
  ASSERT_EQ(info->calculator_infos(0).condition_infos_size(), 1);
  const ConditionRuntimeInfo& wait =
      info->calculator_infos(0).condition_infos(0);
  EXPECT_EQ(wait.condition_type(), "TimeoutInputStreamHandler");
  EXPECT_EQ(wait.state(), "WAIT_TIME");
  EXPECT_EQ(wait.target_time_ns(), 100 * kMs);
  graph.Finish();
}

TEST(TimeoutGraphErrorsTest, ANodeWithoutASensibleTimeIsRefused) {
  for (const std::string& timeout :
       {std::string(""), std::string("timeout_ns: 0"),
        std::string("timeout_ns: -1")}) {
    CalculatorGraph graph;
    EXPECT_THAT(graph
                    .Initialize(TestConfig(Join(absl::Substitute(
                        R"(input_stream_handler {
                     input_stream_handler: "TimeoutInputStreamHandler"
                     options { [syncline.TimeoutInputStreamHandlerOptions.ext]
                               { $0 } } })",
                        timeout))))
                    .message(),
                AllOf(HasSubstr("\"n\""), HasSubstr("timeout_ns is")));
  }
}

TEST(TimeoutGraphErrorsTest, ADeterministicGraphNeedsASimulatedClock) {
  CalculatorGraph graph;
  EXPECT_THAT(graph
                  .Initialize(TestConfig("deterministic: true" +
                                         Join(Handler("OLDEST_PACKET"))))
                  .message(),
              AllOf(HasSubstr("\"n\""), HasSubstr("deterministic: true"),
                    HasSubstr("clock { type: \"ManualClock\" }")));
}

}  // namespace
}  // namespace syncline
