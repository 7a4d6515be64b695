// Observers of streams: one call at a time and in order, whichever threads send
// packets and move bounds; of any stream, also inside of subgraphs.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

class ObserversTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(ObserversTest);

// Fails the test if it is called twice at once, or if time goes back.
class StrictObserver {
 public:
  absl::Status operator()(const Packet& packet) {
    EXPECT_EQ(inside_.fetch_add(1), 0) << "two calls at once";
    EXPECT_GT(packet.Timestamp(), last_);
    last_ = packet.Timestamp();
    if (!packet.IsEmpty()) ++packets_;
    std::this_thread::yield();
    inside_.fetch_sub(1);
    return absl::OkStatus();
  }
  int packets() const { return packets_; }
  Timestamp last() const { return last_; }

 private:
  std::atomic<int> inside_{0};
  // Not atomic: tsan would see two calls at once.
  Timestamp last_ = Timestamp::Unstarted();
  int packets_ = 0;
};

TEST_P(ObserversTest, OneCallAtATimeAndInOrderWhoeverSends) {
  // Every other input gives a packet, the rest only bounds, and several calls
  // overlap.
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "LambdaOffsetCalculator"
                         input_side_packet: "PROCESS:half"
                         max_in_flight: 4
                         input_stream: "in"
                         output_stream: "half"
                       }
                       node {
                         calculator: "LambdaOffsetCalculator"
                         input_side_packet: "PROCESS:none"
                         input_stream: "half"
                         output_stream: "none"
                       })pb",
                     GetParam());
  graph.SetFunction("half", [](CalculatorContext* cc) {
    if (cc->InputTimestamp().Value() % 2 == 0) {
      cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    }
    return absl::OkStatus();
  });
  graph.SetFunction("none",
                    [](CalculatorContext*) { return absl::OkStatus(); });
  StrictObserver half;
  StrictObserver none;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
      "half", [&](const Packet& packet) { return half(packet); },
      /*observe_timestamp_bounds=*/true));
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
      "none", [&](const Packet& packet) { return none(packet); },
      /*observe_timestamp_bounds=*/true));
  SYNCLINE_ASSERT_OK(graph.Start());
  constexpr int kPackets = 400;
  for (int i = 0; i < kPackets; ++i) graph.Feed("in", {{i, i}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  EXPECT_EQ(half.packets(), kPackets / 2);
  EXPECT_GE(half.last(), Timestamp(kPackets - 2));
  EXPECT_EQ(none.packets(), 0);
  // The last bound may come together with the end, which says more.
  EXPECT_GE(none.last(), Timestamp(kPackets - 2));
}

// A limiter whose loop ends with the stream that the application sees.
constexpr char kLimited[] = R"pb(
  input_stream: "in"
  output_stream: "out"
  node {
    calculator: "FlowLimiterCalculator"
    input_stream: "in"
    input_stream: "FINISHED:out"
    input_stream_info { tag_index: "FINISHED" back_edge: true }
    output_stream: "some"
  }
  node {
    calculator: "SumCalculator"
    input_stream: "some"
    output_stream: "middle"
  }
  node {
    calculator: "SumCalculator"
    input_stream: "middle"
    output_stream: "out"
  })pb";

// The application adds the next frame as soon as it has seen the last one. By
// then the limiter has heard that this one is out of its loop.
TEST_P(ObserversTest, NoFrameIsLostThatFollowsTheResultOfTheLastOne) {
  constexpr int kFrames = 200;
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kLimited)));
  auto poller = graph.AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  std::atomic<int> num_seen{0};
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out", [&](const Packet&) {
    ++num_seen;
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < kFrames; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
    Packet packet;
    ASSERT_EQ(poller->NextWithin(absl::Seconds(20), &packet),
              OutputStreamPoller::Result::kPacket)
        << "frame " << i << " is lost";
    EXPECT_EQ(packet.Timestamp(), Timestamp(i));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_EQ(num_seen, kFrames);
}

TEST(ObserverTest, NoFrameIsLostThatAnObserverAddsForTheOneBefore) {
  constexpr int kFrames = 200;
  for (const bool sees_bounds : {false, true}) {
    for (const int threads : {1, 2, 4}) {
      auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(kLimited);
      config.set_num_threads(threads);
      CalculatorGraph graph;
      SYNCLINE_ASSERT_OK(graph.Initialize(config));
      const auto add = [&graph](int frame) {
        return graph.AddPacketToInputStream(
            "in", MakePacket<int>(0).At(Timestamp(frame)));
      };
      int num_seen = 0;
      // Within the callback the limiter cannot have caught up by chance.
      SYNCLINE_ASSERT_OK(graph.ObserveOutputStream(
          "out",
          [&](const Packet& packet) {
            if (packet.IsEmpty()) return absl::OkStatus();
            return ++num_seen < kFrames ? add(num_seen) : absl::OkStatus();
          },
          sees_bounds));
      SYNCLINE_ASSERT_OK(graph.StartRun({}));
      SYNCLINE_ASSERT_OK(add(0));
      SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
      EXPECT_EQ(num_seen, kFrames) << "a frame is lost";
      SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
      SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
    }
  }
}

// Adds frame after frame to "in", each for the one before, `frames` in all.
// "tail" reads them, too, and its thread may be late.
absl::Status PlayWithItself(int threads, int frames) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    max_queue_size: 5
    node { calculator: "SumCalculator" input_stream: "in" output_stream: "out" }
    node {
      calculator: "SumCalculator"
      input_stream: "out"
      output_stream: "tail"
    })pb");
  config.set_num_threads(threads);
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
  const auto add = [&graph](int frame) {
    return graph.AddPacketToInputStream(
        "in", MakePacket<int>(0).At(Timestamp(frame)));
  };
  int num_seen = 0;
  SYNCLINE_RETURN_IF_ERROR(graph.ObserveOutputStream("out", [&](const Packet&) {
    return ++num_seen < frames ? add(num_seen) : absl::OkStatus();
  }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  SYNCLINE_RETURN_IF_ERROR(add(0));
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilIdle());
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  EXPECT_EQ(num_seen, frames);
  return absl::OkStatus();
}

TEST(ObserverTest, MayFeedItsGraphWhileAnotherReaderOfItsStreamIsLate) {
  for (const int threads : {1, 2, 3, 8}) {
    for (int run = 0; run < 10; ++run) {
      SYNCLINE_EXPECT_OK(PlayWithItself(threads, 2000)) << threads;
    }
  }
}

// Each has to take the ball before the other one has room for it.
TEST_P(ObserversTest, TwoThatFeedEachOtherDoNotWaitForEachOther) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "left"
        input_stream: "right"
        max_queue_size: 1
        node {
          calculator: "SumCalculator"
          input_stream: "left"
          output_stream: "to_right"
        }
        node {
          calculator: "SumCalculator"
          input_stream: "right"
          output_stream: "to_left"
        })pb")));
  constexpr int kPackets = 300;
  std::atomic<int> num_left{0};
  std::atomic<int> num_right{0};
  const auto add = [&graph](const char* side, int packet) {
    return graph.AddPacketToInputStream(
        side, MakePacket<int>(0).At(Timestamp(packet)));
  };
  // Two for each, so that both queues are full again and again.
  const auto play = [&add](const char* side,
                           std::atomic<int>* added) -> absl::Status {
    for (int i = 0; i < 2 && *added < kPackets; ++i) {
      SYNCLINE_RETURN_IF_ERROR(add(side, (*added)++));
    }
    return absl::OkStatus();
  };
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream(
      "to_right", [&](const Packet&) { return play("right", &num_right); }));
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream(
      "to_left", [&](const Packet&) { return play("left", &num_left); }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(add("left", num_left++));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_EQ(num_left, kPackets);
  EXPECT_EQ(num_right, kPackets);
}

TEST_P(ObserversTest, StreamsInsideOfASubgraphHaveNamesToo) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize({ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
                          type: "Outer"
                          input_stream: "in"
                          output_stream: "out"
                          node {
                            calculator: "Inner"
                            name: "box"
                            input_stream: "in"
                            output_stream: "out"
                          })pb"),
                        ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
                          type: "Inner"
                          input_stream: "inside_in"
                          output_stream: "inside_out"
                          node {
                            calculator: "SumCalculator"
                            input_stream: "inside_in"
                            output_stream: "between"
                          }
                          node {
                            calculator: "SumCalculator"
                            input_stream: "between"
                            output_stream: "inside_out"
                          })pb")},
                       {}, {}, "Outer"));
  std::vector<int> seen;
  SYNCLINE_ASSERT_OK(
      graph.ObserveOutputStream("box__between", [&](const Packet& packet) {
        seen.push_back(packet.Get<int>());
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_THAT(seen, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace syncline
