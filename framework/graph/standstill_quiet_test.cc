// A run that waits for its clock, for a device, or for nobody is no standstill,
// nor is one that works; and nobody is told who has not asked for it.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/standstill_watch_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/report/test_lambda.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_P(StandstillWatchTest, NothingIsToldWhileNobodyWaits) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  graph.Idle();
  absl::SleepFor(5 * kAfter);
  EXPECT_THAT(told_.Texts(), IsEmpty());
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, AProgramMayWaitWithoutACallOfTheGraph) {
  TestGraph graph(GetParam(), kJoin);
  told_.Watch(&graph.graph(), kAfter, /*program_waits=*/true);
  graph.Start();
  graph.Add("a", 7, 1);
  graph.Idle();
  EXPECT_THAT(told_.WaitFor(), StartsWith("\"join\" waits for stream \"b\""));
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, ShortWaitsThatFollowEachOtherAreNoStandstill) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_stream: "in" output_stream: "out" })");
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  told_.Watch(&graph.graph(), absl::Milliseconds(500));
  graph.Start();
  Packet packet;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(poller->NextWithin(absl::Milliseconds(10), &packet),
              OutputStreamPoller::Result::kTimeout);
  }
  EXPECT_THAT(told_.Texts(), IsEmpty());
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, ANodeThatWaitsForTheClockIsNoStandstill) {
  TestGraph graph(GetParam(), Source(Periodic("600ms") + Count(2)));
  graph.Give("source", SendTime);
  told_.Watch(&graph.graph());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

// A camera that has a frame now and then.
TestFunction Camera(int last, absl::Duration pause, int first_slow = 1) {
  auto next = std::make_shared<int>(0);
  return [next, last, pause, first_slow](CalculatorContext* cc) {
    if (*next > last) return tool::StatusStop();
    if (*next >= first_slow) absl::SleepFor(pause);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(*next).At(Timestamp(*next)));
    ++*next;
    return absl::OkStatus();
  };
}

TEST_P(StandstillWatchTest, ACallThatSleepsOnTheClockIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "pace" calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:sleep" })");
  graph.Give("sleep", [](CalculatorContext* cc) {
    cc->Clock()->Sleep(4 * kAfter);
    return absl::OkStatus();
  });
  Start(&graph);
  graph.Add("in", 1, 1);
  graph.Finish();
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, WhoAsksIsToldOfAWaitForADevice) {
  TestGraph graph(GetParam(), R"(
    node { name: "camera" calculator: "TestLambda" output_stream: "frames"
           input_side_packet: "PROCESS:camera" })");
  graph.Give("camera", Camera(2, 4 * kAfter));
  told_.Watch(&graph.graph());
  {
    const Waiting running([&] { SYNCLINE_EXPECT_OK(graph.Run()); });
    std::string text;
    const absl::Time deadline = absl::Now() + absl::Seconds(60);
    while (text.empty() && absl::Now() < deadline) {
      text = graph.graph().ExplainIfStill(kAfter / 10);
    }
    EXPECT_THAT(text, StartsWith("\"camera\" has been in Process"));
  }
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, ACameraThatHasAFrameNowAndThenIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    node { name: "camera" calculator: "TestLambda" output_stream: "frames"
           input_side_packet: "PROCESS:camera" }
    node { name: "show" calculator: "TestLambda" input_stream: "frames" })");
  graph.Give("camera", Camera(2, 4 * kAfter));
  told_.Watch(&graph.graph());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, ACameraWhoseFirstFrameTakesLongIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    node { name: "camera" calculator: "TestLambda" output_stream: "frames"
           input_side_packet: "PROCESS:camera" })");
  graph.Give("camera", Camera(1, 4 * kAfter, /*first_slow=*/0));
  told_.Watch(&graph.graph());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, ARunThatWorksIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:count" }
    node { calculator: "TestLambda" input_stream: "a"
           input_side_packet: "PROCESS:slow" })");
  graph.Give("count", CountTo(150));
  graph.Give("slow", [](CalculatorContext*) {
    absl::SleepFor(absl::Milliseconds(2));
    return absl::OkStatus();
  });
  told_.Watch(&graph.graph(), absl::Milliseconds(200));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, TheWatchIsOffByDefaultAndWithZero) {
  TestGraph graph(GetParam(), kJoin);
  told_.Watch(&graph.graph(), absl::ZeroDuration());
  graph.Start();
  graph.Add("a", 7, 1);
  {
    const Waiting waiting(&graph.graph());
    absl::SleepFor(5 * kAfter);
    graph.graph().Cancel();
  }
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

}  // namespace
}  // namespace syncline
