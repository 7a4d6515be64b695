#include "framework/run/run_device_times.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/steady_time.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

DeviceTimes::Work WorkOf(int node, int timestamp, std::int64_t begin_ns,
                         std::int64_t end_ns) {
  return {.node_id = node,
          .timestamp = timestamp,
          .stream = 3,
          .begin_ns = begin_ns,
          .end_ns = end_ns};
}

TEST(RunDeviceTimesTest, NobodyWantsTimesThatAreNeitherShownNorTraced) {
  TraceSwitch trace;
  EXPECT_FALSE(RunDeviceTimes(/*is_shown=*/false, &trace).wants_times());
  EXPECT_TRUE(RunDeviceTimes(/*is_shown=*/true, &trace).wants_times());
}

TEST(RunDeviceTimesTest, ATraceWantsThemWhileItIsOn) {
  TraceSwitch trace;
  RunDeviceTimes times(/*is_shown=*/false, &trace);
  trace.TurnOn(std::make_shared<TraceRecorder>(TraceRecorder::Options{}));
  EXPECT_TRUE(times.wants_times());
  trace.TurnOff();
  EXPECT_FALSE(times.wants_times());
}

TEST(RunDeviceTimesTest, AddsUpTheTimesOfANode) {
  TraceSwitch trace;
  RunDeviceTimes times(/*is_shown=*/true, &trace);
  times.Add(WorkOf(1, 10, 1000, 1700));
  times.Add(WorkOf(1, 20, 2000, 2050));
  std::vector<NodeSnapshot> nodes(2);
  times.AddTo(absl::MakeSpan(nodes));
  EXPECT_EQ(nodes[0].device_calls, 0);
  EXPECT_EQ(nodes[1].device_calls, 2);
  EXPECT_EQ(nodes[1].device_time_ns, 750);
}

// What the trace of a recorder has of devices, in ns after `start`.
std::vector<std::pair<TraceKind, std::int64_t>> DeviceEvents(
    const Trace& trace, std::int64_t start) {
  std::vector<std::pair<TraceKind, std::int64_t>> found;
  for (const TraceThread& thread : trace.threads) {
    if (thread.name != kDevicesThreadName) continue;
    for (const TraceEvent& event : thread.events) {
      found.emplace_back(event.kind(), trace.Ns(event.tick) - start);
    }
  }
  return found;
}

TEST(RunDeviceTimesTest, ATraceHasTheWorkInTheOrderOfTime) {
  TraceSwitch trace;
  const auto recorder =
      std::make_shared<TraceRecorder>(TraceRecorder::Options{});
  trace.TurnOn(recorder);
  RunDeviceTimes times(/*is_shown=*/false, &trace);
  const std::int64_t start = SteadyNowNs();
  constexpr std::int64_t kMs = 1'000'000;
  while (SteadyNowNs() < start + 30 * kMs) {
  }
  // The second call is known to be done first.
  times.Add(WorkOf(0, 2, start + 20 * kMs, start + 25 * kMs));
  times.Add(WorkOf(0, 1, start + 5 * kMs, start + 15 * kMs));
  const auto events = DeviceEvents(recorder->Take(TraceFileHeader()), start);
  ASSERT_EQ(events.size(), 4u);
  const TraceKind kinds[] = {TraceKind::kDeviceBegin, TraceKind::kDeviceEnd,
                             TraceKind::kDeviceBegin, TraceKind::kDeviceEnd};
  const std::int64_t at_ms[] = {5, 15, 20, 25};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(events[i].first, kinds[i]) << i;
    EXPECT_NEAR(events[i].second, at_ms[i] * kMs, kMs) << i;
  }
}

TEST(RunDeviceTimesTest, ATraceInTheTimeOfTheGraphHasNone) {
  TraceSwitch trace;
  const auto recorder = std::make_shared<TraceRecorder>(
      TraceRecorder::Options{.now_ns = [] { return std::uint64_t{1}; }});
  trace.TurnOn(recorder);
  RunDeviceTimes times(/*is_shown=*/false, &trace);
  times.Add(WorkOf(0, 1, 5, 15));
  EXPECT_THAT(DeviceEvents(recorder->Take(TraceFileHeader()), 0),
              ElementsAre());
}

}  // namespace
}  // namespace syncline
