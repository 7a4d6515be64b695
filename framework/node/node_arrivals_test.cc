// What arrives at a node, and what follows from it.

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kOneInput[] = "input_stream: 'a' output_stream: 'out'";
constexpr char kJoin[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out'";

// The thread sanitizer looks at this.
TEST(NodeArrivalsTest, LateBoundsAndSnapshotsMayComeBesideADirectStart) {
  NodeUnderTest node(kOneInput);
  node.Open();
  Node& reader = node.node();
  std::atomic<int> next{0};
  constexpr int kPackets = 5000;
  std::thread late([&] {
    int time = 0;
    while ((time = next.load(std::memory_order_relaxed)) < kPackets) {
      Effects effects;
      // Passed on before the packet at this time was sent.
      reader.Deliver(0, {}, /*may_move=*/true, Timestamp(time), &effects);
      EXPECT_THAT(effects.ready, IsEmpty());
      EXPECT_LE(reader.Snapshot().inputs[0].packets_added, kPackets);
    }
  });
  int calls = 0;
  for (int time = 0; time < kPackets; ++time) {
    next.store(time, std::memory_order_relaxed);
    Effects effects;
    Packet packet = NodeUnderTest::At(time);
    reader.Deliver(0, {&packet, 1}, /*may_move=*/true, Timestamp(time + 1),
                   &effects);
    ASSERT_EQ(effects.ready.size(), 1);
    auto* const call = static_cast<Invocation*>(effects.ready[0]);
    ASSERT_EQ(call->sets[0].timestamp, Timestamp(time));
    effects.ready.clear();
    EXPECT_TRUE(reader.ProcessPlain(call, call->sets[0]).ok());
    call->sets[0].context->EndCall();
    reader.Finish(&effects);
    EXPECT_THAT(effects.ready, IsEmpty());
    ++calls;
  }
  next.store(kPackets);
  late.join();
  EXPECT_EQ(calls, kPackets);
  EXPECT_EQ(reader.Snapshot().inputs[0].packets_added, kPackets);
  EXPECT_EQ(reader.Snapshot().inputs[0].bound, Timestamp(kPackets));
}

// --- One input

TEST(NodeArrivalsTest, APacketThatIsAnInputSetGoesPastTheQueue) {
  NodeUnderTest node(kOneInput);
  EXPECT_THAT(node.Open(), IsEmpty());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("process 10 (10)"));
  EXPECT_EQ(node.Waiting(0), 0);
  EXPECT_EQ(node.Input(0).packets_added, 1);
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(node.Add(0, 20), ElementsAre("process 20 (20)"));
}

TEST(NodeArrivalsTest, APacketThatGoesPastTheQueueDoesNotFillIt) {
  for (const bool may_move : {false, true}) {
    NodeUnderTest node(kOneInput);
    node.settings.limits[0].packets = 1;
    node.Open();
    Packet packet = NodeUnderTest::At(10);
    EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
      under_test->Deliver(0, {&packet, 1}, may_move, Timestamp(11), effects);
    }),
                ElementsAre("process 10 (10)"));
    EXPECT_THAT(node.Add(0, 20), ElementsAre("full: a"));
    EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)", "not full: a"));
  }
}

TEST(NodeArrivalsTest, WhileACallIsReadyOrRunsPacketsWait) {
  NodeUnderTest node(kOneInput);
  node.Open();
  node.Add(0, 10);
  EXPECT_THAT(node.Add(0, 20), IsEmpty());
  Invocation* const call = node.Call();
  EXPECT_THAT(node.Add(0, 30), IsEmpty());
  EXPECT_EQ(node.Waiting(0), 2);
  EXPECT_THAT(node.Finish(call), ElementsAre("process 20 (20)"));
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), IsEmpty());
}

TEST(NodeArrivalsTest, BeforeTheNodeIsOpenPacketsWait) {
  NodeUnderTest node(kOneInput);
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_EQ(node.Waiting(0), 1);
  EXPECT_THAT(node.Open(), ElementsAre("process 10 (10)"));
}

TEST(NodeArrivalsTest, AfterTheCloseNothingWaits) {
  NodeUnderTest node(kOneInput);
  node.Open();
  EXPECT_THAT(node.End(0), ElementsAre("close"));
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("dropped 10"));
  EXPECT_EQ(node.Waiting(0), 0);
  EXPECT_EQ(node.Input(0).drops.of(DropCause::kAfterClose), 1);
}

TEST(NodeArrivalsTest, OfSeveralPacketsTheFirstIsReadyAndTheOthersWait) {
  NodeUnderTest node(kOneInput);
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20, 30}), ElementsAre("process 10 (10)"));
  EXPECT_EQ(node.Waiting(0), 2);
  EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)"));
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), IsEmpty());
}

TEST(NodeArrivalsTest, ABoundFarBehindThePacketIsPassedOnAfterTheCall) {
  NodeUnderTest node(kOneInput);
  node.calculator.open = [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(0));
    return absl::OkStatus();
  };
  node.Open();
  Packet packet = NodeUnderTest::At(10);
  EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
    under_test->Deliver(0, {&packet, 1}, /*may_move=*/true, Timestamp(50),
                        effects);
  }),
              ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.Run(), ElementsAre("bound of out: 50"));
  EXPECT_THAT(node.Sent(), ElementsAre("out bound 11"));
}

TEST(NodeArrivalsTest, AfterThePacketAtTheEndOfTimeTheNodeCloses) {
  NodeUnderTest node(kOneInput);
  node.Open();
  EXPECT_THAT(
      node.Add(0, MakePacket<int>(1).At(Timestamp::PostStream())),
      ElementsAre("process Timestamp::PostStream() (Timestamp::PostStream())"));
  EXPECT_THAT(node.Run(), ElementsAre("close"));
}

// --- A join

TEST(NodeArrivalsTest, TheLastPacketOfAnInputSetMakesAJoinReady) {
  NodeUnderTest node(kJoin);
  node.Open();
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_THAT(node.Add(0, 20), IsEmpty());
  EXPECT_THAT(node.Add(1, 10), ElementsAre("process 10 (10, 10)"));
  EXPECT_THAT(node.Add(1, 20), IsEmpty());
  EXPECT_THAT(node.Run(), ElementsAre("process 20 (20, 20)"));
}

TEST(NodeArrivalsTest, ABoundMakesAJoinReady) {
  NodeUnderTest node(kJoin);
  node.Open();
  node.Add(0, 10);
  EXPECT_THAT(node.Bound(1, 10), IsEmpty());
  EXPECT_THAT(node.Bound(1, 11), ElementsAre("process 10 (10, -)"));
}

TEST(NodeArrivalsTest, OfWhatArrivesTogetherTheLastBoundIsPassedOn) {
  NodeUnderTest node(kJoin);
  node.calculator.open = [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(0));
    return absl::OkStatus();
  };
  node.Open();
  const std::vector<Arrival> arrivals = {{0, {}, Timestamp(7)},
                                         {1, {}, Timestamp(5)}};
  EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
    under_test->DeliverTogether(arrivals, effects);
  }),
              ElementsAre("bound of out: 5"));
}

// --- Packets that are moved out of the span of the caller, or copied

// What is left of `packets` after they were delivered to port 0.
std::vector<Packet> LeftOf(std::vector<Packet> packets, bool may_move,
                           NodeUnderTest* node) {
  node->After([&](Node* under_test, Effects* effects) {
    under_test->Deliver(0, absl::MakeSpan(packets), may_move,
                        packets.back().Timestamp().NextAllowedInStream(),
                        effects);
  });
  return packets;
}

TEST(NodeArrivalsTest, PacketsAreMovedOnlyIfTheyMayBe) {
  struct Case {
    const char* fields;
    std::vector<Packet> packets;
  };
  const Packet ten = NodeUnderTest::At(10);
  const Packet twenty = NodeUnderTest::At(20);
  for (const Case& c : {Case{kOneInput, {ten}}, Case{kJoin, {ten}},
                        Case{kOneInput, {ten, twenty}}}) {
    for (const bool may_move : {false, true}) {
      NodeUnderTest node(c.fields);
      node.Open();
      for (const Packet& left : LeftOf(c.packets, may_move, &node)) {
        EXPECT_EQ(left.IsEmpty(), may_move);
      }
      if (c.fields == kJoin) node.Add(1, 10);
      int seen = 0;
      node.calculator.process = [&seen](CalculatorContext* cc) {
        seen = cc->Inputs().begin()->Get<int>();
        return absl::OkStatus();
      };
      node.Run();
      EXPECT_EQ(seen, 10);
    }
  }
}

// --- Queues of a special kind

TEST(NodeArrivalsTest, AFullQueueDropsPacketsButNotTheOneThatStartsACall) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream_info { tag_index: ':0' "
      "max_queue_size: 2 queue_policy: POP }");
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20, 30}), ElementsAre("process 10 (10)"));
  EXPECT_EQ(node.Waiting(0), 2) << "10 takes no room any more";
  EXPECT_EQ(node.Input(0).packets_added, 3);
  EXPECT_EQ(node.Input(0).bound, Timestamp(31));
  EXPECT_THAT(node.Add(0, 40), ElementsAre("dropped 20"));
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_EQ(node.Input(0).drops.of(DropCause::kQueueFull), 1);
}

TEST(NodeArrivalsTest, TheEndOfABoundedStreamClosesTheNode) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream_info { tag_index: ':0' "
      "max_queue_size: 2 queue_policy: POP }");
  node.Open();
  Packet packet = NodeUnderTest::At(10);
  EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
    under_test->Deliver(0, {&packet, 1}, /*may_move=*/true, Timestamp::Done(),
                        effects);
  }),
              ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.Run(), ElementsAre("close"));
}

TEST(NodeArrivalsTest, AQueueWithALimitInBytesIsFullByBytes) {
  NodeUnderTest node(kJoin);
  node.settings.limits[0].bytes = 2000;
  node.Open();
  const auto add = [&](int time) {
    return node.Add(
        0, MakePacket<std::string>(std::string(1500, 'x')).At(Timestamp(time)));
  };
  EXPECT_THAT(add(10), IsEmpty());
  const std::int64_t one = node.Input(0).bytes;
  EXPECT_GE(one, 1500);
  EXPECT_THAT(add(20), ElementsAre("full: a"));
  EXPECT_EQ(node.Input(0).bytes, 2 * one);
  EXPECT_THAT(node.Add(1, 10),
              ElementsAre("process 10 (10, 10)", "not full: a"));
  EXPECT_EQ(node.Input(1).bytes, -1) << "nobody counts them";
}

TEST(NodeArrivalsTest, AStreamThatIsIdleAfterAnotherDoesNotHoldTheJoinBack) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream: 'b' input_stream_info { "
      "tag_index: ':1' idle_after { stream: ':0' gap: 5 } }");
  node.Open();
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_THAT(node.Bound(0, 15), IsEmpty());
  EXPECT_THAT(node.Bound(0, 16), ElementsAre("process 10 (10, -)"));
}

// --- Times of packets

using Times = std::vector<PacketTimes>;

// Delivers packets at `times` with the times of acquisition 1000, 2000, ...
NodeUnderTest::Told AddTimed(const std::vector<int>& times,
                             NodeUnderTest* node) {
  std::vector<Packet> packets;
  Times packet_times;
  for (const int time : times) {
    packets.push_back(NodeUnderTest::At(time));
    packet_times.push_back({.acquisition_ns = time * 100});
  }
  return node->After([&](Node* under_test, Effects* effects) {
    under_test->DeliverTimed(0, absl::MakeSpan(packets), /*may_move=*/true,
                             Timestamp(times.back() + 1), packet_times,
                             effects);
  });
}

TEST(NodeArrivalsTest, AnInputThatKeepsTimesShowsThoseOfItsPacket) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream_info { tag_index: ':0' "
      "message_times: true }");
  node.settings.limits[0].bytes = 100000;
  std::vector<std::int64_t> seen;
  node.calculator.process = [&seen](CalculatorContext* cc) {
    seen.push_back(cc->Inputs().begin()->MessageTimes().acquisition_ns);
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_THAT(AddTimed({10, 20, 30}, &node), ElementsAre("process 10 (10)"));
  const std::int64_t two = node.Input(0).bytes;
  EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)"));
  EXPECT_EQ(two, 2 * node.Input(0).bytes) << "bytes are counted one by one";
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(seen, ElementsAre(1000, 2000, 3000));
  EXPECT_EQ(node.Input(0).packets_added, 3);
}

TEST(NodeArrivalsTest, AnInputThatKeepsNoTimesTakesThePacketsAlone) {
  for (const char* const info :
       {"",
        "input_stream_info { tag_index: ':0' max_queue_size: 9 "
        "queue_policy: POP }"}) {
    NodeUnderTest node(absl::StrCat("input_stream: 'a' ", info));
    node.Open();
    EXPECT_THAT(AddTimed({10, 20}, &node), ElementsAre("process 10 (10)"));
    EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)"));
    EXPECT_THAT(node.Run(), IsEmpty());
  }
}

// --- The gate

TEST(NodeArrivalsTest, WhatArrivesWhileConditionsAreAskedIsNews) {
  NodeUnderTest node(kOneInput);
  node.SetGate(1);
  EXPECT_THAT(node.Open(), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(ConditionResult::Wait("")), IsEmpty());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("ask"));
  NodeFacts* const facts = node.node().BeginAsk(/*now_ns=*/5);
  ASSERT_NE(facts, nullptr);
  EXPECT_TRUE(facts->has_input_set);
  EXPECT_EQ(facts->inputs[0].queued, 1);
  EXPECT_THAT(node.Add(0, 20), IsEmpty());
  EXPECT_THAT(node.After([](Node* under_test, Effects* effects) {
    under_test->FinishAsk(ConditionResult::Wait(""), /*is_dispatched=*/false,
                          effects);
  }),
              ElementsAre("ask"));
}

TEST(NodeArrivalsTest, ArrivalsHaveTheTimeOfTheClockIfAConditionLooksAtIt) {
  NodeUnderTest node(kOneInput);
  node.watched_arrivals = {0};
  node.SetGate(1);
  node.Open();
  node.Ask(ConditionResult::Wait(""));
  node.Add(0, 10);
  const NodeFacts* const facts = node.node().BeginAsk(/*now_ns=*/5);
  ASSERT_NE(facts, nullptr);
  EXPECT_EQ(facts->inputs[0].front_arrival_ns, 77);
}

}  // namespace
}  // namespace syncline
