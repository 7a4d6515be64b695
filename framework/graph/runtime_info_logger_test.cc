#include "framework/graph/runtime_info_logger.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_log_capture.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;

TEST(RuntimeInfoLoggerTest, LogsAgainAndAgain) {
  LogCapture log;
  auto logger = RuntimeInfoLogger::Start(absl::Milliseconds(1), [] {
    GraphRuntimeInfo info;
    info.add_calculator_infos();
    return info;
  });
  SYNCLINE_ASSERT_OK(logger.status());
  EXPECT_TRUE(log.WaitFor(3, "1 node, 0 packets wait."));
}

TEST(RuntimeInfoLoggerTest, EndsAtOnceHoweverLongItWouldSleep) {
  LogCapture log;
  SYNCLINE_ASSERT_OK(RuntimeInfoLogger::Start(absl::Hours(1000), [] {
                       return GraphRuntimeInfo();
                     }).status());
  EXPECT_THAT(log.With("Graph at"), IsEmpty());
}

TEST(RuntimeInfoLoggerTest, EndsWhenThereIsNothingToSay) {
  std::atomic<int> asked{0};
  Mutex mutex;
  CondVar was_asked;
  LogCapture log;
  {
    auto logger = RuntimeInfoLogger::Start(
        absl::Milliseconds(1), [&]() -> absl::optional<GraphRuntimeInfo> {
          MutexLock lock(&mutex);
          ++asked;
          was_asked.Signal();
          return absl::nullopt;
        });
    SYNCLINE_ASSERT_OK(logger.status());
    MutexLock lock(&mutex);
    while (asked == 0) was_asked.Wait(&mutex);
  }
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(log.With("Graph at"), IsEmpty());
}

constexpr char kGraph[] = R"(
    runtime_info { enable_graph_runtime_info: true capture_period_msec: 1 }
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "c" })";

class LoggedGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(LoggedGraphTest);

TEST_P(LoggedGraphTest, SaysInTheLogWhatItWaitsFor) {
  LogCapture log;
  TestGraph graph(GetParam(), kGraph);
  graph.Give("sum", SendSum);
  graph.Start();
  graph.Add("a", 10, 1);
  EXPECT_TRUE(log.WaitFor(2,
                          "\"join\" holds 1 packet of \":0:a\" (1, from "
                          "10), and waits for \":1:b\""));
  graph.Finish();
  graph.Start();  // and each run has its log
  graph.Add("a", 10, 1);
  graph.Finish();
}

TEST_P(LoggedGraphTest, NothingIsLoggedUnasked) {
  LogCapture log;
  TestGraph graph(GetParam(), R"(
    runtime_info { capture_period_msec: 1 }
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "c" })");
  graph.Give("sum", SendSum);
  graph.Start();
  graph.Add("a", 10, 1);
  graph.Idle();
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph.graph().GetGraphRuntimeInfo();
  SYNCLINE_ASSERT_OK(info.status());
  EXPECT_EQ(info->calculator_infos(0).last_process_start_unix_us(), 0);
  graph.Finish();
  EXPECT_THAT(log.With("Graph at"), IsEmpty());
}

TEST_P(LoggedGraphTest, EveryCallIsTimed) {
  TestGraph graph(GetParam(), kGraph);
  graph.Give("sum", SendSum);
  graph.Start();
  const std::int64_t begin = absl::ToUnixMicros(absl::Now());
  std::int64_t last = begin;
  for (int i = 0; i < 20; ++i) {
    graph.Add("a", i, 1);
    graph.Add("b", i, 1);
    graph.Idle();
    const absl::StatusOr<GraphRuntimeInfo> info =
        graph.graph().GetGraphRuntimeInfo();
    SYNCLINE_ASSERT_OK(info.status());
    const CalculatorRuntimeInfo& join = info->calculator_infos(0);
    EXPECT_GE(join.last_process_start_unix_us(), last);
    EXPECT_GE(join.last_process_finish_unix_us(),
              join.last_process_start_unix_us());
    EXPECT_LE(join.last_process_finish_unix_us(), info->capture_time_unix_us());
    last = join.last_process_finish_unix_us();
  }
  graph.Finish();
}

// The call blocks until the test has looked at it: that takes a thread.
TEST(RunningCallTest, ACallThatGoesOnIsShown) {
  for (const char* const in_flight : {"1", "3"}) {
    TestGraph graph({.threads = 2}, std::string(R"(
      runtime_info { enable_graph_runtime_info: true }
      input_stream: "a"
      node { calculator: "TestLambda" name: "slow"
             input_side_packet: "PROCESS:wait" input_stream: "a"
             max_in_flight: )") + in_flight +
                                        "}");
    Mutex mutex;
    CondVar changed;
    bool is_in_call = false;
    bool may_go_on = false;
    graph.Give("wait", [&](CalculatorContext*) {
      MutexLock lock(&mutex);
      is_in_call = true;
      changed.SignalAll();
      while (!may_go_on) changed.Wait(&mutex);
      return absl::OkStatus();
    });
    graph.Start();
    graph.Add("a", 10, 1);
    {
      MutexLock lock(&mutex);
      while (!is_in_call) changed.Wait(&mutex);
    }
    const absl::StatusOr<GraphRuntimeInfo> info =
        graph.graph().GetGraphRuntimeInfo();
    {
      MutexLock lock(&mutex);
      may_go_on = true;
      changed.SignalAll();
    }
    SYNCLINE_ASSERT_OK(info.status());
    const CalculatorRuntimeInfo& slow = info->calculator_infos(0);
    EXPECT_GT(slow.last_process_start_unix_us(),
              slow.last_process_finish_unix_us())
        << in_flight;
    graph.Finish();
  }
}

}  // namespace
}  // namespace syncline
