// What the conditions of a node see of it, and what a snapshot shows of them.

#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/condition_gate.h"
#include "framework/node/condition_gate_test_support.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(ConditionGateTest, ConditionsSeeTheQueues) {
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

TEST_F(ConditionGateTest, TimesOfArrivalAreKeptWhereOneAsks) {
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

TEST_F(ConditionGateTest, WhatLeftHasNoTimeAndWhatCannotGoOnIsDone) {
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

TEST_F(ConditionGateTest, ASnapshotShowsTheLastAnswers) {
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
  EXPECT_EQ(snapshot.input_wait.until_ns, kNone);
}

}  // namespace
}  // namespace syncline
