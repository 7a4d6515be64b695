// Cancel in every state of a run, from every place that can call it. Every run
// ends with CANCELLED, every caller that waits comes back, and the graph can
// run again.
#include <atomic>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator_framework.h"
#include "framework/graph/output_stream_poller.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kGraph[] = R"pb(
  max_queue_size: 2
  input_stream: "in"
  node {
    calculator: "LambdaCalculator"
    name: "first"
    input_side_packet: "OPEN:open"
    input_side_packet: "PROCESS:process"
    input_side_packet: "CLOSE:close"
    input_stream: "in"
    output_stream: "out"
  }
  node { calculator: "SumCalculator" input_stream: "out" output_stream: "end" }
)pb";

absl::Status Pass(CalculatorContext* cc) {
  if (cc->Outputs().NumEntries() == 0 || cc->Inputs().Index(0).IsEmpty()) {
    return absl::OkStatus();
  }
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}
absl::Status Nothing(CalculatorContext*) { return absl::OkStatus(); }

class CancelGraph : public GraphHarness {
 public:
  explicit CancelGraph(const Workers& workers) : GraphHarness(kGraph, workers) {
    SetFunction("open", Nothing);
    SetFunction("process", Pass);
    SetFunction("close", Nothing);
  }
  void Cancel() { graph().Cancel(); }
  // A run in which nobody cancels.
  void ExpectRunsWell() {
    SetFunction("open", Nothing);
    SetFunction("process", Pass);
    SetFunction("close", Nothing);
    SYNCLINE_ASSERT_OK(Start());
    Feed("in", {{0, 5}, {1, 6}});
    SYNCLINE_EXPECT_OK(Finish());
    Expect("end", {{0, 5}, {1, 6}});
  }
};

MATCHER(IsCancelled, "") { return arg.code() == absl::StatusCode::kCancelled; }

class CancelEverywhereTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(CancelEverywhereTest);

// --- Before, after, and in between

TEST_P(CancelEverywhereTest, BeforeInitialize) {
  CalculatorGraph graph;
  graph.Cancel();
  EXPECT_FALSE(graph.HasError());
}

TEST_P(CancelEverywhereTest, BeforeStartRunDoesNothing) {
  CancelGraph graph(GetParam());
  graph.Cancel();
  graph.Cancel();
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, RightAfterStartRun) {
  CancelGraph graph(GetParam());
  for (int run = 0; run < 3; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Cancel();
    EXPECT_TRUE(graph.graph().HasError());
    EXPECT_THAT(graph.Add("in", 0, 1), IsCancelled());
    EXPECT_THAT(graph.graph().SetInputStreamTimestampBound("in", Timestamp(7)),
                IsCancelled());
    EXPECT_THAT(graph.Finish(), IsCancelled());
  }
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, WhilePaused) {
  CancelGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.graph().Pause();
  graph.Feed("in", {{0, 1}});
  graph.Cancel();
  EXPECT_THAT(graph.Finish(), IsCancelled());
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, WhileIdle) {
  CancelGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  graph.Idle();
  graph.Cancel();
  EXPECT_THAT(graph.graph().WaitUntilIdle(), IsCancelled());
  EXPECT_THAT(graph.Finish(), IsCancelled());
  graph.Expect("end", {{0, 1}});
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, Twice) {
  CancelGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  graph.Cancel();
  graph.Cancel();
  EXPECT_THAT(graph.Finish(), IsCancelled());
  graph.Cancel();
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, AfterTheEndDoesNothing) {
  CancelGraph graph(GetParam());
  graph.ExpectRunsWell();
  graph.Cancel();
  EXPECT_FALSE(graph.graph().HasError());
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, AfterAnErrorTheErrorIsReportedToo) {
  CancelGraph graph(GetParam());
  graph.SetFunction("process", [](CalculatorContext*) {
    return absl::DataLossError("the first error");
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  EXPECT_FALSE(graph.graph().WaitUntilIdle().ok());
  graph.Cancel();
  EXPECT_THAT(graph.Finish().message(), HasSubstr("the first error"));
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, AfterAllInputsAreClosed) {
  CancelGraph graph(GetParam());
  Latch latch;
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    if (!GetParam().is_application_thread()) latch.Wait();
    return Pass(cc);
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllInputStreams());
  graph.Cancel();
  latch.Open();
  EXPECT_THAT(graph.Finish(), IsCancelled());
  graph.ExpectRunsWell();
}

// --- From inside

TEST_P(CancelEverywhereTest, FromOpenProcessAndClose) {
  for (const char* const where : {"open", "process", "close"}) {
    CancelGraph graph(GetParam());
    graph.SetFunction(where, [&](CalculatorContext* cc) {
      graph.Cancel();
      return Pass(cc);
    });
    SYNCLINE_ASSERT_OK(graph.Start());
    // Refused if the graph is cancelled by now.
    graph.Add("in", 0, 1).IgnoreError();
    EXPECT_THAT(graph.Finish(), IsCancelled()) << where;
    graph.ExpectRunsWell();
  }
}

TEST_P(CancelEverywhereTest, FromASource) {
  GraphHarness graph(R"pb(
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:process"
                         output_stream: "out"
                       })pb",
                     GetParam());
  int calls = 0;
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    if (calls == 20) graph.graph().Cancel();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(calls).At(Timestamp(calls)));
    ++calls;
    return absl::OkStatus();
  });
  EXPECT_THAT(graph.Run(), IsCancelled());
  EXPECT_EQ(calls, 21) << "nothing new starts";
}

TEST_P(CancelEverywhereTest, FromAnObserver) {
  CancelGraph graph(GetParam());
  int seen = 0;
  SYNCLINE_ASSERT_OK(
      graph.graph().ObserveOutputStream("out", [&](const Packet&) {
        if (++seen == 1) graph.Cancel();
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  EXPECT_THAT(graph.Finish(), IsCancelled());
  EXPECT_EQ(seen, 1);
}

TEST_P(CancelEverywhereTest, RecordErrorFromInsideIsTheRunsError) {
  CancelGraph graph(GetParam());
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    graph.graph().RecordError(absl::OkStatus());
    graph.graph().RecordError(absl::DataLossError("from inside"));
    return Pass(cc);
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  EXPECT_THAT(graph.Finish(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("from inside")));
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, CloseIsCalledWithTheStatusAndItsOutputIsDropped) {
  CancelGraph graph(GetParam());
  std::atomic<int> closed{0};
  graph.SetFunction("close", [&](CalculatorContext* cc) {
    EXPECT_THAT(cc->GraphStatus(), IsCancelled());
    ++closed;
    cc->Outputs().Index(0).AddPacket(MakeCounted<int>(9).At(Timestamp(100)));
    return absl::UnknownError("nobody hears this");
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  graph.Idle();
  graph.Cancel();
  EXPECT_THAT(graph.Finish(), IsCancelled());
  EXPECT_EQ(closed, 1);
  graph.Expect("end", {{0, 1}});
}

TEST_P(CancelEverywhereTest, WhatWasQueuedIsLetGo) {
  // Not by a harness, which keeps what it sees.
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        num_threads: 2
        input_stream: "in"
        node { calculator: "SumCalculator" input_stream: "in" })pb")));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  graph.Pause();
  for (int i = 0; i < 10; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakeCounted<int>(i).At(Timestamp(i))));
  }
  EXPECT_EQ(Lifetimes::live_packets, 10);
  graph.Cancel();
  EXPECT_THAT(graph.WaitUntilDone(), IsCancelled());
  EXPECT_EQ(Lifetimes::live_packets, 0);
  EXPECT_EQ(Lifetimes::live_calculators, 0);
}

// --- While others wait

class CancelWhileOthersWaitTest : public WorkersTest {};
SYNCLINE_TEST_WITH_THREADS(CancelWhileOthersWaitTest);

TEST_P(CancelWhileOthersWaitTest, InWaitUntilIdleAndWaitUntilDone) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "it is the worker";
  for (const bool is_done : {false, true}) {
    CancelGraph graph(GetParam());
    Latch latch;
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      latch.Wait();
      return Pass(cc);
    });
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{0, 1}, {1, 2}});
    std::thread waiter([&] {
      EXPECT_THAT(is_done ? graph.graph().WaitUntilDone()
                          : graph.graph().WaitUntilIdle(),
                  IsCancelled());
    });
    latch.WaitForArrivals(1);
    graph.Cancel();
    latch.Open();
    waiter.join();
    if (!is_done) {
      EXPECT_THAT(graph.Finish(), IsCancelled());
    }
    graph.ExpectRunsWell();
  }
}

TEST_P(CancelWhileOthersWaitTest, InAnIdleGraphsWaitUntilDone) {
  CancelGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  std::thread waiter(
      [&] { EXPECT_THAT(graph.graph().WaitUntilDone(), IsCancelled()); });
  graph.Cancel();
  waiter.join();
}

TEST_P(CancelWhileOthersWaitTest, InWaitForObservedOutput) {
  CancelGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  std::thread waiter([&] {
    absl::Status status;
    while (status.ok()) status = graph.graph().WaitForObservedOutput();
    EXPECT_THAT(status,
                ::testing::AnyOf(IsCancelled(),
                                 StatusIs(absl::StatusCode::kOutOfRange)));
  });
  graph.Cancel();
  waiter.join();
  EXPECT_THAT(graph.Finish(), IsCancelled());
}

TEST_P(CancelWhileOthersWaitTest, InAPollersNext) {
  CancelGraph graph(GetParam());
  absl::StatusOr<OutputStreamPoller> poller =
      graph.graph().AddOutputStreamPoller("end");
  SYNCLINE_ASSERT_OK(poller.status());
  for (int run = 0; run < 5; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    std::thread waiter([&] {
      Packet packet;
      EXPECT_FALSE(poller->Next(&packet));
      EXPECT_FALSE(poller->Next(&packet)) << "again at once";
    });
    graph.Cancel();
    waiter.join();
    EXPECT_THAT(graph.Finish(), IsCancelled());
  }
}

TEST_P(CancelWhileOthersWaitTest, InAPollersNextWhenTheGraphIsDestroyed) {
  CancelGraph graph(GetParam());
  absl::StatusOr<OutputStreamPoller> poller =
      graph.graph().AddOutputStreamPoller("end");
  SYNCLINE_ASSERT_OK(poller.status());
  SYNCLINE_ASSERT_OK(graph.Start());
  std::thread waiter([&] {
    Packet packet;
    EXPECT_FALSE(poller->Next(&packet));
  });
  graph.Destroy();
  waiter.join();
}

TEST_P(CancelWhileOthersWaitTest, SeveralInAddPacketUnderBackPressure) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "they are workers";
  CancelGraph graph(GetParam());
  Latch latch;
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    latch.Wait();
    return Pass(cc);
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  std::atomic<int> next{0};
  std::vector<std::thread> adders;
  for (int i = 0; i < 3; ++i) {
    adders.emplace_back([&] {
      absl::Status status;
      // Times may cross; such packets are refused and another is tried.
      do {
        status = graph.Add("in", next.fetch_add(1), 1);
      } while (status.ok() ||
               status.code() == absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(status, IsCancelled());
      EXPECT_THAT(status.message(), HasSubstr("Graph has errors: "));
    });
  }
  latch.WaitForArrivals(1);
  graph.Cancel();
  // The call is still going on.
  for (std::thread& adder : adders) adder.join();
  latch.Open();
  EXPECT_THAT(graph.Finish(), IsCancelled());
  graph.ExpectRunsWell();
}

TEST_P(CancelWhileOthersWaitTest, ACalculatorThatDoesNotReturnYetIsWaitedFor) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "it is the worker";
  CancelGraph graph(GetParam());
  Latch latch;
  std::atomic<bool> has_returned{false};
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    latch.Wait();
    has_returned = true;
    return Pass(cc);
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  latch.WaitForArrivals(1);
  graph.Cancel();
  // All but the end can be had while it goes on.
  EXPECT_TRUE(graph.graph().HasError());
  EXPECT_THAT(graph.Add("in", 1, 1), IsCancelled());
  EXPECT_THAT(graph.graph().Explain(), ::testing::Not(::testing::IsEmpty()));
  SYNCLINE_EXPECT_OK(graph.graph().GetGraphRuntimeInfo().status());
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllPacketSources());
  std::thread opener([&] {
    EXPECT_FALSE(has_returned);
    latch.Open();
  });
  EXPECT_THAT(graph.Finish(), IsCancelled());
  EXPECT_TRUE(has_returned);
  opener.join();
  EXPECT_TRUE(graph.Packets("end").empty()) << "nothing new starts";
}

TEST_P(CancelWhileOthersWaitTest, DestroyedWhileACalculatorDoesNotReturnYet) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "it is the worker";
  CancelGraph graph(GetParam());
  Latch latch;
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    latch.Wait();
    return Pass(cc);
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  latch.WaitForArrivals(1);
  std::thread opener([&] { latch.Open(); });
  graph.Destroy();
  opener.join();
}

TEST_P(CancelWhileOthersWaitTest, ManyThreadsCancelAtOnce) {
  CancelGraph graph(GetParam());
  for (int run = 0; run < 20; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        graph.Add("in", i, i).IgnoreError();
        graph.Cancel();
        graph.graph().CloseInputStream("in").IgnoreError();
      });
    }
    EXPECT_THAT(graph.graph().WaitUntilDone(), IsCancelled());
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_P(CancelEverywhereTest, FromTheErrorCallback) {
  CancelGraph graph(GetParam());
  std::atomic<int> errors{0};
  graph.SetErrorCallback([&](const absl::Status&) {
    // Whoever hears of an error ends the run: the usual reaction.
    if (++errors < 100) graph.Cancel();
  });
  graph.SetFunction("process", [](CalculatorContext*) {
    return absl::DataLossError("the first error");
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  EXPECT_THAT(graph.Finish().message(), HasSubstr("the first error"));
  EXPECT_LE(errors, 2) << "a run is cancelled once";
}

// A watchdog does not know which run it is in.
TEST_P(CancelWhileOthersWaitTest, AThreadMayCancelFromRunToRun) {
  CancelGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize());
  std::atomic<bool> is_over{false};
  std::thread watchdog([&] {
    while (!is_over) {
      graph.Cancel();
      (void)graph.graph().HasError();
      std::this_thread::yield();
    }
  });
  for (int run = 0; run < 50; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    EXPECT_THAT(
        graph.Finish(),
        ::testing::AnyOf(IsCancelled(), StatusIs(absl::StatusCode::kOk)));
  }
  is_over = true;
  watchdog.join();
}

}  // namespace
}  // namespace syncline
