// One part of a fused node in a run: what waits for it, and how far its outputs
// are.
#include "framework/node/fused_part_state.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/test_support.h"
#include "framework/config/calculator.pb.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A part "p" with the inputs a and b and the outputs c, d and e.
class FusedPartStateTest : public ::testing::Test {
 protected:
  explicit FusedPartStateTest(bool is_persistent = false)
      : outer_(R"pb(name: "outer" output_stream: "x" output_stream: "y")pb",
               [](CalculatorContract* cc) {
                 for (PacketType& type : cc->Outputs()) type.SetAny();
               }) {
    part_.config = ParseNode(R"pb(
      name: "p"
      calculator: "PartA"
      input_stream: "a"
      input_stream: "b"
      output_stream: "c"
      output_stream: "d"
      output_stream: "e"
    )pb");
    part_.config.set_persistent(is_persistent);
    SYNCLINE_EXPECT_OK(part_.contract.Initialize(part_.config));
    SYNCLINE_EXPECT_OK(PartA::GetContract(&part_.contract));
    part_.inputs = {{.part = 0, .port = 0}, {.outer_port = 0}};
    part_.outputs = {{.outer_port = 0},
                     {.outer_port = 1, .readers = {{.part = 1, .port = 0}}},
                     {.outer_port = -1}};
    part_.joins = true;
    state_.part = &part_;
  }
  void MakeContext() {
    state_.environment = std::make_unique<NodeEnvironment>(
        part_.contract, NodeEnvironment::Run());
    state_.context = std::make_unique<CalculatorContext>(*state_.environment);
  }
  absl::Status Deliver(int port, std::vector<int> timestamps,
                       Timestamp bound = Timestamp::Unset()) {
    std::vector<Packet> packets;
    for (const int timestamp : timestamps) {
      packets.push_back(MakePacket<int>(1).At(Timestamp(timestamp)));
    }
    return state_.Deliver(port, packets, bound);
  }

  TestNode outer_;
  FusedPart part_;
  FusedPartState state_;
};

TEST_F(FusedPartStateTest, BeginsEachRunAnew) {
  state_.Prepare();
  state_.outputs[1] = {.bound = Timestamp(7),
                       .is_closed = true,
                       .packets_added = 3,
                       .whole_offset = 3};
  state_.is_open = state_.is_over = true;
  SYNCLINE_ASSERT_OK(Deliver(0, {5}));
  state_.Prepare();
  ASSERT_EQ(state_.outputs.size(), 3u);
  EXPECT_EQ(state_.outputs[1].bound, Timestamp::PreStream());
  EXPECT_FALSE(state_.outputs[1].is_closed);
  EXPECT_EQ(state_.outputs[1].packets_added, 0);
  EXPECT_EQ(state_.outputs[1].whole_offset, TimestampDiff::Unset());
  EXPECT_FALSE(state_.is_open);
  EXPECT_FALSE(state_.is_over);
  ASSERT_EQ(state_.queues.size(), 2u);
  EXPECT_TRUE(state_.queues[0].empty());
  EXPECT_EQ(state_.join->Evaluate().timestamp, Timestamp::PreStream());
}

TEST_F(FusedPartStateTest, JoinsOnlyIfItReadsOfOthers) {
  part_.joins = false;
  state_.Prepare();
  EXPECT_THAT(state_.queues, IsEmpty());
  EXPECT_EQ(state_.join, nullptr);
}

TEST_F(FusedPartStateTest, ChecksNoOrderWhereReadersOfTheNodeCheckNone) {
  MakeContext();
  outer_.environment().output_ports()[0].checks_order = false;
  outer_.environment().output_ports()[1].checks_order = false;
  state_.IgnoreOrderAs(outer_.environment());
  EXPECT_FALSE(state_.environment->output_port(0).checks_order);
  EXPECT_TRUE(state_.environment->output_port(1).checks_order)
      << "a later part reads it";
  EXPECT_TRUE(state_.environment->output_port(2).checks_order);
  outer_.environment().output_ports()[0].checks_order = true;
  state_.IgnoreOrderAs(outer_.environment());
  EXPECT_TRUE(state_.environment->output_port(0).checks_order);
}

TEST_F(FusedPartStateTest, CallsBeginWhereOutputsAre) {
  state_.Prepare();
  MakeContext();
  state_.outputs[0].bound = Timestamp(7);
  state_.outputs[1].is_closed = true;
  state_.outputs[2].packets_added = 1;
  state_.BeginOutputs();
  OutputStreamSet& outputs = state_.context->Outputs();
  EXPECT_EQ(outputs.Get(0).NextTimestampBound(), Timestamp(7));
  EXPECT_FALSE(outputs.Get(0).IsClosed());
  EXPECT_TRUE(outputs.Get(1).IsClosed());
  EXPECT_EQ(outputs.Get(2).NextTimestampBound(), Timestamp::PreStream());
  outputs.Get(2).AddPacket(MakePacket<int>(1).At(Timestamp::PostStream()));
  EXPECT_FALSE(state_.context->call().ok()) << "it had others";
}

TEST_F(FusedPartStateTest, WhatIsDeliveredIsJoinedByTheDefaultRule) {
  state_.Prepare();
  SYNCLINE_ASSERT_OK(Deliver(0, {5, 6}));
  EXPECT_EQ(state_.join->Evaluate().state, Readiness::State::kWait);
  SYNCLINE_ASSERT_OK(Deliver(1, {}, Timestamp(6)));
  EXPECT_EQ(state_.join->Evaluate(),
            (Readiness{Readiness::State::kProcess, Timestamp(5)}));
  EXPECT_EQ(state_.queues[0].size(), 2);
  EXPECT_EQ(state_.queues[0].bound(), Timestamp(7));
  EXPECT_EQ(state_.queues[1].bound(), Timestamp(6));
}

TEST_F(FusedPartStateTest, APacketThatGoesBackNamesPartAndStream) {
  state_.Prepare();
  SYNCLINE_ASSERT_OK(Deliver(1, {5}, Timestamp(9)));
  EXPECT_THAT(
      Deliver(1, {8}),
      StatusIs(StatusCode::kInvalidArgument,
               AllOf(HasSubstr("Node \"p\" (PartA) gets a packet at 8 in the "
                               "stream \"b\", where at least 9 is due"))));
}

TEST_F(FusedPartStateTest, AThousandPacketsMayWait) {
  state_.Prepare();
  for (int i = 0; i < 1000; ++i) SYNCLINE_ASSERT_OK(Deliver(1, {i}));
  SYNCLINE_EXPECT_OK(state_.CheckWaiting());
  EXPECT_EQ(state_.waiting.packets, 1000);
  SYNCLINE_ASSERT_OK(Deliver(1, {1000}));
  EXPECT_THAT(state_.CheckWaiting(),
              StatusIs(StatusCode::kResourceExhausted,
                       HasSubstr("Node \"p\" (PartA) holds more than 1000 "
                                 "packets of the stream \"b\"")));
}

TEST_F(FusedPartStateTest, LetsGoOfAllThatBelongsToTheRun) {
  state_.Prepare();
  MakeContext();
  state_.calculator = std::make_unique<PartA>();
  state_.EndRun();
  EXPECT_EQ(state_.calculator, nullptr);
  EXPECT_EQ(state_.context, nullptr);
  EXPECT_EQ(state_.environment, nullptr);
  EXPECT_EQ(state_.join, nullptr);
  EXPECT_THAT(state_.queues, IsEmpty());
}

class PersistentPartStateTest : public FusedPartStateTest {
 protected:
  PersistentPartStateTest() : FusedPartStateTest(/*is_persistent=*/true) {}
};

TEST_F(PersistentPartStateTest, KeepsItsCalculatorFromRunToRun) {
  state_.Prepare();
  MakeContext();
  state_.calculator = std::make_unique<PartA>();
  state_.EndRun();
  EXPECT_NE(state_.calculator, nullptr);
  EXPECT_EQ(state_.context, nullptr);
}

}  // namespace
}  // namespace syncline
