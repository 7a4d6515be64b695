// What is legal, but does not do what one may think, is warned of in the log:
// once, with the name of the node and what to do instead.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_log_capture.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GraphWarningsTest : public ::testing::TestWithParam<Workers> {
 protected:
  LogCapture log_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphWarningsTest);

TEST_P(GraphWarningsTest, WaitUntilIdleSaysLittleOfAGraphWithSources) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "camera"
           input_side_packet: "PROCESS:count" output_stream: "a" })");
  graph.Give("count", CountTo(3));
  for (int run = 0; run < 2; ++run) {
    graph.Start();
    graph.Idle();
    graph.Idle();
    graph.Finish();
  }
  EXPECT_THAT(log_.With("WaitUntilIdle"),
              ElementsAre(AllOf(HasSubstr("\"camera\" (TestLambda)"),
                                HasSubstr("Use WaitUntilDone()"))));
}

TEST_P(GraphWarningsTest, WaitUntilIdleIsAsItShouldBeWithoutSources) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_stream: "in" output_stream: "a" })");
  graph.Start();
  graph.Idle();
  graph.Finish();
  EXPECT_THAT(log_.With("WaitUntilIdle"), IsEmpty());
}

// A graph with this node is initialized and has two runs.
void InitializeAndRunTwice(const Workers& workers, const std::string& node) {
  TestGraph graph(workers, absl::StrCat("input_stream: 'a' input_stream: 'b' ",
                                        "node { name: 'it' output_stream: 'c' ",
                                        node, "}"));
  for (int run = 0; run < 2; ++run) {
    graph.Start();
    graph.Finish();
  }
}

constexpr char kTwoSets[] = R"(
    input_stream: "A:a" input_stream: "B:b"
    input_stream_handler { input_stream_handler: "SyncSetInputStreamHandler"
      options { [syncline.SyncSetInputStreamHandlerOptions.ext] {
        sync_set { tag_index: "A" } sync_set { tag_index: "B" } } } })";
constexpr char kImmediate[] = R"(
    input_stream_handler { input_stream_handler: "ImmediateInputStreamHandler"})";

TEST_P(GraphWarningsTest, AnOffsetDoesNotGoWithSeveralSyncSets) {
  InitializeAndRunTwice(
      GetParam(), absl::StrCat("calculator: 'TestLambdaOffset' ", kTwoSets));
  InitializeAndRunTwice(
      GetParam(),
      absl::StrCat("calculator: 'TestLambdaOffset' ",
                   "input_stream: 'a' input_stream: 'b' ", kImmediate));
  EXPECT_THAT(log_.With("sync sets"),
              ElementsAre(AllOf(HasSubstr("\"it\" (TestLambdaOffset)"),
                                HasSubstr("SyncSetInputStreamHandler"),
                                HasSubstr("SetProcessTimestampBounds")),
                          HasSubstr("ImmediateInputStreamHandler")));
}

TEST_P(GraphWarningsTest, NorDoesAnOffsetThatOpenSets) {
  TestGraph graph(GetParam(), absl::StrCat(R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" name: "it" input_side_packet: "OPEN:open"
           output_stream: "c" )",
                                           kTwoSets, "}"));
  graph.Give("open", [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(0));
    return absl::OkStatus();
  });
  for (int run = 0; run < 2; ++run) {
    graph.Start();
    graph.Finish();
  }
  EXPECT_THAT(log_.With("sync sets"),
              ElementsAre(AllOf(HasSubstr("\"it\" (TestLambda)"),
                                HasSubstr("SetOffset() in Open"))));
}

TEST_P(GraphWarningsTest, AnOffsetGoesWithOneSyncSet) {
  // The same without an offset, and with one set or one stream.
  InitializeAndRunTwice(GetParam(),
                        absl::StrCat("calculator: 'TestLambda' ", kTwoSets));
  InitializeAndRunTwice(GetParam(),
                        "calculator: 'TestLambdaOffset' input_stream: 'a' "
                        "input_stream: 'b' input_stream_handler { "
                        "input_stream_handler: 'SyncSetInputStreamHandler' }");
  InitializeAndRunTwice(GetParam(),
                        absl::StrCat("calculator: 'TestLambdaOffset' ",
                                     "input_stream: 'a' ", kImmediate));
  EXPECT_THAT(log_.With("sync sets"), IsEmpty());
}

}  // namespace
}  // namespace syncline
