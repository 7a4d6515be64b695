// Fused nodes: several calculators as one node, in order, in one call. What
// they send and when is what they would as nodes of their own. In which order
// they are called, what they are in a graph, and their configs have files of
// their own.
#include "testing/scenarios/fused_nodes_test.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SYNCLINE_TEST_WITH_ALL_WORKERS(FusedNodesTest);

TEST_P(FusedNodesTest, SendWhatTheirPartsSendAndEachStreamCanBeObserved) {
  GraphHarness graph(
      R"pb(
        input_stream: "in"
        node {
          name: "chain"
          fused_node {
            calculator: "RunningCountCalculator"
            input_stream: "in"
            output_stream: "count"
          }
          fused_node {
            calculator: "SumCalculator"
            input_stream: "count"
            input_stream: "in"
            output_stream: "sum"
          }
          fused_node {
            calculator: "FilterCalculator"
            input_stream: "sum"
            output_stream: "even"
            options {
              [syncline.TestCalculatorOptions.ext] { multiples_of: 2 }
            }
          }
        }
        node {
          calculator: "SumCalculator"
          input_stream: "even"
          input_stream: "in"
          output_stream: "out"
        })pb",
      GetParam());
  for (int run = 0; run < 2; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{0, 10}, {5, 20}, {9, 31}});
    SYNCLINE_ASSERT_OK(graph.Finish());
    graph.Expect("count", {{0, 1}, {5, 2}, {9, 3}});
    graph.Expect("sum", {{0, 11}, {5, 22}, {9, 34}});
    graph.Expect("even", {{5, 22}, {9, 34}});
    graph.Expect("out", {{0, 10}, {5, 42}, {9, 65}});
  }
  EXPECT_THAT(graph.graph().plan().DebugString(),
              HasSubstr("fused RunningCountCalculator, SumCalculator, "
                        "FilterCalculator"));
}

TEST_P(FusedNodesTest, CallALaterPartForEachPacketOfAnEarlierOne) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_side_packet: "many"
                       node {
                         fused_node {
                           calculator: "LambdaCalculator"
                           input_side_packet: "PROCESS:many"
                           input_stream: "in"
                           output_stream: "three"
                         }
                         fused_node {
                           calculator: "RunningCountCalculator"
                           input_stream: "three"
                           output_stream: "count"
                         }
                       })pb",
                     GetParam());
  graph.SetFunction("many", [](CalculatorContext* cc) {
    for (int i = 0; i < 3; ++i) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(i).At(cc->InputTimestamp() + i));
    }
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}, {10, 1}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("count", {{0, 1}, {1, 2}, {2, 3}, {10, 4}, {11, 5}, {12, 6}});
}

// "late" comes 10 later than "in", so the join waits from call to call, and
// what it still has at the end comes then.
TEST_P(FusedNodesTest, JoinWhatTheirPartsSendByTheDefaultRule) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         fused_node {
                           calculator: "DelayCalculator"
                           input_stream: "in"
                           output_stream: "late"
                           options {
                             [syncline.TestCalculatorOptions.ext] { shift: 10 }
                           }
                         }
                         fused_node {
                           calculator: "SumCalculator"
                           input_stream: "in"
                           input_stream: "late"
                           output_stream: "sum"
                         }
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}, {10, 2}});
  graph.Idle();
  graph.Expect("sum", {{0, 1}, {10, 3}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("sum", {{0, 1}, {10, 3}, {20, 2}});
}

TEST_P(FusedNodesTest, PassBoundsSoThatAnIdleBranchHoldsNobodyUp) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_stream: "other"
                       node {
                         fused_node {
                           calculator: "LambdaOffsetCalculator"
                           input_stream: "in"
                           output_stream: "a"
                         }
                         fused_node {
                           calculator: "LambdaOffsetCalculator"
                           input_stream: "a"
                           output_stream: "b"
                         }
                       }
                       node {
                         calculator: "SumCalculator"
                         input_stream: "b"
                         input_stream: "other"
                         output_stream: "out"
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("other", {{0, 1}, {7, 2}});
  graph.SetBound("in", 5);
  graph.Idle();
  graph.Expect("out", {{0, 1}});
  // With a call, in which nothing is sent.
  graph.Feed("in", {{8, 1}});
  graph.Idle();
  graph.Expect("out", {{0, 1}, {7, 2}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FusedNodesTest, GoOnWithWhatTheyHoldWhenBoundsMove) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_stream: "other"
                       node {
                         fused_node {
                           calculator: "DelayCalculator"
                           input_stream: "in"
                           output_stream: "late"
                           options {
                             [syncline.TestCalculatorOptions.ext] {
                               shift: 2
                               promise_offset: true
                             }
                           }
                         }
                         fused_node {
                           calculator: "SumCalculator"
                           input_stream: "other"
                           input_stream: "late"
                           output_stream: "sum"
                         }
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  graph.SetBound("other", 1);
  graph.Idle();
  graph.Expect("late", {{2, 1}});
  graph.Expect("sum", {});
  graph.SetBound("in", 10);
  graph.SetBound("other", 10);
  graph.Idle();
  graph.Expect("sum", {{2, 1}});
  SYNCLINE_EXPECT_OK(graph.Finish());
}

TEST_P(FusedNodesTest, CallPartsForBoundsThatAskForIt) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         fused_node {
                           calculator: "SumCalculator"
                           input_stream: "in"
                           output_stream: "sum"
                         }
                         fused_node {
                           calculator: "BoundRecorderCalculator"
                           input_stream: "in"
                           output_stream: "packets"
                         }
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  graph.Idle();
  graph.SetBound("in", 5);
  graph.Idle();
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("sum", {{0, 1}});
  graph.Expect("packets", {{0, 1}, {4, 0}});
}

TEST_P(FusedNodesTest, DeliverWhatPartsSendInOpenAndInCloseToLaterOnes) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_side_packet: "first"
                       input_side_packet: "last"
                       node {
                         fused_node {
                           calculator: "LambdaCalculator"
                           input_stream: "in"
                           output_stream: "ends"
                           input_side_packet: "OPEN:first"
                           input_side_packet: "CLOSE:last"
                         }
                         fused_node {
                           calculator: "RunningCountCalculator"
                           input_stream: "ends"
                           output_stream: "count"
                         }
                       })pb",
                     GetParam());
  const auto send_at = [](Timestamp timestamp) {
    return [timestamp](CalculatorContext* cc) {
      cc->Outputs().Index(0).AddPacket(MakePacket<int>(7).At(timestamp));
      return absl::OkStatus();
    };
  };
  graph.SetFunction("first", send_at(Timestamp(0)));
  graph.SetFunction("last", send_at(Timestamp(100)));
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Idle();
  graph.Expect("count", {{0, 1}});
  graph.Feed("in", {{5, 1}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("ends", {{0, 7}, {100, 7}});
  graph.Expect("count", {{0, 1}, {100, 2}});
}

TEST_P(FusedNodesTest, RefuseToHoldPacketsWithoutEnd) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         fused_node {
                           calculator: "LambdaCalculator"
                           input_stream: "in"
                           output_stream: "never"
                         }
                         fused_node {
                           name: "join"
                           calculator: "SumCalculator"
                           input_stream: "in"
                           input_stream: "never"
                           output_stream: "sum"
                         }
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  absl::Status status;
  for (int t = 0; t < 2000 && status.ok(); ++t) status = graph.Add("in", t, 1);
  EXPECT_THAT(graph.Finish(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("/join\""), HasSubstr("\"in\""))));
}

}  // namespace
}  // namespace syncline
