// Each executor has a queue of its own: what is urgent in one keeps nobody
// waiting in another, each has its own order, and its threads are as nice as it
// says.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "framework/calculator_framework.h"
#include "framework/graph_text/proto_text.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/explore_schedules.h"
#include "testing/graph_harness.h"
#include "testing/scenarios/call_order.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

std::string Pool(const std::string& name, const std::string& options) {
  return absl::Substitute(
      "executor { name: '$0' type: 'ThreadPoolExecutor' options {"
      "  [syncline.ThreadPoolExecutorOptions.ext] { $1 } } }",
      name, options);
}

// Calls of one executor wait for calls of another, so there are no seeds.
class ExecutorQueuesTest : public WorkersTest {};
SYNCLINE_TEST_WITH_THREADS(ExecutorQueuesTest);

TEST_P(ExecutorQueuesTest, AQueueThatIsStuckHoldsNoOtherBack) {
  // The stuck node is the last, so it would go first in one queue.
  for (const bool default_is_stuck : {false, true}) {
    const std::string other = "executor: 'other' ";
    GraphHarness graph(Pool("other", "num_threads: 1") +
                           "input_stream: 'a' input_stream: 'b' " +
                           LambdaNode("free", (default_is_stuck ? other : "") +
                                                  "input_stream: 'a'") +
                           LambdaNode("stuck", (default_is_stuck ? "" : other) +
                                                   "input_stream: 'b'"),
                       GetParam());
    Latch latch;
    std::atomic<int> handled{0};
    graph.SetFunction("free", [&](auto*) {
      if (++handled == 20) latch.Open();
      return absl::OkStatus();
    });
    graph.SetFunction("stuck", [&](auto*) {
      latch.Wait();
      EXPECT_EQ(handled, 20);
      return absl::OkStatus();
    });
    graph.Feed("b", {{0, 1}});
    for (int i = 0; i < 20; ++i) graph.Feed("a", {{i, 1}});
    SYNCLINE_EXPECT_OK(graph.Run());
  }
}

TEST_P(ExecutorQueuesTest, EachQueueHasTheOrderOfItsNodes) {
  // "x" and "y" take turns with the others in the config, but not in the queue.
  std::string text = Pool("one", "num_threads: 1") +
                     Pool("two", "num_threads: 1") + "input_stream: 'in' ";
  const std::string names[] = {"a", "x", "b", "y", "c"};
  for (const std::string& name : names) {
    text +=
        LambdaNode(name, absl::Substitute("input_stream: 'in' executor: '$0'",
                                          name < "d" ? "one" : "two"));
  }
  GraphHarness graph(text, GetParam());
  CallOrder one;
  CallOrder two;
  for (const std::string& name : names) {
    graph.SetFunction(name, name < "d" ? one.Of(name) : two.Of(name));
  }
  for (int run = 0; run < 3; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Idle();
    graph.graph().Pause();
    graph.Feed("in", {{0, 1}});
    graph.graph().Resume();
    SYNCLINE_EXPECT_OK(graph.Finish());
    EXPECT_EQ(one.Take(), "c b a");
    EXPECT_EQ(two.Take(), "y x");
  }
}

int OwnNiceness() {
  return getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
}

TEST_P(ExecutorQueuesTest, CallsAreAsNiceAsTheirExecutor) {
  // The test may run with a niceness of its own, which cannot be lowered.
  const int own = OwnNiceness();
  const int nicer = std::min(19, own + 4);
  GraphHarness graph(
      Pool("background",
           absl::StrCat("num_threads: 2 nice_priority_level: ", nicer)) +
          "input_stream: 'in' " +
          LambdaNode("before", "input_stream: 'in' output_stream: 'a'") +
          LambdaNode("nice",
                     "input_stream: 'a' output_stream: 'b'"
                     " executor: 'background'") +
          LambdaNode("after", "input_stream: 'b' output_stream: 'c'"),
      GetParam());
  CallOrder order;
  const auto expect_niceness = [&](int expected) {
    return [&order, expected](CalculatorContext* cc) {
      EXPECT_EQ(OwnNiceness(), expected) << cc->NodeName();
      return order.Of(cc->NodeName())(cc);
    };
  };
  graph.SetFunction("before", expect_niceness(own));
  graph.SetFunction("nice", expect_niceness(nicer));
  graph.SetFunction("after", expect_niceness(own));
  for (int i = 0; i < 100; ++i) graph.Feed("in", {{i, 1}});
  for (int run = 0; run < 3; ++run) {
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_EQ(graph.Count("c"), 100);
  }
}

// --- What comes out is the same

constexpr char kMixed[] = R"pb(
  output_stream: "sum"
  node {
    calculator: "NumberSourceCalculator"
    output_stream: "low"
    options {
      [syncline.TestCalculatorOptions.ext] { count: 12 }
    }
  }
  node {
    calculator: "NumberSourceCalculator"
    source_layer: 1
    executor: "one"
    output_stream: "high"
    options {
      [syncline.TestCalculatorOptions.ext] { count: 12 }
    }
  }
  node {
    calculator: "SumCalculator"
    executor: "one"
    input_stream: "low"
    output_stream: "a"
  }
  node {
    calculator: "SumCalculator"
    executor: "two"
    max_in_flight: 3
    input_stream: "high"
    output_stream: "b"
  }
  node {
    calculator: "SumCalculator"
    input_stream: "a"
    input_stream: "b"
    input_stream: "low"
    output_stream: "sum"
  })pb";

class MixedExecutorsTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(MixedExecutorsTest);

TEST_P(MixedExecutorsTest, SendWhatOneThreadSends) {
  GraphHarness graph(Pool("one", "num_threads: 1") +
                         Pool("two", "num_threads: 2 nice_priority_level: 19") +
                         kMixed,
                     GetParam());
  LiteralStream<int> sums;
  for (int i = 0; i < 12; ++i) sums.push_back({i, 3 * i});
  for (int run = 0; run < 10; ++run) {
    SYNCLINE_ASSERT_OK(graph.Run());
    graph.Expect("sum", sums);
  }
}

TEST(MixedExecutorsExploredTest, OutputsAreTheSameInEverySchedule) {
  CalculatorGraphConfig config;
  SYNCLINE_ASSERT_OK(ParseProtoText(
      Pool("one", "num_threads: 1") + Pool("two", "num_threads: 2") + kMixed,
      "", &config));
  SYNCLINE_EXPECT_OK(ExploreSchedules(config, {}, {.schedules = 300}));
}

}  // namespace
}  // namespace syncline
