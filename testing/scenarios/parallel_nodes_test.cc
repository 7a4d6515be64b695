// Nodes whose calls overlap (max_in_flight): whatever order calls end in, what
// comes out is what one call at a time would send, bounds are withheld until
// all before them is sent, and errors, Close and cancel wait for the calls.
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/substitute.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/explore_schedules.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// A parallel node, and a join of what it sends with what it was sent.
std::string Text(const std::string& calculator, int max_in_flight,
                 const std::string& more = "") {
  return absl::Substitute(
      R"pb(
        input_stream: "in"
        node {
          calculator: "$0"
          name: "parallel"
          max_in_flight: $1
          input_side_packet: "PROCESS:process"
          input_side_packet: "CLOSE:close"
          input_stream: "in"
          output_stream: "a" $2
        }
        node {
          calculator: "SumCalculator"
          input_stream: "in"
          input_stream: "a"
          output_stream: "out"
        })pb",
      calculator, max_in_flight, more);
}

absl::Status Send(CalculatorContext* cc, int value) {
  cc->Outputs().Index(0).AddPacket(
      MakeCounted<int>(value).At(cc->InputTimestamp()));
  return absl::OkStatus();
}
int Value(const CalculatorContext* cc) {
  return cc->Inputs().Index(0).Get<int>();
}
absl::Status Nothing(CalculatorContext*) { return absl::OkStatus(); }

constexpr int kPackets = 60;

class ParallelNodesTest : public WorkersTest {
 protected:
  static void FeedNumbers(GraphHarness* graph, int count = kPackets) {
    for (int i = 0; i < count; ++i) graph->Feed("in", {{i, i}});
  }
  // Calls can be at work at the same time.
  static bool HasSeveralThreads() { return GetParam().threads > 1; }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(ParallelNodesTest);

TEST_P(ParallelNodesTest, LateCallsDoNotChangeTheOrder) {
  for (const int max_in_flight : {2, 3, 16, 1000}) {
    GraphHarness graph(Text("LambdaCalculator", max_in_flight), GetParam());
    // With two at a time, the first of each pair ends after the second. Of more
    // than two, those with the same priority may start in any order.
    const bool waits = HasSeveralThreads() && max_in_flight == 2;
    Mutex mutex;
    CondVar changed;
    int ended = -1;
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      const int value = Value(cc);
      MutexLock lock(&mutex);
      while (waits && value % 2 == 0 && ended < value + 1) {
        changed.Wait(&mutex);
      }
      ended = std::max(ended, value);
      changed.SignalAll();
      return Send(cc, 100 * value);
    });
    graph.SetFunction("close", Nothing);
    FeedNumbers(&graph);
    SYNCLINE_ASSERT_OK(graph.Run());
    LiteralStream<int> expected;
    for (int i = 0; i < kPackets; ++i) expected.push_back({i, 101 * i});
    graph.Expect("out", expected);
  }
}

TEST_P(ParallelNodesTest, NeverMoreCallsThanAllowed) {
  for (const int max_in_flight : {1, 2, 3}) {
    GraphHarness graph(Text("LambdaCalculator", max_in_flight), GetParam());
    std::atomic<int> in_flight{0};
    std::atomic<int> most{0};
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      const int now = in_flight.fetch_add(1) + 1;
      int seen = most;
      while (seen < now && !most.compare_exchange_weak(seen, now)) {
      }
      std::this_thread::yield();
      in_flight.fetch_sub(1);
      return Send(cc, Value(cc));
    });
    graph.SetFunction("close", Nothing);
    FeedNumbers(&graph);
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_GE(most, 1);
    EXPECT_LE(most, max_in_flight);
  }
}

TEST_P(ParallelNodesTest, ABoundIsWithheldWhileAnEarlierCallGoesOn) {
  if (!HasSeveralThreads()) GTEST_SKIP() << "calls cannot overlap";
  for (const char* const calculator :
       {"LambdaCalculator", "LambdaOffsetCalculator"}) {
    GraphHarness graph(Text(calculator, 4), GetParam());
    graph.CollectBounds("a");
    Latch first_may_end;
    Latch second_is_done;
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      if (Value(cc) == 0) first_may_end.Wait();
      if (Value(cc) == 1) second_is_done.Open();
      return Value(cc) == 2 ? absl::OkStatus() : Send(cc, Value(cc));
    });
    graph.SetFunction("close", Nothing);
    SYNCLINE_ASSERT_OK(graph.Start());
    FeedNumbers(&graph, 3);
    first_may_end.WaitForArrivals(1);
    second_is_done.Wait();
    // Neither a packet nor a bound may overtake the first.
    EXPECT_EQ(graph.Count("a"), 0) << graph.Timelines();
    first_may_end.Open();
    SYNCLINE_EXPECT_OK(graph.Finish());
    graph.Expect("out", {{0, 0}, {1, 2}, {2, 2}});
  }
}

TEST_P(ParallelNodesTest, BoundsOfCallsThatSendNothingFeedAJoin) {
  // Only every third has a result; with an offset the join need not wait.
  GraphHarness graph(Text("LambdaOffsetCalculator", 3), GetParam());
  graph.SetFunction("process", [](CalculatorContext* cc) {
    return Value(cc) % 3 == 0 ? Send(cc, 1000) : absl::OkStatus();
  });
  graph.SetFunction("close", Nothing);
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedNumbers(&graph, 12);
  graph.Idle();
  EXPECT_EQ(graph.Count("out"), 12) << graph.Timelines();
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(ParallelNodesTest, ExplicitBoundsGoOutInOrderToo) {
  GraphHarness graph(Text("LambdaCalculator", 3), GetParam());
  graph.SetFunction("process", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).SetNextTimestampBound(
        cc->InputTimestamp().NextAllowedInStream());
    return absl::OkStatus();
  });
  graph.SetFunction("close", Nothing);
  SYNCLINE_ASSERT_OK(graph.Start());
  FeedNumbers(&graph, 12);
  graph.Idle();
  EXPECT_EQ(graph.Count("out"), 12) << graph.Timelines();
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(ParallelNodesTest, CloseComesOnceAndAfterAllCalls) {
  for (int round = 0; round < 20; ++round) {
    GraphHarness graph(Text("LambdaCalculator", 8), GetParam());
    std::atomic<int> calls{0};
    std::atomic<int> closes{0};
    std::atomic<bool> is_closed{false};
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      ++calls;
      EXPECT_FALSE(is_closed);
      return Send(cc, Value(cc));
    });
    graph.SetFunction("close", [&](CalculatorContext* cc) {
      is_closed = true;
      ++closes;
      EXPECT_EQ(calls, 20);
      cc->Outputs().Index(0).AddPacket(MakeCounted<int>(7).At(Timestamp(1000)));
      return absl::OkStatus();
    });
    FeedNumbers(&graph, 20);
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_EQ(closes, 1);
    EXPECT_EQ(graph.Count("a"), 21) << "what Close sends comes last";
    EXPECT_THAT(graph.Packets("a").back(), PacketIs<int>(1000, 7));
  }
}

TEST_P(ParallelNodesTest, AnErrorWaitsForOtherCallsAndNothingFollowsIt) {
  for (int failing = 0; failing < 6; ++failing) {
    GraphHarness graph(Text("LambdaCalculator", 4), GetParam());
    std::atomic<int> in_flight{0};
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      ++in_flight;
      absl::Status status = Value(cc) == failing ? absl::DataLossError("lost")
                                                 : Send(cc, Value(cc));
      --in_flight;
      return status;
    });
    graph.SetFunction("close", [&](CalculatorContext*) {
      EXPECT_EQ(in_flight, 0);
      return absl::OkStatus();
    });
    FeedNumbers(&graph, 12);
    for (int run = 0; run < 3; ++run) {
      const absl::Status status = graph.Run();
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss,
                                   HasSubstr("\"parallel\"")));
      // The beginning of what it would have been.
      EXPECT_LE(graph.Count("a"), failing);
      int next = 0;
      for (const Packet& packet : graph.Packets("a")) {
        EXPECT_THAT(packet, PacketIs<int>(next, next));
        ++next;
      }
    }
  }
}

TEST_P(ParallelNodesTest, CancelWaitsForAllCalls) {
  if (!HasSeveralThreads()) GTEST_SKIP() << "calls cannot overlap";
  for (const bool is_destroyed : {false, true}) {
    GraphHarness graph(Text("LambdaCalculator", 4), GetParam());
    Latch latch;
    std::atomic<int> in_flight{0};
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      ++in_flight;
      latch.Wait();
      --in_flight;
      return Send(cc, Value(cc));
    });
    graph.SetFunction("close", [&](CalculatorContext*) {
      EXPECT_EQ(in_flight, 0);
      return absl::OkStatus();
    });
    SYNCLINE_ASSERT_OK(graph.Start());
    FeedNumbers(&graph, 8);
    latch.WaitForArrivals(2);
    graph.graph().Cancel();
    latch.Open();
    if (is_destroyed) {
      graph.Destroy();
    } else {
      EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kCancelled));
    }
    EXPECT_EQ(in_flight, 0);
  }
}

TEST_P(ParallelNodesTest, AStopEndsTheSourcesOnly) {
  GraphHarness graph(
      R"pb(
        node {
          calculator: "NumberSourceCalculator"
          output_stream: "in"
          options {
            [syncline.TestCalculatorOptions.ext] { count: -1 }
          }
        }
        node {
          calculator: "FaultyCalculator"
          max_in_flight: 3
          input_stream: "in"
          output_stream: "out"
          options {
            [syncline.TestCalculatorOptions.ext] { fault: STOP fault_at: 10 }
          }
        })pb",
      GetParam());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_GE(graph.Count("out"), 9);
}

TEST_P(ParallelNodesTest, SpecialTimesGoThroughIt) {
  for (const Timestamp time : {Timestamp::PreStream(), Timestamp::Min(),
                               Timestamp::Max(), Timestamp::PostStream()}) {
    GraphHarness graph(Text("LambdaOffsetCalculator", 3), GetParam());
    graph.SetFunction("process",
                      [](CalculatorContext* cc) { return Send(cc, 1); });
    graph.SetFunction("close", Nothing);
    graph.Feed("in", {{time, 5}});
    for (int run = 0; run < 3; ++run) {
      SYNCLINE_ASSERT_OK(graph.Run());
      graph.Expect("out", {{time, 6}});
    }
  }
}

TEST_P(ParallelNodesTest, AFullQueueBehindItHoldsTheApplicationBack) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "it is the worker";
  GraphHarness graph("max_queue_size: 2 " + Text("LambdaCalculator", 4),
                     GetParam());
  graph.SetFunction("process",
                    [](CalculatorContext* cc) { return Send(cc, Value(cc)); });
  graph.SetFunction("close", Nothing);
  for (int run = 0; run < 5; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    FeedNumbers(&graph, 200);
    SYNCLINE_ASSERT_OK(graph.Finish());
    EXPECT_EQ(graph.Count("out"), 200);
  }
}

// --- All schedules

TEST(ParallelNodesExploredTest, OutputsAreTheSameInEverySchedule) {
  const auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    output_stream: "out"
    node {
      calculator: "FilterCalculator"
      max_in_flight: 3
      input_stream: "in"
      output_stream: "a"
      options {
        [syncline.TestCalculatorOptions.ext] {
          multiples_of: 2
          promise_offset: true
        }
      }
    }
    node {
      calculator: "SumCalculator"
      max_in_flight: 2
      input_stream: "in"
      output_stream: "b"
    }
    node {
      calculator: "SumCalculator"
      max_in_flight: 4
      input_stream: "a"
      input_stream: "b"
      output_stream: "out"
    })pb");
  ScheduleInputs inputs;
  for (int i = 0; i < 8; ++i) {
    inputs.streams["in"].push_back(MakePacket<int>(i).At(Timestamp(i)));
  }
  SYNCLINE_EXPECT_OK(ExploreSchedules(config, inputs, {.schedules = 300}));
}

}  // namespace
}  // namespace syncline
