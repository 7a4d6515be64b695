#include "tools/trace/reports.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tools/trace/event_lines.h"
#include "tools/trace/made_trace.h"

namespace syncline {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Latencies LatenciesOf(const Trace& trace, const LatencyOptions& options) {
  return ComputeLatencies(trace, TraceCalls(trace), options);
}

std::vector<Report> AllReports(const Trace& trace) {
  const LatencyOptions options;
  return {StatsReport(ComputeTraceStats(trace)),
          LatencyReport(trace, LatenciesOf(trace, options), options),
          JobsReport(ComputeJobStats(trace, 100)),
          CriticalPathReport(trace, ComputeCritical(trace, TraceCalls(trace))),
          DiffReport(ComputeTraceDiff(trace, trace))};
}

TEST(ReportsTest, FitIntoEightyColumns) {
  MadeTraceOptions options;
  options.nodes = 30;
  const Trace trace = MakeTrace(options);
  for (const Report& report : AllReports(trace)) {
    const std::string text = ReportText(report, 80);
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      EXPECT_LE(line.size(), 80) << line;
    }
  }
}

TEST(ReportsTest, AllFormatsOfAllReportsCanBeRead) {
  for (const Trace& trace :
       {MakeTrace(MadeTraceOptions()), TraceBuilder().Build()}) {
    for (const Report& report : AllReports(trace)) {
      const auto json = nlohmann::json::parse(ReportJson(report));
      EXPECT_EQ(json["report"], report.key);
      for (const Table& table : report.tables) {
        EXPECT_EQ(json[table.key].size(), table.rows.size());
        for (const std::vector<Cell>& row : table.rows) {
          EXPECT_EQ(row.size(), table.columns.size());
        }
        SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string csv,
                                      ReportCsv(report, table.key));
        const std::vector<std::string> lines = absl::StrSplit(csv, '\n');
        // The heads, and nothing after the last line end.
        EXPECT_EQ(lines.size(), table.rows.size() + 2);
      }
    }
  }
}

// As MediaPipe's files have it.
TEST(ReportsTest, ASourceThatTheTraceDoesNotNameHasACellThatSaysSo) {
  TraceBuilder builder;
  const int in = builder.AddInput("");
  builder.At(5).Event(TraceKind::kThrottled, TraceEvent::kNoNode, 0, in);
  builder.At(7).Event(TraceKind::kUnthrottled, TraceEvent::kNoNode, 0, in);
  const std::string text =
      ReportText(StatsReport(ComputeTraceStats(builder.Build())), 80);
  EXPECT_THAT(text, HasSubstr("\n  (not named)      1 "));
}

// What a file with any numbers in it says may be wrong, but is said.
TEST(ReportsTest, NoTraceThatCanBeReadCrashesThem) {
  MadeTraceOptions options;
  options.nodes = 6;
  options.packets = 12;
  const std::string content = TraceFileContent(MakeTrace(options));
  std::mt19937 random(20261129);
  int read = 0;
  for (int round = 0; round < 300; ++round) {
    std::string changed = content;
    for (int i = 0; i < 3; ++i) {
      // Most bytes are those of events.
      changed[random() % changed.size()] ^=
          static_cast<char>(1 << random() % 8);
    }
    const auto trace = ParseTraceFile(changed, "x");
    if (!trace.ok()) continue;
    ++read;
    for (const Report& report : AllReports(*trace)) {
      EXPECT_FALSE(ReportText(report, 80).empty());
      EXPECT_FALSE(ReportJson(report).empty());
    }
    const LatencyOptions all;
    LatencyLog(*trace, LatenciesOf(*trace, all));
    SYNCLINE_EXPECT_OK(WriteEventLines(
        *trace, [](absl::string_view piece) { return absl::OkStatus(); }));
  }
  EXPECT_GT(read, 30);
}

// A call of a node, which takes a packet 30 us after it was sent.
Trace TraceOfOneCall() {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("a", {in});
  builder.At(1'000).Begin(node, 0, TraceKind::kOpenBegin);
  builder.At(8'000).End(node, 0, TraceKind::kOpenEnd);
  builder.At(10'000).Sent(in, 1);
  builder.At(40'000).Begin(node, 1).Taken(in, 1, 0);
  builder.At(45'000).End(node, 1);
  builder.At(50'000).Bound(in, 2);
  return builder.Build();
}

TEST(ReportsTest, AllHaveTheSameRun) {
  const Trace trace = TraceOfOneCall();
  for (const Report& report : AllReports(trace)) {
    const std::string text = ReportText(report, 120);
    if (report.key == "stats") {
      EXPECT_THAT(text, HasSubstr("in 49.0 us;"));
    } else if (report.key == "critical") {
      EXPECT_THAT(text, HasSubstr("the run took 49.0 us, and its calls"));
      EXPECT_THAT(text, HasSubstr("its calls need 24.5 % of the run"));
    } else if (report.key == "diff") {
      EXPECT_THAT(text, HasSubstr("the run took 49.0 us, and takes now 49.0"));
    }
  }
}

TEST(ReportsTest, OneOfAKindIsNoPlural) {
  std::string all;
  for (const Report& report : AllReports(TraceOfOneCall())) {
    all += ReportText(report, 200);
  }
  EXPECT_THAT(all, HasSubstr("2 calls of 1 node on 1 thread in"));
  EXPECT_THAT(all, HasSubstr("1 message on 1 path, "));
  EXPECT_THAT(all, HasSubstr("an estimate: with 1 thread the calls"));
  EXPECT_THAT(all, HasSubstr("and with 2 threads"));
  EXPECT_THAT(all, Not(ContainsRegex("(^|[^0-9.])1 [a-z]+s[ ,;]")));
}

TEST(ReportsTest, StatsShowOpenAndClose) {
  const std::string text =
      ReportText(StatsReport(ComputeTraceStats(TraceOfOneCall())), 80);
  EXPECT_THAT(text, ContainsRegex("node +open +close\n +a +7.00 us +-\n"));
}

TEST(ReportsTest, StatsSayWhyPacketsWereDropped) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int node = builder.AddNode("a", {in});
  builder.Dropped(in, 1, node, static_cast<int>(DropCause::kLate));
  const std::string text =
      ReportText(StatsReport(ComputeTraceStats(builder.Build())), 120);
  EXPECT_THAT(text, HasSubstr(std::string(DropCauseText(DropCause::kLate))));
}

TEST(ReportsTest, StatsShowTheTimeOfDevicesWhereThereIsAny) {
  for (const bool has_device : {false, true}) {
    TraceBuilder builder;
    const int node = builder.AddNode("a", {builder.AddInput("in")});
    builder.At(1000).Begin(node, 7).At(2000).End(node, 7);
    if (has_device) {
      builder.At(3000).Event(TraceKind::kDeviceBegin, node, 7, 1);
      builder.At(5500).Event(TraceKind::kDeviceEnd, node, 7, 1);
    }
    const std::string text =
        ReportText(StatsReport(ComputeTraceStats(builder.Build())), 120);
    EXPECT_EQ(absl::StrContains(text, " device"), has_device) << text;
    EXPECT_EQ(absl::StrContains(text, "2.50 us"), has_device) << text;
  }
}

TEST(ReportsTest, StatsSayOfHowManyCallsNoInputCameLast) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int other = builder.AddInput("other");
  const int join = builder.AddNode("join", {in, other});
  builder.At(1).Sent(in, 1).Sent(in, 2);
  builder.At(2).Sent(other, 1);
  builder.At(5).Begin(join, 1).Taken(in, 1, 0).Taken(other, 1, 1);
  builder.At(6).End(join, 1);
  builder.At(7).Begin(join, 2).Taken(in, 2, 0).End(join, 2);
  const auto json = nlohmann::json::parse(
      ReportJson(StatsReport(ComputeTraceStats(builder.Build()))));
  ASSERT_EQ(json["joins"].size(), 3);
  EXPECT_EQ(json["joins"][1]["came_last"], 1);
  EXPECT_EQ(json["joins"][1]["share"], 0.5);
  EXPECT_EQ(json["joins"][2]["stream"], "(less than two came)");
  EXPECT_EQ(json["joins"][2]["came_last"], 1);
}

TEST(ReportsTest, LatencySaysWhyNothingCounts) {
  const Trace trace = MakeTrace(MadeTraceOptions());
  LatencyOptions options;
  options.skip_first = 1000;
  const std::string text = ReportText(
      LatencyReport(trace, LatenciesOf(trace, options), options), 80);
  EXPECT_THAT(text, HasSubstr("--skip_first=0"));
}

// A node that reads what it sent, ten times; the slowest round is the seventh.
Trace TraceOfALoop() {
  TraceBuilder builder;
  const int node = builder.AddNode("loop", {0});
  const int out = builder.AddOutput(node, "out");
  builder.header().mutable_node(node)->add_input_is_back_edge(true);
  std::uint64_t tick = 0;
  for (int i = 1; i <= 11; ++i) {
    builder.At(tick).Begin(node, 100 * i);
    if (i > 1) builder.Taken(out, 100 * (i - 1), 0);
    builder.At(tick + 10).End(node, 100 * i).Sent(out, 100 * i);
    tick += i == 7 ? 90 : 40;
  }
  return builder.Build();
}

TEST(ReportsTest, LatencyHasTablesOfLoops) {
  const Trace trace = TraceOfALoop();
  const LatencyOptions all;
  const Report report = LatencyReport(trace, LatenciesOf(trace, all), all);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string csv,
                                ReportCsv(report, "loops"));
  EXPECT_EQ(csv,
            "path,messages,skipped,mean_ns,min_ns,p50_ns,p99_ns,max_ns,"
            "min_message,min_timestamp,max_message,max_timestamp\n"
            "loop -> loop,10,0,45,40,40,90,90,0,100,6,700\n");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string steps,
                                ReportCsv(report, "loop_steps"));
  EXPECT_THAT(steps, HasSubstr("loop -> loop,loop,35,"));
  const auto json = nlohmann::json::parse(ReportJson(report));
  EXPECT_EQ(json["loop_messages"], 10);
  EXPECT_EQ(json["messages"], 0);
  EXPECT_EQ(json["loops"][0]["p99_ns"], 90);
  EXPECT_EQ(json["loops"][0]["max_message"], 6);
  const std::string text = ReportText(report, 80);
  EXPECT_THAT(text, HasSubstr("10 messages round 1 loop, 10 of which count"));
  EXPECT_THAT(text, HasSubstr("loop -> loop"));
  // A line for each message, when it was sent and when it came back.
  EXPECT_THAT(LatencyLog(trace, LatenciesOf(trace, all)),
              HasSubstr("(loop,0.000,0.010) -> (loop,0.040,0.040)\n"));
}

TEST(ReportsTest, CriticalSaysThatItEstimates) {
  const Trace trace = MakeTrace(MadeTraceOptions());
  const std::string text = ReportText(
      CriticalPathReport(trace, ComputeCritical(trace, TraceCalls(trace))), 80);
  EXPECT_THAT(text, HasSubstr("an estimate: with 3 threads"));
}

TEST(LatencyLogTest, HasALineForEachMessageInTheOrderOfArrival) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int a = builder.AddNode("a", {in});
  const int x = builder.AddOutput(a, "x");
  const int b = builder.AddNode("b\n", {x});
  const int out = builder.AddOutput(b, "out");
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t begin = 1000 + 100000 * static_cast<std::uint64_t>(i);
    builder.At(begin).Sent(in, i);
    builder.At(begin + 500).Begin(a, i).Taken(in, i, 0);
    builder.At(begin + 2000).End(a, i).Sent(x, i);
    builder.At(begin + 3000).Begin(b, i).Taken(x, i, 0);
    builder.At(begin + 7000).End(b, i).Sent(out, i);
  }
  const Trace trace = builder.Build();
  EXPECT_EQ(LatencyLog(trace, LatenciesOf(trace, LatencyOptions())),
            "(a,1.500,3.000) -> (b\\n,4.000,8.000)\n"
            "(a,101.500,103.000) -> (b\\n,104.000,108.000)\n");
}

TEST(LatencyLogTest, MessagesOfSeveralPathsAreInTheOrderOfArrival) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  for (const char* const name : {"a", "b"}) {
    builder.AddOutput(builder.AddNode(name, {in}), name);
  }
  for (int i = 0; i < 4; ++i) {
    const int node = i % 2;
    builder.At(100 * i).Sent(in, i);
    builder.At(100 * i + 10).Begin(node, i).Taken(in, i, 0);
    builder.At(100 * i + 20).End(node, i).Sent(in + 1 + node, i);
  }
  const Trace trace = builder.Build();
  EXPECT_EQ(LatencyLog(trace, LatenciesOf(trace, LatencyOptions())),
            "(a,0.010,0.020)\n"
            "(b,0.110,0.120)\n"
            "(a,0.210,0.220)\n"
            "(b,0.310,0.320)\n");
}

TEST(EventLinesTest, SayWhatHappened) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int a = builder.AddNode("a\x1b", {in});
  builder.At(1500).Sent(in, 7);
  builder.At(2000).Begin(a, 7).Taken(in, 7, 0);
  builder.At(3000).End(a, 7, TraceKind::kProcessEnd, 13);
  builder.Dropped(in, 8, a, static_cast<int>(DropCause::kQueueFull));
  builder.Event(TraceKind::kReady, a, 9, 2);
  builder.Event(TraceKind::kReady, a, std::numeric_limits<std::int64_t>::min());
  builder.Event(TraceKind::kThrottled, TraceEvent::kNoNode, 0, in);
  builder.Event(static_cast<TraceKind>(99), 5, 6, 7);
  std::vector<std::string> lines;
  SYNCLINE_ASSERT_OK(
      WriteEventLines(builder.Build(), [&lines](absl::string_view piece) {
        for (const absl::string_view line : absl::StrSplit(piece, '\n')) {
          lines.emplace_back(line);
        }
        return absl::OkStatus();
      }));
  EXPECT_THAT(
      lines,
      ElementsAre(
          "       1.500 us  thread 0 (thread 0)  SENT stream \"in\" at 7",
          "       2.000 us  thread 0 (thread 0)  PROCESS_BEGIN node \"a\\x1b\" "
          "at 7",
          "       2.000 us  thread 0 (thread 0)  TAKEN stream \"in\" at 7 port "
          "0",
          "       3.000 us  thread 0 (thread 0)  PROCESS_END node \"a\\x1b\" "
          "at "
          "7, error INTERNAL",
          "       3.000 us  thread 0 (thread 0)  DROPPED stream \"in\" at 8 of "
          "node \"a\\x1b\": were too many for the queue",
          "       3.000 us  thread 0 (thread 0)  READY node \"a\\x1b\" at 9 "
          "for "
          "Close",
          "       3.000 us  thread 0 (thread 0)  READY node \"a\\x1b\" for "
          "Process",
          "       3.000 us  thread 0 (thread 0)  THROTTLED stream \"in\"",
          "       3.000 us  thread 0 (thread 0)  KIND_99 5 at 6 7", ""));
}

TEST(EventLinesTest, EveryKindHasANameOfItsOwn) {
  std::vector<std::string> names;
  for (int kind = 0; kind < 256; ++kind) {
    names.push_back(TraceKindName(static_cast<TraceKind>(kind)));
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

TEST(EventLinesTest, StopAtTheFirstError) {
  MadeTraceOptions options;
  options.packets = 2000;
  int pieces = 0;
  const absl::Status status =
      WriteEventLines(MakeTrace(options), [&pieces](absl::string_view piece) {
        ++pieces;
        return absl::UnavailableError("the disk is full");
      });
  EXPECT_EQ(status.message(), "the disk is full");
  EXPECT_EQ(pieces, 1);
}

}  // namespace
}  // namespace syncline
