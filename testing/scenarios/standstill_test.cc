// A real flow limiter whose FINISHED never comes: the graph itself says which
// node has lost the packet.

#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

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

}  // namespace
}  // namespace syncline
