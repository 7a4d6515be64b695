// Who begins when, and who stops whom: sources in turn and by layer, and nodes
// that return tool::StatusStop().
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_stop.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Code = absl::StatusCode;

absl::Status Nothing(CalculatorContext*) { return absl::OkStatus(); }

// Sends 1 at the time.
void SendAt(Timestamp time, CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(time));
}

class SourcesAndStopsTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SourcesAndStopsTest);

// --- Sources

// The one whose next packet is due first goes first.
TEST_P(SourcesAndStopsTest, SourcesOfALayerTakeTurns) {
  if (GetParam().threads > 1 || GetParam().seed != 0) return;
  GraphHarness graph(R"pb(
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:first"
                         output_stream: "a"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:second"
                         output_stream: "b"
                       })pb",
                     GetParam());
  std::string order;
  const auto source = [&order](const std::string& name) {
    return [&order, name, next = 0](CalculatorContext* cc) mutable {
      if (next == 3) return tool::StatusStop();
      order += name;
      SendAt(Timestamp(next++), cc);
      return absl::OkStatus();
    };
  };
  graph.SetFunction("first", source("a"));
  graph.SetFunction("second", source("b"));
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_EQ(order, "ababab");
}

// A source's input timestamp is 0, and an offset makes a promise of it.
TEST_P(SourcesAndStopsTest, ASourceWithAnOffsetIsPastItsInputTimestamp) {
  GraphHarness graph(R"pb(
                       node {
                         calculator: "LambdaOffsetCalculator"
                         name: "source"
                         input_side_packet: "PROCESS:send"
                         output_stream: "a"
                       })pb",
                     GetParam());
  graph.SetFunction("send", [next = -1](CalculatorContext* cc) mutable {
    EXPECT_EQ(cc->InputTimestamp(), Timestamp(0));
    SendAt(Timestamp(next++), cc);
    return absl::OkStatus();
  });
  EXPECT_THAT(
      graph.Run(),
      StatusIs(Code::kInvalidArgument,
               AllOf(HasSubstr("\"source\""),
                     HasSubstr("Current minimum expected timestamp is 1 but "
                               "received 0"))));
  graph.Expect("a", {{-1, 1}});
}

TEST_P(SourcesAndStopsTest, ALayerThatWaitsForAHigherOneIsADeadlock) {
  GraphHarness graph(R"pb(
                       node {
                         calculator: "LambdaCalculator"
                         source_layer: 1
                         input_side_packet: "PROCESS:make"
                         output_stream: "a"
                         output_side_packet: "made"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         source_layer: 0
                         input_side_packet: "PROCESS:make"
                         input_side_packet: "made"
                         output_stream: "b"
                       })pb",
                     GetParam());
  graph.SetFunction("make", [](CalculatorContext* cc) {
    cc->OutputSidePackets().Index(0).Set(MakePacket<int>(1));
    return tool::StatusStop();
  });
  EXPECT_THAT(graph.Run(),
              StatusIs(Code::kUnknown, AllOf(HasSubstr("deadlock"),
                                             HasSubstr("source_layer"))));
}

// --- Stops

// Sources end; graph inputs and the node itself do not.
TEST_P(SourcesAndStopsTest, AStopOfANodeLeavesGraphInputsOpen) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "NumberSourceCalculator"
                         output_stream: "a"
                         options {
                           [syncline.TestCalculatorOptions.ext] { count: -1 }
                         }
                       }
                       node {
                         calculator: "SumCalculator"
                         input_stream: "a"
                         output_stream: "b"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:stop"
                         input_stream: "in"
                         output_stream: "out"
                       })pb",
                     GetParam());
  graph.SetFunction("stop", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return tool::StatusStop();
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  if (GetParam().is_application_thread() || GetParam().seed != 0) {
    // The source would go on for ever otherwise.
    while (graph.Count("out") == 0) {
      SYNCLINE_ASSERT_OK(graph.graph().WaitForObservedOutput());
    }
  }
  graph.Idle();
  EXPECT_FALSE(graph.graph().GraphInputStreamsClosed());
  graph.Feed("in", {{1, 2}, {2, 3}});
  SYNCLINE_EXPECT_OK(graph.Finish());
  graph.Expect("out", {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(graph.Count("a"), graph.Count("b"));
}

TEST_P(SourcesAndStopsTest, AStopInOpenOrCloseIsAnErrorOfTheNode) {
  for (const auto& [side_packet, function] :
       {std::pair{"open", "Open"}, std::pair{"close", "Close"}}) {
    GraphHarness graph(R"pb(
                         input_stream: "in"
                         node {
                           calculator: "LambdaCalculator"
                           name: "it"
                           input_side_packet: "OPEN:open"
                           input_side_packet: "CLOSE:close"
                           input_stream: "in"
                         })pb",
                       GetParam());
    graph.SetFunction("open", Nothing);
    graph.SetFunction("close", Nothing);
    graph.SetFunction(side_packet,
                      [](CalculatorContext*) { return tool::StatusStop(); });
    EXPECT_THAT(graph.Run(),
                StatusIs(Code::kInternal,
                         AllOf(HasSubstr("StatusStop()"),
                               HasSubstr(absl::StrCat("Calculator::", function,
                                                      "() for node \"it\"")))));
  }
}

}  // namespace
}  // namespace syncline
