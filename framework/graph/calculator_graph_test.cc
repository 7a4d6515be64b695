// Whole graphs on every kind of executor: runs, inputs, pollers, errors.

#include "framework/graph/calculator_graph.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/graph/test_workers.h"
#include "framework/graph_text/proto_text.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Sends 0 .. N-1, N from the side packet.
class GraphTestCounter : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (next_ == cc->InputSidePackets().Index(0).Get<int>()) {
      return tool::StatusStop();
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(next_).At(Timestamp(next_)));
    ++next_;
    return absl::OkStatus();
  }

 private:
  int next_ = 0;
};
REGISTER_CALCULATOR(GraphTestCounter);

// Adds its inputs up.
class GraphTestSum : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    int sum = 0;
    for (const InputStream& input : cc->Inputs()) {
      if (!input.IsEmpty()) sum += input.Get<int>();
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(sum).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(GraphTestSum);

// Fails at the packet 3.
class GraphTestFailsAt3 : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).Get<int>() == 3) {
      return absl::DataLossError("three is too much");
    }
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(GraphTestFailsAt3);

CalculatorGraphConfig Parse(const std::string& text) {
  CalculatorGraphConfig config;
  SYNCLINE_EXPECT_OK(ParseProtoText(text, "", &config));
  return config;
}

// Collects "timestamp:value".
std::function<absl::Status(const Packet&)> Into(
    std::vector<std::string>* seen) {
  return [seen](const Packet& packet) {
    seen->push_back(
        absl::StrCat(packet.Timestamp().Value(), ":", packet.Get<int>()));
    return absl::OkStatus();
  };
}

constexpr char kDiamond[] = R"(
  node { calculator: "GraphTestCounter" input_side_packet: "n"
         output_stream: "a" }
  node { calculator: "GraphTestSum" input_stream: "a" output_stream: "b" }
  node { calculator: "GraphTestSum" input_stream: "a" output_stream: "c" }
  node { calculator: "GraphTestSum" input_stream: "b" input_stream: "c"
         output_stream: "d" }
)";

class CalculatorGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(CalculatorGraphTest);

TEST_P(CalculatorGraphTest, RunsADiamondSeveralTimes) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(kDiamond)));
  std::vector<std::string> seen;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("d", Into(&seen)));
  for (int run = 0; run < 3; ++run) {
    seen.clear();
    SYNCLINE_ASSERT_OK(graph.Run({{"n", MakePacket<int>(4)}}));
    EXPECT_THAT(seen, ElementsAre("0:0", "1:2", "2:4", "3:6"));
  }
}

TEST_P(CalculatorGraphTest, SaysWhichRunGoesOnAndForHowLong) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(R"(
    input_stream: "in"
    node { calculator: "GraphTestSum" input_stream: "in" output_stream: "out" }
  )")));
  EXPECT_EQ(graph.GetRunProgress().number, 0);
  for (int number = 1; number <= 2; ++number) {
    SYNCLINE_ASSERT_OK(graph.StartRun({}));
    const CalculatorGraph::RunProgress running = graph.GetRunProgress();
    EXPECT_EQ(running.number, number);
    EXPECT_FALSE(running.is_over);
    EXPECT_LE(running.elapsed, graph.GetRunProgress().elapsed);
    SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
    SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
    const CalculatorGraph::RunProgress over = graph.GetRunProgress();
    EXPECT_EQ(over.number, number);
    EXPECT_TRUE(over.is_over);
    EXPECT_GE(over.elapsed, running.elapsed);
    EXPECT_EQ(over.elapsed, graph.GetRunProgress().elapsed);
  }
}

TEST_P(CalculatorGraphTest, RunsALongStream) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(kDiamond)));
  int count = 0;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("d", [&](const Packet& packet) {
    EXPECT_EQ(packet.Get<int>(), 2 * count);
    ++count;
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.Run({{"n", MakePacket<int>(20000)}}));
  EXPECT_EQ(count, 20000);
}

constexpr char kFed[] = R"(
  input_stream: "x" input_stream: "y"
  node { calculator: "GraphTestSum" input_stream: "x" input_stream: "y"
         output_stream: "z" }
)";

TEST_P(CalculatorGraphTest, TakesPacketsAndBoundsFromTheApplication) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(kFed)));
  std::vector<std::string> seen;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("z", Into(&seen)));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("x", MakePacket<int>(1).At(Timestamp(10))));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  EXPECT_THAT(seen, IsEmpty());
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("y", MakePacket<int>(2).At(Timestamp(10))));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  EXPECT_THAT(seen, ElementsAre("10:3"));
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("x", MakePacket<int>(5).At(Timestamp(20))));
  SYNCLINE_ASSERT_OK(graph.SetInputStreamTimestampBound("y", Timestamp(21)));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  EXPECT_THAT(seen, ElementsAre("10:3", "20:5"));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
}

TEST_P(CalculatorGraphTest, PollsWhatIsFed) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(kFed)));
  auto poller = graph.AddOutputStreamPoller("z");
  SYNCLINE_ASSERT_OK(poller.status());
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < 500; ++i) {
    SYNCLINE_ASSERT_OK(
        graph.AddPacketToInputStream("x", MakePacket<int>(i).At(Timestamp(i))));
    SYNCLINE_ASSERT_OK(
        graph.AddPacketToInputStream("y", MakePacket<int>(i).At(Timestamp(i))));
    Packet packet;
    ASSERT_TRUE(poller->Next(&packet));
    EXPECT_EQ(packet.Get<int>(), 2 * i);
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  Packet packet;
  EXPECT_FALSE(poller->Next(&packet));
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
}

TEST_P(CalculatorGraphTest, EndsWithTheErrorOfANodeAndRunsAgain) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(R"(
    node { calculator: "GraphTestCounter" input_side_packet: "n"
           output_stream: "a" }
    node { calculator: "GraphTestFailsAt3" name: "picky" input_stream: "a"
           output_stream: "b" }
  )")));
  for (int run = 0; run < 2; ++run) {
    const absl::Status status = graph.Run({{"n", MakePacket<int>(1000)}});
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(status.message(),
                HasSubstr("Calculator::Process() for node \"picky\" failed: "
                          "three is too much (at timestamp 3)"));
  }
  SYNCLINE_EXPECT_OK(graph.Run({{"n", MakePacket<int>(3)}}));
}

TEST_P(CalculatorGraphTest, CancelEndsARunThatWaits) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(kFed)));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  graph.Cancel();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST_P(CalculatorGraphTest, IsDestroyedWhileRunning) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(kDiamond)));
  SYNCLINE_ASSERT_OK(graph.StartRun({{"n", MakePacket<int>(1000000000)}}));
}

TEST_P(CalculatorGraphTest, AddingWaitsWhileAQueueIsFull) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(Parse(R"(
    max_queue_size: 2
    input_stream: "x"
    node { calculator: "GraphTestSum" input_stream: "x" output_stream: "y" }
    node { calculator: "GraphTestSum" input_stream: "y" output_stream: "z" }
  )")));
  std::vector<std::string> seen;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("z", Into(&seen)));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < 1000; ++i) {
    SYNCLINE_ASSERT_OK(
        graph.AddPacketToInputStream("x", MakePacket<int>(i).At(Timestamp(i))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_EQ(seen.size(), 1000u);
}

TEST_P(CalculatorGraphTest, AnUnfedJoinGrowsUpToTheCeiling) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(Parse(absl::StrCat("max_queue_size: 2 ", kFed))));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  absl::Status status;
  for (int i = 0; i < 2000 && status.ok(); ++i) {
    status =
        graph.AddPacketToInputStream("x", MakePacket<int>(i).At(Timestamp(i)));
  }
  EXPECT_THAT(status.message(), HasSubstr("deadlock"));
  EXPECT_THAT(status.message(), HasSubstr("waits for stream \"y\""));
  EXPECT_FALSE(graph.WaitUntilDone().ok());
}

}  // namespace
}  // namespace syncline
