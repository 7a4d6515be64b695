// Packets whose device work is pending, on their way through graphs: what is
// recorded and waited for, and what happens when a run ends, well or not.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/device.h"
#include "gpu/device_buffer.h"
#include "gpu/device_service.h"
#include "gpu/device_work.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DeviceFlowTest : public DeviceGraphTest {
 protected:
  // "in" -> upload -> "s0" -> add1 -> "s1" -> ...
  void AddChain(int length, ReceiveOptions options, DeviceGraph* graph) {
    graph->AddInput("in");
    graph->AddNode("upload", {"in"}, {"s0"}, Upload());
    for (int i = 1; i <= length; ++i) {
      graph->AddNode(absl::StrCat("add", i), {absl::StrCat("s", i - 1)},
                     {absl::StrCat("s", i)}, AddOne(options));
    }
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(DeviceFlowTest);

// --- What it costs

TEST_P(DeviceFlowTest, AChainOnOneStreamRecordsNoEvent) {
  DeviceGraph graph(GetParam(), context_);
  AddChain(10, {.allocate = false}, &graph);
  GraphHarness& harness = graph.harness();
  SYNCLINE_ASSERT_OK(harness.Start());
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  harness.Idle();
  const DeviceCounters counters = Counters();
  EXPECT_EQ(counters.works_submitted, 4 * 11);
  EXPECT_EQ(counters.events_recorded, 0);
  EXPECT_EQ(counters.waits_submitted, 0);
  EXPECT_EQ(counters.host_waits, 0);
  SYNCLINE_ASSERT_OK(harness.Finish());
  EXPECT_THAT(graph.Numbers("s10"),
              ElementsAre(UploadedNumber(1) + 10, UploadedNumber(2) + 10,
                          UploadedNumber(3) + 10, UploadedNumber(4) + 10));
}

TEST_P(DeviceFlowTest, AnEdgeBetweenStreamsIsOneEventAndTheHostDoesNotWait) {
  DeviceGraph graph(GetParam(), context_);
  AddChain(3, {}, &graph);
  GraphHarness& harness = graph.harness();
  SYNCLINE_ASSERT_OK(harness.Start());
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  harness.Idle();
  const DeviceCounters counters = Counters();
  // An event may serve packets that were sent before it was asked for.
  EXPECT_LE(counters.events_recorded, 4 * 3);
  EXPECT_GE(counters.events_recorded, 3);
  EXPECT_LE(counters.waits_submitted, 4 * 3);
  EXPECT_EQ(counters.host_waits, 0);
  SYNCLINE_ASSERT_OK(harness.Finish());
  EXPECT_THAT(graph.Numbers("s3"),
              ElementsAre(UploadedNumber(1) + 3, UploadedNumber(2) + 3,
                          UploadedNumber(3) + 3, UploadedNumber(4) + 3));
}

TEST_P(DeviceFlowTest, AllReadersOfAPacketShareItsEvent) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  for (int i = 0; i < 5; ++i) {
    graph.AddNode(absl::StrCat("add", i), {"a"}, {absl::StrCat("b", i)},
                  AddOne());
  }
  GraphHarness& harness = graph.harness();
  SYNCLINE_ASSERT_OK(harness.Start());
  graph.Feed("in", {{0, 1}});
  harness.Idle();
  EXPECT_EQ(Counters().events_recorded, 1);
  EXPECT_EQ(Counters().waits_submitted, 5);
  SYNCLINE_ASSERT_OK(harness.Finish());
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(graph.Numbers(absl::StrCat("b", i)),
                ElementsAre(UploadedNumber(1) + 1));
  }
}

// --- Joins, queues and conditions

TEST_P(DeviceFlowTest, JoinsOfPacketsWithPendingWork) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload());
  // Every second packet only.
  graph.AddNode("y", {"a"}, {"b"},
                [](CalculatorContext* cc, CallStreams& streams) {
                  if (cc->InputTimestamp().Value() % 2 == 1) {
                    return absl::OkStatus();
                  }
                  return AddOne()(cc, streams);
                });
  graph.AddNode(
      "join", {"a", "b"}, {"out"},
      [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream(""));
        std::vector<Access> accesses;
        if (!cc->Inputs().Index(1).IsEmpty()) {
          accesses.push_back(Reads(cc->Inputs().Index(1).Get<DeviceBuffer>()));
        }
        accesses.push_back(Reads(cc->Inputs().Index(0).Get<DeviceBuffer>()));
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
        accesses.push_back(Writes(out));
        SYNCLINE_RETURN_IF_ERROR(
            stream.Launch(kAddOne, kElements, NoParameters{}, accesses));
        return streams.Send("", std::move(out));
      });
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(graph.Numbers("out"),
              ElementsAre(UploadedNumber(1) + 2, UploadedNumber(2) + 1,
                          UploadedNumber(3) + 2));
}

TEST_P(DeviceFlowTest, QueuesOfOnePacket) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddText("max_queue_size: 1\n");
  graph.AddNode("source", {}, {"a"}, Source(20));
  graph.AddNode("x", {"a"}, {"b"}, AddOne());
  graph.AddNode("y", {"b"}, {"c"}, AddOne({.allocate = false}));
  SYNCLINE_ASSERT_OK(graph.Run());
  const std::vector<std::uint32_t> numbers = graph.Numbers("c");
  ASSERT_EQ(numbers.size(), 20);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(numbers[static_cast<std::size_t>(i)], UploadedNumber(i) + 2);
  }
}

TEST_P(DeviceFlowTest, NodesWithConditions) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddNode("source", {}, {"a"}, Source(100),
                "condition { type: \"CountCondition\" options { "
                "[syncline.CountConditionOptions.ext] { count: 3 } } }");
  graph.AddNode("x", {"a"}, {"b"}, AddOne(),
                "condition { type: \"PeriodicCondition\" options { "
                "[syncline.PeriodicConditionOptions.ext] { recess_period: "
                "\"1ms\" } } }");
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(graph.Numbers("b"),
              ElementsAre(UploadedNumber(0) + 1, UploadedNumber(1) + 1,
                          UploadedNumber(2) + 1));
}

TEST_P(DeviceFlowTest, CallsThatOverlap) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddNode("source", {}, {"a"}, Source(20));
  graph.AddNode("x", {"a"}, {"b"}, AddOne(), "max_in_flight: 4");
  graph.AddNode("y", {"b"}, {"c"}, AddOne({.allocate = false}),
                "max_in_flight: 4");
  SYNCLINE_ASSERT_OK(graph.Run());
  const std::vector<std::uint32_t> numbers = graph.Numbers("c");
  ASSERT_EQ(numbers.size(), 20);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(numbers[static_cast<std::size_t>(i)], UploadedNumber(i) + 2);
  }
}

// --- Lifetimes

TEST_P(DeviceFlowTest, BuffersGoBackWithoutAWait) {
  // Nothing is done before somebody waits.
  const StandInDevices devices =
      MakeStandInDevices({.has_threads = false, .step_seed = 7});
  {
    DeviceGraph graph(GetParam(), DeviceContext::Make(devices.devices));
    graph.AddInput("in");
    graph.AddNode(
        "node", {"in"}, {},
        [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
          SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                    streams.ReceiveCudaStream());
          SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer a, NewBuffer(stream));
          SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer b, NewBuffer(stream));
          SYNCLINE_RETURN_IF_ERROR(FillWith(1, stream, a));
          return LaunchAddOne(stream, a, b);
        });
    GraphHarness& harness = graph.harness();
    SYNCLINE_ASSERT_OK(harness.Start());
    graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
    harness.Idle();
    EXPECT_EQ(devices[0]->counters().host_waits, 0);
    EXPECT_EQ(devices[0]->counters().frees, 0) << "the device still uses them";
    SYNCLINE_ASSERT_OK(harness.Finish());
  }
  devices[0]->GiveEndedMemoryBack();
  EXPECT_EQ(devices[0]->counters().frees, 6);
  EXPECT_EQ(devices.stand_in->BytesInUse(0), 0);
}

TEST_P(DeviceFlowTest, PacketsOutliveTheRunAndItsStreams) {
  std::vector<Packet> kept;
  {
    DeviceGraph graph(GetParam(), context_);
    AddChain(2, {}, &graph);
    graph.Feed("in", {{0, 1}, {1, 2}});
    SYNCLINE_ASSERT_OK(graph.Run());
    kept = graph.Packets("s2");
  }
  ASSERT_EQ(kept.size(), 2);
  EXPECT_THAT(NumberOf(kept[1].Get<DeviceBuffer>()),
              IsOkAndHolds(UploadedNumber(2) + 2));
}

TEST_P(DeviceFlowTest, PersistentNodesHaveStreamsInEachRun) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload(), "persistent: true");
  graph.AddNode("add", {"a"}, {"b"}, AddOne(), "persistent: true");
  graph.Feed("in", {{0, 1}});
  for (int run = 0; run < 3; ++run) {
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_THAT(graph.Numbers("b"), ElementsAre(UploadedNumber(1) + 1));
  }
}

// --- The end of a run

TEST_P(DeviceFlowTest, ARunEndsWhenItsDeviceWorkHas) {
  DeviceGraph graph(GetParam(), context_);
  AddChain(3, {.allocate = false}, &graph);
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  const std::int64_t host_waits = Counters().host_waits;
  for (const Packet& packet : graph.Packets("s3")) {
    EXPECT_THAT(PendingWorkOf(packet).CanBeRead(), IsOkAndHolds(true));
    SYNCLINE_EXPECT_OK(packet.Get<DeviceBuffer>().HostWait());
  }
  EXPECT_EQ(Counters().host_waits, host_waits)
      << "there is nothing to wait for";
}

TEST_P(DeviceFlowTest, AnErrorOfTheWorkIsTheErrorOfTheRun) {
  // The kernel runs when all calls are done.
  const StandInDevices devices =
      MakeStandInDevices({.has_threads = false, .step_seed = 7});
  devices.stand_in->FailKernel(1);
  DeviceGraph graph(GetParam(), DeviceContext::Make(devices.devices));
  AddChain(1, {.allocate = false}, &graph);
  graph.Feed("in", {{0, 1}});
  EXPECT_THAT(
      graph.Run(),
      StatusIs(AnyOf(absl::StatusCode::kInternal, absl::StatusCode::kUnknown,
                     absl::StatusCode::kAborted),
               AllOf(HasSubstr("stream \"upload/0\" of stand_in:0"),
                     HasSubstr("the kernel \"add one\" failed; node \"add1\" "
                               "at 0 gave it to stream \"upload/0\""),
                     AnyOf(HasSubstr("Node \"upload\": work"),
                           HasSubstr("Node \"add1\": work")))));
}

// Which node meets the error is chance.
TEST_P(DeviceFlowTest, AKernelThatFailsIsNamedWhicheverNodeMeetsTheError) {
  for (int i = 0; i < 8; ++i) {
    const StandInDevices devices =
        MakeStandInDevices({.delay_seed = static_cast<std::uint64_t>(i)});
    devices.stand_in->FailKernel(2);
    DeviceGraph graph(GetParam(), DeviceContext::Make(devices.devices));
    graph.AddInput("in");
    graph.AddNode("up", {"in"}, {"a"}, Upload());
    graph.AddNode("bad", {"a"}, {"b"}, AddOne());
    graph.AddNode("down", {"b"}, {}, [](CalculatorContext* cc, CallStreams&) {
      return NumberOf(cc->Inputs().Index(0).Get<DeviceBuffer>()).status();
    });
    graph.Feed("in", {{0, 1}, {10, 2}, {20, 3}, {30, 4}});
    const absl::Status status = graph.Run();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(),
                HasSubstr("stand_in:0: the kernel \"add one\" failed; node "
                          "\"bad\" at 10 gave it to stream \"bad/0\""));
  }
}

TEST_P(DeviceFlowTest, ADeviceThatGoesAwayEndsItsGraphAndNoOther) {
  DeviceGraph graph(GetParam(), context_);
  AddChain(2, {}, &graph);
  DeviceGraph other(GetParam(), DeviceContext::Make({devices_[1]}));
  AddChain(2, {}, &other);
  SYNCLINE_ASSERT_OK(graph.harness().Start());
  SYNCLINE_ASSERT_OK(other.harness().Start());
  graph.Feed("in", {{0, 1}});
  other.Feed("in", {{0, 1}});
  graph.harness().Idle();
  devices_.stand_in->RemoveDevice(0);
  EXPECT_THAT(graph.harness().Finish(),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("stand_in:0"), HasSubstr("\"upload"))));
  SYNCLINE_EXPECT_OK(other.harness().Finish());
  EXPECT_THAT(other.Numbers("s2"), ElementsAre(UploadedNumber(1) + 2));
}

TEST_P(DeviceFlowTest, CancelWithWorkPendingHangsNothingAndLeavesNothing) {
  absl::Notification may_go_on;
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode(
      "upload", {"in"}, {"a"},
      [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        // The device is busy for as long as the test likes.
        SYNCLINE_RETURN_IF_ERROR(
            stream.CallHost([&may_go_on] { may_go_on.WaitForNotification(); }));
        return Upload()(cc, streams);
      });
  graph.AddNode("add", {"a"}, {"b"}, AddOne());
  GraphHarness& harness = graph.harness();
  SYNCLINE_ASSERT_OK(harness.Start());
  graph.Feed("in", {{0, 1}, {1, 2}});
  harness.Idle();
  harness.graph().Cancel();
  may_go_on.Notify();
  EXPECT_THAT(harness.Finish(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(DeviceFlowTest, AnErrorOfANodeIsTheErrorAlsoWithWorkPending) {
  DeviceGraph graph(GetParam(), context_);
  AddChain(2, {}, &graph);
  graph.AddNode("bad", {"s2"}, {},
                [](CalculatorContext*, CallStreams&) -> absl::Status {
                  return absl::DataLossError("bad luck");
                });
  graph.Feed("in", {{0, 1}, {1, 2}});
  EXPECT_THAT(graph.Run(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("bad luck")));
}

TEST_P(DeviceFlowTest, MemoryThatRunsOutIsAnErrorThatNamesNodeAndDevice) {
  const StandInDevices devices = MakeStandInDevices({.memory_bytes = 1024});
  DeviceGraph graph(GetParam(), DeviceContext::Make(devices.devices));
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}});
  EXPECT_THAT(graph.Run(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("stand_in:0"), HasSubstr("upload"))));
}

}  // namespace
}  // namespace syncline::gpu
