// What the inputs of a node do with policies of all kinds: what a policy is
// told, when it decides, and what the node learns of it.

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
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
using ::testing::IsEmpty;
using ::testing::SizeIs;

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
  ~TestPolicy() override {
    if (!kept.IsEmpty()) queue(0).Discard(std::move(kept));
  }

  void OnChange(int port) override { changes.push_back(port); }
  void OnTaskMade() override { ++tasks; }
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
  int tasks = 0;
  Readiness readiness = Wait(0);
  std::vector<MatchReport> reports;
  absl::Status error;
  // Given back to a queue at the end.
  Packet kept;

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
  EXPECT_FALSE(node_.inputs.packets_may_pass());
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
  EXPECT_TRUE(node_.inputs.SettleSilent(0, Timestamp(15), &node_.effects));
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
  ASSERT_THAT(node_.effects.queue_facts, SizeIs(1));
  EXPECT_EQ(node_.effects.queue_facts[0].stream, 11);
  EXPECT_EQ(node_.effects.queue_facts[0].change, 0);
  EXPECT_EQ(node_.effects.queue_facts[0].node, 5);
  EXPECT_EQ(node_.effects.queue_facts[0].size, 8);
  EXPECT_EQ(node_.effects.queue_facts[0].matched, 2);
  // So they are when it takes.
  policy_->queue(0).Discard(node_.At(Timestamp(4)));
  node_.Take();
  EXPECT_THAT(node_.effects.trash, SizeIs(2));
}

TEST_F(PolicyInputTest, BytesAreLookedAtAfterEachPacketIfItDropsPackets) {
  node_.limits[1] = {.bytes = 30};
  Place({.drops_packets = true});
  for (const int timestamp : {1, 2, 3}) node_.AddSized(1, timestamp, 10);
  EXPECT_TRUE(node_.inputs.queue(1).Full());
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
  node_.inputs.NoteTaskMade();
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Wait(8)));
  EXPECT_EQ(policy_->tasks, 1) << "it is told";
}

TEST_F(PolicyInputTest, ReadinessIsNotRememberedOtherwise) {
  Place({});
  node_.inputs.RememberReadiness();
  policy_->readiness = Ready(7);
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Ready(7)));
  policy_->readiness = Wait(8);
  EXPECT_THAT(node_.inputs.Evaluate(), Is(Wait(8)));
  node_.inputs.NoteTaskMade();
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
      node_.inputs.Destroy(DropCause::kAtClose, &dropped, /*lane=*/nullptr);
  EXPECT_EQ(policy.get(), policy_);
  EXPECT_THAT(dropped, SizeIs(1));
  EXPECT_TRUE(node_.inputs.queue(1).closed());
  EXPECT_EQ(node_.inputs.queue(1).drops().of(DropCause::kAtClose), 1);
  EXPECT_TRUE(node_.inputs.PolicyError().ok());
}

TEST(NodeInputsTest, WhatWaitsAndWhatAPolicyKeepsGoesWithThem) {
  auto value = std::make_shared<int>(7);
  {
    InputsUnderTest node(1);
    TestPolicy* policy = nullptr;
    node.kind.is_default = false;
    node.kind.create = [&](const PolicyPorts& ports) {
      auto made = std::make_unique<TestPolicy>(PolicyTraits(), ports);
      policy = made.get();
      return made;
    };
    node.Place();
    policy->kept = MakePacket<std::shared_ptr<int>>(value).At(Timestamp(1));
    Packet packet = MakePacket<std::shared_ptr<int>>(value).At(Timestamp(2));
    node.inputs.Add(0, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                    Timestamp(3), /*sizes=*/{}, &node.effects);
    EXPECT_EQ(value.use_count(), 3);
  }
  EXPECT_EQ(value.use_count(), 1);
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
  EXPECT_FALSE(node.inputs.HasPackets());
  // Whatever policy the graph names.
  InputsUnderTest other(0);
  other.Place("TimeoutInputStreamHandler");
  EXPECT_EQ(other.inputs.timeout(), nullptr);
}

}  // namespace
}  // namespace syncline
