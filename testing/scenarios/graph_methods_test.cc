// The functions of CalculatorGraph that other scenarios do not need: what may
// be asked before, during and after a run, and what comes too early or too
// late.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using AddMode = CalculatorGraph::GraphInputStreamAddMode;
using Code = absl::StatusCode;

constexpr char kPass[] = R"pb(
  input_stream: "in"
  node { calculator: "SumCalculator" input_stream: "in" output_stream: "out" }
)pb";

class GraphMethodsTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphMethodsTest);

TEST_P(GraphMethodsTest, WhatAGraphKnowsOfItself) {
  GraphHarness graph(kPass, GetParam());
  CalculatorGraph& inner = graph.graph();
  EXPECT_TRUE(inner.HasInputStream("in"));
  EXPECT_FALSE(inner.HasInputStream("out"));
  EXPECT_EQ(inner.GetMaxInputStreamQueueSize(), 100);
  EXPECT_EQ(inner.Config().node(0).calculator(), "SumCalculator");
  EXPECT_NE(inner.profiler(), nullptr);
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_EXPECT_OK(inner.GetCalculatorProfiles(&profiles));
  EXPECT_TRUE(profiles.empty()) << "nothing is measured";
  EXPECT_TRUE(inner.GraphInputStreamsClosed()) << "there is no run";
  SYNCLINE_ASSERT_OK(graph.Start());
  EXPECT_FALSE(inner.GraphInputStreamsClosed());
  SYNCLINE_ASSERT_OK(inner.CloseInputStream("in"));
  EXPECT_TRUE(inner.GraphInputStreamsClosed());
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(GraphMethodsTest, BeforeInitializeThereIsNothingToAskAbout) {
  CalculatorGraph graph;
  EXPECT_FALSE(graph.HasInputStream("in"));
  EXPECT_FALSE(graph.HasError());
  const auto ignore = [](const Packet&) { return absl::OkStatus(); };
  for (const absl::Status& status :
       {graph.ObserveOutputStream("out", ignore),
        graph.AddOutputStreamPoller("out").status(), graph.Run(),
        graph.CloseInputStream("in"), graph.GetOutputSidePacket("x").status(),
        graph.SetInputStreamMaxQueueSize("in", 1),
        graph.SetInputStreamTimestampBound("in", Timestamp(1))}) {
    EXPECT_THAT(status, StatusIs(Code::kFailedPrecondition,
                                 HasSubstr("call Initialize() first")));
  }
}

TEST_P(GraphMethodsTest, ObserversAndPollersComeBeforeTheRun) {
  GraphHarness graph(kPass, GetParam());
  CalculatorGraph& inner = graph.graph();
  const auto ignore = [](const Packet&) { return absl::OkStatus(); };
  EXPECT_THAT(inner.ObserveOutputStream("no", ignore),
              StatusIs(Code::kNotFound, HasSubstr("\"no\"")));
  EXPECT_THAT(inner.AddOutputStreamPoller("no").status(),
              StatusIs(Code::kNotFound, HasSubstr("\"no\"")));
  SYNCLINE_ASSERT_OK(graph.Start());
  EXPECT_THAT(inner.ObserveOutputStream("out", ignore),
              StatusIs(Code::kFailedPrecondition, HasSubstr("\"out\"")));
  EXPECT_THAT(inner.AddOutputStreamPoller("out").status(),
              StatusIs(Code::kFailedPrecondition, HasSubstr("\"out\"")));
  SYNCLINE_EXPECT_OK(graph.Finish());
  SYNCLINE_EXPECT_OK(inner.ObserveOutputStream("out", ignore));
}

TEST_P(GraphMethodsTest, SomeThingsComeBeforeInitialize) {
  GraphHarness graph(kPass, GetParam());
  EXPECT_THAT(graph.graph().SetErrorCallback([](const absl::Status&) {}),
              StatusIs(Code::kFailedPrecondition, HasSubstr("Initialize()")));
  EXPECT_THAT(graph.graph().SetExecutor("x", nullptr),
              StatusIs(Code::kFailedPrecondition, HasSubstr("Initialize()")));
}

TEST_P(GraphMethodsTest, TheAddModeOutlivesInitialize) {
  CalculatorGraph graph;
  EXPECT_EQ(graph.GetGraphInputStreamAddMode(), AddMode::WAIT_TILL_NOT_FULL);
  graph.SetGraphInputStreamAddMode(AddMode::ADD_IF_NOT_FULL);
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kPass)));
  EXPECT_EQ(graph.GetGraphInputStreamAddMode(), AddMode::ADD_IF_NOT_FULL);
}

TEST_P(GraphMethodsTest, WaitForObservedOutputSeesEachAndThenTheEnd) {
  GraphHarness graph(kPass, GetParam());
  EXPECT_THAT(graph.graph().WaitForObservedOutput(),
              StatusIs(Code::kFailedPrecondition));
  for (int run = 0; run < 2; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    for (int i = 0; i < 3; ++i) {
      graph.Feed("in", {{i, i}});
      // The first may be the input, which is observed too.
      while (graph.Count("out") <= i) {
        SYNCLINE_ASSERT_OK(graph.graph().WaitForObservedOutput());
      }
    }
    SYNCLINE_ASSERT_OK(graph.graph().CloseAllInputStreams());
    absl::Status status;
    int more = 0;
    while ((status = graph.graph().WaitForObservedOutput()).ok()) ++more;
    EXPECT_LE(more, 1);
    EXPECT_THAT(status, StatusIs(Code::kOutOfRange));
    SYNCLINE_EXPECT_OK(graph.Finish());
  }
}

TEST_P(GraphMethodsTest, WhoWaitsForTheEndIsNotWokenByWhatIsObserved) {
  if (GetParam().is_application_thread()) {
    GTEST_SKIP() << "the thread that waits runs the calls";
  }
  constexpr int kPackets = 90;
  GraphHarness graph(kPass, GetParam());
  // Long enough for a thread to fall asleep again.
  SYNCLINE_ASSERT_OK(
      graph.graph().ObserveOutputStream("out", [](const Packet&) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(graph.Start());
  for (int i = 0; i < kPackets; ++i) graph.Feed("in", {{i, i}});
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllInputStreams());
  const auto sleeps = [] {
    rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  };
  const std::int64_t before = sleeps();
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  EXPECT_LT(sleeps() - before, kPackets / 3);
}

TEST_P(GraphMethodsTest, ErrorsOfTheApplicationAreTheRunsErrors) {
  GraphHarness graph(kPass, GetParam());
  CalculatorGraph& inner = graph.graph();
  absl::Status combined = absl::UnknownError("from before");
  EXPECT_FALSE(inner.GetCombinedErrors(&combined));
  SYNCLINE_EXPECT_OK(combined);
  SYNCLINE_ASSERT_OK(graph.Start());
  inner.RecordError(absl::OkStatus());
  EXPECT_FALSE(inner.HasError());
  inner.RecordError(absl::DataLossError("the first"));
  EXPECT_TRUE(inner.HasError());
  inner.RecordError(absl::DataLossError("the second"));
  EXPECT_TRUE(inner.GetCombinedErrors("so far: ", &combined));
  EXPECT_THAT(combined, StatusIs(Code::kDataLoss, AllOf(HasSubstr("so far: "),
                                                        HasSubstr("the first"),
                                                        HasSubstr("second"))));
  EXPECT_THAT(inner.WaitUntilIdle(), StatusIs(Code::kDataLoss));
  EXPECT_THAT(graph.Finish(), StatusIs(Code::kDataLoss));
  EXPECT_FALSE(inner.HasError()) << "the run is over";
}

TEST_P(GraphMethodsTest, WaitUntilIdleGivesTheErrorsOfARunThatGoesOnToItsEnd) {
  GraphHarness graph(
      R"pb(
        input_stream: "in"
        node {
          calculator: "FaultyCalculator"
          input_stream: "in"
          output_stream: "out"
          options {
            [syncline.TestCalculatorOptions.ext] { fault: STATUS }
          }
        })pb",
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  SYNCLINE_ASSERT_OK(graph.Add("in", 0, 1));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(graph.graph().WaitUntilIdle(),
                StatusIs(Code::kUnavailable, HasSubstr("as ordered")));
    EXPECT_TRUE(graph.graph().HasError());
  }
  EXPECT_THAT(graph.Finish(), StatusIs(Code::kUnavailable));
}

TEST_P(GraphMethodsTest, ABackwardPacketIsRejectedAndTheRunGoesOn) {
  GraphHarness graph(
      absl::StrCat(
          kPass, "graph_input_info { stream: \"in\" bad_timestamps: REJECT }"),
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{5, 1}});
  EXPECT_THAT(graph.Add("in", 4, 2),
              StatusIs(Code::kInvalidArgument,
                       HasSubstr("Current minimum expected timestamp is 6 but "
                                 "received 4")));
  EXPECT_THAT(graph.graph().SetInputStreamTimestampBound("in", Timestamp(3)),
              StatusIs(Code::kInvalidArgument, HasSubstr("\"in\" is 6")));
  EXPECT_THAT(graph.graph().AddPacketToInputStream(
                  "in", MakePacket<std::string>("x").At(Timestamp(7))),
              StatusIs(Code::kInvalidArgument, HasSubstr("type mismatch")));
  graph.Feed("in", {{8, 3}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  graph.Expect("out", {{5, 1}, {8, 3}});
}

// Its input is an int, which it does not look at.
class IgnoresIntCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(IgnoresIntCalculator);

// Sends what it gets, of the same type.
class SendsOnCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SendsOnCalculator);

// What a LambdaCalculator sends may have any type.
TEST_P(GraphMethodsTest, AWrongTypeForATypedInputEndsTheRunThoughNobodyReads) {
  for (const bool goes_through_another : {false, true}) {
    GraphHarness graph(
        absl::StrCat(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "LambdaCalculator"
                         input_stream: "in"
                         output_stream: "any"
                         input_side_packet: "PROCESS:process"
                       }
                     )pb",
                     goes_through_another ? R"pb(
                           node {
                             calculator: "SendsOnCalculator"
                             input_stream: "any"
                             output_stream: "typed"
                           }
                           node {
                             calculator: "IgnoresIntCalculator"
                             input_stream: "typed"
                           }
                         )pb"
                                          : R"pb(
          node { calculator: "IgnoresIntCalculator" input_stream: "any" }
        )pb"),
        GetParam());
    graph.SetFunction("process", [](CalculatorContext* cc) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<std::string>("no int").At(cc->InputTimestamp()));
      return absl::OkStatus();
    });
    graph.Feed("in", {{0, 1}});
    EXPECT_THAT(graph.Run(),
                StatusIs(Code::kInvalidArgument,
                         AllOf(HasSubstr("Packet type mismatch on calculator "
                                         "outputting to stream \"any\""),
                               HasSubstr("string"), HasSubstr("int"))));
  }
}

TEST_P(GraphMethodsTest, PauseHoldsCallsBackUntilResume) {
  GraphHarness graph(kPass, GetParam());
  graph.graph().Pause();  // there is nothing to hold back
  graph.graph().Resume();
  for (int run = 0; run < 2; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Idle();
    graph.graph().Pause();
    graph.Feed("in", {{0, 1}, {1, 2}});
    graph.Expect("out", {});
    graph.graph().Resume();
    graph.Idle();
    graph.Expect("out", {{0, 1}, {1, 2}});
    SYNCLINE_EXPECT_OK(graph.Finish());
  }
}

TEST_P(GraphMethodsTest, AFullPollerThrottlesItsSourceAndNothingRaisesIt) {
  GraphHarness graph(R"pb(
                       node {
                         calculator: "NumberSourceCalculator"
                         output_stream: "out"
                         options {
                           [syncline.TestCalculatorOptions.ext] { count: 50 }
                         }
                       })pb",
                     GetParam());
  CalculatorGraph& inner = graph.graph();
  absl::StatusOr<OutputStreamPoller> poller =
      inner.AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(3);
  EXPECT_FALSE(inner.IsNodeThrottled(0));
  EXPECT_FALSE(inner.UnthrottleSources()) << "there is no run";
  SYNCLINE_ASSERT_OK(graph.Start());
  for (const int size : {3, 5}) {
    poller->SetMaxQueueSize(size);
    graph.Idle();
    EXPECT_TRUE(inner.IsNodeThrottled(0));
    EXPECT_FALSE(inner.IsNodeThrottled(1)) << "there is no such node";
    EXPECT_FALSE(inner.IsNodeThrottled(-1));
    EXPECT_FALSE(inner.UnthrottleSources());
    EXPECT_GE(poller->QueueSize(), size);
    EXPECT_LE(poller->QueueSize(), size + 1) << "one may be on its way";
  }
  poller->SetMaxQueueSize(-1);
  SYNCLINE_EXPECT_OK(inner.WaitUntilDone());
  EXPECT_EQ(poller->QueueSize(), 50);
}

TEST_P(GraphMethodsTest, ABoundNeedsNoRoom) {
  GraphHarness graph(R"pb(
                       max_queue_size: 2
                       input_stream: "a"
                       input_stream: "b"
                       node {
                         calculator: "SumCalculator"
                         input_stream: "a"
                         input_stream: "b"
                         output_stream: "out"
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.graph().Pause();  // so that nobody makes room
  graph.Feed("a", {{0, 1}, {1, 1}});
  for (const int bound : {5, 10, 10}) graph.SetBound("a", bound);
  graph.graph().Resume();
  graph.Feed("b", {{3, 1}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  graph.Expect("out", {{0, 1}, {1, 1}, {3, 1}});
}

TEST(GraphMethodsDeathTest, TheShortConstructorEndsTheProcessWithTheError) {
  CalculatorGraph graph(ParseTextProtoOrDie<CalculatorGraphConfig>(
      "node { calculator: 'NumberSourceCalculator' output_stream: 'a' }"));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_DEATH(
      CalculatorGraph(ParseTextProtoOrDie<CalculatorGraphConfig>(
          "node { calculator: 'NoSuchCalculator' output_stream: 'a' }")),
      "NoSuchCalculator");
}

}  // namespace
}  // namespace syncline
