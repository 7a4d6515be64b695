// What devices take for the nodes of a graph: in its runtime information, and
// in a trace.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/device_work.h"
#include "framework/trace/convert/perfetto_form.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/stream.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"
#include "tools/trace/node_stats.h"

namespace syncline::gpu {
namespace {

// Not that of gpu/device_work.h.
using TracedWork = ::syncline::DeviceWork;

constexpr char kRuntimeInfo[] = R"(
    runtime_info { enable_graph_runtime_info: true capture_period_msec: 60000 }
)";

// Takes 2 ms, whatever the device.
constexpr Kernel kSleep = {
    .name = "sleep", .stand_in = [](const KernelLaunch&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }};
constexpr std::int64_t kSleepNs = 2'000'000;

// Sends its input when the device has slept on it.
absl::Status SleepOnIt(CalculatorContext* cc, CallStreams& streams) {
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
  const auto& in = cc->Inputs().Index(0).Get<DeviceBuffer>();
  SYNCLINE_RETURN_IF_ERROR(
      stream.Launch(kSleep, 0, NoParameters{}, {Reads(in)}));
  return streams.Send("", in);
}

absl::Status PassOn(CalculatorContext* cc, CallStreams&) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

class DeviceTimesGraphTest : public DeviceGraphTest {
 protected:
  DeviceTimesGraphTest() : DeviceGraphTest({.num_devices = 2}) {}

  // in -> upload -> sleep -> pass -> "out"
  void MakeChain(DeviceGraph* graph, absl::string_view more = "") {
    graph->AddInput("in");
    graph->AddNode("upload", {"in"}, {"a"}, Upload());
    graph->AddNode("sleep", {"a"}, {"b"}, SleepOnIt, more);
    graph->AddNode("pass", {"b"}, {"out"}, PassOn);
  }
  std::int64_t NumTimeEvents() const {
    return Counters(0).time_events_recorded + Counters(1).time_events_recorded;
  }
  static const CalculatorRuntimeInfo& InfoOf(const GraphRuntimeInfo& info,
                                             absl::string_view node) {
    for (const CalculatorRuntimeInfo& one : info.calculator_infos()) {
      if (one.calculator_name() == node) return one;
    }
    ADD_FAILURE() << "no node " << node;
    return info.calculator_infos(0);
  }
  static std::string TracePath() {
    std::string name =
        ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    return absl::StrCat(::testing::TempDir(), "/", name, ".trace");
  }
};
SYNCLINE_TEST_WITH_THREADS(DeviceTimesGraphTest);

TEST_P(DeviceTimesGraphTest, TheRuntimeInformationHasThem) {
  DeviceGraph graph(GetParam(), context_);
  MakeChain(&graph);
  graph.AddText(kRuntimeInfo);
  SYNCLINE_ASSERT_OK(graph.harness().Start());
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
  graph.harness().Idle();
  // When the device has done it, the next call tells.
  EXPECT_EQ(graph.Numbers("out").size(), 3u);
  int num_calls = 3;
  absl::StatusOr<GraphRuntimeInfo> found;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    graph.Feed("in", {{num_calls++, 4}});
    graph.harness().Idle();
    found = graph.harness().graph().GetGraphRuntimeInfo();
    SYNCLINE_ASSERT_OK(found.status());
  } while (num_calls < 1000 &&
           (InfoOf(*found, "sleep").number_of_device_calls() < 3 ||
            InfoOf(*found, "upload").number_of_device_calls() < 3));
  const GraphRuntimeInfo& info = *found;
  const CalculatorRuntimeInfo& sleep = InfoOf(info, "sleep");
  EXPECT_GE(sleep.number_of_device_calls(), 3);
  EXPECT_GE(sleep.device_time_us(),
            sleep.number_of_device_calls() * kSleepNs / 1000);
  // The host does not wait for it.
  EXPECT_GT(sleep.host_time_us(), 0);
  EXPECT_GE(InfoOf(info, "upload").number_of_device_calls(), 3);
  EXPECT_EQ(InfoOf(info, "pass").number_of_device_calls(), 0);
  EXPECT_EQ(InfoOf(info, "pass").device_time_us(), 0);
  SYNCLINE_EXPECT_OK(graph.harness().Finish());
  // At the end nothing is left out.
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphRuntimeInfo last,
                                graph.harness().graph().GetGraphRuntimeInfo());
  EXPECT_EQ(InfoOf(last, "sleep").number_of_device_calls(), num_calls);
  EXPECT_EQ(InfoOf(last, "upload").number_of_device_calls(), num_calls);
}

TEST_P(DeviceTimesGraphTest, WhereNobodyAsksNothingIsMeasured) {
  DeviceGraph graph(GetParam(), context_);
  MakeChain(&graph);
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(NumTimeEvents(), 0);
}

TEST_P(DeviceTimesGraphTest, ATraceHasTheWorkOfEachCallInItsTime) {
  DeviceGraph graph(GetParam(), context_);
  // On a stream and a device of its own.
  MakeChain(&graph, "max_in_flight: 2");
  const std::string path = TracePath();
  SYNCLINE_ASSERT_OK(graph.harness().Initialize());
  SYNCLINE_ASSERT_OK(graph.harness().graph().StartTrace(path));
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
  SYNCLINE_ASSERT_OK(graph.Run());
  SYNCLINE_ASSERT_OK(graph.harness().graph().StopTrace());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path));

  const TraceCalls calls(trace);
  const TracedWork work(trace, calls);
  ASSERT_EQ(work.work().size(), 6u) << "of two nodes, and three packets";
  std::uint64_t last_begin = 0;
  std::int64_t slept_ns = 0;
  for (const TracedWork::Work& one : work.work()) {
    EXPECT_GE(one.begin, last_begin) << "in the order of time";
    last_begin = one.begin;
    ASSERT_GE(one.call, 0);
    const TracedCall& call = calls.calls()[one.call];
    // The clock of a trace that has just begun is not exact.
    EXPECT_GE(trace.Ns(one.begin) + 200'000, trace.Ns(call.begin));
    if (trace.header.node(one.node).name() == "sleep") {
      slept_ns += trace.Ns(one.end) - trace.Ns(one.begin);
    }
  }
  EXPECT_GE(slept_ns, 3 * kSleepNs - 200'000);

  // What the tools make of it.
  const TraceStats stats = ComputeTraceStats(trace);
  for (const NodeStats& node : stats.nodes) {
    EXPECT_EQ(node.device.count, node.name == "pass" ? 0 : 3) << node.name;
  }
  std::string perfetto;
  SYNCLINE_ASSERT_OK(WritePerfetto(trace, [&](absl::string_view piece) {
    perfetto.append(piece.data(), piece.size());
    return absl::OkStatus();
  }));
  for (const TracedWork::Work& one : work.work()) {
    EXPECT_TRUE(absl::StrContains(
        perfetto, absl::StrCat("device stream ", one.device_stream)));
  }
}

TEST_P(DeviceTimesGraphTest, ATraceThatIsTurnedOnLaterMeasuresFromThenOn) {
  DeviceGraph graph(GetParam(), context_);
  MakeChain(&graph);
  SYNCLINE_ASSERT_OK(graph.harness().Start());
  graph.Feed("in", {{0, 1}});
  graph.harness().Idle();
  EXPECT_EQ(NumTimeEvents(), 0);
  SYNCLINE_ASSERT_OK(graph.harness().graph().EnableFlightRecorder());
  graph.Feed("in", {{1, 1}});
  graph.harness().Idle();
  SYNCLINE_ASSERT_OK(graph.harness().Finish());
  EXPECT_GE(NumTimeEvents(), 4);
  const Trace trace = graph.harness().graph().TakeTrace();
  const TracedWork work(trace, TraceCalls(trace));
  EXPECT_EQ(work.work().size(), 2u);
}

TEST_P(DeviceTimesGraphTest, DevicesAreMeasuredByTheirOwnClocks) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  for (const int device : {0, 1}) {
    graph.AddNode(
        absl::StrCat("sleep", device), {"in"}, {},
        [](CalculatorContext* cc, CallStreams& streams) {
          auto stream = streams.ReceiveCudaStream();
          if (!stream.ok()) return stream.status();
          return stream->Launch(kSleep, 0, NoParameters{}, {});
        },
        absl::StrCat("options { [syncline.CudaStreamPoolOptions.ext] "
                     "{ dev_id: ",
                     device, " } }"));
  }
  SYNCLINE_ASSERT_OK(graph.harness().Initialize());
  SYNCLINE_ASSERT_OK(graph.harness().graph().EnableFlightRecorder());
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_GT(Counters(0).time_events_recorded, 0);
  EXPECT_GT(Counters(1).time_events_recorded, 0);
  const Trace trace = graph.harness().graph().TakeTrace();
  const TracedWork work(trace, TraceCalls(trace));
  EXPECT_EQ(work.work().size(), 4u);
}

TEST_P(DeviceTimesGraphTest, ARunThatFailsEndsWithTheErrorOfTheDevice) {
  DeviceGraph graph(GetParam(), context_);
  MakeChain(&graph);
  graph.AddText(kRuntimeInfo);
  devices_.stand_in->FailKernel(1);
  graph.Feed("in", {{0, 1}, {1, 2}});
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInternal,
                                    ::testing::HasSubstr("stand_in:0")));
}

TEST_P(DeviceTimesGraphTest, ARunThatIsCancelledEnds) {
  DeviceGraph graph(GetParam(), context_);
  MakeChain(&graph);
  graph.AddText(kRuntimeInfo);
  SYNCLINE_ASSERT_OK(graph.harness().Start());
  graph.Feed("in", {{0, 1}, {1, 2}});
  graph.harness().graph().Cancel();
  EXPECT_THAT(graph.harness().Finish(), StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace syncline::gpu
