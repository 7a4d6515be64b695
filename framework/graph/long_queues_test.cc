// Queues that become longer than they should are warned of: those without
// limit, and those whose limit had to be raised.

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_log_capture.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kWarning[] = "has no limit and holds";

class LongQueuesTest : public ::testing::TestWithParam<Workers> {
 protected:
  std::string Graph(const std::string& settings) {
    return settings + R"(
      input_stream: "a" input_stream: "b"
      node { calculator: "TestLambda" name: "join"
             input_side_packet: "PROCESS:sum"
             input_stream: "a" input_stream: "b" output_stream: "c" })";
  }

  LogCapture log_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(LongQueuesTest);

TEST_P(LongQueuesTest, WarnsOnceForEachTenfoldAndNamesTheJoin) {
  TestGraph graph(GetParam(),
                  Graph("max_queue_size: -1 queue_warning_size: 5"));
  graph.Give("sum", SendSum);
  for (int run = 0; run < 2; ++run) {
    LogCapture log;
    graph.Start();
    for (int i = 0; i < 4; ++i) graph.Add("a", i, 1);
    EXPECT_THAT(log.With(kWarning), IsEmpty());
    for (int i = 4; i < 60; ++i) graph.Add("a", i, 1);
    EXPECT_THAT(
        log.With(kWarning),
        ElementsAre(
            testing::AllOf(HasSubstr("stream \"a\""), HasSubstr("\"join\""),
                           HasSubstr("holds 5 packets"),
                           HasSubstr("waits for stream \"b\""),
                           HasSubstr("comes from the application"),
                           HasSubstr("max_queue_size")),
            HasSubstr("holds 50 packets")))
        << "run " << run;
    graph.Finish();
  }
}

TEST_P(LongQueuesTest, TheMarkIsTenThousandUnlessGiven) {
  TestGraph graph(GetParam(), Graph("max_queue_size: -1"));
  graph.Give("sum", SendSum);
  graph.Start();
  for (int i = 0; i < 9999; ++i) graph.Add("a", i, 1);
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
  graph.Add("a", 9999, 1);
  EXPECT_EQ(log_.With(kWarning).size(), 1u);
  graph.Finish();
}

TEST_P(LongQueuesTest, IsSilentWhereAskedToAndWhereThereIsALimit) {
  for (const char* const settings :
       {"max_queue_size: -1 queue_warning_size: -1",
        "max_queue_size: 1000 queue_warning_size: 5",
        "max_queue_size: -1 queue_warning_size: 5 max_queue_bytes: 100000"}) {
    TestGraph graph(GetParam(), Graph(settings));
    graph.Give("sum", SendSum);
    graph.Start();
    for (int i = 0; i < 100; ++i) graph.Add("a", i, 1);
    EXPECT_THAT(log_.With(kWarning), IsEmpty()) << settings;
    graph.Finish();
  }
}

TEST_P(LongQueuesTest, ResultsAreTheSame) {
  TestGraph graph(GetParam(),
                  Graph("max_queue_size: -1 queue_warning_size: 5"));
  graph.Give("sum", SendSum);
  graph.Observe("c");
  graph.Start();
  for (int i = 0; i < 60; ++i) graph.Add("a", i, 1);
  for (int i = 0; i < 60; ++i) graph.Add("b", i, 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("c"), 60);
}

TEST_P(LongQueuesTest, WarnsOfAPollerThatNobodyReads) {
  TestGraph graph(GetParam(), R"(
    queue_warning_size: 5
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "a" output_stream: "c" })");
  graph.Give("sum", SendSum);
  absl::StatusOr<OutputStreamPoller> poller =
      graph.graph().AddOutputStreamPoller("c");
  SYNCLINE_ASSERT_OK(poller.status());
  graph.Start();
  for (int i = 0; i < 60; ++i) {
    graph.Add("a", i, 1);
    graph.Idle();
  }
  EXPECT_THAT(log_.With(kWarning),
              ElementsAre(testing::AllOf(HasSubstr("stream \"c\""),
                                         HasSubstr("holds 5 packets"),
                                         HasSubstr("SetMaxQueueSize")),
                          HasSubstr("holds 50 packets")));
  graph.Finish();
}

// The first raise of a run is warned of; that there is one in each shows that
// limits are the graph's own again.
TEST_P(LongQueuesTest, LimitsThatGrewAreBackInTheNextRun) {
  TestGraph graph(GetParam(), Graph("max_queue_size: 2"));
  graph.Give("sum", SendSum);
  for (int run = 0; run < 3; ++run) {
    LogCapture log;
    graph.Start();
    for (int i = 0; i < 6; ++i) graph.Add("a", i, 1);
    graph.Finish();
    EXPECT_THAT(log.With("increasing max_queue_size"),
                ElementsAre(testing::AllOf(
                    HasSubstr("time 1 in this run"), HasSubstr("\"join\""),
                    HasSubstr("\"a\" (2 packets, full)"))))
        << "run " << run;
  }
}

TEST_P(LongQueuesTest, RaisedLimitsAreWarnedOfAtEachTenfold) {
  TestGraph graph(GetParam(), Graph("max_queue_size: 2"));
  graph.Give("sum", SendSum);
  LogCapture log;
  graph.Start();
  for (int i = 0; i < 150; ++i) graph.Add("a", i, 1);
  graph.Finish();
  EXPECT_THAT(log.With("increasing max_queue_size"),
              ElementsAre(HasSubstr("(time 1 "), HasSubstr("(time 10 "),
                          HasSubstr("(time 100 ")));
}

}  // namespace
}  // namespace syncline
