// The errors of a graph that was built wrongly.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "framework/api2/builder.h"
#include "framework/base/misuse.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ErrorOf(Graph& graph) {
  const absl::StatusOr<CalculatorGraphConfig> config = graph.BuildConfig();
  if (config.ok()) return "no error";
  EXPECT_EQ(config.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(config.status().message());
}

TEST(BuilderErrorsTest, AnInputWithoutASourceIsNamed) {
  Graph graph;
  graph.AddNode("Other");
  auto& foo = graph.AddNode("Foo");
  foo.In("X");
  EXPECT_THAT(ErrorOf(graph),
              HasSubstr("Foo: Missing source for input stream with tag X at "
                        "index 0 (node 1)"));
}

TEST(BuilderErrorsTest, AnEntryThatWasSkippedIsNamed) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  foo.SetName("my foo");
  graph.In("IN") >> foo.In("")[1];
  EXPECT_THAT(
      ErrorOf(graph),
      AllOf(HasSubstr("Foo: Missing source for input stream with tag (empty) "
                      "at index 0 (node 0, \"my foo\")"),
            Not(HasSubstr("index 1"))));
}

TEST(BuilderErrorsTest, SidePacketsAndOutputsOfTheGraphNeedSourcesToo) {
  Graph graph;
  graph.AddNode("Foo").SideIn("S");
  graph.AddPacketGenerator("Gen").SideIn("G");
  graph.Out("O");
  graph.SideOut("P")[1];
  const std::string error = ErrorOf(graph);
  EXPECT_THAT(error, HasSubstr("Foo: Missing source for input side packet with "
                               "tag S at index 0"));
  EXPECT_THAT(error, HasSubstr("Gen: Missing source for input side packet with "
                               "tag G at index 0 (packet generator 0)"));
  EXPECT_THAT(error, HasSubstr("Graph: Missing source for graph output stream "
                               "with tag O at index 0"));
  EXPECT_THAT(error, HasSubstr("Graph: Missing source for graph output side "
                               "packet with tag P at index 1"));
}

TEST(BuilderErrorsTest, AnInputReadsOneSource) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("A") >> foo.In("X");
  graph.In("B") >> foo.In("X");
  EXPECT_THAT(ErrorOf(graph),
              HasSubstr("Foo: Two sources for input stream with tag X at "
                        "index 0"));
}

TEST(BuilderErrorsTest, SourcesOfAnotherGraphAreRefused) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  {
    Graph other;
    other.In("IN") >> foo.In("X");
  }
  EXPECT_THAT(ErrorOf(graph), HasSubstr("Foo: A source of another graph for "
                                        "input stream with tag X at index 0"));
}

TEST(BuilderErrorsTest, ExecutorsOfAnotherGraphAreRefused) {
  Graph graph;
  {
    Graph other;
    graph.AddNode("Foo").SetExecutor(other.AddExecutor("ThreadPoolExecutor"));
  }
  EXPECT_THAT(ErrorOf(graph),
              HasSubstr("Foo: Its executor is one of another graph"));
}

TEST(BuilderErrorsTest, IndexesThatCannotBeAreRefused) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  foo.Out("X")[-1].SetName("x");
  graph.In("IN") >> foo.In(2000000000);
  const std::string error = ErrorOf(graph);
  EXPECT_THAT(error, HasSubstr("Foo: No output stream with tag X at index -1"));
  EXPECT_THAT(error, HasSubstr("Foo: No input stream with tag (empty) at index "
                               "2000000000"));
}

TEST(BuilderErrorsTest, OutputsOfTheGraphCannotGoBack) {
  Graph graph;
  graph.In("IN") >> graph.Out("OUT").AsBackEdge();
  EXPECT_THAT(ErrorOf(graph),
              HasSubstr("Graph: A back edge at graph output stream with tag "
                        "OUT at index 0"));
}

TEST(BuilderErrorsTest, InputsAreIdleWithInputsOfTheirOwnNode) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  auto& bar = graph.AddNode("Bar");
  graph.In("IN") >> foo.In("X");
  graph.In("IN") >> bar.In("Y").IdleAfter(foo.In("X"), TimestampDiff(1));
  graph.In("IN") >> graph.Out("OUT").IdleAfter(bar.In("Y"), TimestampDiff(1));
  const std::string error = ErrorOf(graph);
  EXPECT_THAT(error, HasSubstr("Bar: IdleAfter with an input of another node "
                               "for input stream with tag Y at index 0"));
  EXPECT_THAT(error, HasSubstr("Graph: IdleAfter of graph output stream with "
                               "tag OUT at index 0"));
}

TEST(BuilderErrorsTest, InputInfoIsOfAnInputOfTheGraph) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.InputInfo(foo.Out("X").SetName("x"));
  EXPECT_THAT(ErrorOf(graph),
              HasSubstr("InputInfo for \"x\", which is no input "
                        "stream of this graph"));
}

TEST(BuilderErrorsTest, ACorrectedGraphIsAccepted) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  foo.In("X");
  EXPECT_THAT(ErrorOf(graph), HasSubstr("Missing source"));
  graph.In("IN") >> foo.In("X");
  EXPECT_EQ(ErrorOf(graph), "no error");
}

TEST(BuilderErrorsTest, WithinACallOfAGraphGetConfigEndsTheCall) {
  Graph graph;
  graph.AddNode("Foo").In("X");
  const absl::Status status = CallUserCode([&graph] {
    graph.GetConfig();
    return absl::OkStatus();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("Missing source"));
}

TEST(BuilderErrorsDeathTest, ElsewhereGetConfigEndsTheProcess) {
  Graph graph;
  graph.AddNode("Foo").In("X");
  EXPECT_DEATH(graph.GetConfig(), "Foo: Missing source for input stream");
}

TEST(BuilderErrorsTest, AFusedNodeHasNoPortsOfItsOwn) {
  Graph graph;
  auto& fused = graph.AddFusedNode();
  fused.SetName("both");
  auto& first = fused.AddNode("First");
  graph.In("A") >> first.In("A");
  graph.In("A") >> fused.In("A");
  EXPECT_THAT(ErrorOf(graph),
              HasSubstr("Fused node: It has ports of its own (node 0, "
                        "\"both\"). A fused node has those of its nodes"));
}

TEST(BuilderErrorsTest, WhatAFusedNodeIsMadeOfIsNamed) {
  Graph graph;
  graph.AddFusedNode().AddNode("First").In("X");
  graph.AddFusedNode();
  const std::string error = ErrorOf(graph);
  EXPECT_THAT(error, HasSubstr("First: Missing source for input stream with "
                               "tag X at index 0 (node 0)"));
  EXPECT_THAT(error, HasSubstr("Fused node: It has no nodes (node 1)"));
}

TEST(BuilderErrorsTest, MergingIsSaidOfTheFirstEntry) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("A") >> foo.In("X")[0];
  graph.In("B") >> foo.In("X")[1].Merge();
  graph.In("C") >> graph.Out("C").WithMessageTimes();
  const std::string error = ErrorOf(graph);
  EXPECT_THAT(error, HasSubstr("Foo: Merge at input stream with tag X at index "
                               "1 (node 0). Say it of index 0"));
  EXPECT_THAT(error, HasSubstr("WithMessageTimes of graph output stream with "
                               "tag C"));
}

}  // namespace
}  // namespace builder
}  // namespace api2
}  // namespace syncline
