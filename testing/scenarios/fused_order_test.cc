// The parts of a fused node are called in their order, and the first failure
// ends it.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/conditions.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/scenarios/diary.h"
#include "testing/scenarios/fused_nodes_test.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::Status SendOne(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(cc->InputTimestamp()));
  return absl::OkStatus();
}

constexpr char kThreeLambdas[] = R"pb(
  input_stream: "in"
  input_side_packet: "open"
  input_side_packet: "process"
  input_side_packet: "close"
  input_side_packet: "middle_open"
  input_side_packet: "middle"
  node {
    name: "trio"
    fused_node {
      name: "a"
      calculator: "LambdaCalculator"
      input_stream: "in"
      output_stream: "x"
      input_side_packet: "OPEN:open"
      input_side_packet: "PROCESS:process"
      input_side_packet: "CLOSE:close"
    }
    fused_node {
      name: "b"
      calculator: "LambdaCalculator"
      input_stream: "in"
      output_stream: "y"
      input_side_packet: "OPEN:middle_open"
      input_side_packet: "PROCESS:middle"
      input_side_packet: "CLOSE:close"
    }
    fused_node {
      name: "c"
      calculator: "LambdaCalculator"
      input_stream: "in"
      output_stream: "z"
      input_side_packet: "OPEN:open"
      input_side_packet: "PROCESS:process"
      input_side_packet: "CLOSE:close"
    }
  })pb";

class FusedTrioTest : public FusedNodesTest {
 protected:
  void Prepare(GraphHarness* graph) {
    graph->SetFunction("open", Noting(&diary_, "open"));
    graph->SetFunction("process", Noting(&diary_, "process"));
    graph->SetFunction("close", Noting(&diary_, "close"));
    graph->SetFunction("middle_open", Noting(&diary_, "open"));
    graph->SetFunction("middle", Noting(&diary_, "process"));
  }

  Diary diary_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(FusedTrioTest);

TEST_P(FusedTrioTest, AreOpenedCalledAndClosedInTheOrderOfTheirParts) {
  GraphHarness graph(kThreeLambdas, GetParam());
  Prepare(&graph);
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}, {3, 1}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  const std::string start = Timestamp::Unstarted().DebugString();
  const std::string end = Timestamp::Done().DebugString();
  EXPECT_THAT(diary_.Take(), ElementsAre(absl::StrCat("trio/a open ", start),
                                         absl::StrCat("trio/b open ", start),
                                         absl::StrCat("trio/c open ", start),
                                         "trio/a process 0", "trio/b process 0",
                                         "trio/c process 0", "trio/a process 3",
                                         "trio/b process 3", "trio/c process 3",
                                         absl::StrCat("trio/a close ", end),
                                         absl::StrCat("trio/b close ", end),
                                         absl::StrCat("trio/c close ", end)));
}

TEST_P(FusedTrioTest, StopAtTheFirstErrorWhichNamesNodeAndPart) {
  GraphHarness graph(kThreeLambdas, GetParam());
  Prepare(&graph);
  graph.SetFunction(
      "middle", [](CalculatorContext*) { return absl::DataLossError("lost"); });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Add("in", 0, 1).IgnoreError();
  EXPECT_THAT(graph.Finish(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("\"trio\""), HasSubstr("\"trio/b\""),
                             HasSubstr("lost"))));
  std::vector<std::string> entries = diary_.Take();
  ASSERT_EQ(entries.size(), 7);
  EXPECT_EQ(entries[3], "trio/a process 0");
  EXPECT_THAT(entries[4], HasSubstr("trio/a close"));
  EXPECT_THAT(entries[5], HasSubstr("trio/b close"));
  EXPECT_THAT(entries[6], HasSubstr("trio/c close"));
  // And the next run knows nothing of it.
  Prepare(&graph);
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FusedTrioTest, CloseThePartsThatWereOpenedIfALaterOneFailsInOpen) {
  GraphHarness graph(kThreeLambdas, GetParam());
  Prepare(&graph);
  graph.SetFunction("middle_open", [](CalculatorContext*) {
    return absl::DataLossError("no device");
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  EXPECT_THAT(graph.Finish(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("\"trio\""), HasSubstr("\"trio/b\""))));
  EXPECT_THAT(diary_.Take(),
              ElementsAre(HasSubstr("trio/a open"), HasSubstr("trio/a close")));
}

TEST_P(FusedTrioTest, ReportWhatAPartDoesWrongAtItsOutputs) {
  GraphHarness graph(kThreeLambdas, GetParam());
  Prepare(&graph);
  graph.SetFunction("middle", [](CalculatorContext* cc) {
    SendOne(cc).IgnoreError();
    return SendOne(cc);
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Add("in", 0, 1).IgnoreError();
  EXPECT_THAT(graph.Finish().message(),
              AllOf(HasSubstr("\"trio/b\" (LambdaCalculator)"),
                    HasSubstr("stream \"y\"")));
}

TEST_P(FusedTrioTest, HaveOneNodeForCountersConditionsAndTheirNames) {
  CalculatorGraphConfig config =
      ParseTextProtoOrDie<CalculatorGraphConfig>(kThreeLambdas);
  *config.mutable_node(0)->add_condition() =
      ParseTextProtoOrDie<ConditionConfig>(R"pb(name: "enabled"
                                                type: "BooleanCondition")pb");
  GraphHarness graph(config, GetParam());
  Prepare(&graph);
  graph.SetFunction("middle", [](CalculatorContext* cc) {
    cc->GetCounter("calls")->Increment();
    cc->Condition<BooleanCondition>("enabled")->disable_tick();
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}, {1, 1}});
  graph.graph().WaitUntilIdle().IgnoreError();
  EXPECT_EQ(
      graph.graph().GetCounterFactory()->GetCounter("trio/b-calls")->Get(), 1);
  SYNCLINE_EXPECT_OK(
      graph.graph().GetCondition<BooleanCondition>("trio/enabled").status());
  graph.graph().Cancel();
  graph.Finish().IgnoreError();
}

}  // namespace
}  // namespace syncline
