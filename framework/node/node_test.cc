// How a node is made and opened, what is seen of it, and what becomes of the
// packets that no call will see.

#include "framework/node/node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/cache_lines.h"
#include "framework/calculator/context.h"
#include "framework/condition/condition_result.h"
#include "framework/condition/loop_gate.h"
#include "framework/node/effects.h"
#include "framework/node/inner_queues.h"
#include "framework/node/invocation.h"
#include "framework/node/node_contexts.h"
#include "framework/node/node_row.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/queue_limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kReader[] = "input_stream: 'a' output_stream: 'out' ";
constexpr char kJoinAB[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out' ";
constexpr char kThreeAtOnce[] =
    "input_stream: 'a' output_stream: 'out' max_in_flight: 3 ";
constexpr char kTriples[] =
    "input_stream: 'a' input_stream_handler { options { "
    "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 3 } } } ";

// --- Before Open

// Each letter is an event at a node with two inputs, of which the second is a
// back edge: S the start with one side packet missing, P that side packet, H
// the header of the first input, B that of the second.
TEST(NodeTest, OpensWhenAllHasComeThatOpenNeeds) {
  struct Case {
    std::string events;
    bool opens;
  };
  for (const Case& c : {Case{"S", false}, Case{"SP", false}, Case{"SH", false},
                        Case{"SPH", true}, Case{"SHP", true}, Case{"SB", false},
                        Case{"SBP", false}, Case{"SBPH", true}}) {
    NodeUnderTest node(kJoinAB);
    std::vector<PlanInput> inputs(node.plan.inputs.begin(),
                                  node.plan.inputs.end());
    inputs[1].back_edge = true;
    node.plan.inputs = inputs;
    NodeUnderTest::Told told;
    for (const char event : c.events) {
      EXPECT_THAT(told, IsEmpty()) << c.events;
      told = node.After([event](Node* under_test, Effects* effects) {
        switch (event) {
          case 'S':
            return under_test->Start(/*missing_side_packets=*/1, effects);
          case 'P':
            return under_test->SidePacketArrived(effects);
          case 'H':
            return under_test->HeaderArrived(0, Packet(), effects);
          case 'B':
            return under_test->HeaderArrived(1, Packet(), effects);
        }
      });
    }
    EXPECT_EQ(told,
              c.opens ? NodeUnderTest::Told{"open"} : NodeUnderTest::Told{})
        << c.events;
    EXPECT_EQ(node.node().state(),
              c.opens ? NodeState::kOpening : NodeState::kWaiting);
  }
}

TEST(NodeTest, ANodeThatHasFailedOpensNoMore) {
  NodeUnderTest node(kReader);
  EXPECT_THAT(node.After([](Node* under_test, Effects* effects) {
    under_test->Start(/*missing_side_packets=*/0, effects);
    under_test->FinishClose(effects, DropCause::kRunFailed);
    under_test->HeaderArrived(0, Packet(), effects);
  }),
              IsEmpty());
  EXPECT_EQ(node.node().state(), NodeState::kClosed);
}

TEST(NodeTest, ACalculatorSeesTheHeadersOfItsInputs) {
  NodeUnderTest node(kReader);
  int header = 0;
  node.calculator.open = [&header](CalculatorContext* cc) {
    header = cc->Inputs().begin()->Header().Get<int>();
    return absl::OkStatus();
  };
  node.After([](Node* under_test, Effects* effects) {
    under_test->Start(/*missing_side_packets=*/0, effects);
    under_test->HeaderArrived(0, MakePacket<int>(7), effects);
  });
  node.Run();
  EXPECT_EQ(header, 7);
}

// --- What kind of node it is

TEST(NodeTest, KnowsWhatKindOfNodeItIs) {
  constexpr char kLate[] =
      "input_stream: 'a' input_stream_handler { input_stream_handler: "
      "'FixedSizeInputStreamHandler' }";
  struct Case {
    std::string fields;
    bool is_source = false;
    bool overlaps = false;
    bool batches_calls = false;
    bool calls_by_rules = false;
    bool has_output_side_packets = false;
  };
  for (const Case& c :
       {Case{.fields = kReader},
        Case{.fields = "output_stream: 'out'", .is_source = true},
        Case{.fields = kThreeAtOnce, .overlaps = true},
        Case{.fields = "input_stream: 'a' batch { max_size: 2 }",
        .batches_calls = true,
        .calls_by_rules = true},
        Case{.fields = kTriples}, Case{.fields = kLate, .calls_by_rules = true},
        Case{.fields = "output_side_packet: 'made'",
        .has_output_side_packets = true}}) {
    NodeUnderTest under_test(c.fields);
    const Node& node = under_test.node();
    EXPECT_EQ(&node.plan(), &under_test.plan);
    EXPECT_EQ(node.is_source(), c.is_source) << c.fields;
    EXPECT_EQ(node.overlaps(), c.overlaps) << c.fields;
    EXPECT_EQ(node.batches_calls(), c.batches_calls) << c.fields;
    EXPECT_EQ(node.calls_by_rules(), c.calls_by_rules) << c.fields;
    EXPECT_EQ(node.has_output_side_packets(), c.has_output_side_packets)
        << c.fields;
    EXPECT_FALSE(node.has_gate());
    EXPECT_EQ(node.conditions(), nullptr);
  }
}

TEST(NodeTest, ANodeWithAGateMayHaveConditions) {
  for (const int conditions : {-1, 1}) {
    NodeUnderTest node(kReader);
    node.SetGate(conditions);
    EXPECT_TRUE(node.node().has_gate());
    EXPECT_TRUE(node.node().calls_by_rules());
    EXPECT_EQ(node.node().conditions() != nullptr, conditions > 0);
  }
}

// What a call touches begins with its context, and what comes to a reader
// touches the reader's end.
TEST(NodeTest, FetchesTheContextOfItsCallAndItsFirstReaders) {
  for (const char* const fields : {kReader, kJoinAB, kThreeAtOnce}) {
    NodeUnderTest node(fields);
    NodeUnderTest join(kJoinAB);
    NodeUnderTest reader(kReader);
    EXPECT_EQ(node.node().row().call().lines, 0) << fields;
    const std::vector<const Node*> readers = {&join.node(), &reader.node(),
                                              &join.node(), &join.node()};
    node.node().FetchAhead(readers);
    const NodeRow& row = node.node().row();
    const void* context = nullptr;
    node.calculator.process = [&context](CalculatorContext* cc) {
      context = cc;
      return absl::OkStatus();
    };
    node.Open();
    for (int port = 0; port < static_cast<int>(node.plan.inputs.size());
         ++port) {
      node.Add(port, 10);
    }
    node.Run();
    EXPECT_EQ(row.call().start, context) << fields;
    const int lines =
        static_cast<int>((NodeContexts::Bytes(node.plan.inputs.size(), 1) +
                          node.node().outputs().bytes()) /
                         kCacheLine);
    EXPECT_EQ(row.call().lines, std::min(lines, NodeRow::kMostLines)) << fields;

    ASSERT_EQ(row.num_readers(), NodeRow::kMostReaders) << fields;
    for (std::size_t i = 0; i < row.num_readers(); ++i) {
      const LineRow wanted = readers[i]->ArrivalRow();
      EXPECT_EQ(row.reader(i).start, wanted.start) << fields;
      EXPECT_EQ(row.reader(i).lines, wanted.lines) << fields;
    }
    EXPECT_EQ(row.reader(0).lines, row.reader(1).lines + 1)
        << "a line for each queue";
    const auto* const start =
        static_cast<const std::byte*>(row.reader(1).start);
    const auto* const end =
        reinterpret_cast<const std::byte*>(&reader.node() + 1);
    EXPECT_LT(start, end) << fields;
    EXPECT_GE(start + row.reader(1).lines * kCacheLine, end) << fields;
  }
}

// No more than addresses that exist is asked for: a sanitizer would say so.
TEST(NodeTest, FetchesForATimeInAnyState) {
  for (const int conditions : {-1, 1, 2}) {
    NodeUnderTest node(kReader);
    node.SetGate(conditions);
    std::vector<int> calls;
    node.calculator.process = [&calls](CalculatorContext* cc) {
      calls.push_back(static_cast<int>(cc->InputTimestamp().Value()));
      return absl::OkStatus();
    };
    const auto fetch = [&node] {
      for (int step = 0; step < Node::kFetchSteps; ++step) {
        node.node().FetchForTime(step);
      }
    };
    fetch();
    node.Open();
    fetch();
    if (conditions > 0) node.Ask(ConditionResult::Ready());
    node.Add(0, 10);
    fetch();
    if (conditions > 0) node.Ask(ConditionResult::Ready());
    ASSERT_EQ(node.num_ready(), 1) << conditions;
    fetch();
    node.Run();
    EXPECT_THAT(calls, ElementsAre(10)) << conditions;
  }
}

// --- Looking in

TEST(NodeTest, ASnapshotHasTheStateTheCallsAndTheStreams) {
  NodeUnderTest node(kJoinAB);
  node.calculator.process = [](CalculatorContext* cc) {
    cc->Outputs().begin()->AddPacket(cc->Inputs().begin()->Value());
    return absl::OkStatus();
  };
  EXPECT_EQ(node.node().Snapshot().state, NodeState::kWaiting);
  node.Open();
  node.AddAll(0, {10, 20});
  NodeSnapshot seen = node.node().Snapshot();
  EXPECT_EQ(seen.state, NodeState::kOpen);
  EXPECT_EQ(seen.calls_in_flight, 0);
  EXPECT_EQ(seen.batched_sets, 0);
  ASSERT_EQ(seen.inputs.size(), 2u);
  EXPECT_EQ(seen.inputs[0].queue_size, 2);
  EXPECT_EQ(seen.inputs[1].queue_size, 0);
  node.Add(1, 10);
  EXPECT_EQ(node.node().Snapshot().calls_in_flight, 1);
  node.Run();
  seen = node.node().Snapshot();
  EXPECT_EQ(seen.calls_in_flight, 0);
  ASSERT_EQ(seen.outputs.size(), 1u);
  EXPECT_EQ(seen.outputs[0].packets_added, 1);
  EXPECT_EQ(seen.outputs[0].bound, Timestamp(11));
  EXPECT_EQ(seen.last_start_us, 0) << "calls are not timed";
}

TEST(NodeTest, ASnapshotHasWhatTheConditionsHaveAnswered) {
  NodeUnderTest node(kReader);
  node.SetGate(2);
  node.Open();
  EXPECT_THAT(node.node().Snapshot().conditions, IsEmpty());
  node.Ask(ConditionResult::Wait(""));
  node.Add(0, 10);
  EXPECT_EQ(node.node().Snapshot().conditions.size(), 2u);
  EXPECT_FALSE(node.node().Snapshot().is_held);
  node.Ask(ConditionResult::Wait(""));
  EXPECT_TRUE(node.node().Snapshot().is_held);
}

class QueueingCalculator : public NodeTestCalculator, public InnerQueues {
 public:
  std::int64_t PacketsWaiting() const override { return 3; }
  std::string WhereTheyWait() const override { return "3 at \"part\""; }
  std::string PartInCall() const override { return "\"part\""; }
  void DropWaiting() override {}
};

TEST(NodeTest, WhatWaitsInsideOfACalculatorIsSeenWhileTheNodeIsOpen) {
  QueueingCalculator calculator;
  NodeUnderTest node(kReader);
  node.settings.kept_calculator = &calculator;
  EXPECT_EQ(node.node().PacketsInside(), 0);
  EXPECT_EQ(node.node().Snapshot().packets_inside, 0);
  node.Open();
  EXPECT_EQ(node.node().PacketsInside(), 3);
  EXPECT_EQ(node.node().Snapshot().packets_inside, 3);
  EXPECT_EQ(node.node().Snapshot().where_inside, "3 at \"part\"");
  EXPECT_EQ(node.node().Snapshot().part_in_call, "\"part\"");
  node.End(0);
  EXPECT_EQ(node.node().PacketsInside(), 0) << "it is closing";
}

class GateCalculator : public NodeTestCalculator, public LoopGate {
 public:
  using LoopGate::WaitForLoop;
  using LoopGate::WaitForNoLoop;
};

TEST(NodeTest, ASnapshotHasWhatACalculatorSaysOfTheLoopThatItLetsPacketsInto) {
  using LoopWait = NodeSnapshot::LoopWait;
  const auto loop_waits = [](NodeUnderTest& node) {
    std::vector<LoopWait> waits;
    for (const auto& input : node.node().Snapshot().inputs) {
      waits.push_back(input.loop_wait);
    }
    return waits;
  };
  GateCalculator calculator;
  NodeUnderTest node(kJoinAB);
  node.settings.kept_calculator = &calculator;
  EXPECT_THAT(loop_waits(node), Each(LoopWait::kNotSaid));
  node.Open();
  EXPECT_THAT(loop_waits(node), Each(LoopWait::kGoesOn));
  calculator.WaitForLoop(1);
  EXPECT_THAT(loop_waits(node),
              ElementsAre(LoopWait::kGoesOn, LoopWait::kWaits));
  calculator.WaitForNoLoop();
  EXPECT_THAT(loop_waits(node), Each(LoopWait::kGoesOn));
  // It may say anything.
  calculator.WaitForLoop(7);
  EXPECT_THAT(loop_waits(node), Each(LoopWait::kGoesOn));

  NodeUnderTest other(kJoinAB);
  other.Open();
  EXPECT_THAT(loop_waits(other), Each(LoopWait::kNotSaid));
}

TEST(NodeTest, ACalculatorWithoutQueuesHasNothingInside) {
  NodeUnderTest node(kReader);
  node.Open();
  EXPECT_EQ(node.node().PacketsInside(), 0);
  EXPECT_EQ(node.node().Snapshot().where_inside, "");
}

TEST(NodeTest, PacketsAreHeldInQueuesOrInABatch) {
  NodeUnderTest join(kJoinAB);
  join.Open();
  EXPECT_FALSE(join.node().HasPackets());
  join.Add(0, 10);
  EXPECT_TRUE(join.node().HasPackets());

  NodeUnderTest triples(kTriples);
  triples.Open();
  EXPECT_FALSE(triples.node().HasPackets());
  triples.Add(0, 10);
  EXPECT_TRUE(triples.node().HasPackets());
}

TEST(NodeTest, AQueueIsMeasuredWhetherOrNotItsBytesAreCounted) {
  std::int64_t bytes_of_two = 0;
  for (const bool counts_bytes : {false, true}) {
    NodeUnderTest node(kJoinAB);
    if (counts_bytes) node.settings.limits[0].bytes = 1000000;
    node.Open();
    node.AddAll(0, {10, 20});
    const QueueUse use = node.node().MeasureQueue(0);
    EXPECT_EQ(use.packets, 2);
    EXPECT_GE(use.bytes, 2 * static_cast<std::int64_t>(sizeof(int)));
    if (counts_bytes) {
      EXPECT_EQ(use.bytes, bytes_of_two);
    }
    bytes_of_two = use.bytes;
    EXPECT_EQ(node.node().MeasureQueue(1).packets, 0);
    EXPECT_EQ(node.node().MeasureQueue(1).bytes, 0);
  }
}

// --- Limits

TEST(NodeTest, AFullQueueMayGetALittleRoom) {
  NodeUnderTest node(kJoinAB);
  node.settings.limits[0].packets = 2;
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20}), ElementsAre("full: a"));
  bool has_room = true;
  const auto raise = [&](int ceiling) {
    return node.After([&](Node* under_test, Effects* effects) {
      has_room = under_test->RaiseLimit(0, ceiling, effects);
    });
  };
  EXPECT_THAT(raise(2), IsEmpty());
  EXPECT_FALSE(has_room);
  EXPECT_THAT(raise(3), ElementsAre("not full: a"));
  EXPECT_TRUE(has_room);
  EXPECT_EQ(node.Input(0).limit, 3);
}

TEST(NodeTest, AQueueMayGetTheRoomThatAConditionWaitsFor) {
  NodeUnderTest node(kJoinAB);
  node.settings.limits[0].packets = 2;
  node.Open();
  EXPECT_EQ(node.node().Room(0), 2);
  node.Add(0, 10);
  EXPECT_EQ(node.node().Room(0), 1);
  bool has_room = true;
  const auto raise = [&](std::int64_t room, int ceiling) {
    return node.After([&](Node* under_test, Effects* effects) {
      has_room = under_test->RaiseRoom(0, room, ceiling, effects);
    });
  };
  EXPECT_THAT(raise(5, 5), IsEmpty());
  EXPECT_FALSE(has_room);
  EXPECT_THAT(raise(5, 6), ElementsAre("room"));
  EXPECT_TRUE(has_room);
  EXPECT_EQ(node.node().Room(0), 5);
}

TEST(NodeTest, EachTimeAQueueThatIsWatchedGetsRoomItIsTold) {
  NodeUnderTest node(kJoinAB);
  node.node().WatchRoom(0);
  node.Open();
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_THAT(node.Add(1, 10), ElementsAre("process 10 (10, 10)", "room"));
}

// --- Packets that no call will see

std::int64_t Failed(NodeUnderTest* node) {
  return node->Input(0).drops.of(DropCause::kRunFailed);
}

TEST(NodeTest, InputSetsOfABatchThatDoNotGetTheirCallAreDropped) {
  NodeUnderTest node(kTriples);
  node.Open();
  node.AddAll(0, {10, 20, 30});
  const Invocation& batch = *node.node().first_invocation();
  node.node().NoteUnprocessed(batch, /*first_set=*/1, DropCause::kRunFailed);
  EXPECT_EQ(Failed(&node), 2);
}

TEST(NodeTest, WhatWasTakenForACallThatNeverCameIsDropped) {
  NodeUnderTest node(kReader);
  node.Open();
  node.AddAll(0, {10, 20});
  node.node().NoteAllUnprocessed(DropCause::kRunFailed);
  EXPECT_EQ(Failed(&node), 1) << "20 still waits";
}

TEST(NodeTest, WhatWasTakenForABatchThatIsNotFullIsDropped) {
  NodeUnderTest node(kTriples);
  node.Open();
  node.AddAll(0, {10, 20});
  node.node().NoteAllUnprocessed(DropCause::kRunFailed);
  EXPECT_EQ(Failed(&node), 2);
}

TEST(NodeTest, OfOverlappingCallsThoseThatHaveReturnedAreNotCounted) {
  NodeUnderTest node(kThreeAtOnce);
  node.Open();
  node.AddAll(0, {10, 20, 30});
  node.Call();
  node.Return(node.Call());
  node.node().NoteAllUnprocessed(DropCause::kRunFailed);
  EXPECT_EQ(Failed(&node), 2) << "10 and 30";
}

// --- The end

TEST(NodeTest, NothingIsLeftOfANodeThatIsDestroyed) {
  for (const char* const fields : {kJoinAB, kThreeAtOnce}) {
    NodeUnderTest node(fields);
    node.settings.kept_calculator = nullptr;
    const auto alive = std::make_shared<int>(0);
    const auto packet = [&alive] {
      return MakePacket<std::shared_ptr<int>>(alive);
    };
    node.After([&](Node* under_test, Effects* effects) {
      under_test->Start(/*missing_side_packets=*/0, effects);
      for (int port = 0; port < static_cast<int>(node.plan.inputs.size());
           ++port) {
        under_test->HeaderArrived(port, packet(), effects);
      }
    });
    node.Run();
    static_cast<NodeTestCalculator*>(node.node().calculator())->process =
        [alive](CalculatorContext*) { return absl::OkStatus(); };
    for (int time = 10; time < 60; time += 10) {
      node.Add(0, packet().At(Timestamp(time)));
    }
    const std::int64_t waiting = node.Waiting(0);
    EXPECT_GT(waiting, 0);
    EXPECT_GT(alive.use_count(), waiting);
    node.node().Destroy(DropCause::kRunFailed);
    EXPECT_EQ(alive.use_count(), 1) << fields;
    EXPECT_EQ(node.node().calculator(), nullptr);
    EXPECT_EQ(node.node().environment(), nullptr);
    EXPECT_TRUE(node.node().first_invocation()->sets.empty());
    EXPECT_EQ(node.node().Snapshot().calls_in_flight, 0);
    EXPECT_EQ(Failed(&node), waiting);
  }
}

class CountedCalculator : public NodeTestCalculator {
 public:
  explicit CountedCalculator(int* destroyed) : destroyed_(destroyed) {}
  ~CountedCalculator() override { ++*destroyed_; }

 private:
  int* const destroyed_;
};

TEST(NodeTest, AKeptCalculatorOutlivesTheNode) {
  int destroyed = 0;
  auto kept = std::make_unique<CountedCalculator>(&destroyed);
  int opened = 0;
  kept->open = [&opened](CalculatorContext*) {
    ++opened;
    return absl::OkStatus();
  };
  {
    NodeUnderTest node(kReader);
    node.settings.kept_calculator = kept.get();
    node.Open();
    EXPECT_EQ(opened, 1) << "the node uses the one that is kept";
    EXPECT_EQ(node.node().calculator(), kept.get());
    node.node().Destroy(DropCause::kAtEnd);
    EXPECT_EQ(node.node().calculator(), nullptr) << "the node has done with it";
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 0);
  // After a failure: it is not destroyed twice.
  if (destroyed > 0) static_cast<void>(kept.release());
}

TEST(NodeTest, NoTimeoutComesAfterTheNodeIsDestroyed) {
  NodeUnderTest node(
      absl::StrCat(kJoinAB,
                   "input_stream_handler { input_stream_handler: "
                   "'TimeoutInputStreamHandler' options { "
                   "[syncline.TimeoutInputStreamHandlerOptions.ext] { "
                   "timeout_ns: 100 } } }"));
  node.SetGate(-1);
  EXPECT_THAT(node.Open(), ElementsAre("wait"));
  EXPECT_THAT(node.After([](Node* under_test, Effects* effects) {
    under_test->BeginInputWait(/*now_ns=*/0, effects);
  }),
              ElementsAre("timer 100"));
  node.node().Destroy(DropCause::kAtEnd);
  EXPECT_THAT(node.After([](Node* under_test, Effects* effects) {
    under_test->TimeHasCome(/*now_ns=*/100, effects);
  }),
              IsEmpty());
}

}  // namespace
}  // namespace syncline
