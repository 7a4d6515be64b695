// Nodes that wait for the work of a device, in whole graphs: they are called
// when it has ended and not before, and nothing hangs when it never does well.

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/cuda_conditions.h"
#include "gpu/device_buffer.h"
#include "gpu/device_event.h"
#include "gpu/device_work.h"
#include "gpu/notices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kStreamCondition[] =
    "condition { type: \"CudaStreamCondition\" }";
constexpr char kBufferCondition[] =
    "condition { type: \"CudaBufferAvailableSchedulingTerm\" }";
constexpr char kEventCondition[] =
    "condition { name: \"event\" type: \"CudaEventCondition\" options { "
    "[syncline.CudaEventConditionOptions.ext] { event_name: \"done\" } } }";

// The device is busy for a while.
absl::Status Busy(const Stream& stream) {
  return stream.CallHost([] { absl::SleepFor(absl::Microseconds(300)); });
}

// Takes an int; sends a buffer whose work takes time.
DeviceFunction SlowUpload() {
  return [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, NewBuffer(stream));
    SYNCLINE_RETURN_IF_ERROR(Busy(stream));
    SYNCLINE_RETURN_IF_ERROR(
        FillWith(cc->Inputs().Index(0).Get<int>(), stream, buffer));
    return streams.Send("", std::move(buffer));
  };
}

class DeviceConditionsGraphTest : public DeviceGraphTest {
 protected:
  void TearDown() override {
    Notices::WaitForPosted();
    DeviceGraphTest::TearDown();
  }
  // Counts calls, and calls before the work of an input has ended.
  DeviceFunction Look() {
    return [this](CalculatorContext* cc, CallStreams&) -> absl::Status {
      ++num_calls_;
      for (int i = 0; i < cc->Inputs().NumEntries(); ++i) {
        SYNCLINE_ASSIGN_OR_RETURN(
            const bool can_be_read,
            PendingWorkOf(cc->Inputs().Index(i).Value()).CanBeRead());
        if (!can_be_read) ++num_early_;
      }
      return absl::OkStatus();
    };
  }
  // Ten packets of ints into "in".
  static void FeedTen(DeviceGraph* graph) {
    for (int i = 0; i < 10; ++i) graph->Feed("in", {{i, i}});
  }

  std::atomic<int> num_calls_{0};
  std::atomic<int> num_early_{0};
};
SYNCLINE_TEST_WITH_ALL_WORKERS(DeviceConditionsGraphTest);

TEST_P(DeviceConditionsGraphTest, ANodeIsCalledWhenTheWorkOfItsPacketsIsDone) {
  for (const char* condition : {kStreamCondition, kBufferCondition}) {
    num_calls_ = num_early_ = 0;
    DeviceGraph graph(GetParam(), context_);
    graph.AddInput("in");
    graph.AddNode("upload", {"in"}, {"a"}, SlowUpload());
    graph.AddNode("look", {"a"}, {}, Look(), condition);
    FeedTen(&graph);
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_EQ(num_calls_, 10);
    EXPECT_EQ(num_early_, 0) << condition;
  }
}

TEST_P(DeviceConditionsGraphTest,
       ItWaitsForAllPacketsOfASetAndAllTheirStreams) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, SlowUpload());
  graph.AddNode("y", {"in"}, {"b"}, SlowUpload(),
                "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } "
                "}");
  graph.AddNode("pair", {"a", "b"}, {"both"},
                [](CalculatorContext* cc, CallStreams& streams) {
                  return streams.Send(
                      "", std::vector<DeviceBuffer>{
                              cc->Inputs().Index(0).Get<DeviceBuffer>(),
                              cc->Inputs().Index(1).Get<DeviceBuffer>()});
                });
  graph.AddNode("look", {"a", "b", "both", "in"}, {}, Look(), kStreamCondition);
  FeedTen(&graph);
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(num_calls_, 10);
  EXPECT_EQ(num_early_, 0);
}

TEST_P(DeviceConditionsGraphTest, PacketsWithoutAStreamAreReady) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("look", {"in"}, {}, Look(), kStreamCondition);
  FeedTen(&graph);
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(num_calls_, 10);
  EXPECT_EQ(Counters().events_recorded, 0);
}

TEST_P(DeviceConditionsGraphTest, CallsThatOverlapEachWaitForTheirOwnPacket) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, SlowUpload());
  graph.AddNode("look", {"a"}, {}, Look(),
                absl::StrCat("max_in_flight: 3 ", kStreamCondition));
  FeedTen(&graph);
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(num_calls_, 10);
  EXPECT_EQ(num_early_, 0);
}

// --- Events

// Sends a map with the event "done" of work that takes time, or other things.
DeviceFunction SendEvent(std::function<DeviceEvent(DeviceEvent)> change) {
  return [change](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_RETURN_IF_ERROR(Busy(stream));
    SYNCLINE_ASSIGN_OR_RETURN(DeviceEvent event,
                              DeviceEvent::Record(stream, "done"));
    cc->Outputs().Index(0).AddPacket(
        MakeDevicePacket(
            std::map<std::string, DeviceEvent>{{"e", change(std::move(event))}})
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  };
}

TEST_P(DeviceConditionsGraphTest, ANamedEventIsWaitedFor) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("record", {"in"}, {"a"},
                SendEvent([](DeviceEvent event) { return event; }));
  graph.AddNode("look", {"a"}, {}, Look(), kEventCondition);
  FeedTen(&graph);
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(num_calls_, 10);
  EXPECT_EQ(num_early_, 0);
}

TEST_P(DeviceConditionsGraphTest, AMissingEventEndsTheRun) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("record", {"in"}, {"a"},
                SendEvent([](DeviceEvent) { return DeviceEvent(); }));
  graph.AddNode("look", {"a"}, {}, Look(), kEventCondition);
  FeedTen(&graph);
  EXPECT_THAT(graph.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("look"), HasSubstr("\"event\""),
                             HasSubstr("no event \"done\""),
                             HasSubstr("(\"a\") at 0"))));
  EXPECT_EQ(num_calls_, 0);
}

TEST_P(DeviceConditionsGraphTest, AnEventThatIsDestroyedTooEarlyEndsTheRun) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("record", {"in"}, {"a"}, SendEvent([](DeviceEvent event) {
                  event.Destroy();
                  return event;
                }));
  graph.AddNode("look", {"a"}, {}, Look(), kEventCondition);
  FeedTen(&graph);
  EXPECT_THAT(graph.Run(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("look"), HasSubstr("\"done\" of stream"),
                             HasSubstr("of stand_in:0 was destroyed"))));
}

TEST_P(DeviceConditionsGraphTest, AMissingBufferEndsTheRun) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("look", {"in"}, {}, Look(), kBufferCondition);
  FeedTen(&graph);
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                    AllOf(HasSubstr("look"),
                                          HasSubstr("has no DeviceBuffer"))));
}

// --- Errors and ends

TEST_P(DeviceConditionsGraphTest, ADeviceThatFailsIsTheErrorOfTheRun) {
  const StandInDevices devices = MakeStandInDevices({});
  const auto context = DeviceContext::Make(devices.devices);
  DeviceGraph graph(GetParam(), context);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, SlowUpload());
  graph.AddNode("add", {"a"}, {"b"}, AddOne());
  graph.AddNode("look", {"b"}, {}, Look(), kStreamCondition);
  devices.stand_in->FailKernel(3);
  FeedTen(&graph);
  const absl::Status status = graph.Run();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("stand_in:0"), HasSubstr("stream")));
  EXPECT_LT(num_calls_, 10);
  Notices::WaitForPosted();
}

TEST_P(DeviceConditionsGraphTest, ADeviceThatGoesAwayWhileANodeWaitsIsAnError) {
  absl::Notification may_go_on;
  const StandInDevices devices = MakeStandInDevices({});
  const auto context = DeviceContext::Make(devices.devices);
  DeviceGraph graph(GetParam(), context);
  graph.AddInput("in");
  graph.AddNode(
      "upload", {"in"}, {"a"},
      [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_RETURN_IF_ERROR(
            stream.CallHost([&] { may_go_on.WaitForNotification(); }));
        return SlowUpload()(cc, streams);
      });
  graph.AddNode("look", {"a"}, {}, Look(), kStreamCondition);
  GraphHarness& harness = graph.harness();
  SYNCLINE_ASSERT_OK(harness.Start());
  graph.Feed("in", {{0, 1}});
  harness.Idle();
  EXPECT_EQ(num_calls_, 0);
  devices.stand_in->RemoveDevice(0);
  may_go_on.Notify();
  const absl::Status status = harness.Finish();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("stand_in:0"));
  EXPECT_EQ(num_calls_, 0);
  Notices::WaitForPosted();
}

TEST_P(DeviceConditionsGraphTest, CancelWhileANodeWaitsHangsNothing) {
  absl::Notification may_go_on;
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode(
      "upload", {"in"}, {"a"},
      [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_RETURN_IF_ERROR(
            stream.CallHost([&] { may_go_on.WaitForNotification(); }));
        return SlowUpload()(cc, streams);
      });
  graph.AddNode("look", {"a"}, {}, Look(), kStreamCondition);
  GraphHarness& harness = graph.harness();
  SYNCLINE_ASSERT_OK(harness.Start());
  graph.Feed("in", {{0, 1}, {1, 2}});
  harness.Idle();
  EXPECT_EQ(num_calls_, 0);
  harness.graph().Cancel();
  may_go_on.Notify();
  EXPECT_THAT(harness.Finish(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(num_calls_, 0);
}

}  // namespace
}  // namespace syncline::gpu
