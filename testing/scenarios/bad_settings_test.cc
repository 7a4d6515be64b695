// Settings of a graph that make no sense: each is an error of Initialize that
// names it, or works. Nothing crashes, hangs, or takes all threads there are.
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/graph_text/proto_text.h"
#include "framework/port/status_matchers.h"
#include "framework/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kNodes[] = R"pb(
  node {
    calculator: "NumberSourceCalculator"
    output_stream: "a"
    options {
      [syncline.TestCalculatorOptions.ext] { count: 300 }
    }
  }
  node { calculator: "SumCalculator" input_stream: "a" output_stream: "b" }
)pb";

// As the text has it: no harness changes its executors.
absl::Status RunText(const std::string& text) {
  CalculatorGraphConfig config;
  absl::Status parsed = ParseProtoText(text, "", &config);
  if (!parsed.ok()) return parsed;
  CalculatorGraph graph;
  const absl::Status status = graph.Initialize(config);
  return status.ok() ? graph.Run() : status;
}

void ExpectRefused(const std::string& text, const std::string& message) {
  const absl::Status status = RunText(text);
  EXPECT_FALSE(status.ok()) << text;
  EXPECT_THAT(status.message(), HasSubstr(message)) << text;
}

std::string Pool(const std::string& options) {
  return absl::StrCat(
      "executor { type: 'ThreadPoolExecutor' options { "
      "[syncline.ThreadPoolExecutorOptions.ext] { ",
      options, " } } }", kNodes);
}

TEST(BadSettingsTest, ThreadCounts) {
  for (const char* const number :
       {"-2", "-2147483648", "1000000", "2147483647"}) {
    ExpectRefused(absl::StrCat("num_threads: ", number, kNodes), number);
    ExpectRefused(Pool(absl::StrCat("num_threads: ", number)), number);
  }
  // 0 and -1 leave it to the machine.
  for (const char* const number : {"0", "-1", "1", "7"}) {
    SYNCLINE_EXPECT_OK(RunText(absl::StrCat("num_threads: ", number, kNodes)));
  }
}

TEST(BadSettingsTest, StackSizesAndPriorities) {
  for (const char* const option :
       {"num_threads: 1 stack_size: -1",
        "num_threads: 1 nice_priority_level: 1000",
        "num_threads: 1 nice_priority_level: -1000"}) {
    const absl::Status status = RunText(Pool(option));
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument)) << option;
  }
}

TEST(BadSettingsTest, Executors) {
  ExpectRefused(absl::StrCat("executor { type: 'NoSuchExecutor' }", kNodes),
                "NoSuchExecutor");
  ExpectRefused(absl::StrCat("executor { name: 'x' type: 'ThreadPoolExecutor' "
                             "options { [syncline.ThreadPoolExecutorOptions"
                             ".ext] { num_threads: 1 } } } "
                             "executor { name: 'x' }",
                             kNodes),
                "x");
  ExpectRefused(absl::StrCat("executor { name: 'x' }", kNodes), "x");
  ExpectRefused(absl::StrCat("executor { name: 'gpu' }", kNodes), "gpu");
  ExpectRefused(absl::StrCat("executor { name: '__mine' }", kNodes), "__mine");
  ExpectRefused(
      "node { calculator: 'NumberSourceCalculator' executor: 'nobody' "
      "output_stream: 'a' }",
      "nobody");
}

TEST(BadSettingsTest, ExecutorsInCode) {
  CalculatorGraph graph;
  const auto pool = std::make_shared<ThreadPoolExecutor>(1);
  EXPECT_THAT(graph.SetExecutor("x", nullptr),
              StatusIs(absl::StatusCode::kInvalidArgument));
  for (const char* const reserved : {"default", "gpu", "__x", "__"}) {
    EXPECT_THAT(graph.SetExecutor(reserved, pool),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  SYNCLINE_EXPECT_OK(graph.SetExecutor("", pool));
  SYNCLINE_EXPECT_OK(graph.SetExecutor("", pool));
  EXPECT_THAT(graph.SetExecutor("", std::make_shared<ThreadPoolExecutor>(1)),
              StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST(BadSettingsTest, OptionsOfTheWrongType) {
  // A pool's options say nothing to a calculator or handler, and the reverse.
  ExpectRefused(
      absl::StrCat("executor { type: 'ThreadPoolExecutor' options { "
                   "[syncline.TestCalculatorOptions.ext] { count: 1 } } }",
                   kNodes),
      "TestCalculatorOptions");
  ExpectRefused(
      "node { calculator: 'NumberSourceCalculator' output_stream: 'a' "
      "options { [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 } "
      "} }",
      "ThreadPoolExecutorOptions");
}

TEST(BadSettingsTest, UnknownHandlers) {
  ExpectRefused(
      "node { calculator: 'NumberSourceCalculator' output_stream: 'a' } "
      "node { calculator: 'SumCalculator' input_stream: 'a' "
      "input_stream_handler { input_stream_handler: 'NoSuchHandler' } }",
      "NoSuchHandler");
}

// --- Settings that the run has to live with

class BadSettingsRunTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(BadSettingsRunTest);

TEST_P(BadSettingsRunTest, QueueSizes) {
  for (const int size : {-2, -100, -2147483647}) {
    GraphHarness graph(absl::StrCat("max_queue_size: ", size, kNodes),
                       GetParam());
    EXPECT_THAT(graph.Initialize(), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("max_queue_size")));
  }
  for (const int size : {-1, 0, 1, 2, 2147483647}) {
    GraphHarness graph(absl::StrCat("max_queue_size: ", size, kNodes),
                       GetParam());
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_EQ(graph.Count("b"), 300);
  }
}

TEST_P(BadSettingsRunTest, CallsInFlight) {
  for (const int number : {-1, -2147483647, 0, 1, 2, 1000000, 2147483647}) {
    GraphHarness graph(
        absl::StrCat("input_stream: 'in' node { calculator: 'SumCalculator' "
                     "input_stream: 'in' output_stream: 'out' max_in_flight: ",
                     number, " }"),
        GetParam());
    graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
    const absl::Status status = graph.Run();
    if (number < 0) {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                   HasSubstr("max_in_flight")));
    } else if (status.ok()) {
      graph.Expect("out", {{0, 1}, {1, 2}, {2, 3}});
    } else {
      // More than can be had is an error that says so, too.
      EXPECT_GT(number, 1000);
      EXPECT_THAT(status.message(), HasSubstr("max_in_flight"));
    }
  }
}

TEST_P(BadSettingsRunTest, HandlersWithSizesThatMakeNoSense) {
  const std::pair<const char*, const char*> cases[] = {
      {"DefaultInputStreamHandler",
       "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 0 }"},
      {"DefaultInputStreamHandler",
       "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: -7 }"},
      {"FixedSizeInputStreamHandler",
       "[syncline.FixedSizeInputStreamHandlerOptions.ext] { "
       "trigger_queue_size: 0 }"},
      {"FixedSizeInputStreamHandler",
       "[syncline.FixedSizeInputStreamHandlerOptions.ext] { "
       "target_queue_size: -1 }"},
      {"SyncSetInputStreamHandler",
       "[syncline.SyncSetInputStreamHandlerOptions.ext] { sync_set { "
       "tag_index: 'NO' } }"},
      {"TimestampAlignInputStreamHandler",
       "[syncline.TimestampAlignInputStreamHandlerOptions.ext] { "
       "timestamp_base_tag_index: 'NO' }"},
  };
  for (const auto& [handler, options] : cases) {
    GraphHarness graph(
        absl::StrCat("input_stream: 'in' node { calculator: 'SumCalculator' "
                     "input_stream: 'in' input_stream_handler { "
                     "input_stream_handler: '",
                     handler, "' options { ", options, " } } }"),
        GetParam());
    EXPECT_THAT(graph.Initialize(),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << handler << " " << options;
  }
}

}  // namespace
}  // namespace syncline
