// What a fused node is to its graph, and the graph to its parts: sources,
// conditions, side packets, loops, subgraphs, runs.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/base/status_stop.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/conditions.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/test_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/scenarios/diary.h"
#include "testing/scenarios/fused_nodes_test.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_P(FusedNodesTest, AreSourcesWhereNoPartHasInputsOfTheGraph) {
  GraphHarness graph(R"pb(
                       node {
                         name: "made"
                         fused_node {
                           calculator: "NumberSourceCalculator"
                           output_stream: "few"
                           options {
                             [syncline.TestCalculatorOptions.ext] { count: 2 }
                           }
                         }
                         fused_node {
                           calculator: "NumberSourceCalculator"
                           output_stream: "more"
                           options {
                             [syncline.TestCalculatorOptions.ext] { count: 4 }
                           }
                         }
                         fused_node {
                           calculator: "SumCalculator"
                           input_stream: "few"
                           input_stream: "more"
                           output_stream: "sum"
                         }
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("few", {{0, 0}, {1, 1}});
  graph.Expect("sum", {{0, 0}, {1, 2}, {2, 2}, {3, 3}});
}

TEST_P(FusedNodesTest, TickPartsWithoutStreamsWhereTheNodeHasAcondition) {
  Diary diary;
  GraphHarness graph(
      R"pb(
        input_side_packet: "process"
        node {
          name: "e"
          condition {
            type: "CountCondition"
            options {
              [syncline.CountConditionOptions.ext] { count: 2 }
            }
          }
          fused_node {
            name: "a"
            calculator: "LambdaCalculator"
            input_side_packet: "PROCESS:process"
          }
          fused_node {
            name: "b"
            calculator: "LambdaCalculator"
            input_side_packet: "PROCESS:process"
          }
        })pb",
      GetParam());
  graph.SetFunction("process", Noting(&diary, "tick"));
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(diary.Take(), ElementsAre("e/a tick 0", "e/b tick 0",
                                        "e/a tick 0", "e/b tick 0"));
}

TEST_P(FusedNodesTest, StopTheSourcesOfTheGraphIfAPartSaysSo) {
  GraphHarness graph(R"pb(
                       input_side_packet: "process"
                       node {
                         calculator: "NumberSourceCalculator"
                         output_stream: "numbers"
                         options {
                           [syncline.TestCalculatorOptions.ext] { count: -1 }
                         }
                       }
                       node {
                         fused_node {
                           calculator: "LambdaCalculator"
                           input_stream: "numbers"
                           input_side_packet: "PROCESS:process"
                         }
                       })pb",
                     GetParam());
  graph.SetFunction("process", [](CalculatorContext* cc) {
    return cc->InputTimestamp() < Timestamp(5) ? absl::OkStatus()
                                               : tool::StatusStop();
  });
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_GE(graph.Count("numbers"), 6);
}

TEST_P(FusedNodesTest, GiveSidePacketsToLaterPartsAndToOtherNodes) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       input_side_packet: "first"
                       node {
                         fused_node {
                           calculator: "SidePacketSumCalculator"
                           input_side_packet: "first"
                           output_side_packet: "second"
                           options {
                             [syncline.TestCalculatorOptions.ext] { value: 10 }
                           }
                         }
                         fused_node {
                           calculator: "SidePacketSumCalculator"
                           input_side_packet: "first"
                           input_side_packet: "second"
                           input_stream: "in"
                           output_stream: "sum"
                         }
                       }
                       node {
                         calculator: "SidePacketSumCalculator"
                         input_side_packet: "second"
                         input_stream: "in"
                         output_stream: "other"
                       })pb",
                     GetParam());
  for (int first = 1; first < 3; ++first) {
    graph.SetSidePacket("first", MakePacket<int>(first));
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{0, 100}});
    SYNCLINE_ASSERT_OK(graph.Finish());
    graph.Expect("sum", {{0, 110 + 2 * first}});
    graph.Expect("other", {{0, 110 + first}});
  }
}

TEST_P(FusedNodesTest, CanBePartOfALoop) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         fused_node {
                           calculator: "SumCalculator"
                           input_stream: "in"
                           input_stream: "back"
                           output_stream: "total"
                           input_stream_info { tag_index: ":1" back_edge: true }
                         }
                         fused_node {
                           calculator: "SumCalculator"
                           input_stream: "total"
                           output_stream: "out"
                         }
                       }
                       node {
                         calculator: "UnitDelayCalculator"
                         input_stream: "out"
                         output_stream: "back"
                       })pb",
                     GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
  graph.Idle();
  graph.Expect("out", {{0, 1}, {1, 3}, {2, 6}});
  // What goes round in it has no end.
  graph.graph().Cancel();
  graph.Finish().IgnoreError();
}

// Made once, counts how often it was opened.
class FusedKeeperCalculator : public CountedCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetPersistent(true);
    cc->UseService(kTestService);
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    opened_ += cc->Service(kTestService).GetObject()["delta"];
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(opened_).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  int opened_ = 0;
};
REGISTER_CALCULATOR(FusedKeeperCalculator);

TEST_P(FusedNodesTest, KeepTheObjectsOfPersistentPartsAndOnlyThose) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         fused_node {
                           calculator: "FusedKeeperCalculator"
                           input_stream: "in"
                           output_stream: "opened"
                         }
                         fused_node {
                           calculator: "RunningCountCalculator"
                           input_stream: "opened"
                           output_stream: "count"
                         }
                       })pb",
                     GetParam());
  auto service = std::make_shared<TestServiceObject>();
  (*service)["delta"] = 1;
  SYNCLINE_ASSERT_OK(graph.SetService(kTestService, service));
  for (int run = 1; run < 4; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{0, 0}});
    SYNCLINE_ASSERT_OK(graph.Finish());
    graph.Expect("opened", {{0, run}});
    graph.Expect("count", {{0, 1}});
    EXPECT_EQ(Lifetimes::live_calculators, 1);
  }
}

TEST_P(FusedNodesTest, HandOnWhenPacketsWereAcquired) {
  GraphHarness graph(
      R"pb(
        input_stream: "in"
        input_side_packet: "first"
        input_side_packet: "last"
        node {
          input_stream_info { tag_index: "IN" message_times: true }
          fused_node {
            calculator: "LambdaCalculator"
            input_stream: "in"
            output_stream: "x"
            input_side_packet: "PROCESS:first"
          }
        }
        node {
          calculator: "LambdaCalculator"
          input_stream: "x"
          input_side_packet: "PROCESS:last"
          input_stream_info { tag_index: ":0" message_times: true }
        })pb",
      GetParam());
  Diary diary;
  graph.SetFunction("first", [](CalculatorContext* cc) {
    EXPECT_NE(cc->Inputs().Index(0).MessageTimes().publication_ns,
              PacketTimes::kNone);
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(0)),
                                     {.acquisition_ns = 5});
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(1)));
    return absl::OkStatus();
  });
  graph.SetFunction("last", [&diary](CalculatorContext* cc) {
    const PacketTimes& times = cc->Inputs().Index(0).MessageTimes();
    diary.Add(times.acquisition_ns == 5                      ? "given"
              : times.acquisition_ns == times.publication_ns ? "published"
                                                             : "other");
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph.Finish());
  EXPECT_THAT(diary.Take(), ElementsAre("given", "published"));
}

// The subgraph leaves "b" open, so the sum inside does not see it.
TEST_P(FusedNodesTest, InSubgraphsHaveNamesOptionsAndOptionalInputsOfThem) {
  const auto outer = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "FusedSubgraph"
      name: "sub"
      input_stream: "A:in"
      output_stream: "OUT:out"
      options {
        [syncline.TestCalculatorOptions.ext] { multiples_of: 3 }
      }
    })pb");
  const auto inner = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    type: "FusedSubgraph"
    input_stream: "A:a"
    input_stream: "B:b"
    output_stream: "OUT:kept"
    graph_options {
      [type.googleapis.com/syncline.TestCalculatorOptions] {}
    }
    node {
      fused_node {
        calculator: "SumCalculator"
        input_stream: "a"
        input_stream: "b"
        output_stream: "sum"
      }
      fused_node {
        calculator: "FilterCalculator"
        input_stream: "sum"
        output_stream: "kept"
        options {
          [syncline.TestCalculatorOptions.ext] {}
        }
        option_value: "multiples_of:options/multiples_of"
      }
    })pb");
  CalculatorGraph plain;
  SYNCLINE_ASSERT_OK(plain.Initialize({outer, inner}, {}));
  // A config that was compiled can be compiled again.
  GraphHarness again(plain.Config(), GetParam());
  SYNCLINE_ASSERT_OK(again.Start());
  again.Feed("in", {{0, 3}, {1, 4}, {2, 6}});
  SYNCLINE_ASSERT_OK(again.Finish());
  again.Expect("out", {{0, 3}, {2, 6}});
  again.Expect("sub__sum", {{0, 3}, {1, 4}, {2, 6}});
}

}  // namespace
}  // namespace syncline
