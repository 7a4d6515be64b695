// Nodes are opened by hand and told what their conditions say; there is neither
// a graph nor a thread.

#include "framework/run/gated_nodes.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/condition_gate.h"
#include "framework/node/effects.h"
#include "framework/node/holds.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/policy/input_policy.h"
#include "framework/port/status_matchers.h"
#include "framework/report/report_test_support.h"
#include "framework/report/run_reports.h"
#include "framework/run/idle_decision.h"
#include "framework/run/preparation/check_handlers.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_timers.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/scheduler/executor.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "first" sends "a" to "second", whose queue has room for 2, and to "third",
// whose queue has room for 7 and drops what is more.
GraphPlan MakePlan() {
  return TestPlan(R"(
    input_stream: "x"
    node { name: "first" calculator: "TestLambda" input_stream: "x"
           output_stream: "a" }
    node { name: "second" calculator: "TestLambda" input_stream: "a"
           input_stream_info { tag_index: ":0" max_queue_size: 2 } }
    node { name: "third" calculator: "TestLambda" input_stream: "a"
           input_stream_info { tag_index: ":0" max_queue_size: 7
                               queue_policy: POP } })");
}

// Counts how often it is stopped.
class TestCondition : public ConditionBase {
 public:
  void Stop() override { ++stops; }
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return ConditionResult::Ready();
  }
  int stops = 0;
};

class GatedNodesTest : public ::testing::Test {
 protected:
  GatedNodesTest()
      : policies_(*FindPolicies(plan_)),
        nodes_(plan_, policies_, nullptr, {.packets = {0}, .bytes = {0}}, {}) {}
  ~GatedNodesTest() override {
    for (const Node::Placed& node : nodes_) node->Destroy(DropCause::kAtEnd);
  }

  Node* node(int id) { return nodes_[id].get(); }

  // `id` gets a gate with a condition that looks at these rooms: an output, and
  // how many packets are to have room behind it.
  void AddGate(int id, std::vector<std::pair<int, std::int64_t>> rooms) {
    MadeConditions made;
    made.objects = {condition_};
    made.needs = {needs_};
    made.watched_rooms = std::move(rooms);
    gated_.WatchRooms(node(id), made);
    node(id)->SetGate({.conditions = std::make_unique<NodeConditions>(
                           conditions_, std::move(made), "\"test\""),
                       .clock = &clock_,
                       .holds = &holds_});
    gated_.Add(node(id), /*has_timeout=*/false);
  }
  void Open(int id) {
    effects_ = Effects();
    node(id)->Start(0, &effects_);
    node(id)->HeaderArrived(0, Packet(), &effects_);
    ASSERT_EQ(effects_.ready.size(), 1);
    auto* const call = static_cast<Invocation*>(effects_.ready[0]);
    SYNCLINE_ASSERT_OK(node(id)->Open(call, {.node_id = id}));
    call->sets[0].context->EndCall();
    node(id)->FinishOpen(call, &effects_);
  }
  // A packet for the node is there, and its conditions say this.
  void Hold(int id, const ConditionResult& result) {
    Effects effects;
    std::vector<Packet> packets = {MakePacket<int>(1).At(Timestamp(1))};
    node(id)->Deliver(0, absl::MakeSpan(packets), /*may_move=*/true,
                      Timestamp(2), &effects);
    ASSERT_NE(node(id)->BeginAsk(/*now_ns=*/0), nullptr);
    node(id)->FinishAsk(result, /*is_dispatched=*/false, &effects);
  }

  // Whether the queue of `id` tells of room as a packet goes.
  bool TellsOfRoom(int id) {
    Effects effects;
    std::vector<Packet> packets = {MakePacket<int>(1).At(Timestamp(1))};
    node(id)->Deliver(0, absl::MakeSpan(packets), /*may_move=*/true,
                      Timestamp(2), &effects);
    Open(id);
    const auto tells = [](const Effects::GateFact& fact) {
      return fact.kind == Effects::GateFact::Kind::kRoom;
    };
    return std::any_of(effects_.gate_facts.begin(), effects_.gate_facts.end(),
                       tells);
  }

  const GraphPlan plan_ = MakePlan();
  const NodePolicies policies_;
  const PlanConditions conditions_{.conditions = {{}},
                                   .groups = {{.conditions = {0}}}};
  // Of the conditions that are added.
  std::vector<PacketNeed> needs_;
  const std::shared_ptr<TestCondition> condition_ =
      std::make_shared<TestCondition>();
  ManualClock clock_;
  Holds holds_;
  RunNodes nodes_;
  GatedNodes gated_{&nodes_};
  Effects effects_;  // of Open
};

TEST_F(GatedNodesTest, AreThoseThatWereAdded) {
  EXPECT_TRUE(gated_.empty());
  gated_.Add(node(1), /*has_timeout=*/false);
  EXPECT_FALSE(gated_.empty());
  EXPECT_FALSE(gated_.has_timeouts());
  gated_.Add(node(0), /*has_timeout=*/true);
  EXPECT_TRUE(gated_.has_timeouts());
  gated_.Add(node(2), /*has_timeout=*/false);
  EXPECT_TRUE(gated_.has_timeouts());
  EXPECT_THAT(std::vector<Node*>(gated_.begin(), gated_.end()),
              ElementsAre(node(1), node(0), node(2)));
}

TEST_F(GatedNodesTest, TheFirstErrorIsKept) {
  SYNCLINE_EXPECT_OK(gated_.status());
  gated_.AddError(absl::InternalError("first"));
  gated_.AddError(absl::InternalError("second"));
  EXPECT_EQ(gated_.status().message(), "first");
}

TEST_F(GatedNodesTest, RoomIsWatchedByStream) {
  const int stream = plan_.FindStream("a");
  EXPECT_THAT(gated_.RoomWatchersOf(stream), IsEmpty());
  AddGate(0, {{0, 3}});
  EXPECT_THAT(gated_.RoomWatchersOf(stream), ElementsAre(node(0)));
  EXPECT_THAT(gated_.RoomWatchersOf(plan_.FindStream("x")), IsEmpty());
}

TEST_F(GatedNodesTest, QueuesThatAreLookedAtTellOfMoreRoom) {
  EXPECT_FALSE(TellsOfRoom(2));
  AddGate(0, {{0, 3}});
  EXPECT_TRUE(TellsOfRoom(1));
}

TEST_F(GatedNodesTest, RoomForOnePacketIsToldAnywayByQueuesThatHoldBack) {
  AddGate(0, {{0, 1}});
  EXPECT_FALSE(TellsOfRoom(1));
  EXPECT_TRUE(TellsOfRoom(2)) << "its queue drops packets";
}

TEST_F(GatedNodesTest, WaitsForRoomIfItIsHeldAndLooksAtRoom) {
  AddGate(0, {{0, 3}});
  EXPECT_TRUE(GatedNodes::WaitsForRoom(*node(0), ConditionResult::Wait("")));
  EXPECT_FALSE(GatedNodes::WaitsForRoom(*node(0), ConditionResult::Ready()));
  EXPECT_FALSE(
      GatedNodes::WaitsForRoom(*node(0), ConditionResult::WaitUntil(7, "")));
  EXPECT_FALSE(GatedNodes::WaitsForRoom(*node(1), ConditionResult::Wait("")))
      << "it has no conditions";
  AddGate(1, {});
  EXPECT_FALSE(GatedNodes::WaitsForRoom(*node(1), ConditionResult::Wait("")))
      << "its conditions look at no room";
}

TEST_F(GatedNodesTest, FindsQueuesWithLessRoomThanAHeldNodeAsksFor) {
  AddGate(0, {{0, 7}});
  EXPECT_THAT(gated_.FindShortRooms(), IsEmpty()) << "it is not held";
  Open(0);
  Hold(0, ConditionResult::Wait("room"));
  std::vector<ShortRoom> rooms = gated_.FindShortRooms();
  ASSERT_THAT(rooms, SizeIs(1)) << "\"third\" has room for 7";
  EXPECT_EQ(rooms[0].node, 0);
  EXPECT_EQ(rooms[0].queue.node, 1);
  EXPECT_EQ(rooms[0].queue.port, 0);
  EXPECT_EQ(rooms[0].wanted, 7);
  EXPECT_EQ(rooms[0].room, 2);
}

TEST_F(GatedNodesTest, RoomThatIsEnoughIsNotShort) {
  AddGate(0, {{0, 2}});
  Open(0);
  Hold(0, ConditionResult::Wait("room"));
  EXPECT_THAT(gated_.FindShortRooms(), IsEmpty());
}

TEST_F(GatedNodesTest, AddsWhatNodesAreHeldByToTheState) {
  const auto state = [this] {
    IdleState found;
    gated_.AddHeld(&found);
    return found;
  };
  AddGate(0, {{0, 7}});
  AddGate(1, {});
  EXPECT_FALSE(state().is_held) << "they wait for no input set yet";
  Open(0);
  Hold(0, ConditionResult::Wait("room"));
  EXPECT_TRUE(state().is_held);
  EXPECT_TRUE(state().waits_for_room);
  EXPECT_TRUE(state().lacks_room);
  EXPECT_FALSE(state().waits_for_outside);
  EXPECT_EQ(state().held_sources, 0);
  Open(1);
  Hold(1, ConditionResult::WaitForEvent("a click"));
  EXPECT_TRUE(state().waits_for_outside);
}

// No input set is ready, so the conditions were not asked.
TEST_F(GatedNodesTest, PacketsOfANodeThatWaitsForMoreAreHeld) {
  const auto is_held = [this] {
    IdleState found;
    gated_.AddHeld(&found);
    return found.is_held;
  };
  AddGate(0, {});
  needs_ = {{{0}, 2, "min_size"}};
  AddGate(1, {});
  for (const int id : {0, 1}) {
    Open(id);
    EXPECT_EQ(node(id)->WaitsForConditions(), id == 1);
    EXPECT_FALSE(is_held()) << "they hold no packets";
  }
  for (const int id : {0, 1}) {
    Effects effects;
    std::vector<Packet> packets = {MakePacket<int>(1).At(Timestamp(1))};
    node(id)->Deliver(0, absl::MakeSpan(packets), /*may_move=*/true,
                      Timestamp(2), &effects);
    EXPECT_EQ(is_held(), id == 1) << "only node 1 waits for more";
  }
}

TEST_F(GatedNodesTest, RoomThatIsEnoughIsWaitedForAndNotLacked) {
  AddGate(0, {{0, 2}});
  Open(0);
  Hold(0, ConditionResult::Wait("room"));
  IdleState state;
  gated_.AddHeld(&state);
  EXPECT_TRUE(state.waits_for_room);
  EXPECT_FALSE(state.lacks_room);
}

TEST_F(GatedNodesTest, WatchersOfRoomAskTheirConditionsAgain) {
  AddGate(0, {{0, 3}});
  Open(0);
  Hold(0, ConditionResult::Wait("room"));
  Effects effects;
  gated_.TellRoomWatchers(plan_.FindStream("x"), &effects);
  EXPECT_THAT(effects.gate_facts, IsEmpty());
  gated_.TellRoomWatchers(plan_.FindStream("a"), &effects);
  ASSERT_THAT(effects.gate_facts, SizeIs(1));
  EXPECT_EQ(effects.gate_facts[0].kind, Effects::GateFact::Kind::kAsk);
  EXPECT_EQ(effects.gate_facts[0].node, node(0)->plan().id);
}

TEST_F(GatedNodesTest, HoldsForTimeWhileANodeWaitsForOne) {
  AddGate(0, {});
  Open(0);
  EXPECT_FALSE(gated_.HoldForTime());
  Hold(0, ConditionResult::WaitUntil(100, "later"));
  EXPECT_TRUE(gated_.HoldForTime());
}

TEST_F(GatedNodesTest, OnlyATimeThatANodeStillWaitsForIsTheNext) {
  class NoReceiver : public RunTimers::Receiver {
    void TimeHasCome(int executor, bool serves) override {}
    void RecordError(const absl::Status& error) override {}
    void OnExecutorError(const absl::Status& error) override {}
  } receiver;
  class NoThreads : public Executor {
    void Schedule(std::function<void()> task) override {}
  };
  AlarmThread alarms;
  RunTimers timers(&clock_, &alarms, &receiver);
  const std::shared_ptr<Executor> executors[] = {std::make_shared<NoThreads>()};
  timers.SetUp(executors, /*num_waiting=*/1);
  EXPECT_EQ(gated_.NextTime(&timers), RunTimers::kNone);
  AddGate(0, {});
  Open(0);
  Hold(0, ConditionResult::WaitUntil(100, "later"));
  timers.Set(/*executor=*/0, /*waiting=*/0, 50);
  EXPECT_EQ(gated_.NextTime(&timers), RunTimers::kNone) << "not 50";
  timers.Set(0, 0, 100);
  EXPECT_EQ(gated_.NextTime(&timers), 100);
  timers.Stop();
  alarms.Stop();
}

TEST_F(GatedNodesTest, StopsTheConditionsOfNodesThatHaveSome) {
  AddGate(0, {});
  gated_.Add(node(1), /*has_timeout=*/true);
  gated_.StopConditions();
  EXPECT_EQ(condition_->stops, 1);
}

}  // namespace
}  // namespace syncline
