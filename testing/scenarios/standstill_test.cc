// A real flow limiter whose FINISHED never comes: the graph itself says which
// node has lost the packet. One in whose loop a delay line holds some, as it
// should, waits for its camera, and that is no standstill.

#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;

class StandstillScenarioTest : public WorkersTest {};
SYNCLINE_TEST_WITH_THREADS(StandstillScenarioTest);

// Takes packets, and sends none.
class StandstillDetector : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(StandstillDetector);

TEST_P(StandstillScenarioTest, AFlowLimiterWhoseFinishedNeverComes) {
  std::string told;
  absl::Notification is_told;
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        node {
          name: "limiter"
          calculator: "FlowLimiterCalculator"
          input_stream: "in"
          input_stream: "FINISHED:done"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "some"
        }
        node {
          name: "detector"
          calculator: "StandstillDetector"
          input_stream: "some"
          output_stream: "done"
        }
      )pb")));
  auto poller = graph.AddOutputStreamPoller("done");
  SYNCLINE_ASSERT_OK(poller.status());
  graph.ExplainStandstills(absl::Milliseconds(100),
                           [&](const std::string& text) {
                             if (is_told.HasBeenNotified()) return;
                             told = text;
                             is_told.Notify();
                           });
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
  }
  std::thread waits([&] {
    Packet packet;
    while (poller->Next(&packet)) {
    }
  });
  EXPECT_TRUE(is_told.WaitForNotificationWithTimeout(absl::Seconds(20)));
  graph.Cancel();
  waits.join();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(told, StartsWith("\"limiter\" waits for stream \"done\", and "
                               "\"detector\", which sends it, has taken 1 "
                               "packet, and has sent none on \"done\".\n"));
}

// A delay line of two packets, which sends nothing before GO.
class StandstillDelay : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Inputs().Tag("GO").Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (!packet.IsEmpty()) held_.push_back(packet);
    goes_ |= !cc->Inputs().Tag("GO").IsEmpty();
    for (; goes_ && held_.size() > 2; held_.pop_front()) {
      cc->Outputs().Index(0).AddPacket(held_.front());
    }
    return absl::OkStatus();
  }

 private:
  std::deque<Packet> held_;
  bool goes_ = false;
};
REGISTER_CALCULATOR(StandstillDelay);

TEST_P(StandstillScenarioTest, ADelayLineBehindAFlowLimiterIsNoStandstill) {
  constexpr absl::Duration kAfter = absl::Milliseconds(100);
  Mutex mutex;
  std::vector<std::string> texts;
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "camera"
        input_stream: "go"
        node {
          name: "limiter"
          calculator: "FlowLimiterCalculator"
          input_stream: "camera"
          input_stream: "FINISHED:out"
          input_stream_info { tag_index: "FINISHED" back_edge: true }
          output_stream: "frames"
          options {
            [syncline.FlowLimiterCalculatorOptions.ext] { max_in_flight: 4 }
          }
        }
        node {
          name: "delay"
          calculator: "StandstillDelay"
          input_stream: "frames"
          input_stream: "GO:go"
          output_stream: "out"
        }
      )pb")));
  std::atomic<int> seen{0};
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out", [&](const Packet&) {
    ++seen;
    return absl::OkStatus();
  }));
  CalculatorGraph::StandstillOptions options;
  options.after = kAfter;
  options.program_waits = true;
  options.feeders = {{"camera", "the camera"}, {"go", "the button"}};
  options.tell = [&](const std::string& text) {
    MutexLock lock(&mutex);
    texts.push_back(text);
  };
  graph.ExplainStandstills(std::move(options));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  int next = 0;
  const auto add_frame = [&] {
    SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream(
        "camera", MakePacket<int>(next).At(Timestamp(next))));
    ++next;
    SYNCLINE_EXPECT_OK(graph.WaitUntilIdle());
  };
  // Four go in, and two are dropped. Then two come out.
  for (int i = 0; i < 6; ++i) add_frame();
  SYNCLINE_EXPECT_OK(
      graph.AddPacketToInputStream("go", MakePacket<int>(1).At(Timestamp(0))));
  SYNCLINE_EXPECT_OK(graph.WaitUntilIdle());
  EXPECT_EQ(seen, 2);
  for (int i = 0; i < 3; ++i) {
    absl::SleepFor(4 * kAfter);
    add_frame();
    EXPECT_EQ(seen, 3 + i) << "each frame goes through at once";
  }
  {
    MutexLock lock(&mutex);
    EXPECT_THAT(texts, IsEmpty());
  }
  EXPECT_THAT(graph.Explain(),
              StartsWith("the run waits for the end of graph input "
                         "\"camera\", and the camera, which sends it, has "
                         "nothing more so far"));
  graph.Cancel();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace syncline
