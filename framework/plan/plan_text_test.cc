// The plan as a text for people.

#include <string>

#include "absl/strings/str_cat.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PlanTextTest, ShowsNodesStreamsSidePacketsExecutorsAndLayers) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "VIDEO:in"
    output_stream: "RESULT:out"
    executor { name: "own" }
    node {
      name: "merge"
      calculator: "PassNode"
      input_stream: "in"
      input_stream: "back"
      input_stream_info { tag_index: ":1" back_edge: true }
      output_stream: "merged"
    }
    node {
      name: "work"
      calculator: "ChoosyNode"
      input_stream: "merged"
      output_stream: "OUT:back"
      max_in_flight: 4
      executor: "own"
    }
    node {
      name: "source"
      calculator: "IntNode"
      output_stream: "out"
      source_layer: 2
    }
    node {
      name: "side"
      calculator: "IntNode"
      input_side_packet: "given"
      output_side_packet: "made"
    }
    node { calculator: "OptionalServiceNode" }
    status_handler { status_handler: "IntStatusHandler" }
  )pb");
  EXPECT_EQ(plan.DebugString(),
            R"(plan: 5 nodes, 4 streams, 2 side packets, 2 executors
queue limit: 100 packets
graph inputs:
  VIDEO:0 "in"
graph outputs:
  RESULT:0 "out"
nodes:
  0 "merge" (PassNode)
      in 0 <- "in", int
      in 1 <- "back", int, back edge
      out 0 -> "merged", int
      timestamp offset 0
      fed by graph input "in"
  1 "work" (ChoosyNode)
      in 0 <- "merged", int
      out OUT:0 -> "back", int
      FixedSizeInputStreamHandler, 4 in flight, )"
            R"(processes bounds, timestamp offset 5, executor "own"
      fed by graph input "in"
  2 "source" (IntNode), source
      out 0 -> "out", int
  3 "side" (IntNode)
  4 "OptionalServiceNode" (OptionalServiceNode)
streams:
  0 "in": graph input -> node 0 "merge" 0; int
  1 "merged": node 0 "merge" 0 -> node 1 "work" 0; int
  2 "back": node 1 "work" OUT:0 -> node 0 "merge" 1; int
  3 "out": node 2 "source" 0 -> nobody; int
side packets:
  0 "made": node 3 "side" -> nobody; int
  1 "given": application, required -> node 3 "side" 0; int
executors:
  0 default: thread pool, a thread for each core, at most 5; 4 nodes
  1 "own": given by the application; 1 node
source layers:
  2: node 2 "source"
services:
  "plan_test_service"; 1 node
status handlers:
  IntStatusHandler
)");
}

TEST(PlanTextTest, ShowsWhereNodesComeFrom) {
  CompileOptions options;
  options.log_warnings = false;
  const auto plan = Compile(
      ParseSource(
          "input_stream: \"a\"\n"
          "node { calculator: \"TwoPassGraph\" input_stream: \"IN:a\" }"),
      options);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->Location(0),
            "(in subgraph \"TwoPassGraph\" (TwoPassGraph) at graph.pbtxt:2)");
  EXPECT_THAT(plan->DebugString(),
              HasSubstr("(PassNode), from (in subgraph \"TwoPassGraph\" "
                        "(TwoPassGraph) at graph.pbtxt:2)"));
}

TEST(PlanTextTest, ShowsSettingsAndWarnings) {
  const std::string text =
      PlanOf(R"pb(
        max_queue_size: -1
        report_deadlock: true
        output_stream: "nobody"
        executor { type: "ApplicationThreadExecutor" }
        executor {
          name: "two"
          type: "ThreadPoolExecutor"
          options {
            [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 }
          }
        }
      )pb")
          .DebugString();
  EXPECT_THAT(text, HasSubstr("queue limit: none, deadlocks are errors\n"));
  EXPECT_THAT(text, HasSubstr("default: the application's thread; 0 nodes\n"));
  EXPECT_THAT(text, HasSubstr("\"two\": thread pool, 2 threads; 0 nodes\n"));
  EXPECT_THAT(text, HasSubstr(":0 \"nobody\" (nobody produces it)\n"));
  EXPECT_THAT(text, HasSubstr("warnings:\n  output_stream \"nobody\""));
}

TEST(PlanTextTest, LongListsAreCut) {
  std::string text = "node { calculator: \"IntNode\" output_stream: \"s\" }";
  for (int i = 0; i < 40; ++i) {
    absl::StrAppend(&text,
                    "node { calculator: \"IntNode\" input_stream: \"s\" }");
  }
  const std::string printed = PlanOf(text).DebugString();
  EXPECT_THAT(printed, HasSubstr(", and 24 more; int"));
  EXPECT_THAT(printed, Not(HasSubstr("IntNode_41\" 0;")));
}

}  // namespace
}  // namespace syncline
