// Nodes that wait for the work of a device, in whole graphs: they are called
// when it has ended and not before, and nothing hangs when it never does well.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
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
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr char kStreamCondition[] =
    "condition { type: \"CudaStreamCondition\" }";
constexpr char kBufferCondition[] =
    "condition { type: \"CudaBufferAvailableSchedulingTerm\" }";
constexpr char kEventCondition[] =
    "condition { name: \"event\" type: \"CudaEventCondition\" options { "
    "[syncline.CudaEventConditionOptions.ext] { event_name: \"done\" } } }";

// Takes an int; sends a buffer whose work takes time. `done` counts what the
// device has done before it writes the buffers, and so no later than these are
// written.
DeviceFunction SlowUpload(std::shared_ptr<std::atomic<int>> done = nullptr) {
  return [done](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, NewBuffer(stream));
    SYNCLINE_RETURN_IF_ERROR(stream.CallHost([done] {
      absl::SleepFor(absl::Microseconds(300));
      if (done != nullptr) ++*done;
    }));
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
  using Done = std::shared_ptr<std::atomic<int>>;
  // Counts calls, and those that come before the work of their packets: the
  // n-th call needs n pieces of each of these.
  DeviceFunction Look(std::vector<Done> done = {}) {
    return [this, done](CalculatorContext*, CallStreams&) -> absl::Status {
      const int call = ++num_calls_;
      for (const Done& one : done) {
        if (*one < call) ++num_early_;
      }
      return absl::OkStatus();
    };
  }
  static Done NotDone() { return std::make_shared<std::atomic<int>>(0); }
  // A node whose device is busy from its first call until `may_go_on`, while
  // another thread does something.
  struct Gate {
    absl::Notification is_called;
    absl::Notification may_go_on;
  };
  static DeviceFunction UploadBehind(Gate* gate) {
    return [gate](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
      SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                streams.ReceiveCudaStream());
      SYNCLINE_RETURN_IF_ERROR(
          stream.CallHost([gate] { gate->may_go_on.WaitForNotification(); }));
      SYNCLINE_RETURN_IF_ERROR(SlowUpload()(cc, streams));
      if (!gate->is_called.HasBeenNotified()) gate->is_called.Notify();
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
    const Done done = NotDone();
    graph.AddNode("upload", {"in"}, {"a"}, SlowUpload(done));
    graph.AddNode("look", {"a"}, {}, Look({done}), condition);
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
  const Done x = NotDone(), y = NotDone();
  graph.AddNode("x", {"in"}, {"a"}, SlowUpload(x));
  graph.AddNode("y", {"in"}, {"b"}, SlowUpload(y),
                "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } "
                "}");
  graph.AddNode("pair", {"a", "b"}, {"both"},
                [](CalculatorContext* cc, CallStreams& streams) {
                  return streams.Send(
                      "", std::vector<DeviceBuffer>{
                              cc->Inputs().Index(0).Get<DeviceBuffer>(),
                              cc->Inputs().Index(1).Get<DeviceBuffer>()});
                });
  graph.AddNode("look", {"a", "b", "both", "in"}, {}, Look({x, y}),
                kStreamCondition);
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
  const Done done = NotDone();
  graph.AddNode("upload", {"in"}, {"a"}, SlowUpload(done));
  graph.AddNode("look", {"a"}, {}, Look({done}),
                absl::StrCat("max_in_flight: 3 ", kStreamCondition));
  FeedTen(&graph);
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(num_calls_, 10);
  EXPECT_EQ(num_early_, 0);
}

// --- Events

// Sends a map with the event "done" of work that takes time, or other things.
DeviceFunction SendEvent(std::function<DeviceEvent(DeviceEvent)> change,
                         std::shared_ptr<std::atomic<int>> done = nullptr) {
  return [change, done](CalculatorContext* cc,
                        CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_RETURN_IF_ERROR(stream.CallHost([done] {
      absl::SleepFor(absl::Microseconds(300));
      if (done != nullptr) ++*done;
    }));
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
  const Done done = NotDone();
  graph.AddNode("record", {"in"}, {"a"},
                SendEvent([](DeviceEvent event) { return event; }, done));
  graph.AddNode("look", {"a"}, {}, Look({done}), kEventCondition);
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
  // The node that meets it first. One that only asks for memory then has no
  // stream to name.
  const std::string message(status.message());
  EXPECT_THAT(message, AnyOf(HasSubstr("\"upload\""), HasSubstr("\"add\""),
                             HasSubstr("\"look\"")));
  EXPECT_THAT(message, AllOf(HasSubstr("stand_in:0"),
                             HasSubstr("the kernel \"add one\" failed")));
  EXPECT_LT(num_calls_, 10);
  Notices::WaitForPosted();
}

TEST_P(DeviceConditionsGraphTest, ADeviceThatGoesAwayWhileANodeWaitsIsAnError) {
  Gate gate;
  const StandInDevices devices = MakeStandInDevices({});
  DeviceGraph graph(GetParam(), DeviceContext::Make(devices.devices));
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, UploadBehind(&gate));
  graph.AddNode("look", {"a"}, {}, Look(), kStreamCondition);
  graph.Feed("in", {{0, 1}});
  std::thread other([&] {
    gate.is_called.WaitForNotification();
    absl::SleepFor(absl::Milliseconds(2));
    devices.stand_in->RemoveDevice(0);
    gate.may_go_on.Notify();
  });
  const absl::Status status = graph.Run();
  other.join();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("stand_in:0"));
  EXPECT_EQ(num_calls_, 0);
  Notices::WaitForPosted();
}

TEST_P(DeviceConditionsGraphTest, CancelWhileANodeWaitsHangsNothing) {
  Gate gate;
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, UploadBehind(&gate));
  graph.AddNode("look", {"a"}, {}, Look(), kStreamCondition);
  graph.Feed("in", {{0, 1}, {1, 2}});
  GraphHarness& harness = graph.harness();
  std::thread other([&] {
    gate.is_called.WaitForNotification();
    absl::SleepFor(absl::Milliseconds(2));
    harness.graph().Cancel();
    gate.may_go_on.Notify();
  });
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kCancelled));
  other.join();
  EXPECT_EQ(num_calls_, 0);
}

}  // namespace
}  // namespace syncline::gpu
