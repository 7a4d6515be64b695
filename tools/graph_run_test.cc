// What run_graph's exit status is, and what it says on standard error.
#include "tools/graph_run.h"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/graph/calculator_graph.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/gpu_calculator_base.h"
#include "gtest/gtest.h"
#include "tools/file_uses.h"
#include "tools/quit_signal.h"
#include "tools/recording_run.h"
#include "tools/run_device.h"
#include "tools/run_tracing.h"
#include "tools/trace_flags.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

// Sends how many calls all nodes of its type have had.
class SharedCountCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    static int calls = 0;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(++calls).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SharedCountCalculator);

// Sends the name of the device on which it works.
class DeviceNameCalculator : public gpu::GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<std::string>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(streams.device()->name())
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(DeviceNameCalculator);

// A source without an end, which does something in Open first.
class OpensCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext*) override {
    in_open();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override {
    return is_endless ? absl::OkStatus() : tool::StatusStop();
  }

  static std::function<void()> in_open;
  static bool is_endless;
};
std::function<void()> OpensCalculator::in_open;
bool OpensCalculator::is_endless = false;
REGISTER_CALCULATOR(OpensCalculator);

std::string Path(const std::string& name) {
  return absl::StrCat(::testing::TempDir(), "/", name);
}

std::string FileWith(const std::string& name, const std::string& text) {
  std::string path = Path(name);
  std::filesystem::remove(path);
  std::ofstream(path) << text;
  return path;
}

struct Result {
  int exit_status;
  std::string error;  // on standard error
};

Result Ran(const std::string& graph, const GraphRunFlags& flags,
           const RecordingRequest& request = {}) {
  const GraphPlan plan =
      Compile(ParseTextProtoOrDie<CalculatorGraphConfig>(graph)).value();
  const std::unique_ptr<RecordingRun> recordings =
      RecordingRun::Open(request).value();
  FileUses uses;
  ::testing::internal::CaptureStderr();
  QuitSignal quit([] {});
  const int exit_status = RunGraph(plan, flags, recordings.get(), &uses, &quit);
  return {exit_status, ::testing::internal::GetCapturedStderr()};
}

constexpr char kSum[] = R"pb(
  input_stream: "in"
  node { calculator: "SumCalculator" input_stream: "in" output_stream: "out" }
)pb";

TEST(GraphRunTest, AGoodRunIsSummedUpInOneLine) {
  const Result result = Ran(kSum, {.input = {"in=/dev/null"}});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.error,
              MatchesRegex("run_graph: 1 node sent 0 packets in [^,]+s\n"));
}

TEST(GraphRunTest, PacketsAreCountedAndWritten) {
  const std::string out = Path("out.txt");
  const Result result = Ran(kSum, {.input = {"in=" + FileWith("in.txt", "1 1")},
                                   .output = {"out=" + out}});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.error, StartsWith("run_graph: 1 node sent 1 packet in "));
  std::stringstream text;
  text << std::ifstream(out).rdbuf();
  EXPECT_EQ(text.str(), "1 1\n");
}

TEST(GraphRunTest, NodesWorkOnTheDeviceThatIsGiven) {
  constexpr char kNames[] = R"pb(
    input_stream: "in"
    node {
      calculator: "DeviceNameCalculator"
      input_stream: "in"
      output_stream: "out"
    }
  )pb";
  for (const char* const name : {"stand_in:1", "stand_in:0"}) {
    const std::string out = Path("device.txt");
    const Result result = Ran(
        kNames, {.input = {"in=" + FileWith("in.txt", "1 1")},
                 .output = {"out=" + out},
                 .device = FindDeviceSupport().value()->Open(name).value()});
    EXPECT_EQ(result.exit_status, 0) << result.error;
    EXPECT_THAT(result.error,
                StartsWith(absl::StrCat("run_graph: Device ", name, " ")));
    std::stringstream text;
    text << std::ifstream(out).rdbuf();
    EXPECT_THAT(text.str(), HasSubstr(name));
  }
}

TEST(GraphRunTest, AWrongCommandLineIsTwoAndABadFileOne) {
  Result result = Ran(kSum, {.input = {"in"}});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.error, StartsWith("run_graph: --input takes STREAM=FILE"));
  result =
      Ran(kSum, {.input_side_packets = {"x=1"}, .input = {"in=/dev/null"}});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.error, HasSubstr("no side packet \"x\""));
  result = Ran(kSum, {.input = {"in=" + FileWith("bad.txt", "1 one")}});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.error, HasSubstr("/bad.txt:1: "));
}

TEST(GraphRunTest, AnErrorOfTheGraphIsOne) {
  const Result result = Ran(R"pb(
                              node {
                                calculator: "FaultyCalculator"
                                output_stream: "out"
                                options {
                                  [syncline.TestCalculatorOptions.ext] {
                                    fault: STATUS
                                    message: "as planned"
                                  }
                                }
                              }
                            )pb",
                            {});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.error, StartsWith("run_graph: "));
  EXPECT_THAT(result.error, HasSubstr("as planned"));
  EXPECT_THAT(result.error, Not(HasSubstr("1 node sent")));
}

TEST(GraphRunTest, SidePacketsAreGivenToTheRun) {
  const std::string out = Path("sum.txt");
  const Result result = Ran(R"pb(
                              input_stream: "in"
                              node {
                                calculator: "SidePacketSumCalculator"
                                input_side_packet: "number"
                                input_stream: "in"
                                output_stream: "sum"
                              }
                            )pb",
                            {.input_side_packets = {"number=40"},
                             .input = {"in=" + FileWith("in.txt", "1 2")},
                             .output = {"sum=" + out}});
  EXPECT_EQ(result.exit_status, 0) << result.error;
  std::stringstream text;
  text << std::ifstream(out).rdbuf();
  EXPECT_EQ(text.str(), "1 42\n");
}

// A loop that nobody feeds.
constexpr char kLoop[] = R"pb(
  input_stream: "in"
  node {
    calculator: "SumCalculator"
    name: "join"
    input_stream: "in"
    input_stream: "loop"
    input_stream_info { tag_index: ":1" back_edge: true }
    output_stream: "loop"
  }
)pb";

TEST(GraphRunTest, PacketsThatNoCallTookAreAnErrorUnlessTheyAreAllowed) {
  GraphRunFlags flags = {.input = {"in=" + FileWith("in.txt", "1 1\n2 2")}};
  Result result = Ran(kLoop, flags);
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.error, HasSubstr("run_graph: node \"join\" dropped 2 "));
  EXPECT_THAT(result.error, HasSubstr("run_graph: 2 packets that came in had "
                                      "no part in any call"));
  flags.allow_leftover = true;
  result = Ran(kLoop, flags);
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.error, HasSubstr("run_graph: node \"join\" dropped 2 "));
  EXPECT_THAT(result.error, HasSubstr("run_graph: warning: "));
  EXPECT_THAT(result.error, Not(HasSubstr("had no part in any call")));
}

TEST(GraphRunTest, ARecordingIsMadeAndPlayedAgain) {
  const std::string path = Path("a.syncline");
  std::filesystem::remove(path);
  RecordingRequest request;
  request.record = path;
  const Result recorded =
      Ran(kSum, {.input = {"in=" + FileWith("in.txt", "1 1\n2 2")}}, request);
  EXPECT_EQ(recorded.exit_status, 0) << recorded.error;
  // One line for the run and at least one for the recording.
  EXPECT_THAT(recorded.error, HasSubstr("\nrun_graph: "));
  RecordingRequest again;
  again.replay = path;
  const Result replayed = Ran(kSum, {}, again);
  EXPECT_EQ(replayed.exit_status, 0) << replayed.error;
  EXPECT_THAT(replayed.error, HasSubstr("1 node sent 2 packets"));
}

TEST(GraphRunTest, ARecordingThatIsThereIsNotWrittenOver) {
  RecordingRequest request;
  request.record = FileWith("there.syncline", "a recording");
  const Result result = Ran(kSum, {.input = {"in=/dev/null"}}, request);
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.error, HasSubstr("there.syncline"));
}

TEST(GraphRunTest, ManyOrdersAreCompared) {
  GraphRunFlags flags = {
      .input = {"in=" + FileWith("in.txt", "1 1\n2 2\n3 3")}};
  flags.explore = 20;
  Result result = Ran(kSum, flags);
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.error,
            "run_graph: 20 schedules, all with the same outputs\n");
  result = Ran(R"pb(
                 input_stream: "in"
                 node {
                   calculator: "SharedCountCalculator"
                   input_stream: "in"
                   output_stream: "out"
                 }
               )pb",
               flags);
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.error, HasSubstr("\"out\""));
}

TEST(GraphRunTest, WhatDoesNotGoWithManyOrdersIsSaid) {
  GraphRunFlags flags = {.input = {"in=/dev/null"}};
  flags.explore = -1;
  Result result = Ran(kSum, flags);
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.error, HasSubstr("--explore takes a positive number"));
  flags.explore = 2;
  flags.output = {"out=-"};
  result = Ran(kSum, flags);
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.error, HasSubstr("compares outputs and writes none"));
  flags.output = {};
  flags.input = {"in=" + FileWith("bad.txt", "1 one")};
  result = Ran(kSum, flags);
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.error, HasSubstr("/bad.txt:1: "));
}

constexpr char kOpens[] = R"pb(
  node { name: "opens" calculator: "OpensCalculator" output_stream: "out" }
)pb";

TEST(GraphRunTest, CtrlBackslashNamesACallOfOpen) {
  const std::string record = Path("opens.trace");
  std::filesystem::remove(record);
  OpensCalculator::is_endless = false;
  OpensCalculator::in_open = [&record] {
    raise(SIGQUIT);
    // The answer ends with the writing of that file.
    const absl::Time end = absl::Now() + absl::Seconds(20);
    while (!std::filesystem::exists(record) && absl::Now() < end) {
      absl::SleepFor(absl::Milliseconds(1));
    }
  };
  const Result result = Ran(kOpens, {.trace = {.flight_recorder = record}});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.error, HasSubstr("\"opens\" has been in Open on thread"));
  EXPECT_THAT(result.error, Not(HasSubstr("its files are opened first")));
}

TEST(GraphRunTest, CtrlCBeforeTheNodesAreOpenEndsTheRun) {
  OpensCalculator::is_endless = true;
  OpensCalculator::in_open = [] { raise(SIGINT); };
  const Result result = Ran(kOpens, {});
  EXPECT_EQ(result.exit_status, 128 + SIGINT);
  EXPECT_THAT(result.error, HasSubstr("run_graph: interrupted; closing the"));
}

// A signal may end the program once the trace is there.
TEST(RunTracingTest, NothingIsBesideATraceOnceItIsWritten) {
  const std::filesystem::path folder = Path("beside");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  RunTracing tracing(
      {.trace = folder / "run.pftrace", .form = TraceRequest::Form::kPerfetto});
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kSum)));
  SYNCLINE_ASSERT_OK(tracing.Start(&graph));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  SYNCLINE_ASSERT_OK(tracing.Finish(&graph, absl::OkStatus()));
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().filename());
  }
  EXPECT_THAT(files, ElementsAre("run.pftrace"));
}

}  // namespace
}  // namespace syncline
