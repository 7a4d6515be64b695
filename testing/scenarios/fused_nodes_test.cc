// Fused nodes: several calculators as one node, in order, in one call. What
// they send and when they end is what they would as nodes of their own.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
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
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A function for a LambdaCalculator that writes down who was called when.
LambdaFunction Noting(Diary* diary, const std::string& what) {
  return [diary, what](CalculatorContext* cc) {
    diary->Add(absl::StrCat(cc->NodeName(), " ", what, " ",
                            cc->InputTimestamp().DebugString()));
    return absl::OkStatus();
  };
}

absl::Status SendOne(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(cc->InputTimestamp()));
  return absl::OkStatus();
}

class FusedNodesTest : public WorkersTest {};
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

// --- What is refused

struct BadCase {
  std::string node;
  std::vector<std::string> fragments;
};

TEST(FusedNodeConfigTest, WhatCannotBeFusedIsRefusedWithBothNames) {
  const std::string a =
      R"(fused_node { name: "a" calculator: "SumCalculator"
                      input_stream: "in" output_stream: "x" )";
  const std::string b =
      R"(fused_node { name: "b" calculator: "SumCalculator"
                      input_stream: "x" output_stream: "y" )";
  const std::vector<BadCase> cases = {
      {a + "max_in_flight: 2 }", {"node \"a\"", "max_in_flight"}},
      {a + "condition { type: 'CountCondition' } executor: 'e' }",
       {"node \"a\"", "executor, condition"}},
      {a + "batch { max_size: 2 } gxf_defaults: true }",
       {"node \"a\"", "gxf_defaults, batch"}},
      {a + "fused_node { calculator: 'SumCalculator' } }",
       {"node \"a\"", "cannot have fused nodes itself"}},
      {a + "input_stream_info { tag_index: 'NO' back_edge: true } }",
       {"node \"a\"", "tag_index \"NO\""}},
      {a + "input_stream_info { tag_index: '' message_times: true } }",
       {"node \"a\"", "message_times"}},
      {a + "} " + b + "input_stream_info { back_edge: true } }",
       {"node \"b\"", "stays within"}},
      {b + "} " + a + "}", {"node \"b\"", "node \"a\"", "run before"}},
      {a + "} " + a + "}", {"node \"a\"", "\"x\"", "producer already"}},
      {a + "} max_in_flight: 2", {"one call at a time"}},
      {a + "} batch { max_size: 2 }", {"one call at a time"}},
      {a + "} calculator: 'SumCalculator'", {"can be one of them"}},
      {a + "} input_stream: 'in'", {"input_stream", "write that into them"}},
      {a + "} options {}", {"options", "write that into them"}},
      {"fused_node { name: 'a' calculator: 'SumCalculatr' }",
       {"a\"", "SumCalculatr", "SumCalculator"}},
      {"fused_node { name: 'a' }", {"node \"a\"", "no calculator"}},
      {"fused_node { calculator: 'SumCalculator' input_stream: 'a:b:c' }",
       {"SumCalculator"}},
      {"calculator: 'FusedNode' input_stream: 'in'", {"fused_node", "none"}},
      {a + "} fused_node { name: 'p' calculator: 'BlockingCalculator' "
           "input_stream: 'in' output_stream: 'z' }",
       {"whole/p\"", "LATCH"}},
      {a + "} fused_node { name: 's' calculator: 'FusedTextCalculator' "
           "input_stream: 'x' }",
       {"whole/s\"", "\"x\"", "int"}},
      {a + "} fused_node { name: 's' calculator: 'FusedTextCalculator' "
           "input_stream: 'in' }",
       {"whole/s\"", "\"in\"", "int"}},
      {a + "} fused_node { name: 'i' calculator: 'FusedImmediateCalculator' "
           "input_stream: 'x' }",
       {"whole/i\"", "ImmediateInputStreamHandler", "default rule"}},
  };
  for (const BadCase& bad : cases) {
    const std::string text = absl::StrCat(
        "input_stream: 'in' executor { name: 'e' type: 'ThreadPoolExecutor' } ",
        "node { name: 'whole' ", bad.node, " }");
    SCOPED_TRACE(text);
    CalculatorGraph graph;
    const absl::Status status =
        graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text));
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr("\"whole\""));
    for (const std::string& fragment : bad.fragments) {
      EXPECT_THAT(status.message(), HasSubstr(fragment));
    }
  }
}

class FusedTextCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(FusedTextCalculator);

class FusedImmediateCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(FusedImmediateCalculator);

// The config becomes smaller by that.
TEST(FusedNodeConfigTest, PartsMaySayTheSameOfAnInput) {
  std::string node = "node {";
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&node,
                    "fused_node { calculator: 'SumCalculator' input_stream: "
                    "'in' input_stream_info { max_queue_size: 3 } }");
  }
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
          absl::StrCat("input_stream: 'in' ", node, "}"))));
}

TEST(FusedNodeConfigTest, TypesGoThroughAFusedNode) {
  CalculatorGraph graph;
  const absl::Status status =
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        node {
          calculator: "SumCalculator"
          input_stream: "in"
          output_stream: "number"
        }
        node {
          fused_node {
            calculator: "DelayCalculator"
            input_stream: "number"
            output_stream: "same"
          }
          fused_node {
            calculator: "DelayCalculator"
            input_stream: "same"
            output_stream: "still"
          }
        }
        node { calculator: "FusedTextCalculator" input_stream: "still" })pb"));
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("FusedTextCalculator"), HasSubstr("\"still\""),
                    HasSubstr("\"int\"")));
}

}  // namespace
}  // namespace syncline
