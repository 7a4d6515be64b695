// The state of a run has the counts that GetGraphRuntimeInfo has, by the
// numbers of the picture.

#include "pages/model/picture_state.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

PictureState StateOf(CalculatorGraph* graph) {
  const absl::StatusOr<GraphRuntimeInfo> info = graph->GetGraphRuntimeInfo();
  EXPECT_TRUE(info.ok()) << info.status();
  return MakePictureState(graph->plan(), *info, graph->GetWaits());
}

TEST(PictureStateTest, ARunThatHasEndedHasItsCounts) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        node {
          name: "source"
          calculator: "NumberSourceCalculator"
          output_stream: "numbers"
          options {
            [syncline.TestCalculatorOptions.ext] { count: 5 }
          }
        }
        node {
          name: "even"
          calculator: "FilterCalculator"
          input_stream: "numbers"
          output_stream: "kept"
          options {
            [syncline.TestCalculatorOptions.ext] { multiples_of: 2 }
          }
        }
        node {
          name: "in"
          calculator: "SumCalculator"
          input_stream: "in"
          output_stream: "out"
        })pb")));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("in", MakePacket<int>(1).At(Timestamp(0))));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());

  const GraphPlan& plan = graph.plan();
  const PictureState state = StateOf(&graph);
  ASSERT_THAT(state.num_packets, SizeIs(plan.streams().size()));
  EXPECT_EQ(state.num_packets[plan.FindStream("in")], 1);
  EXPECT_EQ(state.num_packets[plan.FindStream("numbers")], 5);
  EXPECT_EQ(state.num_packets[plan.FindStream("kept")], 3);
  EXPECT_EQ(state.num_packets[plan.FindStream("out")], 1);
  const PictureNodeState& even = state.nodes[plan.FindNode("even")];
  ASSERT_THAT(even.queues, SizeIs(1));
  EXPECT_EQ(even.queues[0].size, 0);
  EXPECT_EQ(even.queues[0].num_packets, 5);
  EXPECT_EQ(even.queues[0].limit, 100);
  EXPECT_THAT(even.num_sent, ElementsAre(3));
  EXPECT_EQ(even.host_time_us, -1) << "calls are not timed";
  EXPECT_THAT(state.waits, IsEmpty());
  EXPECT_EQ(state.standstill, "");
}

TEST(PictureStateTest, ARunThatStandsStillSaysWhoWaitsForWhom) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "a"
        input_stream: "b"
        node {
          name: "join"
          calculator: "SumCalculator"
          input_stream: "A:a"
          input_stream: "B:b"
          output_stream: "sum"
        })pb")));
  CalculatorGraph::StandstillOptions options;
  options.program_waits = true;
  options.after = absl::Hours(1);
  graph.ExplainStandstills(std::move(options));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("a", MakePacket<int>(1).At(Timestamp(30))));
  SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());

  const PictureState state = StateOf(&graph);
  EXPECT_THAT(state.standstill,
              StartsWith("\"join\" waits for stream \"b\" up to 30"));
  EXPECT_THAT(state.standstill_text, HasSubstr("What to do"));
  ASSERT_THAT(state.waits, SizeIs(1));
  EXPECT_EQ(state.waits[0].waiting, 0);
  EXPECT_EQ(state.waits[0].for_node, -1);
  EXPECT_EQ(state.waits[0].stream, graph.plan().FindStream("b"));
  EXPECT_EQ(state.nodes[0].queues[0].size, 1);
  EXPECT_EQ(state.nodes[0].queues[0].first, "30");
  EXPECT_THAT(state.nodes[0].queues[1].first, StartsWith("bound "));
  graph.Cancel();
  EXPECT_EQ(graph.WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST(PictureStateTest, ConditionsHaveTheirStateAndTimedCallsTheirTime) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        runtime_info {
          enable_graph_runtime_info: true
          capture_period_msec: 1000000
        }
        node {
          name: "source"
          calculator: "NumberSourceCalculator"
          output_stream: "n"
          condition {
            name: "few"
            type: "CountCondition"
            options {
              [syncline.CountConditionOptions.ext] { count: 3 }
            }
          }
        }
        node {
          name: "slow"
          calculator: "WorkCalculator"
          input_stream: "n"
          output_stream: "done"
          options {
            [syncline.TestCalculatorOptions.ext] { sleep_us: 500 }
          }
        })pb")));
  SYNCLINE_ASSERT_OK(graph.Run());
  const PictureState state = StateOf(&graph);
  EXPECT_THAT(state.nodes[0].condition_states,
              ElementsAre(StartsWith("NEVER")));
  EXPECT_EQ(state.num_packets[0], 3);
  EXPECT_GE(state.nodes[1].host_time_us, 1500);
  EXPECT_FALSE(state.nodes[1].is_in_call);
}

TEST(PictureStateTest, InfoOfAnotherGraphIsLeftOut) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        node { calculator: "NumberSourceCalculator" output_stream: "n" }
      )pb")));
  GraphRuntimeInfo info;
  for (int i = 0; i < 3; ++i) {
    CalculatorRuntimeInfo* const node = info.add_calculator_infos();
    for (int j = 0; j < 3; ++j) {
      node->add_output_stream_infos()->set_number_of_packets_added(1);
      node->add_condition_infos();
    }
    info.add_graph_input_infos();
  }
  const PictureState state = MakePictureState(graph.plan(), info, {});
  EXPECT_THAT(state.nodes, SizeIs(1));
  EXPECT_THAT(state.num_packets, ElementsAre(1));
  EXPECT_THAT(MakePictureState(graph.plan(), GraphRuntimeInfo(), {}).nodes,
              SizeIs(1));
}

}  // namespace
}  // namespace syncline
