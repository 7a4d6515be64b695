// What profiler_config of a graph makes: histograms and files, whoever runs the
// calls.

#include "framework/graph/graph_profiler.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/config/calculator_profile.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/profiling_context.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class GraphProfilerTest : public ::testing::TestWithParam<Workers> {
 protected:
  // The beginning of the paths of this test's files.
  std::string path() const {
    return absl::StrCat(
        ::testing::TempDir(), "/profile_",
        ::testing::UnitTest::GetInstance()->current_test_info()->line(), "_",
        GetParam().Name(), "_");
  }
  // "in" goes through "a" and "b", each of which takes 200 us.
  std::string Chain(const std::string& profiler_config) const {
    return absl::StrCat(R"(
      input_stream: "in"
      node { name: "a" calculator: "TestLambda" input_stream: "in"
             output_stream: "x" input_side_packet: "PROCESS:f" }
      node { name: "b" calculator: "TestLambda" input_stream: "x"
             output_stream: "out" input_side_packet: "PROCESS:f" }
      profiler_config { )",
                        profiler_config, " }");
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphProfilerTest);

absl::Status SendOnSlowly(CalculatorContext* cc) {
  absl::SleepFor(absl::Microseconds(200));
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

GraphProfile ReadProfile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  GraphProfile profile;
  EXPECT_TRUE(profile.ParseFromString(
      std::string(std::istreambuf_iterator<char>(file), {})));
  return profile;
}

// How many events of this type the profile has, of each node by name. What a
// call sent may stand apart, without a start, where a part has ended between.
std::map<std::string, int> CountByNode(const GraphProfile& profile,
                                       GraphTrace::EventType type) {
  std::map<std::string, int> counts;
  for (const GraphTrace& trace : profile.graph_trace()) {
    for (const GraphTrace::CalculatorTrace& event : trace.calculator_trace()) {
      if (event.event_type() != type) continue;
      const int node = event.node_id();
      if (node >= 0 && !event.has_start_time()) continue;
      ++counts[node < 0 ? "application"
                        : profile.graph_trace(0).calculator_name(node)];
    }
  }
  return counts;
}

std::int64_t CallsOf(const CalculatorProfile& profile) {
  std::int64_t calls = 0;
  for (const std::int64_t count : profile.process_runtime().count()) {
    calls += count;
  }
  return calls;
}

TEST_P(GraphProfilerTest, CountsTheCallsOfEachNode) {
  TestGraph graph(GetParam(), Chain("enable_profiler: true "
                                    "histogram_interval_size_usec: 100 "
                                    "num_histogram_intervals: 4"));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  for (int i = 0; i < 10; ++i) graph.Add("in", i, i);
  graph.Idle();
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_ASSERT_OK(graph.graph().GetCalculatorProfiles(&profiles));
  ASSERT_THAT(profiles, SizeIs(2));
  for (const CalculatorProfile& profile : profiles) {
    EXPECT_EQ(CallsOf(profile), 10) << profile.name();
    EXPECT_THAT(profile.process_runtime().total(), Ge(10 * 200));
    EXPECT_EQ(profile.process_runtime().count_size(), 4);
    EXPECT_EQ(profile.process_runtime().count(0), 0) << "none took 100 us";
  }
  graph.Finish();
}

absl::Status SendOnAtOnce(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

TEST_P(GraphProfilerTest, CountsEachOfManyShortCalls) {
  constexpr int kPackets = 40'000;
  TestGraph graph(GetParam(), Chain("enable_profiler: true"));
  graph.Give("f", SendOnAtOnce);
  graph.Start();
  for (int i = 0; i < kPackets; ++i) graph.Add("in", i, i);
  graph.Idle();
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_ASSERT_OK(graph.graph().GetCalculatorProfiles(&profiles));
  ASSERT_THAT(profiles, SizeIs(2));
  EXPECT_EQ(CallsOf(profiles[0]), kPackets);
  EXPECT_EQ(CallsOf(profiles[1]), kPackets);
  graph.Finish();
}

// Of all streams, the packets that calls took.
std::int64_t TakenOf(const CalculatorProfile& profile) {
  std::int64_t packets = 0;
  for (const StreamProfile& stream : profile.input_stream_profiles()) {
    for (const std::int64_t count : stream.latency().count()) packets += count;
  }
  return packets;
}

// However the reading of the threads' lanes falls into the run.
TEST_P(GraphProfilerTest, NoPacketIsTakenBeforeItIsSent) {
  constexpr int kPackets = 20'000;
  TestGraph graph(GetParam(),
                  Chain("enable_profiler: true enable_stream_latency: true "
                        "trace_enabled: true trace_log_disabled: true"));
  graph.Give("f", SendOnAtOnce);
  graph.Start();
  int taken = 0;
  std::vector<std::int64_t> queues(2);  // by node, as noted last
  const auto look = [&] {
    GraphProfile part;
    SYNCLINE_ASSERT_OK(graph.graph().profiler()->CaptureProfile(&part));
    for (const auto& event : part.graph_trace(0).calculator_trace()) {
      for (const auto& packet : event.input_trace()) {
        if (event.event_type() == GraphTrace::PACKET_QUEUED) {
          queues[event.node_id()] = packet.event_data();
        } else if (event.event_type() == GraphTrace::PROCESS) {
          EXPECT_TRUE(packet.has_start_time());
          ++taken;
        }
      }
    }
  };
  for (int i = 0; i < kPackets; ++i) {
    graph.Add("in", i, i);
    if (i % 50 == 0) look();
  }
  graph.Idle();
  // By now all queues are empty.
  graph.Add("in", kPackets, 0);
  graph.Idle();
  look();
  EXPECT_THAT(queues, ElementsAre(1, 1));
  EXPECT_EQ(taken, 2 * (kPackets + 1));
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_ASSERT_OK(graph.graph().GetCalculatorProfiles(&profiles));
  ASSERT_THAT(profiles, SizeIs(2));
  EXPECT_EQ(TakenOf(profiles[0]), kPackets + 1);
  EXPECT_EQ(TakenOf(profiles[1]), kPackets + 1);
  graph.Finish();
}

TEST_P(GraphProfilerTest, ResetForgetsTheCallsOfProcess) {
  TestGraph graph(GetParam(), Chain("enable_profiler: true"));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Idle();
  graph.graph().profiler()->Reset();
  graph.Add("in", 2, 1);
  graph.Add("in", 3, 1);
  graph.Idle();
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_ASSERT_OK(graph.graph().GetCalculatorProfiles(&profiles));
  ASSERT_THAT(profiles, SizeIs(2));
  EXPECT_EQ(CallsOf(profiles[0]), 2);
  graph.Finish();
}

TEST_P(GraphProfilerTest, WhatHappensInAPauseIsNotMeasured) {
  TestGraph graph(GetParam(), Chain("enable_profiler: true"));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Idle();
  graph.graph().profiler()->Pause();
  graph.graph().profiler()->Pause();
  graph.Add("in", 2, 1);
  graph.Idle();
  graph.graph().profiler()->Resume();
  graph.Add("in", 3, 1);
  graph.Idle();
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_ASSERT_OK(graph.graph().GetCalculatorProfiles(&profiles));
  EXPECT_EQ(CallsOf(profiles[0]), 2);
  graph.Finish();
}

TEST_P(GraphProfilerTest, ARunThatEndsInAPauseMeasuresNothingOfIt) {
  TestGraph graph(
      GetParam(),
      Chain(absl::StrCat("trace_enabled: true trace_log_path: '", path(),
                         "' trace_log_interval_usec: -1 "
                         "enable_profiler: true")));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Idle();
  graph.graph().profiler()->Pause();
  graph.Add("in", 2, 1);
  graph.Idle();
  GraphProfile captured;
  SYNCLINE_ASSERT_OK(graph.graph().profiler()->CaptureProfile(&captured));
  EXPECT_EQ(CountByNode(captured, GraphTrace::PROCESS).at("a"), 1);
  EXPECT_EQ(CallsOf(captured.calculator_profiles(0)), 1);
  graph.Finish();
}

TEST_P(GraphProfilerTest, WithoutAProfilerConfigNothingIsMeasured) {
  TestGraph graph(GetParam(), Chain(""));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Finish();
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_ASSERT_OK(graph.graph().GetCalculatorProfiles(&profiles));
  EXPECT_THAT(profiles, IsEmpty());
  GraphProfile profile;
  SYNCLINE_ASSERT_OK(graph.graph().profiler()->CaptureProfile(&profile));
  EXPECT_EQ(profile.ByteSizeLong(), 0);
}

TEST_P(GraphProfilerTest, TheFileOfARunHasItsEvents) {
  TestGraph graph(GetParam(),
                  Chain(absl::StrCat("trace_enabled: true trace_log_path: '",
                                     path(), "' trace_log_interval_usec: -1")));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  for (int i = 0; i < 10; ++i) graph.Add("in", 1000 + i, i);
  graph.Finish();
  const GraphProfile profile = ReadProfile(path() + "0.binarypb");
  EXPECT_EQ(profile.config().node_size(), 2);
  const std::map<std::string, int> calls =
      CountByNode(profile, GraphTrace::PROCESS);
  EXPECT_EQ(calls.at("a"), 10);
  EXPECT_EQ(calls.at("b"), 10);
  EXPECT_EQ(calls.at("application"), 10);
  EXPECT_EQ(CountByNode(profile, GraphTrace::OPEN).at("a"), 1);
  EXPECT_EQ(CountByNode(profile, GraphTrace::CLOSE).at("b"), 1);
}

// As MediaPipe counts them.
int EventsIn(const GraphProfile& profile) {
  int events = 0;
  for (const GraphTrace& trace : profile.graph_trace()) {
    for (const GraphTrace::CalculatorTrace& event : trace.calculator_trace()) {
      if (event.has_start_time()) {
        events += std::max(1, event.input_trace_size());
      }
      if (event.has_finish_time()) {
        events += std::max(1, event.output_trace_size());
      }
    }
  }
  return events;
}

// Also where the flight recorder keeps many more.
TEST_P(GraphProfilerTest, TheFileHasTheNewestEventsUpToTheCapacity) {
  TestGraph graph(
      GetParam(),
      Chain(absl::StrCat("trace_enabled: true trace_log_path: '", path(),
                         "' trace_log_interval_usec: -1 "
                         "trace_log_capacity: 50")));
  graph.Give("f", SendOnAtOnce);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  for (int i = 0; i < 100; ++i) graph.Add("in", 1000 + i, i);
  graph.Finish();
  const GraphProfile profile = ReadProfile(path() + "0.binarypb");
  EXPECT_LE(EventsIn(profile), 50);
  EXPECT_GE(EventsIn(profile), 40);
  EXPECT_EQ(CountByNode(profile, GraphTrace::OPEN).count("a"), 0);
  EXPECT_EQ(CountByNode(profile, GraphTrace::CLOSE).at("b"), 1);
}

TEST_P(GraphProfilerTest, TypesThatAreTurnedOffAreLeftOut) {
  TestGraph graph(
      GetParam(),
      Chain(absl::StrCat("trace_enabled: true trace_log_path: '", path(),
                         "' trace_log_interval_usec: -1 "
                         "trace_event_types_disabled: 2")));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Finish();
  const GraphProfile profile = ReadProfile(path() + "0.binarypb");
  EXPECT_THAT(CountByNode(profile, GraphTrace::PROCESS), IsEmpty());
  EXPECT_EQ(CountByNode(profile, GraphTrace::OPEN).at("a"), 1);
}

// No call is lost or counted twice, however the intervals cut the run.
TEST_P(GraphProfilerTest, FilesOfIntervalsHaveEachCallOnce) {
  TestGraph graph(
      GetParam(),
      Chain(absl::StrCat("trace_enabled: true trace_log_path: '", path(),
                         "' trace_log_interval_usec: 2000 "
                         "trace_log_interval_count: 1000000")));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  for (int i = 0; i < 40; ++i) {
    graph.Add("in", i, i);
    graph.Idle();
  }
  graph.Finish();
  const std::map<std::string, int> calls =
      CountByNode(ReadProfile(path() + "0.binarypb"), GraphTrace::PROCESS);
  EXPECT_EQ(calls.at("a"), 40);
  EXPECT_EQ(calls.at("b"), 40);
}

// Writing a part takes longer than the interval, and more with each part, as
// the margin keeps all calls for the last one.
TEST_P(GraphProfilerTest, ARunEndsThoughItsIntervalIsShorterThanItsWriting) {
  TestGraph graph(
      GetParam(),
      Chain(absl::StrCat("trace_enabled: true trace_log_path: '", path(),
                         "' trace_log_interval_usec: 1 trace_log_margin_usec: "
                         "100000000 trace_log_interval_count: 1000000 "
                         "trace_log_capacity: 1000000")));
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  });
  graph.Start();
  constexpr int kPackets = 2000;
  for (int i = 0; i < kPackets; ++i) graph.Add("in", i, i);
  const absl::Time begin = absl::Now();
  graph.Finish();
  EXPECT_LT(absl::Now() - begin, absl::Seconds(30));
  const std::map<std::string, int> calls =
      CountByNode(ReadProfile(path() + "0.binarypb"), GraphTrace::PROCESS);
  EXPECT_EQ(calls.at("b"), kPackets);
}

TEST_P(GraphProfilerTest, AfterTheRunNothingIsMeasuredOnResume) {
  TestGraph graph(GetParam(), Chain("enable_profiler: true"));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  graph.Add("in", 1, 1);
  ProfilingContext* const profiler = graph.graph().profiler();
  graph.Finish();
  profiler->Pause();
  profiler->Resume();
  std::vector<CalculatorProfile> profiles;
  SYNCLINE_ASSERT_OK(profiler->GetCalculatorProfiles(&profiles));
  ASSERT_THAT(profiles, SizeIs(2));
  EXPECT_EQ(CallsOf(profiles[0]), 1);
}

TEST_P(GraphProfilerTest, ACaptureHasWhatCameSinceTheOneBefore) {
  TestGraph graph(GetParam(), Chain("trace_enabled: true enable_profiler: true "
                                    "trace_log_disabled: true"));
  graph.Give("f", SendOnSlowly);
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Idle();
  ProfilingContext* const profiler = graph.graph().profiler();
  GraphProfile first;
  SYNCLINE_ASSERT_OK(profiler->CaptureProfile(&first));
  EXPECT_EQ(first.config().node_size(), 2);
  EXPECT_EQ(CountByNode(first, GraphTrace::PROCESS).at("a"), 1);
  graph.Add("in", 2, 1);
  graph.Add("in", 3, 1);
  graph.Idle();
  GraphProfile second;
  SYNCLINE_ASSERT_OK(profiler->CaptureProfile(&second));
  EXPECT_FALSE(second.has_config());
  ASSERT_EQ(second.graph_trace_size(), 1);
  int calls = 0;
  for (const auto& event : second.graph_trace(0).calculator_trace()) {
    if (event.event_type() == GraphTrace::PROCESS && event.node_id() == 0) {
      ++calls;
    }
  }
  EXPECT_EQ(calls, 2);
  ASSERT_EQ(second.calculator_profiles_size(), 2);
  EXPECT_EQ(CallsOf(second.calculator_profiles(0)), 2);
  graph.Finish();
}

TEST_P(GraphProfilerTest, EachRunHasFilesOfItsOwn) {
  TestGraph graph(GetParam(),
                  Chain(absl::StrCat("trace_enabled: true trace_log_path: '",
                                     path(), "' trace_log_interval_usec: -1")));
  graph.Give("f", SendOnSlowly);
  for (int run = 1; run <= 2; ++run) {
    graph.Start();
    for (int i = 0; i < run; ++i) graph.Add("in", i, 1);
    graph.Finish();
    EXPECT_EQ(
        CountByNode(ReadProfile(path() + "0.binarypb"), GraphTrace::PROCESS)
            .at("a"),
        run);
  }
}

TEST_P(GraphProfilerTest, AFileThatCannotBeWrittenIsKnownAfterTheRun) {
  const std::string file = path() + "0.binarypb";
  std::filesystem::create_directory(file);
  TestGraph graph(GetParam(),
                  Chain(absl::StrCat("trace_enabled: true trace_log_path: '",
                                     path(), "' trace_log_interval_usec: -1")));
  graph.Give("f", SendOnSlowly);
  SYNCLINE_EXPECT_OK(graph.graph().GetProfilerStatus());
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Finish();
  EXPECT_THAT(graph.graph().GetProfilerStatus().message(), HasSubstr(file));
  // Of the last run.
  std::filesystem::remove(file);
  graph.Start();
  graph.Finish();
  SYNCLINE_EXPECT_OK(graph.graph().GetProfilerStatus());
}

TEST_P(GraphProfilerTest, AFolderThatIsNotThereIsAnError) {
  TestGraph graph(GetParam(),
                  Chain("trace_enabled: true trace_log_path: '/no/such/x_'"));
  graph.Give("f", SendOnSlowly);
  const absl::Status started = graph.StartWithHeaders({});
  const absl::Status status = started.ok() ? graph.FinishWithStatus() : started;
  EXPECT_THAT(status.message(), HasSubstr("/no/such"));
}

}  // namespace
}  // namespace syncline
