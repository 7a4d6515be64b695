// Traces of graphs that are switched on and off, their files, and what else a
// trace may be asked for.

#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/graph/trace_graph_test_support.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "framework/run/described_observer.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class TraceSwitchTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(TraceSwitchTest);

TEST_P(TraceSwitchTest, NothingIsNotedUnlessAskedFor) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Finish();
  EXPECT_EQ(graph.graph().TakeTrace().num_events(), 0);
}

TEST_P(TraceSwitchTest, IsSwitchedOnAndOffWhileTheGraphRuns) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Idle();
  const std::string path =
      absl::StrCat(::testing::TempDir(), "/switched_", GetParam().Name());
  SYNCLINE_ASSERT_OK(graph.graph().StartTrace(path));
  EXPECT_EQ(graph.graph().StartTrace(path).code(),
            absl::StatusCode::kAlreadyExists);
  graph.Add("in", 20, 1);
  graph.Idle();
  std::int64_t num_lost = -1;
  SYNCLINE_ASSERT_OK(graph.graph().StopTrace(&num_lost));
  EXPECT_EQ(num_lost, 0);
  graph.Add("in", 30, 1);
  graph.Finish();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path));
  EXPECT_FALSE(trace.is_cut_off);
  EXPECT_THAT(CallsOf(trace, "b"), ElementsAre("20 <- x@20 -> out@20"));
  EXPECT_EQ(graph.Count("out"), 0);
}

// A graph whose thread is busy with one call of "slow" after the other all the
// time.
class BusyThread {
 public:
  BusyThread() {
    graph.Give("count", CountTo(999));
    graph.Give("f", [this](CalculatorContext*) {
      ++num_calls_;
      absl::SleepFor(absl::Milliseconds(3));
      return absl::OkStatus();
    });
  }
  // Until so many more have begun.
  void WaitForCalls(int calls) const {
    const int end = num_calls_ + calls;
    while (num_calls_ < end) absl::SleepFor(absl::Milliseconds(1));
  }

 private:
  std::atomic<int> num_calls_{0};

 public:
  TestGraph graph{{.threads = 1}, R"(
    node { name: "source" calculator: "TestLambda" output_stream: "in"
           input_side_packet: "PROCESS:count" }
    node { name: "slow" calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:f" })"};
};

TEST(TraceOfOneThreadTest, TheNextCallIsTracedOnceThatIsSwitchedOn) {
  BusyThread busy;
  TestGraph& graph = busy.graph;
  graph.Start();
  busy.WaitForCalls(3);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  busy.WaitForCalls(10);
  const Trace trace = graph.graph().TakeTrace();
  graph.graph().Cancel();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kCancelled);
  int num_traced = 0;
  ForEachEvent(trace, [&](int, const TraceEvent& event) {
    if (event.kind() == TraceKind::kProcessBegin &&
        trace.header.node(static_cast<int>(event.id())).name() == "slow") {
      ++num_traced;
    }
  });
  EXPECT_GE(num_traced, 8);
}

// So it is where one trace follows another at once.
TEST(TraceOfOneThreadTest, TheNextCallIsInTheNextTrace) {
  BusyThread busy;
  TestGraph& graph = busy.graph;
  const std::string path = testing::TempDir() + "/next.trace";
  SYNCLINE_ASSERT_OK(
      graph.graph().StartTrace(path, {.events_per_thread = 1 << 12}));
  graph.Start();
  busy.WaitForCalls(3);
  SYNCLINE_ASSERT_OK(graph.graph().StopTrace());
  SYNCLINE_ASSERT_OK(
      graph.graph().StartTrace(path, {.events_per_thread = 1 << 16}));
  busy.WaitForCalls(10);
  SYNCLINE_ASSERT_OK(graph.graph().StopTrace());
  graph.graph().Cancel();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kCancelled);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path));
  EXPECT_GE(CountOf(trace, TraceKind::kTaken), 8);
}

TEST_P(TraceSwitchTest, AFileOfTheTraceLeavesTheFlightRecorderAsItIs) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(
      graph.graph().EnableFlightRecorder({.events_per_thread = 512}));
  graph.Start();
  graph.Add("in", 10, 1);
  SYNCLINE_ASSERT_OK(graph.graph().WaitUntilIdle());
  SYNCLINE_ASSERT_OK(
      graph.graph().StartTrace(testing::TempDir() + "/beside_the_recorder"));
  graph.Add("in", 20, 2);
  SYNCLINE_ASSERT_OK(graph.graph().WaitUntilIdle());
  SYNCLINE_ASSERT_OK(graph.graph().StopTrace());
  graph.Add("in", 30, 3);
  graph.Finish();
  EXPECT_THAT(CallsOf(graph.graph().TakeTrace(), "a"),
              ElementsAre("Open", "10 <- in@10 -> x@10", "20 <- in@20 -> x@20",
                          "30 <- in@30 -> x@30", "Close"));
}

TEST_P(TraceSwitchTest, TheFileOfATraceHasTheWholeRun) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  graph.Observe("out");
  const std::string path =
      absl::StrCat(::testing::TempDir(), "/whole_", GetParam().Name());
  SYNCLINE_ASSERT_OK(graph.graph().StartTrace(path));
  graph.Start();
  constexpr int kPackets = 500;
  for (int i = 0; i < kPackets; ++i) graph.Add("in", i, i);
  graph.Finish();
  SYNCLINE_ASSERT_OK(graph.graph().StopTrace());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path));
  EXPECT_EQ(trace.num_lost(), 0);
  EXPECT_EQ(CallsOf(trace, "a").size(), kPackets + 2);
  EXPECT_EQ(CallsOf(trace, "b").size(), kPackets + 2);
  EXPECT_TRUE(
      trace.header.stream(trace.header.node(1).output_stream(0)).is_observed());
  EXPECT_EQ(graph.Count("out"), kPackets);
}

// What is recorded is no output because of that.
TEST_P(TraceSwitchTest, WhoOnlyLooksAtAStreamDoesNotMakeItAnOutput) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  const std::string path =
      absl::StrCat(::testing::TempDir(), "/looks_", GetParam().Name());
  const auto ignore = [](const Packet&) { return absl::OkStatus(); };
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
      "out", DescribedObserver{.name = "the file", .callback = ignore}));
  for (const char* const stream : {"in", "x"}) {
    SYNCLINE_ASSERT_OK(graph.graph().ObserveWholeStream(
        stream,
        DescribedObserver{
            .name = "a recording", .only_looks_on = true, .callback = ignore}));
  }
  SYNCLINE_ASSERT_OK(graph.graph().StartTrace(path));
  graph.Start();
  graph.Finish();
  SYNCLINE_ASSERT_OK(graph.graph().StopTrace());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path));
  std::vector<std::string> observed;
  for (const TraceFileHeader::Stream& stream : trace.header.stream()) {
    if (stream.is_observed()) observed.push_back(stream.name());
  }
  EXPECT_THAT(observed, ElementsAre("out"));
}

TEST_P(TraceSwitchTest, EventsHaveTheTimeOfTheGraphIfAskedFor) {
  TestGraph graph(GetParam(), absl::StrCat(kTwo, R"(
    clock { type: "ManualClock" initial_timestamp: 700 })"));
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().StartTrace(
      absl::StrCat(::testing::TempDir(), "/graph_time_", GetParam().Name()),
      {.in_graph_time = true}));
  graph.Start();
  const std::int64_t start_ns = graph.graph().GetClock()->NowNs();
  graph.Add("in", 10, 1);
  graph.Finish();
  const Trace trace = graph.graph().TakeTrace();
  EXPECT_GT(trace.num_events(), 0);
  ForEachEvent(trace, [&](int, const TraceEvent& event) {
    EXPECT_EQ(event.tick, static_cast<std::uint64_t>(start_ns));
  });
}

TEST_P(TraceSwitchTest, ConditionsAndTimesOfNodesAreNoted) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    clock { type: "ManualClock" }
    node { name: "a" calculator: "TestLambda" input_stream: "in"
           condition { name: "p" type: "PeriodicCondition" options {
             [syncline.PeriodicConditionOptions.ext] {
               recess_period: "1ms" } } } })");
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Add("in", 20, 1);
  graph.Finish();
  EXPECT_GE(CountOf(graph.graph().TakeTrace(), TraceKind::kCondition), 2);
}

TEST_P(TraceSwitchTest, ARunThatFailsLeavesItsLastEvents) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", [](CalculatorContext*) { return absl::DataLossError("x"); });
  const std::string path =
      absl::StrCat(::testing::TempDir(), "/failed_", GetParam().Name());
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder({.path = path}));
  graph.Start();
  graph.AddWithStatus("in", 10, 1).IgnoreError();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kDataLoss);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace trace, ReadTraceFile(path));
  EXPECT_THAT(CallsOf(trace, "a"),
              ElementsAre("Open", "10 <- in@10 ! 15", "Close"));
}

TEST_P(TraceSwitchTest, CallsThatOverlapSendTheirResultsInOrder) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "a" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" input_side_packet: "PROCESS:f"
           max_in_flight: 4 })");
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  for (int i = 0; i < 50; ++i) graph.Add("in", i, i);
  graph.Finish();
  const std::vector<std::string> calls =
      CallsOf(graph.graph().TakeTrace(), "a");
  ASSERT_EQ(calls.size(), 52);
  std::vector<std::string> expected = {"Open"};
  for (int i = 0; i < 50; ++i) {
    expected.push_back(absl::StrCat(i, " <- in@", i, " -> out@", i));
  }
  expected.push_back("Close");
  EXPECT_THAT(calls, ::testing::UnorderedElementsAreArray(expected));
}

// Lets files grow up to `bytes` while it lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_ = {};
};

// The names of the files in the same folder that begin as `path` does.
std::vector<std::string> FilesLike(const std::string& path) {
  const std::filesystem::path like(path);
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(like.parent_path())) {
    const std::string name = entry.path().filename();
    if (absl::StartsWith(name, like.filename().string())) names.push_back(name);
  }
  return names;
}

TEST(TraceOfAGraphTest, AnOlderFileStaysUntilTheNewOneIsWhole) {
  TestGraph graph(Workers(), kTwo);
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  const std::string path = absl::StrCat(::testing::TempDir(), "/older.trace");
  SYNCLINE_ASSERT_OK(graph.graph().WriteFlightRecorder(path));
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Finish();
  {
    const FileLimit full_disk(100);
    EXPECT_THAT(graph.graph().WriteFlightRecorder(path).message(),
                HasSubstr("older.trace\" is an older one"));
  }
  EXPECT_THAT(FilesLike(path), ElementsAre("older.trace"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace older, ReadTraceFile(path));
  EXPECT_EQ(older.num_events(), 0);
  SYNCLINE_ASSERT_OK(graph.graph().WriteFlightRecorder(path));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Trace newer, ReadTraceFile(path));
  EXPECT_GT(newer.num_events(), 0);
  EXPECT_THAT(FilesLike(path), ElementsAre("older.trace"));
}

TEST(TraceOfAGraphTest, NoFileOfTheUserIsInTheWayOfTheFlightRecorder) {
  TestGraph graph(Workers(), kTwo);
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  const std::string path = absl::StrCat(::testing::TempDir(), "/users.trace");
  SYNCLINE_ASSERT_OK(graph.graph().WriteFlightRecorder(path));
  for (const char* const suffix : {".new", ".tmp"}) {
    std::ofstream(absl::StrCat(path, suffix)) << "precious";
  }
  SYNCLINE_ASSERT_OK(graph.graph().WriteFlightRecorder(path));
  for (const char* const suffix : {".new", ".tmp"}) {
    std::string content;
    std::ifstream(absl::StrCat(path, suffix)) >> content;
    EXPECT_EQ(content, "precious");
  }
  EXPECT_THAT(FilesLike(path),
              UnorderedElementsAre("users.trace", "users.trace.new",
                                   "users.trace.tmp"));
}

TEST(TraceOfAGraphTest, StreamsThatTheGraphListsAreItsOutputs) {
  TestGraph graph(Workers(), absl::StrCat("output_stream: 'x' ", kTwo));
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  std::vector<std::string> outputs;
  const Trace trace = graph.graph().TakeTrace();
  for (const auto& stream : trace.header.stream()) {
    if (stream.is_graph_output()) outputs.push_back(stream.name());
  }
  EXPECT_THAT(outputs, ElementsAre("x"));
}

TEST(TraceOfAGraphTest, ATraceByAnotherClockAndBackGoesOnInTheSameMemory) {
  TestGraph graph(Workers(), kTwo);
  graph.Give("f", SendOn);
  graph.Start();
  graph.Idle();
  const std::string path = absl::StrCat(::testing::TempDir(), "/clocks.trace");
  const auto trace = [&](bool in_graph_time, int timestamp) {
    SYNCLINE_ASSERT_OK(
        graph.graph().StartTrace(path, {.in_graph_time = in_graph_time}));
    graph.Add("in", timestamp, 1);
    graph.Idle();
    SYNCLINE_ASSERT_OK(graph.graph().StopTrace());
  };
  trace(false, 1);
  trace(true, 2);
  trace(false, 3);
  // What came by this clock before the last trace is still there.
  EXPECT_THAT(CallsOf(graph.graph().TakeTrace(), "a"),
              ElementsAre("1 <- in@1 -> x@1", "3 <- in@3 -> x@3"));
  graph.Finish();
}

TEST(TraceOfAGraphTest, WhatIsWrongIsSaid) {
  CalculatorGraph graph;
  EXPECT_EQ(graph.StartTrace("x").code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(graph.WriteFlightRecorder("x").code(),
            absl::StatusCode::kFailedPrecondition);
  SYNCLINE_EXPECT_OK(graph.StopTrace());
  TestGraph other(Workers(), kTwo);
  other.Give("f", SendOn);
  EXPECT_THAT(other.graph().StartTrace("/no/such/folder/x").message(),
              HasSubstr("\"/no/such/folder/x\""));
  EXPECT_EQ(other.graph().EnableFlightRecorder({.events_per_thread = 0}).code(),
            absl::StatusCode::kInvalidArgument);
  SYNCLINE_EXPECT_OK(other.graph().EnableFlightRecorder());
  EXPECT_EQ(other.graph().EnableFlightRecorder().code(),
            absl::StatusCode::kAlreadyExists);
}

}  // namespace
}  // namespace syncline
