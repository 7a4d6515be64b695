// Cancel in every state of a run, and from inside of it. Every run ends with
// CANCELLED, and the graph can run again. Of those who wait meanwhile:
// cancel_while_others_wait_test.
#include <atomic>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/scenarios/cancel_graph.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

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
  graph.ExpectCancelledAndRunsAgain();
}

TEST_P(CancelEverywhereTest, WhileIdle) {
  CancelGraph graph(GetParam());
  graph.StartWithPacket();
  graph.Idle();
  graph.Cancel();
  EXPECT_THAT(graph.graph().WaitUntilIdle(), IsCancelled());
  EXPECT_THAT(graph.Finish(), IsCancelled());
  graph.Expect("end", {{0, 1}});
  graph.ExpectRunsWell();
}

TEST_P(CancelEverywhereTest, Twice) {
  CancelGraph graph(GetParam());
  graph.StartWithPacket();
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
  graph.SetProcessFails();
  graph.StartWithPacket();
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
    return CancelGraph::Pass(cc);
  });
  graph.StartWithPacket();
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllInputStreams());
  graph.Cancel();
  latch.Open();
  graph.ExpectCancelledAndRunsAgain();
}

// --- From inside

TEST_P(CancelEverywhereTest, FromOpenProcessAndClose) {
  for (const char* const where : {"open", "process", "close"}) {
    CancelGraph graph(GetParam());
    graph.SetFunction(where, [&](CalculatorContext* cc) {
      graph.Cancel();
      return CancelGraph::Pass(cc);
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
  graph.StartWithPacket();
  EXPECT_THAT(graph.Finish(), IsCancelled());
  EXPECT_EQ(seen, 1);
}

TEST_P(CancelEverywhereTest, FromTheErrorCallback) {
  CancelGraph graph(GetParam());
  std::atomic<int> errors{0};
  graph.SetErrorCallback([&](const absl::Status&) {
    // Whoever hears of an error ends the run: the usual reaction.
    if (++errors < 100) graph.Cancel();
  });
  graph.SetProcessFails();
  graph.StartWithPacket();
  EXPECT_THAT(graph.Finish().message(), HasSubstr("the first error"));
  EXPECT_LE(errors, 2) << "a run is cancelled once";
}

TEST_P(CancelEverywhereTest, RecordErrorFromInsideIsTheRunsError) {
  CancelGraph graph(GetParam());
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    graph.graph().RecordError(absl::OkStatus());
    graph.graph().RecordError(absl::DataLossError("from inside"));
    return CancelGraph::Pass(cc);
  });
  graph.StartWithPacket();
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
  graph.StartWithPacket();
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

}  // namespace
}  // namespace syncline
