// What applications read from a stream with a poller, and what they wait for.

#include "framework/run/output_stream_poller.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr char kPass[] = R"(
  input_stream: "a"
  node { calculator: "TestLambdaOffset" input_side_packet: "PROCESS:sum"
         input_stream: "a" output_stream: "b" })";

using Result = OutputStreamPoller::Result;

class OutputStreamPollerTest : public ::testing::TestWithParam<Workers> {
 protected:
  OutputStreamPollerTest() { graph_.Give("sum", SendSum); }

  OutputStreamPoller Poller(bool with_bounds = false) {
    auto poller = graph_.graph().AddOutputStreamPoller("b", with_bounds);
    SYNCLINE_EXPECT_OK(poller.status());
    return *std::move(poller);
  }

  TestGraph graph_{GetParam(), kPass};
  Packet packet_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(OutputStreamPollerTest);

TEST_P(OutputStreamPollerTest, GivesWhatCameAndThenTheEnd) {
  OutputStreamPoller poller = Poller();
  graph_.Start();
  graph_.Add("a", 1, 10);
  graph_.Add("a", 2, 20);
  graph_.Idle();
  EXPECT_EQ(poller.QueueSize(), 2);
  graph_.Finish();
  ASSERT_TRUE(poller.Next(&packet_));
  EXPECT_EQ(packet_.Get<int>(), 10);
  ASSERT_TRUE(poller.Next(&packet_));
  EXPECT_EQ(packet_.Timestamp(), Timestamp(2));
  EXPECT_FALSE(poller.Next(&packet_));
}

TEST_P(OutputStreamPollerTest, WaitsForATimeAtMost) {
  OutputStreamPoller poller = Poller();
  graph_.Start();
  EXPECT_EQ(poller.NextWithin(absl::Milliseconds(5), &packet_),
            Result::kTimeout);
  graph_.Add("a", 1, 10);
  EXPECT_EQ(poller.NextWithin(absl::Seconds(60), &packet_), Result::kPacket);
  graph_.Finish();
  EXPECT_EQ(poller.NextWithin(absl::Seconds(60), &packet_), Result::kEnd);
}

TEST_P(OutputStreamPollerTest, SeesBoundsIfItAskedForThem) {
  OutputStreamPoller poller = Poller(/*with_bounds=*/true);
  graph_.Start();
  graph_.SetBound("a", 10);
  ASSERT_TRUE(poller.Next(&packet_));
  EXPECT_TRUE(packet_.IsEmpty());
  EXPECT_EQ(packet_.Timestamp(), Timestamp(9));
  graph_.Finish();
  EXPECT_FALSE(poller.Next(&packet_));
}

TEST_P(OutputStreamPollerTest, EndsWhenTheRunFails) {
  OutputStreamPoller poller = Poller();
  graph_.Start();
  std::thread canceller([&] {
    absl::SleepFor(absl::Milliseconds(5));
    graph_.graph().Cancel();
  });
  EXPECT_FALSE(poller.Next(&packet_));
  canceller.join();
  EXPECT_FALSE(graph_.graph().WaitUntilDone().ok());
}

TEST_P(OutputStreamPollerTest, OutlivesTheGraph) {
  OutputStreamPoller poller = Poller();
  graph_.Destroy();
  EXPECT_FALSE(poller.Next(&packet_));
}

TEST_P(OutputStreamPollerTest, ResetDropsWhatWaits) {
  OutputStreamPoller poller = Poller();
  graph_.Start();
  graph_.Add("a", 1, 10);
  graph_.Idle();
  poller.Reset();
  EXPECT_EQ(poller.QueueSize(), 0);
  graph_.Add("a", 2, 20);
  ASSERT_TRUE(poller.Next(&packet_));
  EXPECT_EQ(packet_.Get<int>(), 20);
  graph_.Finish();
}

TEST_P(OutputStreamPollerTest, StartsAgainWithEachRun) {
  OutputStreamPoller poller = Poller();
  for (int run = 0; run < 3; ++run) {
    graph_.Start();
    graph_.Add("a", 1, run);
    ASSERT_TRUE(poller.Next(&packet_));
    EXPECT_EQ(packet_.Get<int>(), run);
    graph_.Finish();
    EXPECT_FALSE(poller.Next(&packet_));
  }
}

}  // namespace
}  // namespace syncline
