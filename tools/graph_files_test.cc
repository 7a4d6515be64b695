// Packets go from files into a graph and from its streams into files; what is
// wrong with a file or a flag is said with its name.
#include "tools/graph_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/file_uses.h"
#include "tools/path_hint.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Its packets have no text.
struct Unreadable {};
class UnreadableCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Unreadable>();
    cc->Outputs().Index(0).Set<Unreadable>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(UnreadableCalculator);

std::string Path(const std::string& name) {
  return absl::StrCat(::testing::TempDir(), "/", name);
}

// A new file with this text.
std::string FileWith(const std::string& name, const std::string& text) {
  std::string path = Path(name);
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string Contents(const std::string& path) {
  std::stringstream contents;
  contents << std::ifstream(path).rdbuf();
  return contents.str();
}

GraphPlan PlanOf(const std::string& graph) {
  return Compile(ParseTextProtoOrDie<CalculatorGraphConfig>(graph)).value();
}

// The numbers of two streams, joined; `settings`: fields of the graph.
GraphPlan Join(const std::string& settings = "") {
  return PlanOf(settings + R"pb(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "SumCalculator"
      input_stream: "a"
      input_stream: "b"
      output_stream: "sum"
    }
  )pb");
}

GraphPlan One() {
  return PlanOf(R"pb(
    input_stream: "in"
    node { calculator: "SumCalculator" input_stream: "in" output_stream: "out" }
  )pb");
}

absl::Status Opened(const GraphPlan& plan, const std::vector<std::string>& in,
                    const std::vector<std::string>& out = {},
                    bool is_fed_otherwise = false) {
  GraphFiles files;
  FileUses uses;
  return files.Open(plan, in, out, &uses, is_fed_otherwise);
}

// One run, as run_graph makes it.
absl::Status Ran(const GraphPlan& plan, const std::vector<std::string>& in,
                 const std::vector<std::string>& out, int interrupt_fd = -1) {
  GraphFiles files;
  FileUses uses;
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(files.Open(plan, in, out, &uses));
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(plan, {}));
  SYNCLINE_RETURN_IF_ERROR(files.Observe(&graph));
  SYNCLINE_RETURN_IF_ERROR(files.BeginOutputs());
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  absl::Status status = files.Feed(&graph, interrupt_fd);
  // The graph has the first error, where several inputs end with one.
  if (graph.HasError()) status = absl::OkStatus();
  if (!status.ok()) graph.Cancel();
  status.Update(graph.WaitUntilDone());
  status.Update(files.Close());
  return status;
}

// --- Flags

TEST(GraphFilesTest, AFlagIsAStreamAndAFile) {
  const std::string file = FileWith("in.txt", "");
  for (const std::string given : {"in", "=file", "in="}) {
    EXPECT_THAT(Opened(One(), {given}),
                StatusIs(StatusCode::kInvalidArgument,
                         HasSubstr("--input takes STREAM=FILE")));
    EXPECT_THAT(Opened(One(), {"in=" + file}, {given}),
                StatusIs(StatusCode::kInvalidArgument,
                         HasSubstr("--output takes STREAM=FILE")));
  }
}

TEST(GraphFilesTest, AStreamThatIsNotThereIsNamedWithTheNearest) {
  const std::string file = FileWith("in.txt", "");
  EXPECT_THAT(Opened(One(), {"inn=" + file}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("--input: the graph has no input_stream "
                                 "\"inn\". Did you mean \"in\"?")));
  EXPECT_THAT(Opened(One(), {"in=" + file}, {"outt=-"}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("--output: the graph has no stream "
                                 "\"outt\". Did you mean \"out\"?")));
  const GraphPlan source = PlanOf(
      "node { calculator: 'NumberSourceCalculator' output_stream: 'out' }");
  EXPECT_THAT(Opened(source, {"in=" + file}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("no input_stream \"in\". It has none.")));
}

TEST(GraphFilesTest, NothingIsGivenTwice) {
  const std::string in = absl::StrCat("in=", FileWith("in.txt", ""));
  EXPECT_THAT(Opened(One(), {in, in}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("input_stream \"in\" is given twice")));
  for (const std::string& second :
       {"out=" + Path("2.txt"), "in=" + Path("1")}) {
    EXPECT_THAT(Opened(One(), {in}, {"out=" + Path("1"), second}),
                StatusIs(StatusCode::kInvalidArgument,
                         HasSubstr("have the stream or the file in common")));
  }
  EXPECT_THAT(Opened(Join(), {"a=-", "b=-"}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("standard input is given to input_stream "
                                 "\"a\" and to \"b\"")));
}

TEST(GraphFilesTest, EachInputHasToBeFed) {
  const std::string a = absl::StrCat("a=", FileWith("a.txt", ""));
  EXPECT_THAT(Opened(Join(), {a}), StatusIs(StatusCode::kFailedPrecondition,
                                            HasSubstr("--input=b=FILE")));
  SYNCLINE_EXPECT_OK(Opened(Join(), {a, "b=/dev/null"}));
  // A recording brings the packets.
  SYNCLINE_EXPECT_OK(Opened(Join(), {}, {}, /*is_fed_otherwise=*/true));
}

TEST(GraphFilesTest, AFileThatCannotBeOpenedIsNamed) {
  EXPECT_THAT(Opened(One(), {"in=/no/such.txt"}),
              StatusIs(StatusCode::kNotFound,
                       HasSubstr("cannot read \"/no/such.txt\" for "
                                 "input_stream \"in\" (")));
  EXPECT_THAT(Opened(One(), {"in=/dev/null"}, {"out=/no/such/folder/x"}),
              StatusIs(StatusCode::kNotFound,
                       HasSubstr("cannot write \"/no/such/folder/x\" for "
                                 "stream \"out\" (")));
}

TEST(GraphFilesTest, WhatBazelRunReadsElsewhereIsExplained) {
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(PathHint("in.txt"), "");
  setenv("BUILD_WORKING_DIRECTORY", "/users/folder", 1);
  EXPECT_THAT(PathHint("in.txt"), HasSubstr(": /users/folder/in.txt"));
  EXPECT_EQ(PathHint("/tmp/in.txt"), "");
  EXPECT_THAT(std::string(Opened(One(), {"in=no_such.txt"}).message()),
              HasSubstr("/users/folder/no_such.txt"));
  unsetenv("BUILD_WORKING_DIRECTORY");
}

TEST(GraphFilesTest, ATypeWithoutTextIsRefused) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    output_stream: "out"
    node {
      calculator: "UnreadableCalculator"
      input_stream: "in"
      output_stream: "out"
    }
  )pb");
  EXPECT_THAT(Opened(plan, {"in=/dev/null"}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("--input: input_stream \"in\": ")));
  EXPECT_THAT(Opened(plan, {}, {"out=/dev/null"}, /*is_fed_otherwise=*/true),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("--output: stream \"out\": ")));
}

TEST(GraphFilesTest, AFileThatIsReadIsNotWritten) {
  const std::string path = FileWith("both.txt", "1 1\n");
  EXPECT_THAT(
      Opened(One(), {"in=" + path}, {"out=" + path}),
      StatusIs(StatusCode::kInvalidArgument, HasSubstr("--input=in reads")));
  EXPECT_EQ(Contents(path), "1 1\n");
}

// --- Runs

TEST(GraphFilesTest, PacketsGoFromFileToFile) {
  const std::string in = FileWith("in.txt", "# numbers\n\n1 10\n3 30\n");
  const std::string out = FileWith("out.txt", "what was there");
  SYNCLINE_EXPECT_OK(Ran(One(), {"in=" + in}, {"out=" + out}));
  EXPECT_EQ(Contents(out), "1 10\n3 30\n");
}

TEST(GraphFilesTest, AnOutputKeepsWhatItHasUntilTheRunBegins) {
  const std::string out = FileWith("out.txt", "what was there");
  GraphFiles files;
  FileUses uses;
  const GraphPlan plan = One();
  SYNCLINE_ASSERT_OK(files.Open(plan, std::vector<std::string>{"in=/dev/null"},
                                std::vector<std::string>{"out=" + out}, &uses));
  EXPECT_EQ(Contents(out), "what was there");
  SYNCLINE_ASSERT_OK(files.BeginOutputs());
  EXPECT_EQ(Contents(out), "");
}

TEST(GraphFilesTest, TheEarliestPacketOfAllFilesComesFirst) {
  const std::string a = FileWith("a.txt", "1 1\n4 4\n5 5\n");
  const std::string b = FileWith("b.txt", "2 20\n4 40\n9 90\n");
  const GraphPlan plan = Join();
  GraphFiles files;
  FileUses uses;
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(files.Open(
      plan, std::vector<std::string>{"a=" + a, "b=" + b}, {}, &uses));
  SYNCLINE_ASSERT_OK(graph.Initialize(plan, {}));
  // In the order in which they come into the graph.
  std::vector<int> fed;
  for (const std::string stream : {"a", "b"}) {
    SYNCLINE_ASSERT_OK(
        graph.ObserveOutputStream(stream, [&fed](const Packet& packet) {
          fed.push_back(packet.Get<int>());
          return absl::OkStatus();
        }));
  }
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_EXPECT_OK(files.Feed(&graph));
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_THAT(fed, ElementsAre(1, 20, 4, 40, 5, 90));
}

// More packets than the queues hold, which must not fill: the join is told that
// the other file has nothing for them.
TEST(GraphFilesTest, AFileThatBeginsLateHoldsNoOtherUp) {
  std::string many;
  for (int i = 0; i < 50; ++i) absl::StrAppend(&many, i, " ", i, "\n");
  const std::string a = FileWith("a.txt", many);
  const std::string b = FileWith("b.txt", "1000 1\n");
  const std::string out = Path("out.txt");
  const GraphPlan plan = Join("max_queue_size: 2 report_deadlock: true");
  SYNCLINE_EXPECT_OK(Ran(plan, {"a=" + a, "b=" + b}, {"sum=" + out}));
  EXPECT_EQ(Contents(out), many + "1000 1\n");
}

TEST(GraphFilesTest, AllPacketsAreReadAtOnceByStream) {
  GraphFiles files;
  FileUses uses;
  const GraphPlan plan = Join();
  const std::vector<std::string> in = {"a=" + FileWith("a.txt", "1 10\n2 20\n"),
                                       "b=/dev/null"};
  SYNCLINE_ASSERT_OK(files.Open(plan, in, {}, &uses));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphFiles::Streams streams,
                                files.ReadAll());
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_TRUE(streams.at("b").empty());
  ASSERT_EQ(streams.at("a").size(), 2u);
  EXPECT_EQ(streams.at("a")[1].Get<int>(), 20);
  EXPECT_EQ(streams.at("a")[1].Timestamp(), Timestamp(2));
}

// --- Bad files

absl::Status RanOn(const std::string& text) {
  return Ran(One(), {"in=" + FileWith("bad.txt", text)}, {});
}

TEST(GraphFilesTest, ABadLineIsNamedByItsNumber) {
  EXPECT_THAT(RanOn("1 1\n\n2 two\n"),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("/bad.txt:3: input_stream \"in\": ")));
}

TEST(GraphFilesTest, TimestampsGoUp) {
  for (const std::string line : {"4 0", "5 0"}) {
    EXPECT_THAT(
        RanOn(absl::StrCat("1 1\n# comment\n5 5\n", line, "\n")),
        StatusIs(StatusCode::kInvalidArgument,
                 HasSubstr(absl::StrCat("bad.txt:4: input_stream \"in\": "
                                        "timestamp ",
                                        line.substr(0, 1),
                                        " comes after 5 in line 3: each"))));
  }
}

TEST(GraphFilesTest, NothingComesAfterPreStream) {
  EXPECT_THAT(RanOn("PreStream 1\n5 5\n"),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("in line 1, and nothing can: take one of "
                                 "the two out")));
}

TEST(GraphFilesTest, WhatCannotBeWrittenEndsTheRun) {
  std::string many;
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&many, i, " ", i, "\n");
  EXPECT_THAT(Ran(One(), {"in=" + FileWith("in.txt", many)}, {"out=/dev/full"}),
              StatusIs(StatusCode::kUnavailable,
                       HasSubstr("stream \"out\" cannot be written to "
                                 "\"/dev/full\": ")));
}

// --- Pipes

std::string NewPipe(const std::string& name) {
  std::string path = Path(name);
  std::filesystem::remove(path);
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  return path;
}

TEST(GraphFilesTest, AFileIsReadWhileAPipeHasNothing) {
  const std::string a = NewPipe("a.pipe");
  const std::string b = FileWith("b.txt", "1 1\n2 2\n");
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    node { calculator: "SumCalculator" input_stream: "a" output_stream: "x" }
    node { calculator: "SumCalculator" input_stream: "b" output_stream: "y" }
  )pb");
  GraphFiles files;
  FileUses uses;
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(files.Open(
      plan, std::vector<std::string>{"a=" + a, "b=" + b}, {}, &uses));
  SYNCLINE_ASSERT_OK(graph.Initialize(plan, {}));
  const int writer = open(a.c_str(), O_WRONLY);
  ASSERT_GE(writer, 0);
  // Ends the pipe once the file has come through.
  SYNCLINE_ASSERT_OK(
      graph.ObserveOutputStream("y", [writer](const Packet& packet) {
        if (packet.Timestamp() == Timestamp(2)) {
          EXPECT_EQ(write(writer, "7 7\n", 4), 4);
          close(writer);
        }
        return absl::OkStatus();
      }));
  std::vector<int> from_the_pipe;
  SYNCLINE_ASSERT_OK(
      graph.ObserveOutputStream("x", [&from_the_pipe](const Packet& packet) {
        from_the_pipe.push_back(packet.Get<int>());
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_EXPECT_OK(files.Feed(&graph));
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_THAT(from_the_pipe, ElementsAre(7));
}

TEST(GraphFilesTest, OnePipeHasOneReader) {
  const std::string pipe = NewPipe("one.pipe");
  const std::string link = Path("link.pipe");
  std::filesystem::remove(link);
  std::filesystem::create_symlink(pipe, link);
  EXPECT_THAT(Opened(Join(), {"a=" + pipe, "b=" + link}),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("\"b\" are one pipe or terminal")));
  // Any number may read a file.
  const std::string file = FileWith("one.txt", "");
  SYNCLINE_EXPECT_OK(Opened(Join(), {"a=" + file, "b=" + file}));
}

TEST(GraphFilesTest, AnInterruptionEndsTheWaitForAPipe) {
  const std::string pipe = NewPipe("silent.pipe");
  int interrupt[2];
  ASSERT_EQ(::pipe(interrupt), 0);
  ASSERT_EQ(write(interrupt[1], "!", 1), 1);
  // Alone, and with a thread for each.
  EXPECT_EQ(Ran(One(), {"in=" + pipe}, {}, interrupt[0]).code(),
            StatusCode::kCancelled);
  EXPECT_EQ(Ran(Join(), {"a=" + pipe, "b=/dev/null"}, {}, interrupt[0]).code(),
            StatusCode::kCancelled);
  close(interrupt[0]);
  close(interrupt[1]);
}

// The pipe stays open and would be waited for without an end.
TEST(GraphFilesTest, ABadFileEndsTheWaitForAPipe) {
  const std::string pipe = NewPipe("open.pipe");
  const int both_ends = open(pipe.c_str(), O_RDWR);
  EXPECT_THAT(
      Ran(Join(), {"a=" + pipe, "b=" + FileWith("bad.txt", "2 2\n1 1\n")}, {}),
      StatusIs(StatusCode::kInvalidArgument, HasSubstr("bad.txt:2: ")));
  close(both_ends);
}

}  // namespace
}  // namespace syncline
