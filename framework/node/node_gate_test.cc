// What the gate of a node decides, what it tells others, and what it counts as
// a hold: with conditions, batches and timeouts, without a node.

#include "framework/node/node_gate.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/holds.h"
#include "framework/node/node_gate_test_support.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/input_queue.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using Answer = NodeGate::Answer;
using Decision = NodeGate::Decision;
using Kind = Effects::GateFact::Kind;
using State = Readiness::State;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr GateState kAll[] = {GateState::kIdle, GateState::kAsking,
                              GateState::kAskingAgain, GateState::kHeld};

TEST(GateStateTest, HasTheArrowsOfTheDiagram) {
  const std::pair<GateState, GateState> arrows[] = {
      {GateState::kIdle, GateState::kAsking},
      {GateState::kAsking, GateState::kIdle},
      {GateState::kAsking, GateState::kAskingAgain},
      {GateState::kAsking, GateState::kHeld},
      {GateState::kAskingAgain, GateState::kAsking},
      {GateState::kAskingAgain, GateState::kIdle},
      {GateState::kHeld, GateState::kAsking},
      {GateState::kHeld, GateState::kIdle},
  };
  for (const GateState from : kAll) {
    for (const GateState to : kAll) {
      bool has_arrow = false;
      for (const auto& arrow : arrows) {
        if (arrow == std::make_pair(from, to)) has_arrow = true;
      }
      EXPECT_EQ(IsLegalTransition(from, to), has_arrow)
          << GateStateName(from) << " -> " << GateStateName(to);
    }
  }
}

TEST(GateStateTest, ChangesTheState) {
  GateState state = GateState::kIdle;
  ChangeState(GateState::kAsking, &state);
  EXPECT_EQ(state, GateState::kAsking);
}

#ifndef NDEBUG
TEST(GateStateDeathTest, NamesATransitionThatIsWrong) {
  GateState state = GateState::kIdle;
  EXPECT_DEATH(ChangeState(GateState::kHeld, &state), "idle -> held");
}
#endif

// --- The gate

class TestClock final : public GraphClock {
 public:
  std::int64_t NowNs() override { return 77; }
  Passing passing() const override { return Passing::kByItself; }
  std::int64_t SteadyNsOf(std::int64_t target_ns) override { return target_ns; }

 protected:
  void WaitUntilNs(std::int64_t target_ns) override {}
};

constexpr std::int64_t kNone = ConditionResult::kNoTarget;

// The gate of a node with two inputs.
class NodeGateTest : public ::testing::Test {
 protected:
  // `num_conditions`: -1 for a gate without.
  void Make(int num_conditions, int max_batch_size = 1,
            TimeoutPolicy* timeout = nullptr, bool time_passes = true) {
    NodeGate::Setup setup = {.clock = &clock_,
                             .holds = &holds_,
                             .time_passes_by_itself = time_passes};
    if (num_conditions >= 0) {
      conditions_.emplace(num_conditions);
      conditions_->made.watched_arrivals = watched_arrivals_;
      conditions_->made.watched_fronts = watched_fronts_;
      setup.conditions = conditions_->Make();
    }
    plan_.inputs = inputs_;
    plan_.outputs = outputs_;
    plan_.batch.max_size = max_batch_size;
    gate_ =
        std::make_unique<NodeGate>(std::move(setup), node(), plan_, timeout);
  }
  // Is named, and not touched.
  Node* node() { return reinterpret_cast<Node*>(&plan_); }

  // What was told since this was last asked. Times: "timer 50".
  std::vector<std::string> Told() {
    std::vector<std::string> told;
    for (const Effects::GateFact& fact : effects_.gate_facts) {
      EXPECT_EQ(fact.node, node());
      switch (fact.kind) {
        case Kind::kAsk:
          told.push_back("ask");
          break;
        case Kind::kSourceMayRun:
          told.push_back("source");
          break;
        case Kind::kUndo:
          told.push_back("undo");
          break;
        case Kind::kBatchBegun:
          told.push_back("batch");
          break;
        case Kind::kInputWaitBegun:
          told.push_back("wait");
          break;
        case Kind::kTimer:
          told.push_back("timer " + std::to_string(fact.target_ns));
          break;
        case Kind::kRoom:
          told.push_back("room");
          break;
      }
    }
    effects_.gate_facts.clear();
    return told;
  }

  Decision Look(State state, bool is_batch = false) {
    return gate_->Look(is_batch, state, &effects_);
  }
  // The conditions are asked, and come to `result`.
  Answer Ask(const ConditionResult& result, bool has_input_set = true,
             bool is_dispatched = false) {
    if (gate_->is_idle() || gate_->is_held()) gate_->Ask(&effects_);
    NodeFacts* const facts = gate_->BeginAsk(/*is_open=*/true, 5, queues_);
    EXPECT_NE(facts, nullptr);
    facts->has_input_set = has_input_set;
    return gate_->FinishAsk(result, is_dispatched, /*is_open=*/true, &effects_);
  }
  Answer AskReady() {
    return Ask(ConditionResult::Ready(), true, /*is_dispatched=*/true);
  }

  TestClock clock_;
  Holds holds_;
  std::vector<int> watched_arrivals_;
  std::vector<int> watched_fronts_;
  absl::optional<ConditionsUnderTest> conditions_;
  std::array<PlanInput, 2> inputs_;
  std::array<PlanOutput, 3> outputs_;
  PlanNode plan_;
  std::array<InputQueue, 2> queues_;
  Effects effects_;
  std::unique_ptr<NodeGate> gate_;
};

TEST_F(NodeGateTest, WhatIsReadyWaitsForConditions) {
  Make(1);
  EXPECT_NE(gate_->conditions(), nullptr);
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_EQ(AskReady(), Answer::kStart);
  EXPECT_TRUE(gate_->is_idle());
  gate_->GivePermit();
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  // The permit was for that.
  gate_->TakePermitBack(&effects_);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
}

TEST_F(NodeGateTest, APermitThatNobodyUsesIsUndone) {
  Make(1);
  AskReady();
  Told();
  gate_->GivePermit();
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  gate_->TakePermitBack(&effects_);
  EXPECT_THAT(Told(), ElementsAre("undo"));
  EXPECT_FALSE(gate_->is_idle());
  gate_->AbandonAsk(/*is_open=*/true, &effects_);
  EXPECT_TRUE(gate_->is_idle());
  EXPECT_EQ(Look(State::kProcess), Decision::kHold);
}

TEST_F(NodeGateTest, AHeldNodeWaitsForItsTimeAndKeepsTheRunBusy) {
  Make(1);
  Look(State::kProcess);
  Told();
  EXPECT_EQ(Ask(ConditionResult::WaitUntil(50, "x")), Answer::kNothing);
  EXPECT_THAT(Told(), ElementsAre("timer 50"));
  EXPECT_TRUE(gate_->is_held());
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().state, ConditionState::kWaitTime);
  EXPECT_EQ(gate_->HeldBy().reason, "x");
  EXPECT_EQ(gate_->HeldBy().target_ns, 50);
  EXPECT_EQ(gate_->NextTarget(), 50);
  EXPECT_FALSE(gate_->HoldIsDue(49));
  EXPECT_TRUE(gate_->HoldIsDue(50));
  gate_->EndHoldTime(/*has_batch=*/false);
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_FALSE(gate_->batch_is_due());
  gate_->Ask(&effects_);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  AskReady();
  gate_->GivePermit();
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  EXPECT_FALSE(holds_.any());
}

TEST_F(NodeGateTest, WhatKeepsTheRunBusy) {
  Make(1);
  Ask(ConditionResult::Wait("room"));
  EXPECT_FALSE(holds_.any());
  Ask(ConditionResult::WaitForEvent("event"));
  EXPECT_TRUE(holds_.any());
  Ask(ConditionResult::Wait("room"));
  EXPECT_FALSE(holds_.any());
}

TEST_F(NodeGateTest, WhereTimeIsSimulatedOnlyAnEventFromOutsideDoes) {
  Make(1, /*max_batch_size=*/1, nullptr, /*time_passes=*/false);
  Ask(ConditionResult::WaitUntil(50, "time"));
  EXPECT_FALSE(holds_.any());
  Ask(ConditionResult::WaitForEvent("event"));
  EXPECT_FALSE(holds_.any());
  Ask(ConditionResult::WaitForEvent("event", /*holds_time=*/true));
  EXPECT_TRUE(holds_.any());
}

TEST_F(NodeGateTest, WhatChangesMeanwhileIsAskedForAgain) {
  Make(1);
  gate_->Ask(&effects_);
  ASSERT_NE(gate_->BeginAsk(true, 5, queues_), nullptr);
  gate_->Ask(&effects_);
  gate_->Ask(&effects_);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  EXPECT_EQ(
      gate_->FinishAsk(ConditionResult::Wait("x"), false, true, &effects_),
      Answer::kNothing);
  EXPECT_FALSE(gate_->is_held());
  EXPECT_THAT(Told(), ElementsAre("ask"));
  // What came before the facts were taken is among them.
  gate_->Ask(&effects_);
  gate_->BeginAsk(true, 5, queues_)->has_input_set = true;
  gate_->FinishAsk(ConditionResult::Wait("x"), false, true, &effects_);
  EXPECT_TRUE(gate_->is_held());
}

TEST_F(NodeGateTest, WithoutAnInputSetNothingIsHeld) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(Ask(ConditionResult::Wait("x"), /*has_input_set=*/false),
            Answer::kNothing);
  EXPECT_TRUE(gate_->is_idle());
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), kNone);
  // Ready, but what it takes was gone.
  EXPECT_EQ(Ask(ConditionResult::Ready()), Answer::kNothing);
  EXPECT_TRUE(gate_->is_idle());
}

TEST_F(NodeGateTest, NeverClosesTheNode) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  EXPECT_FALSE(gate_->is_over());
  EXPECT_EQ(Ask(ConditionResult::Never("x")), Answer::kClose);
  EXPECT_TRUE(gate_->is_over());
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(Look(State::kWait), Decision::kClose);
  EXPECT_EQ(Look(State::kProcess), Decision::kClose);
  // Nothing is asked any more.
  gate_->Ask(&effects_);
  EXPECT_EQ(gate_->BeginAsk(true, 5, queues_), nullptr);
  EXPECT_TRUE(gate_->is_idle());
}

TEST_F(NodeGateTest, ANodeThatIsNotOpenAsksNothing) {
  Make(1);
  gate_->Ask(&effects_);
  EXPECT_EQ(gate_->BeginAsk(/*is_open=*/false, 5, queues_), nullptr);
  EXPECT_TRUE(gate_->is_idle());
}

TEST_F(NodeGateTest, AnAnswerForANodeThatHasClosedIsUndone) {
  Make(1);
  gate_->Ask(&effects_);
  gate_->BeginAsk(true, 5, queues_)->has_input_set = true;
  Told();
  EXPECT_EQ(gate_->FinishAsk(ConditionResult::Ready(), /*is_dispatched=*/true,
                             /*is_open=*/false, &effects_),
            Answer::kNothing);
  EXPECT_THAT(Told(), ElementsAre("undo"));
  EXPECT_FALSE(gate_->is_idle());
  gate_->AbandonAsk(/*is_open=*/false, &effects_);
  gate_->Ask(&effects_);
  gate_->BeginAsk(true, 5, queues_)->has_input_set = true;
  Told();
  EXPECT_EQ(
      gate_->FinishAsk(ConditionResult::Wait("x"), false, false, &effects_),
      Answer::kNothing);
  EXPECT_TRUE(gate_->is_idle());
}

TEST_F(NodeGateTest, AnAskMayBeAbandoned) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  gate_->Ask(&effects_);
  gate_->Ask(&effects_);
  Told();
  gate_->AbandonAsk(/*is_open=*/true, &effects_);
  EXPECT_THAT(Told(), ElementsAre("ask"));
  EXPECT_FALSE(holds_.any());
  gate_->Ask(&effects_);
  gate_->AbandonAsk(/*is_open=*/false, &effects_);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_TRUE(gate_->is_idle());
}

TEST_F(NodeGateTest, ASourceRunsWhenItMay) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  Told();
  EXPECT_EQ(AskReady(), Answer::kStart);
  Told();
  gate_->LetSourceRun(&effects_);
  EXPECT_THAT(Told(), ElementsAre("source"));
  EXPECT_FALSE(holds_.any());
}

TEST_F(NodeGateTest, AHeldSourceIsReleased) {
  Make(1);
  gate_->ReleaseSource(/*is_open=*/true, &effects_);
  EXPECT_THAT(Told(), IsEmpty());
  Ask(ConditionResult::WaitUntil(50, "x"));
  Told();
  gate_->ReleaseSource(/*is_open=*/false, &effects_);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_FALSE(holds_.any());
  EXPECT_TRUE(gate_->is_held());
  gate_->ReleaseSource(/*is_open=*/true, &effects_);
  EXPECT_THAT(Told(), ElementsAre("source"));
  EXPECT_TRUE(gate_->is_idle());
}

TEST_F(NodeGateTest, WhatWasHeldMayBeGone) {
  Make(1);
  Ask(ConditionResult::WaitUntil(50, "x"));
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(Look(State::kClose), Decision::kPass);
  EXPECT_FALSE(holds_.any());
}

// --- Facts

TEST_F(NodeGateTest, ConditionsSeeTheQueues) {
  watched_arrivals_ = {1};
  watched_fronts_ = {1};
  Make(1);
  EXPECT_EQ(gate_->ArrivalTime(), 77);
  EXPECT_THAT(gate_->output_facts(), SizeIs(3));
  queues_[1].Add(MakePacket<int>(3).At(Timestamp(4)));
  gate_->NoteArrivals(1, queues_[1], 60, &effects_);
  EXPECT_THAT(Told(), IsEmpty());
  queues_[0].RaiseBound(Timestamp::Done());
  gate_->Ask(&effects_);
  gate_->NoteArrivals(1, queues_[1], 60, &effects_);
  const NodeFacts* facts = gate_->BeginAsk(true, 5, queues_);
  EXPECT_EQ(facts->now_ns, 5);
  ASSERT_THAT(facts->inputs, SizeIs(2));
  EXPECT_THAT(facts->outputs, SizeIs(3));
  EXPECT_EQ(facts->inputs[1].queued, 1);
  EXPECT_EQ(facts->inputs[1].front_arrival_ns, 60);
  EXPECT_FALSE(facts->inputs[1].is_done);
  EXPECT_EQ(facts->inputs[1].front.Timestamp(), Timestamp(4));
  EXPECT_EQ(facts->inputs[0].queued, 0);
  EXPECT_EQ(facts->inputs[0].front_arrival_ns, -1);
  EXPECT_TRUE(facts->inputs[0].is_done);
  EXPECT_EQ(&gate_->input_facts(1), &facts->inputs[1]);
  // The packet is let go of without a lock.
  gate_->FinishAsk(ConditionResult::Wait("x"), false, true, &effects_);
  ASSERT_THAT(effects_.trash, SizeIs(1));
  EXPECT_EQ(effects_.trash[0].Timestamp(), Timestamp(4));
  EXPECT_TRUE(facts->inputs[1].front.IsEmpty());
  queues_[1].TakeFront();
  gate_->Ask(&effects_);
  facts = gate_->BeginAsk(true, 5, queues_);
  EXPECT_EQ(facts->inputs[1].front_arrival_ns, -1);
  EXPECT_TRUE(facts->inputs[1].front.IsEmpty());
}

TEST_F(NodeGateTest, TimesOfArrivalAreKeptWhereOneAsks) {
  Make(1);
  EXPECT_EQ(gate_->ArrivalTime(), 0);
  queues_[1].Add(MakePacket<int>(3).At(Timestamp(4)));
  gate_->NoteArrivals(1, queues_[1], 60, &effects_);
  gate_->Ask(&effects_);
  EXPECT_EQ(gate_->BeginAsk(true, 5, queues_)->inputs[1].front_arrival_ns, -1);
  // What has come while they are asked is asked for again.
  gate_->NoteArrivals(1, queues_[1], 60, &effects_);
  Told();
  gate_->FinishAsk(ConditionResult::Wait("x"), false, true, &effects_);
  EXPECT_THAT(Told(), ElementsAre("ask"));
}

TEST_F(NodeGateTest, WhatLeftHasNoTimeAndWhatCannotGoOnIsDone) {
  watched_arrivals_ = {1};
  Make(1);
  queues_[1].Add(MakePacket<int>(3).At(Timestamp(4)));
  gate_->NoteArrivals(1, queues_[1], 60, &effects_);
  queues_[1].Add(MakePacket<int>(3).At(Timestamp(5)));
  gate_->NoteArrivals(1, queues_[1], 70, &effects_);
  queues_[1].TakeFront();
  queues_[0].RaiseBound(Timestamp::OneOverPostStream());
  gate_->Ask(&effects_);
  const NodeFacts* const facts = gate_->BeginAsk(true, 5, queues_);
  EXPECT_EQ(facts->inputs[1].front_arrival_ns, 70);
  EXPECT_TRUE(facts->inputs[0].is_done);
}

TEST_F(NodeGateTest, ASnapshotShowsTheLastAnswers) {
  Make(1);
  NodeSnapshot snapshot;
  gate_->AddTo(&snapshot);
  EXPECT_THAT(snapshot.conditions, IsEmpty());
  EXPECT_FALSE(snapshot.is_held);
  conditions_->conditions[0]->result = ConditionResult::Wait("x");
  ASSERT_TRUE(gate_->conditions()->Ask({}).ok());
  Ask(ConditionResult::Wait("x"));
  gate_->AddTo(&snapshot);
  ASSERT_THAT(snapshot.conditions, SizeIs(1));
  EXPECT_EQ(snapshot.conditions[0].reason, "x");
  EXPECT_TRUE(snapshot.is_held);
  EXPECT_EQ(snapshot.input_wait_until_ns, kNone);
}

// --- Batches

TEST_F(NodeGateTest, ABatchWithoutConditionsGoesWhenItIsComplete) {
  Make(-1, /*max_batch_size=*/4);
  EXPECT_EQ(gate_->conditions(), nullptr);
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  gate_->HoldBatch(50, &effects_);
  EXPECT_THAT(Told(), ElementsAre("timer 50"));
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().reason, "a batch");
  EXPECT_EQ(gate_->HeldBy().target_ns, 50);
  gate_->EndHoldTime(/*has_batch=*/true);
  EXPECT_TRUE(gate_->batch_is_due());
  EXPECT_EQ(Look(State::kWait, /*is_batch=*/true), Decision::kPass);
  EXPECT_FALSE(gate_->batch_is_due());
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().state, ConditionState::kReady);
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(NodeGateTest, ABatchWaitsForConditionsToo) {
  Make(1, /*max_batch_size=*/4);
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  EXPECT_THAT(Told(), IsEmpty());
  gate_->HoldBatch(50, &effects_);
  EXPECT_EQ(Look(State::kWait, /*is_batch=*/true), Decision::kHold);
  EXPECT_THAT(Told(), ElementsAre("timer 50", "ask"));
  // While they find no complete batch, its time stands.
  Ask(ConditionResult::Wait("x"), /*has_input_set=*/false);
  EXPECT_EQ(gate_->NextTarget(), 50);
  gate_->Ask(&effects_);
  gate_->AbandonAsk(true, &effects_);
  EXPECT_EQ(gate_->NextTarget(), 50);
  Ask(ConditionResult::Wait("x"));
  EXPECT_EQ(gate_->NextTarget(), kNone);
  // Held by conditions, it waits for them alone.
  gate_->HoldBatch(60, &effects_);
  EXPECT_EQ(gate_->NextTarget(), kNone);
}

// --- Timeouts

class NodeGateWithTimeoutTest : public NodeGateTest {
 protected:
  NodeGateWithTimeoutTest()
      : driver_("TimeoutInputStreamHandler", {"A:a", "B:b"},
                "[syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: "
                "100 since: OLDEST_PACKET }") {}
  void Make(int num_conditions = -1, bool time_passes = true) {
    NodeGateTest::Make(num_conditions, 1, driver_.policy().AsTimeoutPolicy(),
                       time_passes);
  }
  void Arrive(int timestamp, std::int64_t now_ns) {
    driver_.Add("A", timestamp);
    queues_[0].Add(MakePacket<int>(1).At(Timestamp(timestamp)));
    gate_->NoteArrivals(0, queues_[0], now_ns, &effects_);
  }
  void Begin(State state = State::kWait) {
    gate_->BeginInputWait(30, state, queues_, &effects_);
  }

  PolicyDriver driver_;
};

TEST_F(NodeGateWithTimeoutTest, TheNodeWaitsForInputsForATime) {
  Make();
  EXPECT_TRUE(gate_->waits_for_inputs());
  EXPECT_EQ(gate_->ArrivalTime(), 77);
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_THAT(Told(), IsEmpty());
  Arrive(10, 20);
  EXPECT_EQ(Look(State::kWait), Decision::kPass);
  EXPECT_THAT(Told(), ElementsAre("wait"));
  EXPECT_EQ(gate_->HeldBy().state, ConditionState::kReady);
  Begin();
  EXPECT_THAT(Told(), ElementsAre("timer 120"));
  EXPECT_TRUE(holds_.any());
  EXPECT_EQ(gate_->HeldBy().target_ns, 120);
  EXPECT_EQ(gate_->HeldBy().reason, "late inputs");
  EXPECT_EQ(gate_->NextTarget(), 120);
  EXPECT_FALSE(gate_->HoldIsDue(500));
  NodeSnapshot snapshot;
  gate_->AddTo(&snapshot);
  EXPECT_EQ(snapshot.input_wait_until_ns, 120);
  EXPECT_TRUE(snapshot.input_wait_has_packets);
  EXPECT_FALSE(gate_->InputWaitIsUp(119));
  EXPECT_TRUE(gate_->InputWaitIsUp(120));
  gate_->EndInputWait(120, State::kWait, queues_, &effects_);
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_THAT(driver_.Calls(), ElementsAre("10: A=10 B<10"));
}

TEST_F(NodeGateWithTimeoutTest, AnInputSetEndsTheWait) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_EQ(Look(State::kProcess), Decision::kPass);
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), kNone);
  Told();
  Begin();
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(NodeGateWithTimeoutTest, ACompleteBatchEndsTheWait) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_EQ(Look(State::kWait, /*is_batch=*/true), Decision::kPass);
  EXPECT_EQ(gate_->NextTarget(), kNone);
}

TEST_F(NodeGateWithTimeoutTest, WhereACallIsDueNoWaitBegins) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Told();
  Begin(State::kProcess);
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_FALSE(holds_.any());
  // It has to be wanted anew.
  Begin();
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(NodeGateWithTimeoutTest, WithoutPacketsToDeliverNoneBegins) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Told();
  driver_.Add("B", 10);
  EXPECT_THAT(driver_.Calls(), SizeIs(1));
  Begin();
  EXPECT_THAT(Told(), IsEmpty());
  EXPECT_FALSE(holds_.any());
}

TEST_F(NodeGateWithTimeoutTest, ItsTimeMayBeUpForNothing) {
  Make();
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  gate_->EndInputWait(120, State::kProcess, queues_, &effects_);
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_THAT(driver_.Calls(), IsEmpty());
}

TEST_F(NodeGateWithTimeoutTest, WhereTimeIsSimulatedItKeepsNoRunBusy) {
  Make(-1, /*time_passes=*/false);
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_FALSE(holds_.any());
  EXPECT_EQ(gate_->NextTarget(), 120);
}

TEST_F(NodeGateWithTimeoutTest, OfTwoTimesTheEarlierHasATimer) {
  Make(1);
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  Told();
  Ask(ConditionResult::WaitUntil(90, "x"));
  EXPECT_THAT(Told(), ElementsAre("ask", "timer 90"));
  EXPECT_EQ(gate_->NextTarget(), 90);
  // The other gets one once the first is gone.
  AskReady();
  Told();
  gate_->LetSourceRun(&effects_);
  EXPECT_THAT(Told(), ElementsAre("timer 120", "source"));
}

TEST_F(NodeGateWithTimeoutTest, NeverEndsTheWait) {
  Make(1);
  Arrive(10, 20);
  Look(State::kWait);
  Begin();
  EXPECT_EQ(Ask(ConditionResult::Never("x")), Answer::kClose);
  EXPECT_EQ(gate_->NextTarget(), kNone);
  EXPECT_FALSE(holds_.any());
}

TEST_F(NodeGateWithTimeoutTest, WithoutItsPolicyThereIsNoWait) {
  Make();
  gate_->ForgetPolicy();
  EXPECT_FALSE(gate_->waits_for_inputs());
}

}  // namespace
}  // namespace syncline
