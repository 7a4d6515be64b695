#include "framework/node/node_conditions.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node_conditions_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/make_conditions.h"
#include "framework/stream/input_queue.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NodeConditionsTest : public ::testing::Test {
 protected:
  explicit NodeConditionsTest(bool is_any = false)
      : setup_(2, is_any),
        conditions_(setup_.Make()),
        first_(*setup_.conditions[0]),
        second_(*setup_.conditions[1]) {}

  static void ExpectNamed(const absl::Status& status, const std::string& name) {
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr("Node \"n\": "));
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    EXPECT_THAT(std::string(status.message()), HasSubstr("failed: broken"));
  }

  ConditionsUnderTest setup_;
  const std::unique_ptr<NodeConditions> conditions_;
  TestCondition& first_;
  TestCondition& second_;
  NodeFacts facts_ = {.now_ns = 50};
};

class AnyConditionTest : public NodeConditionsTest {
 protected:
  AnyConditionTest() : NodeConditionsTest(/*is_any=*/true) {}
};

TEST_F(NodeConditionsTest, AreFoundByName) {
  EXPECT_EQ(conditions_->Find("c1").get(), &second_);
  EXPECT_EQ(conditions_->Find("c2"), nullptr);
}

TEST_F(NodeConditionsTest, StartUntilOneFails) {
  first_.failing = "Start";
  ExpectNamed(conditions_->Start({}), "c0");
  EXPECT_THAT(second_.notes, IsEmpty());
  first_.failing = "";
  EXPECT_TRUE(conditions_->Start({}).ok());
  EXPECT_THAT(second_.notes, ElementsAre("Start"));
}

TEST_F(NodeConditionsTest, AreAskedOneAfterTheOther) {
  second_.result = ConditionResult::Wait("second");
  const absl::StatusOr<ConditionResult> all = conditions_->Ask(facts_);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->state, ConditionState::kWait);
  EXPECT_EQ(all->reason, "second");
  EXPECT_THAT(first_.notes, ElementsAre("UpdateState 50", "Check"));
  EXPECT_EQ(conditions_->results()[0].state, ConditionState::kReady);
  EXPECT_EQ(conditions_->results()[1].state, ConditionState::kWait);
}

TEST_F(NodeConditionsTest, ATimeThatHasComeIsReady) {
  first_.result = ConditionResult::WaitUntil(50, "now");
  EXPECT_EQ(conditions_->Ask(facts_)->state, ConditionState::kReady);
  EXPECT_EQ(conditions_->results()[0].state, ConditionState::kReady);
  first_.result = ConditionResult::WaitUntil(51, "later");
  EXPECT_EQ(conditions_->Ask(facts_)->state, ConditionState::kWaitTime);
  EXPECT_EQ(conditions_->Ask(facts_)->target_ns, 51);
  // Others have no time for that.
  first_.result = ConditionResult::Wait("x");
  first_.result.target_ns = 50;
  EXPECT_EQ(conditions_->Ask(facts_)->state, ConditionState::kWait);
}

TEST_F(NodeConditionsTest, AnErrorNamesNodeAndCondition) {
  second_.failing = "Check";
  ExpectNamed(conditions_->Ask(facts_).status(), "c1");
  second_.failing = "UpdateState 50";
  ExpectNamed(conditions_->Ask(facts_).status(), "c1");
}

TEST_F(AnyConditionTest, OneThatIsReadyIsEnough) {
  first_.result = ConditionResult::Wait("first");
  EXPECT_EQ(conditions_->Ask(facts_)->state, ConditionState::kReady);
  second_.result = ConditionResult::Never("second");
  EXPECT_EQ(conditions_->Ask(facts_)->state, ConditionState::kWait);
}

TEST(NodeConditionsGroupTest, GroupsAreOneOfTheOthers) {
  ConditionsUnderTest setup(3);
  // c0 and (c1 or c2)
  setup.plan.groups[0].conditions = {0};
  setup.plan.groups[0].groups = {1};
  setup.plan.groups.push_back({.is_any = true, .conditions = {1, 2}});
  const std::unique_ptr<NodeConditions> conditions = setup.Make();
  setup.conditions[1]->result = ConditionResult::Wait("c1");
  EXPECT_EQ(conditions->Ask({})->state, ConditionState::kReady);
  setup.conditions[2]->result = ConditionResult::Wait("c2");
  EXPECT_EQ(conditions->Ask({})->state, ConditionState::kWait);
}

TEST(NodeConditionsGroupTest, ThatOfOneIsThatOfAll) {
  ConditionsUnderTest setup(1);
  const std::unique_ptr<NodeConditions> conditions = setup.Make();
  setup.conditions[0]->result = ConditionResult::Never("c0");
  EXPECT_EQ(conditions->Ask({})->state, ConditionState::kNever);
}

// c0 needs 2 packets of the first two inputs together and 1 of the third, the
// others are ready.
TEST(NodeConditionsNeedTest, WaitForPacketsThatMayStillCome) {
  ConditionsUnderTest setup(2);
  setup.made.needs[0] = {{{0, 1}, 2, "sum"}, {{2}, 1, "size"}};
  const std::unique_ptr<NodeConditions> conditions = setup.Make();
  std::vector<InputQueue> queues(3);
  const auto add = [&](int port, int time) {
    queues[port].Add(MakePacket<int>(1).At(Timestamp(time)));
  };
  EXPECT_TRUE(conditions->WaitForPackets(queues));
  add(0, 1);
  add(1, 1);
  EXPECT_TRUE(conditions->WaitForPackets(queues)) << "none at the third";
  add(2, 1);
  EXPECT_FALSE(conditions->WaitForPackets(queues));
}

TEST(NodeConditionsNeedTest, DoNotWaitForInputsThatHaveEnded) {
  ConditionsUnderTest setup(1);
  setup.made.needs[0] = {{{0, 1}, 2, "sum"}};
  const std::unique_ptr<NodeConditions> conditions = setup.Make();
  std::vector<InputQueue> queues(2);
  queues[0].RaiseBound(Timestamp::Done());
  EXPECT_TRUE(conditions->WaitForPackets(queues));
  queues[1].RaiseBound(Timestamp::Done());
  EXPECT_FALSE(conditions->WaitForPackets(queues));
}

TEST(NodeConditionsNeedTest, ThatNeedNothingOrOfWhichOneIsReadyDoNotWait) {
  std::vector<InputQueue> queues(1);
  ConditionsUnderTest none(1);
  none.made.needs[0] = {{{0}, 0, "size"}};
  EXPECT_FALSE(none.Make()->WaitForPackets(queues));
  // c0 and (c1 or c2)
  ConditionsUnderTest setup(3);
  setup.plan.groups[0].conditions = {0};
  setup.plan.groups[0].groups = {1};
  setup.plan.groups.push_back({.is_any = true, .conditions = {1, 2}});
  setup.made.needs[1] = {{{0}, 1, "size"}};
  const MadeConditions made = setup.made;
  EXPECT_FALSE(setup.Make()->WaitForPackets(queues)) << "c2 is ready";
  setup.made = made;
  setup.made.needs[2] = {{{0}, 3, "size"}};
  EXPECT_TRUE(setup.Make()->WaitForPackets(queues));
}

TEST_F(NodeConditionsTest, SetAsideWhatTheCallNeeds) {
  EXPECT_TRUE(*conditions_->Dispatch(facts_));
  EXPECT_THAT(second_.notes, ElementsAre("OnDispatch"));
  conditions_->UndoDispatch();
  EXPECT_THAT(first_.notes, ElementsAre("OnDispatch", "OnDispatchUndone"));
  EXPECT_THAT(second_.notes, ElementsAre("OnDispatch", "OnDispatchUndone"));
  // Once.
  conditions_->UndoDispatch();
  EXPECT_THAT(first_.notes, ElementsAre("OnDispatch", "OnDispatchUndone"));
}

TEST_F(NodeConditionsTest, WhatWasSetAsideIsUndoneIfTheNextLacksSomething) {
  second_.is_there = false;
  EXPECT_FALSE(*conditions_->Dispatch(facts_));
  EXPECT_THAT(first_.notes, ElementsAre("OnDispatch", "OnDispatchUndone"));
  EXPECT_THAT(second_.notes, ElementsAre("OnDispatch"));
  conditions_->UndoDispatch();
  EXPECT_THAT(second_.notes, ElementsAre("OnDispatch"));
  second_.failing = "OnDispatch";
  ExpectNamed(conditions_->Dispatch(facts_).status(), "c1");
}

TEST_F(NodeConditionsTest, AreToldOfTheCall) {
  ASSERT_TRUE(*conditions_->Dispatch(facts_));
  EXPECT_TRUE(conditions_->BeforeExecute().ok());
  EXPECT_TRUE(conditions_->OnExecute(70).ok());
  EXPECT_THAT(second_.notes,
              ElementsAre("OnDispatch", "BeforeExecute", "OnExecute 70"));
  // The call has begun: there is nothing to undo.
  conditions_->UndoDispatch();
  EXPECT_THAT(second_.notes,
              ElementsAre("OnDispatch", "BeforeExecute", "OnExecute 70"));
  second_.failing = "OnExecute 80";
  ExpectNamed(conditions_->OnExecute(80), "c1");
}

TEST_F(NodeConditionsTest, AfterStopNobodyHearsOfChanges) {
  struct Listener : ConditionListener {
    void OnConditionChanged() override { ++changes; }
    int changes = 0;
  };
  const auto listener = std::make_shared<Listener>();
  first_.SetListener(listener);
  first_.Change();
  EXPECT_EQ(listener->changes, 1);
  conditions_->Stop();
  first_.Change();
  EXPECT_EQ(listener->changes, 1);
}

TEST_F(NodeConditionsTest, StopUndoesCallsThatNeverCame) {
  ASSERT_TRUE(*conditions_->Dispatch(facts_));
  ASSERT_TRUE(*conditions_->Dispatch(facts_));
  first_.notes.clear();
  conditions_->Stop();
  EXPECT_THAT(first_.notes,
              ElementsAre("OnDispatchUndone", "OnDispatchUndone", "Stop"));
  EXPECT_EQ(second_.notes.back(), "Stop");
}

}  // namespace
}  // namespace syncline
