// The calls of a node: Open, Process and Close, what they sent, and their end.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/scheduler/task.h"
#include "framework/scheduler/task_priority.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kInOut[] = "input_stream: 'a' output_stream: 'out' ";
constexpr char kSource[] = "output_stream: 'out'";
constexpr char kTwoInOut[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out' ";
constexpr char kOverlapping[] =
    "input_stream: 'a' output_stream: 'out' max_in_flight: 2 ";
constexpr char kPairs[] =
    "input_stream: 'a' output_stream: 'out' input_stream_handler { options { "
    "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 2 } } } ";

OutputStream& Out(CalculatorContext* cc) { return *cc->Outputs().begin(); }

// Sends the packet of the first input.
absl::Status PassThrough(CalculatorContext* cc) {
  Out(cc).AddPacket(cc->Inputs().begin()->Value());
  return absl::OkStatus();
}
absl::Status SetOffsetOfOne(CalculatorContext* cc) {
  cc->SetOffset(TimestampDiff(1));
  return absl::OkStatus();
}

// --- What a call sees

TEST(NodeCallsTest, EachCallHasItsTimeAndTheBoundsOfTheOutputs) {
  NodeUnderTest node(kInOut);
  std::vector<std::string> seen;
  const auto note = [&seen](CalculatorContext* cc) {
    seen.push_back(absl::StrCat(cc->InputTimestamp().DebugString(), ": ",
                                Out(cc).NextTimestampBound().DebugString()));
  };
  node.calculator.open = node.calculator.close = [&](CalculatorContext* cc) {
    note(cc);
    return absl::OkStatus();
  };
  node.calculator.process = [&](CalculatorContext* cc) {
    note(cc);
    return PassThrough(cc);
  };
  node.Open();
  node.AddAll(0, {10, 20});
  node.Run();
  node.Run();
  node.End(0);
  node.Run();
  EXPECT_THAT(seen,
              ElementsAre("Timestamp::Unstarted(): Timestamp::PreStream()",
                          "10: Timestamp::PreStream()", "20: 11",
                          "Timestamp::Done(): 21"));
  EXPECT_THAT(node.Sent(), ElementsAre("out 10 bound 11", "out 20 bound 21"));
}

TEST(NodeCallsTest, OverlappingCallsSeeTheBoundsWhenTheyBegin) {
  NodeUnderTest node(kOverlapping);
  std::vector<std::string> seen;
  node.calculator.process = [&seen](CalculatorContext* cc) {
    seen.push_back(Out(cc).NextTimestampBound().DebugString());
    return PassThrough(cc);
  };
  node.Open();
  node.AddAll(0, {10, 20, 30});
  Invocation* const first = node.Call();
  Invocation* const second = node.Call();
  node.Return(first);
  node.Return(second);
  node.Run();
  EXPECT_THAT(seen, ElementsAre("Timestamp::PreStream()",
                                "Timestamp::PreStream()", "21"));
}

TEST(NodeCallsTest, CallsSeeTheBoundsThatWerePassedOnBetweenThem) {
  NodeUnderTest node(kInOut);
  std::vector<std::string> seen;
  node.calculator.open = SetOffsetOfOne;
  node.calculator.process =
      node.calculator.close = [&seen](CalculatorContext* cc) {
        seen.push_back(Out(cc).NextTimestampBound().DebugString());
        return absl::OkStatus();
      };
  node.Open();
  EXPECT_THAT(node.Bound(0, 50), ElementsAre("bound of out: 51"));
  node.Add(0, 60);
  node.Run();
  EXPECT_THAT(node.Bound(0, 70), ElementsAre("bound of out: 71"));
  node.End(0);
  node.Run();
  EXPECT_THAT(seen, ElementsAre("51", "71"));
}

TEST(NodeCallsTest, EachOutputHasTheOffsetThatOpenGaveIt) {
  NodeUnderTest node(
      "input_stream: 'a' output_stream: 'out' output_stream: 'late'");
  node.calculator.open = [](CalculatorContext* cc) {
    (cc->Outputs().begin() + 0)->SetOffset(TimestampDiff(1));
    (cc->Outputs().begin() + 1)->SetOffset(TimestampDiff(5));
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_THAT(node.Bound(0, 50),
              ElementsAre("bound of out: 51", "bound of late: 55"));
}

TEST(NodeCallsTest, AllContextsOfANodeKnowWhatOpenHasSet) {
  for (const char* const fields : {kInOut, kOverlapping, kPairs}) {
    NodeUnderTest node(fields);
    std::vector<std::int64_t> offsets;
    node.calculator.open = SetOffsetOfOne;
    node.calculator.process = [&offsets](CalculatorContext* cc) {
      offsets.push_back(Out(cc).Offset().Value());
      return absl::OkStatus();
    };
    node.Open();
    node.AddAll(0, {10, 20});
    while (node.num_ready() > 0) node.Run();
    EXPECT_THAT(offsets, ElementsAre(1, 1)) << fields;
  }
}

TEST(NodeCallsTest, EachOverlappingCallThatIsReadyHasAnInvocationOfItsOwn) {
  NodeUnderTest node(kOverlapping);
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20}),
              ElementsAre("process 10 (10)", "process 20 (20)"));
  Invocation* const first = node.Call();
  Invocation* const second = node.Call();
  EXPECT_EQ(first, node.node().first_invocation());
  EXPECT_NE(first, second);
  EXPECT_EQ(second->priority, TaskPriority::ForNode(0));
  node.Return(first);
  node.Return(second);
  node.Add(0, 30);
  EXPECT_EQ(node.Call(), second) << "it is used again";
}

// --- Open

TEST(NodeCallsTest, ANodeMakesItsCalculatorUnlessOneIsKept) {
  NodeUnderTest keeps(kInOut);
  keeps.Open();
  EXPECT_EQ(keeps.node().calculator(), &keeps.calculator);

  NodeUnderTest makes(kInOut);
  makes.settings.kept_calculator = nullptr;
  EXPECT_EQ(makes.node().calculator(), nullptr);
  makes.Open();
  ASSERT_NE(makes.node().calculator(), nullptr);
  static_cast<NodeTestCalculator*>(makes.node().calculator())->process =
      PassThrough;
  makes.Add(0, 10);
  makes.Run();
  EXPECT_THAT(makes.Sent(), ElementsAre("out 10 bound 11"));
}

TEST(NodeCallsTest, AnErrorOfOpenIsReturned) {
  NodeUnderTest node(kInOut);
  node.calculator.open = [](CalculatorContext*) {
    return absl::DataLossError("broken");
  };
  Invocation* const invocation = node.node().first_invocation();
  const absl::Status status = node.node().Open(invocation, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("broken"));
}

TEST(NodeCallsTest, AnOutputChecksTheOrderUnlessItsReadersIgnoreIt) {
  for (const bool ignores : {false, true}) {
    NodeUnderTest node(kInOut);
    if (ignores) node.node().outputs().IgnoreOrder(0);
    node.calculator.process = [](CalculatorContext* cc) {
      Out(cc).AddPacket(NodeUnderTest::At(10));
      Out(cc).AddPacket(NodeUnderTest::At(5));
      return absl::OkStatus();
    };
    node.Open();
    node.Add(0, 10);
    const NodeUnderTest::Told told = node.Run();
    if (ignores) {
      EXPECT_THAT(told, IsEmpty());
      EXPECT_THAT(node.Sent(), ElementsAre(StartsWith("out 10 5 ")));
    } else {
      EXPECT_THAT(told, ElementsAre(StartsWith("error ")));
    }
  }
}

TEST(NodeCallsTest, PrioritiesAreThoseOfTheNodeButASourceHasItsOwn) {
  NodeUnderTest node(kInOut);
  node.plan.id = 5;
  Invocation* const invocation = node.node().first_invocation();
  EXPECT_EQ(invocation->priority, TaskPriority::ForOpen(5));
  node.Open();
  EXPECT_EQ(invocation->priority, TaskPriority::ForNode(5));

  NodeUnderTest source(kSource);
  source.plan.id = 5;
  source.Open();
  EXPECT_EQ(source.node().first_invocation()->priority,
            TaskPriority::ForOpen(5))
      << "the run sets that of a source";
}

TEST(NodeCallsTest, BoundsMayGoBackWhereGroupsOfInputsAreJoinedWithAnOffset) {
  constexpr char kSets[] =
      "input_stream_handler { input_stream_handler: "
      "'SyncSetInputStreamHandler' options { "
      "[syncline.SyncSetInputStreamHandlerOptions.ext] { "
      "sync_set { tag_index: ':0' } } } }";
  struct Case {
    std::string fields;
    bool has_offset;
    bool may_go_back;
  };
  for (const Case& c :
       {Case{absl::StrCat(kTwoInOut, kSets), true, true},
        Case{absl::StrCat(kTwoInOut, kSets), false, false},
        Case{kTwoInOut, true, false}, Case{kInOut, true, false}}) {
    NodeUnderTest node(c.fields);
    if (c.has_offset) node.calculator.open = SetOffsetOfOne;
    node.Open();
    EXPECT_EQ(node.node().OffsetMayGoBack(), c.may_go_back) << c.fields;
  }
}

TEST(NodeCallsTest, NoCallOfASourceIsReadyAfterOpen) {
  NodeUnderTest node(kSource);
  EXPECT_THAT(node.Open(), IsEmpty());
  EXPECT_EQ(node.node().state(), NodeState::kOpen);
  EXPECT_EQ(node.node().first_invocation()->kind, Invocation::Kind::kProcess);
}

// --- How long calls take

TEST(NodeCallsTest, TheCostOfACallIsMeasuredNowAndThen) {
  NodeUnderTest node(kInOut);
  node.Open();
  Invocation& invocation = *node.node().first_invocation();
  invocation.calls_to_measure = 2;
  for (const bool is_measured : {false, false, true}) {
    invocation.cost_ns = Task::kUnknownCost;
    node.Add(0, static_cast<int>(node.Input(0).packets_added));
    node.Run();
    EXPECT_EQ(invocation.cost_ns != Task::kUnknownCost, is_measured);
  }
}

TEST(NodeCallsTest, WhereCallsAreTimedEachOneIs) {
  NodeUnderTest node(kInOut);
  node.settings.times_calls = true;
  int running = 0;
  node.calculator.process = [&](CalculatorContext*) {
    running = node.node().Snapshot().running_calls;
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_EQ(node.node().Snapshot().last_start_us, 0);
  node.Add(0, 10);
  node.Run();
  EXPECT_EQ(running, 1);
  const NodeSnapshot after = node.node().Snapshot();
  EXPECT_EQ(after.running_calls, 0);
  EXPECT_GT(after.last_start_us, 0);
  EXPECT_GE(after.last_finish_us, after.last_start_us);
  EXPECT_EQ(node.node().first_invocation()->calls_to_measure, 0);
}

// --- Conditions

// Runs one call of a node with two conditions, after `set_up`. What the first
// condition noted, and the status.
absl::Status CallWithConditions(
    const std::function<void(NodeUnderTest*)>& set_up,
    std::vector<std::string>* notes, bool* has_run) {
  NodeUnderTest node(kInOut);
  node.SetGate(2);
  absl::Status status;
  node.calculator.process = [has_run](CalculatorContext*) {
    *has_run = true;
    return absl::OkStatus();
  };
  node.Open();
  set_up(&node);
  node.Ask(ConditionResult::Ready());
  node.Add(0, 10);
  EXPECT_THAT(node.Ask(ConditionResult::Ready()),
              ElementsAre("process 10 (10)"));
  Invocation* const invocation = node.node().first_invocation();
  status = node.node().Process(invocation, invocation->sets[0]);
  *notes = node.conditions().conditions[0]->notes;
  return status;
}

TEST(NodeCallsTest, ConditionsHearOfACallBeforeAndAfterIt) {
  std::vector<std::string> notes;
  bool has_run = false;
  EXPECT_EQ(CallWithConditions([](NodeUnderTest*) {}, &notes, &has_run),
            absl::OkStatus());
  EXPECT_THAT(notes, ElementsAre("BeforeExecute", StartsWith("OnExecute ")));
  EXPECT_TRUE(has_run);
}

TEST(NodeCallsTest, WithoutConditionsACallOfANodeWithAGateIsAsUsual) {
  NodeUnderTest node(kInOut);
  node.SetGate(-1);
  node.calculator.process = PassThrough;
  node.Open();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("process 10 (10)"));
  node.Run();
  EXPECT_THAT(node.Sent(), ElementsAre("out 10 bound 11"));
}

TEST(NodeCallsTest, TheErrorOfTheCallComesBeforeThatOfACondition) {
  std::vector<std::string> notes;
  bool has_run = false;
  const auto fail = [](NodeUnderTest* node) {
    node->conditions().conditions[1]->failing = "OnExecute";
  };
  absl::Status status = CallWithConditions(fail, &notes, &has_run);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(has_run);
  status = CallWithConditions(
      [&](NodeUnderTest* node) {
        fail(node);
        node->calculator.process = [](CalculatorContext*) {
          return absl::AbortedError("of the call");
        };
      },
      &notes, &has_run);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
}

// --- What a call sent

TEST(NodeCallsTest, ACallMayOnlyRaiseABoundOrCloseAnOutput) {
  for (const char* const fields : {kInOut, kOverlapping}) {
    NodeUnderTest node(fields);
    node.calculator.process = [](CalculatorContext* cc) {
      if (cc->InputTimestamp() == Timestamp(10)) {
        Out(cc).SetNextTimestampBound(Timestamp(15));
      } else {
        Out(cc).Close();
      }
      return absl::OkStatus();
    };
    node.Open();
    node.Add(0, 10);
    node.Run();
    EXPECT_THAT(node.Sent(), ElementsAre("out bound 15"));
    EXPECT_EQ(node.node().outputs().bound(0), Timestamp(15));
    node.Add(0, 20);
    node.Run();
    EXPECT_THAT(node.Sent(), ElementsAre("out bound Timestamp::Done()"));
    EXPECT_FALSE(node.node().outputs().End(0).tells_readers);
  }
}

TEST(NodeCallsTest, OverlappingCallsThatSendOutOfOrderHaveAnError) {
  NodeUnderTest node(kOverlapping);
  node.calculator.process = [](CalculatorContext* cc) {
    Out(cc).AddPacket(
        NodeUnderTest::At(30 - static_cast<int>(cc->InputTimestamp().Value())));
    return absl::OkStatus();
  };
  node.Open();
  node.AddAll(0, {10, 20});
  Invocation* const first = node.Call();
  Invocation* const second = node.Call();
  EXPECT_THAT(node.Return(first), IsEmpty());
  EXPECT_THAT(node.Return(second), ElementsAre(StartsWith("error ")));
}

// --- The close

TEST(NodeCallsTest, OnlyAnOpenNodeBeginsToCloseOrAtTheEndAClosingOne) {
  NodeUnderTest node(kInOut);
  const auto starts_close = [&node](bool is_end_of_run) {
    return node.node().StartClose(is_end_of_run);
  };
  EXPECT_FALSE(starts_close(false)) << "waiting";
  EXPECT_FALSE(starts_close(true)) << "waiting";
  node.Open();
  EXPECT_TRUE(starts_close(false));
  EXPECT_EQ(node.node().state(), NodeState::kClosing);
  EXPECT_EQ(node.node().first_invocation()->kind, Invocation::Kind::kClose);
  EXPECT_FALSE(starts_close(false)) << "its close is coming";
  EXPECT_TRUE(starts_close(true)) << "its close will not come";
  node.After([](Node* under_test, Effects* effects) {
    under_test->FinishClose(effects);
  });
  EXPECT_FALSE(starts_close(false));
  EXPECT_FALSE(starts_close(true));
}

TEST(NodeCallsTest, WhatWaitsWhenTheNodeClosesIsDroppedOnce) {
  NodeUnderTest node(kTwoInOut);
  node.settings.limits[0].packets = 1;
  node.Open();
  EXPECT_THAT(node.Add(0, 10), ElementsAre("full: a"));
  ASSERT_TRUE(node.node().StartClose(/*is_end_of_run=*/false));
  const auto finish = [&node](DropCause cause) {
    return node.After([cause](Node* under_test, Effects* effects) {
      under_test->FinishClose(effects, cause);
    });
  };
  EXPECT_THAT(finish(DropCause::kRunFailed),
              ElementsAre("not full: a", "dropped 10"));
  EXPECT_EQ(node.node().state(), NodeState::kClosed);
  EXPECT_THAT(finish(DropCause::kAtClose), IsEmpty());
  EXPECT_EQ(node.Input(0).drops.of(DropCause::kRunFailed), 1);
  EXPECT_EQ(node.Input(0).drops.of(DropCause::kAtClose), 0);
}

TEST(NodeCallsTest, ANodeWhoseOpenFailedIsClosedAtOnce) {
  NodeUnderTest node(kInOut);
  node.After([](Node* under_test, Effects* effects) {
    under_test->Start(0, effects);
    under_test->HeaderArrived(0, Packet(), effects);
    under_test->FinishClose(effects, DropCause::kRunFailed);
  });
  EXPECT_EQ(node.node().state(), NodeState::kClosed);
}

// --- After each call conditions are asked, since they may say NEVER

TEST(NodeCallsTest, AfterAnOverlappingCallConditionsAreAsked) {
  NodeUnderTest node(kOverlapping);
  node.SetGate(1);
  EXPECT_THAT(node.Open(), ElementsAre("ask"));
  node.Ask(ConditionResult::Ready());
  node.Add(0, 10);
  EXPECT_THAT(node.Ask(ConditionResult::Ready()),
              ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.Run(), ElementsAre("ask"));
}

TEST(NodeCallsTest, WithoutConditionsNothingIsAskedAfterACall) {
  for (const char* const fields : {kInOut, kOverlapping}) {
    NodeUnderTest node(fields);
    node.SetGate(-1);
    EXPECT_THAT(node.Open(), IsEmpty());
    node.Add(0, 10);
    EXPECT_THAT(node.Run(), IsEmpty());
  }
}

}  // namespace
}  // namespace syncline
