// What comes to the inputs of a node, and when that makes a call ready: with
// the rules for what arrives that few inputs have, and with policies of all
// kinds. The shortcuts of nodes with the default policy come to the same as the
// rule, in all small cases.

#include "framework/node/node_inputs.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/node/node_inputs_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using State = Readiness::State;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Readiness Wait(int timestamp) { return {State::kWait, Timestamp(timestamp)}; }
Readiness Ready(int timestamp) {
  return {State::kProcess, Timestamp(timestamp)};
}
MATCHER_P(Is, readiness, "") { return arg == readiness; }

// --- The shortcuts

// The same arrivals at two nodes: one takes each shortcut that there is, the
// other none.
class BothWays {
 public:
  static constexpr int kEventsOfInput = 5;

  BothWays(int num_inputs, bool passes_bounds)
      : short_(num_inputs),
        plain_(num_inputs),
        num_inputs_(num_inputs),
        passes_bounds_(passes_bounds) {
    for (InputsUnderTest* const way : {&short_, &plain_}) {
      for (QueueLimit& limit : way->limits) limit.packets = 2;
      way->Place();
    }
  }

  // False if this cannot happen now.
  bool Do(int event) {
    absl::StrAppend(&story_, " ", event);
    if (event == num_inputs_ * kEventsOfInput) return Call();
    const int port = event / kEventsOfInput;
    const Timestamp bound =
        std::max(plain_.inputs.queue(port).bound(), Timestamp(0));
    if (bound >= Timestamp::OneOverPostStream()) return false;
    switch (event % kEventsOfInput) {
      case 0:
        Arrive(port, bound, bound + 1);
        break;
      case 1:
        Arrive(port, bound + 1, bound + 3);
        break;
      case 2:
        Arrive(port, bound, Timestamp::Done());
        break;
      case 3:
        plain_.Bound(port, bound + 2);
        short_.Bound(port, bound + 2);
        break;
      case 4:
        plain_.Bound(port, Timestamp::Done());
        short_.Bound(port, Timestamp::Done());
        break;
    }
    return true;
  }

  void Compare() {
    ASSERT_THAT(short_.inputs.Evaluate(), Is(plain_.inputs.Evaluate()))
        << story_;
    for (int port = 0; port < num_inputs_; ++port) {
      ASSERT_EQ(short_.Waiting(port), plain_.Waiting(port)) << story_;
      const InputQueue& queue = short_.inputs.queue(port);
      const InputQueue& other = plain_.inputs.queue(port);
      ASSERT_EQ(queue.bound(), other.bound()) << story_;
      ASSERT_EQ(queue.added(), other.added()) << story_;
    }
    ASSERT_EQ(short_.effects.full_edges.size(),
              plain_.effects.full_edges.size())
        << story_;
  }

 private:
  void Arrive(int port, Timestamp timestamp, Timestamp bound) {
    Packet packet = plain_.At(timestamp);
    plain_.inputs.Add(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                      bound, /*sizes=*/{}, &plain_.effects);
    packet = short_.At(timestamp);
    if (short_.inputs.CanPass(timestamp)) {
      // As a node does, whose call can start.
      const bool has_more =
          short_.inputs.Pass(std::move(packet), bound, short_.shown().begin());
      // The rule may know that a bound is no news, for it goes no further.
      const bool expected = FinishPlain(&packet);
      ASSERT_TRUE(has_more || !expected) << story_;
      ASSERT_TRUE(has_more == expected || !passes_bounds_) << story_;
      const InputStream& shown = *short_.shown().begin();
      ASSERT_EQ(shown.Value().Timestamp(), timestamp) << story_;
      ASSERT_EQ(shown.IsDone(), plain_.shown().begin()->IsDone()) << story_;
    } else if (short_.inputs.CanAddFirst(port, timestamp)) {
      short_.inputs.AddFirst(port, std::move(packet), bound, &short_.effects);
    } else {
      short_.inputs.Add(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                        bound, /*sizes=*/{}, &short_.effects);
    }
  }
  bool FinishPlain(Packet* packet) {
    const Timestamp timestamp = plain_.Take();
    return plain_.inputs.HasMoreAfter(timestamp, passes_bounds_);
  }
  bool Call() {
    if (plain_.inputs.Evaluate().state != State::kProcess) return false;
    EXPECT_EQ(plain_.Take(), short_.Take());
    return true;
  }

  InputsUnderTest short_;
  InputsUnderTest plain_;
  const int num_inputs_;
  const bool passes_bounds_;
  std::string story_;
};

// All sequences of `length` events. Returns how many could happen.
int TryAll(int num_inputs, int length, bool passes_bounds) {
  const int num_events = num_inputs * BothWays::kEventsOfInput + 1;
  std::vector<int> events(length, 0);
  int tried = 0;
  for (;;) {
    BothWays ways(num_inputs, passes_bounds);
    bool happens = true;
    for (size_t i = 0; happens && i < events.size(); ++i) {
      happens = ways.Do(events[i]);
      ways.Compare();
      if (::testing::Test::HasFatalFailure()) return tried;
    }
    tried += happens ? 1 : 0;
    size_t i = 0;
    while (i < events.size() && ++events[i] == num_events) events[i++] = 0;
    if (i == events.size()) return tried;
  }
}

TEST(NodeInputsTest, AJoinComesToTheSameWithItsShortcut) {
  EXPECT_GT(TryAll(2, 4, /*passes_bounds=*/false), 3'000);
  EXPECT_GT(TryAll(3, 3, /*passes_bounds=*/false), 1'000);
}

TEST(NodeInputsTest, OneInputComesToTheSameWithItsShortcut) {
  EXPECT_GT(TryAll(1, 4, /*passes_bounds=*/false), 100);
  EXPECT_GT(TryAll(1, 4, /*passes_bounds=*/true), 100);
}

TEST(NodeInputsTest, WithBoundsOfSettledTimesOneInputHasNoShortcut) {
  InputsUnderTest node(1);
  node.plan.bounds.are_processed = true;
  node.Place();
  EXPECT_FALSE(node.inputs.CanPass(Timestamp(1)));
  EXPECT_TRUE(node.inputs.CanAddFirst(0, Timestamp(1)));
  EXPECT_TRUE(node.Bound(0, Timestamp(5)));
  EXPECT_THAT(node.inputs.Evaluate(), Is(Ready(4)));
}

TEST(NodeInputsTest, SpecialTimesNeedALookAfterTheirCall) {
  InputsUnderTest node(1);
  node.Place();
  node.Add(0, Timestamp::PostStream());
  EXPECT_EQ(node.Take(), Timestamp::PostStream());
  EXPECT_TRUE(node.inputs.HasMoreAfter(Timestamp::PostStream(), false));
  EXPECT_FALSE(node.inputs.CanPass(Timestamp::PostStream()));
}

// --- What arrives

TEST(NodeInputsTest, PacketsAreCopiedUnlessTheyMayBeMoved) {
  InputsUnderTest node(1);
  node.Place();
  Packet packets[] = {node.At(Timestamp(1)), node.At(Timestamp(2))};
  EXPECT_TRUE(node.inputs.Add(0, packets, /*may_move=*/false, Timestamp(5),
                              /*sizes=*/{}, &node.effects));
  EXPECT_FALSE(packets[0].IsEmpty());
  EXPECT_THAT(node.Waiting(0), ElementsAre(1, 2));
  EXPECT_EQ(node.inputs.queue(0).bound(), Timestamp(5));
  packets[0] = node.At(Timestamp(6));
  EXPECT_FALSE(node.inputs.Add(0, {packets, 1}, /*may_move=*/true,
                               Timestamp::Unset(), /*sizes=*/{},
                               &node.effects));
  EXPECT_TRUE(packets[0].IsEmpty());
  EXPECT_TRUE(node.inputs.HoldsPackets());
}

TEST(NodeInputsTest, OnlyWhatTheRuleLooksAtIsAChange) {
  InputsUnderTest node(2);
  node.Place();
  EXPECT_TRUE(node.Add(0, 1));
  EXPECT_FALSE(node.Add(0, 2));
  EXPECT_FALSE(node.Bound(0, Timestamp(9)));
  EXPECT_TRUE(node.Bound(1, Timestamp(1)));
  EXPECT_FALSE(node.Bound(1, Timestamp(1)));
  EXPECT_THAT(node.inputs.Evaluate(), Is(Wait(1)));
  EXPECT_TRUE(node.Bound(1, Timestamp(2)));
  EXPECT_THAT(node.inputs.Evaluate(), Is(Ready(1)));
}

TEST(NodeInputsTest, APacketThatGoesBackIsCountedAndAnError) {
  InputsUnderTest node(2);
  node.Place();
  node.Bound(1, Timestamp(8));
  EXPECT_FALSE(node.Add(1, 3));
  ASSERT_THAT(node.effects.errors, SizeIs(1));
  EXPECT_EQ(node.effects.errors[0].code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(node.effects.errors[0].message()),
              HasSubstr("stream \"b\": node \"n\" (T) is past that time "
                        "already. Current minimum expected timestamp is 8 but "
                        "received 3."));
  EXPECT_THAT(node.effects.trash, SizeIs(1));
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kGoesBack), 1);
}

TEST(NodeInputsTest, AClosedNodeCountsWhatComesAndReportsNothing) {
  InputsUnderTest node(2);
  node.Place();
  node.Add(1, 1);
  node.inputs.Close(DropCause::kAtClose, &node.effects);
  EXPECT_THAT(node.effects.trash, SizeIs(1));
  EXPECT_FALSE(node.Add(1, 2));
  EXPECT_THAT(node.effects.trash, SizeIs(2));
  EXPECT_THAT(node.effects.errors, IsEmpty());
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kAtClose), 1);
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kAfterClose), 1);
}

// --- Queues that drop packets

class BoundedInputTest : public ::testing::Test {
 protected:
  void Place(InputStreamInfo::QueuePolicy policy, bool ignores_time = false) {
    node_.plan_inputs[1].queue_policy = policy;
    node_.plan_inputs[1].max_queue_size = 2;
    node_.kind.ignores_time = ignores_time;
    node_.Place();
    EXPECT_TRUE(node_.inputs.has_arrival_rules());
    EXPECT_TRUE(node_.inputs.AddsOneByOne(1));
    EXPECT_FALSE(node_.inputs.AddsOneByOne(0));
    for (const int timestamp : {1, 2, 3}) {
      node_.AddOne(1, Timestamp(timestamp));
    }
  }
  std::int64_t Dropped() const {
    return node_.inputs.queue(1).drops().of(DropCause::kQueueFull);
  }

  InputsUnderTest node_{2};
};

TEST_F(BoundedInputTest, PopDropsTheOldest) {
  Place(InputStreamInfo::POP);
  EXPECT_THAT(node_.Waiting(1), ElementsAre(2, 3));
  EXPECT_EQ(Dropped(), 1);
  EXPECT_THAT(node_.effects.trash, SizeIs(1));
  // The rule has seen that the front is another.
  node_.Bound(0, Timestamp(9));
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(2)));
}

TEST_F(BoundedInputTest, RejectDropsTheNewOneAndKeepsItsTime) {
  Place(InputStreamInfo::REJECT);
  EXPECT_THAT(node_.Waiting(1), ElementsAre(1, 2));
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(4));
  EXPECT_EQ(Dropped(), 1);
  EXPECT_THAT(node_.effects.errors, IsEmpty());
}

TEST_F(BoundedInputTest, FaultReportsTheFirst) {
  Place(InputStreamInfo::FAULT);
  node_.AddOne(1, Timestamp(4));
  EXPECT_EQ(Dropped(), 2);
  ASSERT_THAT(node_.effects.errors, SizeIs(1));
  EXPECT_EQ(node_.effects.errors[0].code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(node_.effects.errors[0].message()),
              HasSubstr("\"b\" at node \"n\" (T) has no room for the packet "
                        "at 3: its max_queue_size: 2 is used up, from 1 on."));
}

TEST_F(BoundedInputTest, WhatGoesBackTakesNoRoom) {
  Place(InputStreamInfo::POP);
  node_.AddOne(1, Timestamp(1));
  EXPECT_THAT(node_.Waiting(1), ElementsAre(2, 3));
  EXPECT_EQ(Dropped(), 1);
  EXPECT_THAT(node_.effects.errors, SizeIs(1));
}

TEST_F(BoundedInputTest, WhereTimeIsIgnoredARejectedPacketMovesNoBound) {
  Place(InputStreamInfo::REJECT, /*ignores_time=*/true);
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp::PreStream());
  EXPECT_EQ(Dropped(), 1);
}

TEST_F(BoundedInputTest, ItsRoomIsWhatIsLeft) {
  Place(InputStreamInfo::POP);
  EXPECT_EQ(node_.inputs.Room(1), 0);
  node_.Bound(0, Timestamp(9));
  node_.Take();
  EXPECT_EQ(node_.inputs.Room(1), 1);
  EXPECT_EQ(node_.inputs.Room(0), 100);
  EXPECT_FALSE(node_.inputs.RaiseRoom(1, 5, 1000, &node_.effects));
  EXPECT_EQ(node_.inputs.Snapshot()[1].limit, 2);
  EXPECT_FALSE(node_.inputs.Snapshot()[1].is_full);
}

// --- Streams that are idle after others

class IdleInputTest : public ::testing::Test {
 protected:
  IdleInputTest() {
    node_.plan_inputs[1].idle_after_port = 0;
    node_.plan_inputs[1].idle_gap = 10;
    node_.Place();
    EXPECT_TRUE(node_.inputs.has_arrival_rules());
    EXPECT_FALSE(node_.inputs.AddsOneByOne(1));
  }

  InputsUnderTest node_{3};
};

TEST_F(IdleInputTest, IsSettledByTheOther) {
  EXPECT_TRUE(node_.inputs.SettleIdle(0, Timestamp(15), &node_.effects));
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(5));
  EXPECT_EQ(node_.inputs.queue(2).bound(), Timestamp::PreStream());
  EXPECT_FALSE(node_.inputs.SettleIdle(0, Timestamp(15), &node_.effects));
  EXPECT_FALSE(node_.inputs.SettleIdle(2, Timestamp(90), &node_.effects));
  EXPECT_FALSE(
      node_.inputs.SettleIdle(0, Timestamp::PreStream(), &node_.effects));
  node_.Bound(0, Timestamp(20));
  node_.Bound(2, Timestamp(20));
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Wait(5)));
}

TEST_F(IdleInputTest, WhatComesForASettledTimeIsLate) {
  node_.inputs.SettleIdle(0, Timestamp(15), &node_.effects);
  node_.Add(1, 4);
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kLate), 1);
  EXPECT_THAT(node_.effects.errors, IsEmpty());
  // What it settled itself is not.
  node_.Bound(1, Timestamp(8));
  node_.Add(1, 6);
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kGoesBack), 1);
  EXPECT_THAT(node_.effects.errors, SizeIs(1));
}

TEST_F(IdleInputTest, BehindAPacketTheRuleSeesNoBound) {
  node_.Add(1, 1);
  EXPECT_FALSE(node_.inputs.SettleIdle(0, Timestamp(15), &node_.effects));
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(5));
}

TEST_F(IdleInputTest, AtTheEndItIsSettledUpToTheEarliestPacket) {
  EXPECT_FALSE(node_.inputs.SettleIdleAtEnd());
  node_.Add(0, 7);
  node_.Add(2, 6);
  node_.Bound(0, Timestamp(9));
  EXPECT_TRUE(node_.inputs.SettleIdleAtEnd());
  EXPECT_EQ(node_.inputs.queue(1).bound(), Timestamp(7));
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(6)));
  EXPECT_FALSE(node_.inputs.SettleIdleAtEnd());
  node_.Add(1, 3);
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kLate), 1);
}

TEST_F(IdleInputTest, AtTheEndOneWithPacketsIsLeftAlone) {
  node_.Add(1, 7);
  EXPECT_FALSE(node_.inputs.SettleIdleAtEnd());
}

TEST(NodeInputsTest, WithoutIdleStreamsNothingIsSettled) {
  InputsUnderTest node(2);
  node.Place();
  node.Add(0, 1);
  EXPECT_FALSE(node.inputs.has_arrival_rules());
  EXPECT_FALSE(node.inputs.SettleIdle(0, Timestamp(50), &node.effects));
  EXPECT_FALSE(node.inputs.SettleIdleAtEnd());
}

// --- Times of packets

TEST(NodeInputsTest, TimesAreShownWithTheirPackets) {
  InputsUnderTest node(2);
  node.plan_inputs[1].message_times = true;
  node.Place();
  EXPECT_TRUE(node.inputs.has_arrival_rules());
  EXPECT_TRUE(node.inputs.AddsOneByOne(1));
  EXPECT_EQ(node.inputs.TimesOfFront(1), nullptr);
  const PacketTimes first = {.acquisition_ns = 1};
  const PacketTimes second = {.acquisition_ns = 2};
  node.AddOne(1, Timestamp(10), {&first, 1});
  node.AddOne(1, Timestamp(20), {&second, 1});
  node.Add(0, 15);
  EXPECT_EQ(node.inputs.TimesOfFront(0), nullptr);
  EXPECT_EQ(node.inputs.TimesOfFront(1)->acquisition_ns, 1);
  node.Bound(0, Timestamp(21));
  EXPECT_EQ(node.Take(), Timestamp(10));
  const InputStream& shown = node.shown().begin()[1];
  EXPECT_EQ(shown.MessageTimes(), first);
  EXPECT_FALSE(node.shown().begin()[0].KeepsMessageTimes());
  EXPECT_EQ(node.inputs.TimesOfFront(1)->acquisition_ns, 2);
  EXPECT_EQ(node.Take(), Timestamp(15));
  EXPECT_EQ(shown.MessageTimes(), PacketTimes());
  EXPECT_EQ(node.Take(), Timestamp(20));
  EXPECT_EQ(shown.MessageTimes(), second);
}

// --- Policies of one's own

struct PolicyTraits {
  bool sees_every_packet = false;
  bool sees_every_bound = false;
  bool drops_packets = false;
  bool takes_when_call_starts = false;
  bool has_one_order = true;
  int batch_size = 1;
};

// Says what it is told, and notes what it hears.
class TestPolicy final : public InputPolicy {
 public:
  TestPolicy(const PolicyTraits& traits, const PolicyPorts& ports)
      : traits_(traits), ports_(ports) {}

  void OnChange(int port) override { changes.push_back(port); }
  Readiness Evaluate() const override { return readiness; }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    return timestamp + 1;
  }
  bool SeesEveryPacket() const override { return traits_.sees_every_packet; }
  bool SeesEveryBound() const override { return traits_.sees_every_bound; }
  bool DropsPackets() const override { return traits_.drops_packets; }
  bool TakesWhenCallStarts() const override {
    return traits_.takes_when_call_starts;
  }
  bool HasOneOrder() const override { return traits_.has_one_order; }
  int BatchSize() const override { return traits_.batch_size; }
  absl::optional<MatchReport> TakeReport() override {
    if (reports.empty()) return absl::nullopt;
    const MatchReport report = reports.back();
    reports.pop_back();
    return report;
  }
  absl::Status status() const override { return error; }
  InputQueue& queue(int port) { return ports_.queues[port]; }

  std::vector<int> changes;
  Readiness readiness = Wait(0);
  std::vector<MatchReport> reports;
  absl::Status error;

 private:
  const PolicyTraits traits_;
  const PolicyPorts ports_;
};

class PolicyInputTest : public ::testing::Test {
 protected:
  void Place(const PolicyTraits& traits) {
    node_.kind.is_default = false;
    node_.kind.create = [&](const PolicyPorts& ports) {
      auto made = std::make_unique<TestPolicy>(traits, ports);
      policy_ = made.get();
      return made;
    };
    node_.Place();
  }

  InputsUnderTest node_{2};
  TestPolicy* policy_ = nullptr;
};

TEST_F(PolicyInputTest, DecidesAndTakes) {
  Place({});
  policy_->readiness = Ready(7);
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(7)));
  EXPECT_EQ(node_.Take(), Timestamp(8));
  EXPECT_FALSE(node_.inputs.CanAddFirst(0, Timestamp(1)));
  EXPECT_FALSE(node_.inputs.CanPass(Timestamp(1)));
  EXPECT_FALSE(node_.inputs.takes_when_call_starts());
  EXPECT_TRUE(node_.inputs.HasOneOrder());
  EXPECT_EQ(node_.inputs.timeout(), nullptr);
}

TEST_F(PolicyInputTest, HearsOfFronts) {
  Place({});
  node_.Add(1, 1);
  node_.Add(1, 2);
  node_.Bound(1, Timestamp(9));
  EXPECT_THAT(policy_->changes, ElementsAre(1));
  node_.Bound(0, Timestamp(9));
  EXPECT_THAT(policy_->changes, ElementsAre(1, 0));
}

TEST_F(PolicyInputTest, HearsOfEachPacketAndBoundIfItWantsTo) {
  Place({.sees_every_packet = true, .sees_every_bound = true});
  EXPECT_TRUE(node_.Add(1, 1));
  EXPECT_TRUE(node_.Add(1, 2));
  EXPECT_TRUE(node_.Bound(1, Timestamp(9)));
  EXPECT_THAT(policy_->changes, ElementsAre(1, 1, 1));
}

TEST_F(PolicyInputTest, HearsOfIdleStreamsBehindPacketsIfItWantsTo) {
  node_.plan_inputs[1].idle_after_port = 0;
  node_.plan_inputs[1].idle_gap = 10;
  Place({.sees_every_bound = true, .drops_packets = true});
  node_.Add(1, 1);
  policy_->changes.clear();
  policy_->queue(0).Discard(node_.At(Timestamp(3)));
  EXPECT_TRUE(node_.inputs.SettleIdle(0, Timestamp(15), &node_.effects));
  EXPECT_THAT(policy_->changes, ElementsAre(1));
  // What it dropped for that is let go of.
  EXPECT_THAT(node_.effects.trash, SizeIs(1));
}

TEST_F(PolicyInputTest, AllQueuesAreLookedAtIfItDropsPackets) {
  Place({.drops_packets = true});
  policy_->queue(0).Discard(node_.At(Timestamp(3)));
  policy_->reports = {{.port = 1, .matched = 2, .total = 8}};
  node_.Add(1, 1);
  EXPECT_THAT(node_.effects.trash, SizeIs(1));
  ASSERT_THAT(node_.effects.full_edges, SizeIs(1));
  EXPECT_EQ(node_.effects.full_edges[0].stream, 11);
  EXPECT_EQ(node_.effects.full_edges[0].change, 0);
  EXPECT_EQ(node_.effects.full_edges[0].node, 5);
  EXPECT_EQ(node_.effects.full_edges[0].size, 8);
  EXPECT_EQ(node_.effects.full_edges[0].matched, 2);
  // So they are when it takes.
  policy_->queue(0).Discard(node_.At(Timestamp(4)));
  node_.Take();
  EXPECT_THAT(node_.effects.trash, SizeIs(2));
}

TEST_F(PolicyInputTest, ReadinessIsRememberedForWhoAsksAgain) {
  Place({.takes_when_call_starts = true});
  EXPECT_TRUE(node_.inputs.takes_when_call_starts());
  node_.inputs.RememberReadiness();
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Wait(0)));
  policy_->readiness = Ready(7);
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(7)));
  policy_->readiness = Wait(8);
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(7)));
  node_.inputs.ForgetReadiness();
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Wait(8)));
}

TEST_F(PolicyInputTest, ReadinessIsNotRememberedOtherwise) {
  Place({});
  node_.inputs.RememberReadiness();
  policy_->readiness = Ready(7);
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(7)));
  policy_->readiness = Wait(8);
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Wait(8)));
  node_.inputs.ForgetReadiness();
}

TEST_F(PolicyInputTest, ItsErrorNamesTheNode) {
  Place({.has_one_order = false, .batch_size = 4});
  EXPECT_TRUE(node_.inputs.PolicyError().ok());
  policy_->error = absl::DataLossError("gone");
  EXPECT_EQ(node_.inputs.PolicyError().message(),
            "Input stream handler of node \"n\" (T): gone");
  EXPECT_FALSE(node_.inputs.HasOneOrder());
  EXPECT_EQ(node_.inputs.BatchSize(), 4);
}

TEST_F(PolicyInputTest, ABatchHasAtLeastOneSet) {
  Place({.batch_size = -1});
  EXPECT_EQ(node_.inputs.BatchSize(), 1);
}

TEST_F(PolicyInputTest, OutlivesTheInputs) {
  Place({});
  node_.Add(1, 1);
  std::vector<Packet> dropped;
  const std::unique_ptr<InputPolicy> policy =
      node_.inputs.Destroy(DropCause::kAtClose, &dropped);
  EXPECT_EQ(policy.get(), policy_);
  EXPECT_THAT(dropped, SizeIs(1));
  EXPECT_TRUE(node_.inputs.queue(1).closed());
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kAtClose), 1);
  EXPECT_TRUE(node_.inputs.PolicyError().ok());
}

TEST(NodeInputsTest, WhatATimeoutSettledMakesPacketsLate) {
  InputsUnderTest node(2);
  node.Place("TimeoutInputStreamHandler");
  ASSERT_NE(node.inputs.timeout(), nullptr);
  node.Add(0, 10);
  EXPECT_THAT(node.inputs.Evaluate().state, State::kWait);
  std::vector<std::deque<std::int64_t>> arrivals = {{0}, {}};
  node.inputs.timeout()->TimeIsUp(std::int64_t{1} << 60, arrivals);
  EXPECT_THAT(node.inputs.Evaluate(), Is(Ready(10)));
  node.Add(1, 9);
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kLate), 1);
  EXPECT_THAT(node.effects.errors, IsEmpty());
}

TEST(NodeInputsTest, BatchesAreThoseOfTheDefaultPolicy) {
  InputsUnderTest node(2);
  node.options.MutableExtension(DefaultInputStreamHandlerOptions::ext)
      ->set_batch_size(3);
  node.Place();
  EXPECT_EQ(node.inputs.BatchSize(), 3);
  EXPECT_TRUE(node.inputs.PolicyError().ok());
  EXPECT_TRUE(node.inputs.HasOneOrder());
  EXPECT_FALSE(node.inputs.takes_when_call_starts());
}

TEST(NodeInputsTest, ASourceHasNone) {
  InputsUnderTest node(0);
  node.options.MutableExtension(DefaultInputStreamHandlerOptions::ext)
      ->set_batch_size(3);
  node.Place();
  EXPECT_EQ(node.inputs.size(), 0);
  EXPECT_EQ(node.inputs.BatchSize(), 1);
  EXPECT_FALSE(node.inputs.HoldsPackets());
}

// --- Bounds, and what is lost

TEST(NodeInputsTest, ABoundIsPassedOnOnce) {
  InputsUnderTest node(1);
  node.Place();
  EXPECT_TRUE(node.inputs.TakeBoundToPass(Timestamp(3)));
  EXPECT_FALSE(node.inputs.TakeBoundToPass(Timestamp(3)));
  EXPECT_TRUE(node.inputs.TakeBoundToPass(Timestamp(4)));
  // What a call takes with it need not be passed on.
  node.Add(0, 7);
  node.Take();
  EXPECT_FALSE(node.inputs.HasMoreAfter(Timestamp(7), true));
  EXPECT_FALSE(node.inputs.TakeBoundToPass(Timestamp(8)));
  EXPECT_TRUE(node.inputs.TakeBoundToPass(Timestamp(9)));
  node.Add(0, 12);
  node.Take();
  node.inputs.TakeBoundToPass(Timestamp(50));
  node.inputs.HasMoreAfter(Timestamp(12), true);
  EXPECT_FALSE(node.inputs.TakeBoundToPass(Timestamp(20)));
}

TEST(NodeInputsTest, WhatIsTakenForNoCallIsCounted) {
  InputsUnderTest node(3);
  node.Place();
  node.Add(0, 1);
  node.Bound(1, Timestamp(2));
  node.Add(2, 1);
  EXPECT_EQ(node.Take(), Timestamp(1));
  node.inputs.NoteLost(node.shown(), DropCause::kRunFailed);
  EXPECT_EQ(node.inputs.queue(0).drops().of(DropCause::kRunFailed), 1);
  EXPECT_EQ(node.inputs.queue(1).drops().of(DropCause::kRunFailed), 0);
  EXPECT_EQ(node.inputs.queue(2).drops().of(DropCause::kRunFailed), 1);
}

}  // namespace
}  // namespace syncline
