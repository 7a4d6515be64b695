#include "tools/progress_line.h"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/packets_sent.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// Two nodes, of which each sends every packet on.
CalculatorGraphConfig Config() {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node { calculator: "SumCalculator" input_stream: "in" output_stream: "a" }
    node { calculator: "SumCalculator" input_stream: "a" output_stream: "b" }
  )pb");
}

std::function<std::string()> TextOf(CalculatorGraph* graph) {
  return [graph] { return absl::StrCat(PacketsSent(graph), " packets sent"); };
}

void Feed(CalculatorGraph* graph, int count) {
  for (int i = 0; i < count; ++i) {
    SYNCLINE_ASSERT_OK(graph->AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
  }
  SYNCLINE_ASSERT_OK(graph->WaitUntilIdle());
}

TEST(ProgressLineTest, ThePacketsOfAllNodesAreCounted) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(Config()));
  EXPECT_EQ(PacketsSent(&graph), 0);
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  Feed(&graph, 3);
  EXPECT_EQ(PacketsSent(&graph), 6);
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_EQ(PacketsSent(&graph), 6);
}

TEST(ProgressLineTest, AGraphThatNeverRanHasSentNothing) {
  CalculatorGraph graph;
  EXPECT_EQ(PacketsSent(&graph), 0);
}

int Threads() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<int>(std::distance(begin(threads), end(threads)));
}

// While it lives, standard error is this file, and what is written there can be
// read.
class StandardErrorAs {
 public:
  explicit StandardErrorAs(int fd) : before_(dup(STDERR_FILENO)) {
    dup2(fd, STDERR_FILENO);
  }
  ~StandardErrorAs() {
    dup2(before_, STDERR_FILENO);
    close(before_);
  }

 private:
  const int before_;
};

TEST(ProgressLineTest, WithoutATerminalNothingIsWrittenAndThereIsNoThread) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  CalculatorGraph graph;
  const int threads = Threads();
  {
    const StandardErrorAs pipe(ends[1]);
    const ProgressLine progress(TextOf(&graph));
    EXPECT_EQ(Threads(), threads);
  }
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), -1);
  close(ends[0]);
  close(ends[1]);
}

// What the terminal has got by the time that it has this text.
std::string ReadUntil(int terminal, const std::string& text) {
  std::string got;
  char bytes[256];
  while (got.find(text) == std::string::npos) {
    const ssize_t size = read(terminal, bytes, sizeof(bytes));
    if (size <= 0) break;
    got.append(bytes, static_cast<std::size_t>(size));
  }
  return got;
}

TEST(ProgressLineTest, ATerminalHasTheLineUntilTheRunEnds) {
  int terminal = -1;
  int program = -1;
  ASSERT_EQ(openpty(&terminal, &program, nullptr, nullptr, nullptr), 0);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(Config()));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  Feed(&graph, 2);
  {
    const StandardErrorAs the_program(program);
    const ProgressLine progress(TextOf(&graph));
    EXPECT_EQ(ReadUntil(terminal, "sent"), "\r\033[K0 s, 4 packets sent");
  }
  // Whether another line was written meanwhile or not, the last is erased.
  const std::string end = "the end";
  ASSERT_EQ(write(program, end.data(), end.size()),
            static_cast<ssize_t>(end.size()));
  EXPECT_THAT(ReadUntil(terminal, end), HasSubstr("\r\033[Kthe end"));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  close(terminal);
  close(program);
}

// A run that is over before the first line is due shows none.
TEST(ProgressLineTest, AShortRunHasNoLine) {
  int terminal = -1;
  int program = -1;
  ASSERT_EQ(openpty(&terminal, &program, nullptr, nullptr, nullptr), 0);
  CalculatorGraph graph;
  {
    const StandardErrorAs the_program(program);
    const ProgressLine progress(TextOf(&graph));
  }
  ASSERT_EQ(write(program, "the end", 7), 7);
  EXPECT_EQ(ReadUntil(terminal, "the end"), "the end");
  close(terminal);
  close(program);
}

}  // namespace
}  // namespace syncline
