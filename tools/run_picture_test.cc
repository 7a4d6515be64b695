// The picture of a run is that of its end, of its first error, or of the moment
// at which it is asked for.

#include "tools/run_picture.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph_text/graph_source.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/file_uses.h"
#include "tools/picture_flag.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kJoin[] = R"pb(
  input_stream: "a"
  input_stream: "b"
  node {
    name: "join"
    calculator: "SumCalculator"
    input_stream: "A:a"
    input_stream: "B:b"
    output_stream: "sum"
  }
)pb";

std::string DotFile() {
  return absl::StrCat(testing::TempDir(), "/run_picture_", getpid(), ".dot");
}

std::string ReadPicture() {
  std::ostringstream text;
  text << std::ifstream(DotFile()).rdbuf();
  return text.str();
}

class RunPictureTest : public ::testing::Test {
 protected:
  ~RunPictureTest() override { unlink(DotFile().c_str()); }

  void Start(const std::string& config) {
    SYNCLINE_ASSERT_OK(picture_.Watch(&graph_));
    SYNCLINE_ASSERT_OK(
        graph_.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(config)));
    SYNCLINE_ASSERT_OK(graph_.StartRun({}));
  }
  void Add(const std::string& stream, int time) {
    SYNCLINE_ASSERT_OK(graph_.AddPacketToInputStream(
        stream, MakePacket<int>(1).At(Timestamp(time))));
  }

  // Outlives the graph.
  RunPicture picture_{PictureRequestFor(DotFile()).value(), "join.pbtxt"};
  CalculatorGraph graph_;
};

TEST_F(RunPictureTest, AtTheEndItHasTheCounts) {
  Start(kJoin);
  for (int i = 0; i < 3; ++i) {
    Add("a", i);
    Add("b", i);
  }
  SYNCLINE_ASSERT_OK(graph_.CloseAllInputStreams());
  const absl::Status status = graph_.WaitUntilDone();
  SYNCLINE_ASSERT_OK(picture_.Finish(&graph_, status, false));
  const std::string dot = ReadPicture();
  EXPECT_THAT(dot, HasSubstr("join.pbtxt"));
  EXPECT_THAT(dot, HasSubstr("The run has ended."));
  EXPECT_THAT(dot, ContainsRegex(">sum <FONT[^>]*>3</FONT>"));
}

TEST_F(RunPictureTest, WhenItIsAskedForItHasTheQueuesAndWhoWaits) {
  Start(kJoin);
  Add("a", 30);
  SYNCLINE_ASSERT_OK(graph_.WaitUntilIdle());
  EXPECT_THAT(picture_.Draw(&graph_), HasSubstr("the picture is in \""));
  const std::string dot = ReadPicture();
  EXPECT_THAT(dot, HasSubstr("The run goes on."));
  EXPECT_THAT(dot, HasSubstr("≡1/100"));
  EXPECT_THAT(dot, HasSubstr("waits for stream &quot;b&quot; up to 30"));
  // The stream that is waited for is red.
  EXPECT_THAT(dot, ContainsRegex("in_stream1 -> n0:i1:n [^\n]*penwidth=2.2"));
  graph_.Cancel();
  EXPECT_FALSE(graph_.WaitUntilDone().ok());
}

// After the error the queues are empty.
TEST_F(RunPictureTest, AtAnErrorItIsThatOfTheError) {
  Start(absl::StrCat(kJoin, R"pb(
    input_stream: "c"
    node {
      name: "bad"
      calculator: "FaultyCalculator"
      input_stream: "c"
      output_stream: "d"
      options {
        [syncline.TestCalculatorOptions.ext] { fault: STATUS }
      }
    }
  )pb"));
  Add("a", 30);
  SYNCLINE_ASSERT_OK(graph_.WaitUntilIdle());
  Add("c", 1);
  const absl::Status status = graph_.WaitUntilDone();
  ASSERT_FALSE(status.ok());
  SYNCLINE_ASSERT_OK(picture_.Finish(&graph_, status, false));
  const std::string dot = ReadPicture();
  EXPECT_THAT(dot, HasSubstr("The run has failed."));
  EXPECT_THAT(dot, HasSubstr("≡1/100"));
}

TEST_F(RunPictureTest, AnInterruptionIsNoError) {
  Start(kJoin);
  Add("a", 30);
  SYNCLINE_ASSERT_OK(graph_.WaitUntilIdle());
  graph_.Cancel();
  const absl::Status status = graph_.WaitUntilDone();
  SYNCLINE_ASSERT_OK(picture_.Finish(&graph_, status, true));
  EXPECT_THAT(ReadPicture(),
              AllOf(HasSubstr("The run has been interrupted."),
                    HasSubstr("≡1/100"), Not(HasSubstr("CANCELLED"))));
}

TEST_F(RunPictureTest, WithoutTheFlagNothingIsDrawn) {
  RunPicture none({}, "x");
  SYNCLINE_ASSERT_OK(none.Watch(&graph_));
  SYNCLINE_ASSERT_OK(
      graph_.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kJoin)));
  EXPECT_EQ(none.Draw(&graph_), "");
  SYNCLINE_EXPECT_OK(none.Finish(&graph_, absl::OkStatus(), false));
}

absl::Status DrawText(absl::string_view text) {
  const GraphSource source = ReadGraphText(text, "g.pbtxt").value();
  FileUses uses;
  CompileOptions options;
  options.log_warnings = false;
  // A binary graph is not read again for comments.
  return DrawGraph(
      PictureRequestFor(DotFile()).value(), Compile(source, options),
      {.config = source.config, .positions = nullptr}, "g.binarypb", &uses);
}

TEST_F(RunPictureTest, AGraphThatDoesNotRunIsDrawnWithItsFindings) {
  SYNCLINE_ASSERT_OK(DrawText(absl::StrCat(
      kJoin,
      "node { name: \"lost\" calculator: \"NumberSourceCalculator\" "
      "output_stream: \"unread\" }")));
  EXPECT_THAT(ReadPicture(),
              AllOf(HasSubstr("<B>lost</B>"), HasSubstr("<B>join</B>")));
}

TEST_F(RunPictureTest, AGraphThatDoesNotCompileIsDrawnWithItsErrors) {
  SYNCLINE_ASSERT_OK(DrawText(R"(
    node { name: "bad" calculator: "SumCalculator" input_stream: "nobody" })"));
  EXPECT_THAT(ReadPicture(),
              AllOf(HasSubstr("⚠ 1 error"), HasSubstr("\\\"nobody\\\"")));
}

TEST_F(RunPictureTest, AGraphWithOptionsOfUnknownTypesIsDrawnWithTheError) {
  const std::string graph = absl::StrCat(DotFile(), ".pbtxt");
  std::ofstream(graph) << R"(
    node { name: "far" calculator: "FarCalculator" output_stream: "x"
           options { [no.such.Options.ext] { size: 3 } } })";
  const PictureRequest request = PictureRequestFor(DotFile()).value();
  const absl::Status error = absl::InvalidArgumentError("g:3: not \"linked\"");
  FileUses uses;
  uses.AddRead("--graph", graph);
  SYNCLINE_ASSERT_OK(DrawUnreadGraph(request, graph, {}, error, &uses));
  EXPECT_THAT(ReadPicture(),
              AllOf(HasSubstr("<B>far</B>"), HasSubstr("size: 3"),
                    HasSubstr("g:3: not \\\"linked\\\"")));
  // What is no graph leaves the picture that there is.
  std::ofstream(graph) << "nod {";
  SYNCLINE_EXPECT_OK(DrawUnreadGraph(request, graph, {}, error, &uses));
  EXPECT_THAT(ReadPicture(), HasSubstr("<B>far</B>"));
  SYNCLINE_EXPECT_OK(DrawUnreadGraph({}, graph, {}, error, &uses));
}

}  // namespace
}  // namespace syncline
