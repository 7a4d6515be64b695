// Cancel while other threads wait in a function of the graph or while a call
// does not return: every caller that waits comes back, and the end waits for
// the call.
#include <atomic>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/cancel_graph.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// Calls block until the test has acted, so there are no seeds.
class CancelWhileOthersWaitTest : public WorkersTest {};
SYNCLINE_TEST_WITH_THREADS(CancelWhileOthersWaitTest);

TEST_P(CancelWhileOthersWaitTest, InWaitUntilIdleAndWaitUntilDone) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "it is the worker";
  for (const bool is_done : {false, true}) {
    CancelGraph graph(GetParam());
    Latch latch;
    graph.SetProcessWaitsFor(&latch);
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
  graph.SetProcessWaitsFor(&latch);
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
  graph.ExpectCancelledAndRunsAgain();
}

TEST_P(CancelWhileOthersWaitTest, ACalculatorThatDoesNotReturnYetIsWaitedFor) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "it is the worker";
  CancelGraph graph(GetParam());
  Latch latch;
  std::atomic<bool> has_returned{false};
  graph.SetFunction("process", [&](CalculatorContext* cc) {
    latch.Wait();
    has_returned = true;
    return CancelGraph::Pass(cc);
  });
  graph.StartWithPacket();
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
  graph.SetProcessWaitsFor(&latch);
  graph.StartWithPacket();
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
