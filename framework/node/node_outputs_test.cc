#include "framework/node/node_outputs.h"

#include <memory>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/call.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/output_stream.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Two outputs, of streams 7 and 9, and what a call does to the first.
class NodeOutputsTest : public ::testing::Test {
 protected:
  NodeOutputsTest() {
    std::vector<PlanOutput> plan(2);
    plan[0].stream = 7;
    plan[1].stream = 9;
    outputs_.Place(plan, &memory_);
    type_.SetAny();
    node_.set_name("n");
    node_.set_calculator("T");
    EXPECT_EQ(contract_.Initialize(node_), absl::OkStatus());
    port_ = std::make_unique<OutputPort>(name_, contract_, &type_);
    stream_.Connect(port_.get(), &call_);
    call_.set_phase(CallPhase::kProcess);
  }

  OutputStream& Begin() {
    stream_.Clear();
    outputs_.Begin(0, &stream_);
    return stream_;
  }
  static Packet At(Timestamp timestamp) {
    return MakePacket<int>(1).At(timestamp);
  }
  static Packet At(int timestamp) { return At(Timestamp(timestamp)); }
  NodeOutputs::Change Examine(int input_timestamp, bool calls_overlap = false) {
    return outputs_.Examine(0, &stream_, Timestamp(input_timestamp),
                            calls_overlap, &errors_);
  }
  // Sends one packet in a call of its own.
  void Send(int timestamp) {
    Begin().AddPacket(At(timestamp));
    outputs_.Take(0, &stream_, Timestamp(timestamp));
  }
  void Apply(const NodeOutputs::Change& change) { outputs_.Apply(0, change); }

  std::pmr::monotonic_buffer_resource memory_;
  NodeOutputs outputs_;
  const std::string name_ = "a";
  CalculatorGraphConfig::Node node_;
  CalculatorContract contract_;
  PacketType type_;
  std::unique_ptr<OutputPort> port_;
  CallRecord call_;
  OutputStream stream_;
  std::vector<absl::Status> errors_;
};

TEST_F(NodeOutputsTest, BeginsWithNothingSent) {
  EXPECT_EQ(outputs_.size(), 2);
  EXPECT_EQ(outputs_.bytes(), 128);
  EXPECT_EQ(outputs_.stream(0), 7);
  EXPECT_EQ(outputs_.stream(1), 9);
  EXPECT_EQ(outputs_.bound(0), Timestamp::PreStream());
  EXPECT_EQ(outputs_.packets_added(0), 0);
  EXPECT_FALSE(outputs_.has_offset());
}

TEST_F(NodeOutputsTest, ANodeMayHaveNoOutputs) {
  NodeOutputs none;
  none.Place({}, std::pmr::null_memory_resource());
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.bytes(), 0);
}

TEST_F(NodeOutputsTest, WhatReadersAskForIsKeptByOutput) {
  EXPECT_FALSE(outputs_.KeepsTimes(0));
  EXPECT_FALSE(outputs_.ignores_order(0));
  outputs_.KeepTimes(1);
  outputs_.IgnoreOrder(1);
  EXPECT_FALSE(outputs_.KeepsTimes(0));
  EXPECT_TRUE(outputs_.KeepsTimes(1));
  EXPECT_FALSE(outputs_.ignores_order(0));
  EXPECT_TRUE(outputs_.ignores_order(1));
}

TEST_F(NodeOutputsTest, ProgressOfAnOutputWithoutReadersIsNotedByOthers) {
  EXPECT_EQ(outputs_.UnreadProgress(0), nullptr);
  outputs_.NoteNoReader(0);
  EXPECT_EQ(outputs_.UnreadProgress(1), nullptr);
  StreamProgress* const progress = outputs_.UnreadProgress(0);
  ASSERT_NE(progress, nullptr);
  progress->bound = Timestamp(7);
  progress->packets_added = 3;
  EXPECT_EQ(outputs_.bound(0), Timestamp(7));
  EXPECT_EQ(outputs_.packets_added(0), 3);
}

TEST_F(NodeOutputsTest, TakesPacketsAndTheirBound) {
  OutputStream& stream = Begin();
  stream.AddPacket(At(4));
  stream.AddPacket(At(6));
  ASSERT_TRUE(NodeOutputs::OnlySent(stream));
  const NodeOutputs::Sent sent = outputs_.Take(0, &stream, Timestamp(6));
  EXPECT_EQ(sent.packets.size(), 2);
  EXPECT_EQ(sent.bound, Timestamp(7));
  EXPECT_TRUE(sent.tells_readers);
  EXPECT_EQ(outputs_.bound(0), Timestamp(7));
  EXPECT_EQ(outputs_.packets_added(0), 2);
  Send(8);
  EXPECT_EQ(outputs_.packets_added(0), 3);
  EXPECT_EQ(outputs_.packets_added(1), 0) << "the other sent nothing";
}

TEST_F(NodeOutputsTest, TheNextCallBeginsWhereThisOneEnded) {
  EXPECT_EQ(Begin().NextTimestampBound(), Timestamp::PreStream());
  Send(4);
  EXPECT_EQ(Begin().NextTimestampBound(), Timestamp(5));
  stream_.AddPacket(At(Timestamp::PostStream()));
  EXPECT_THAT(call_.status().message(), HasSubstr("PostStream"))
      << "the call knows that packets were sent before";
  outputs_.End(0);
  EXPECT_TRUE(Begin().IsClosed());
}

TEST_F(NodeOutputsTest, WhereTimestampsGoBackTheBoundDoesNot) {
  Send(10);
  stream_.Clear();
  stream_.Begin(Timestamp(0), false, true);
  stream_.AddPacket(At(3));
  EXPECT_EQ(outputs_.Take(0, &stream_, Timestamp(10)).bound, Timestamp(11));
}

TEST_F(NodeOutputsTest, AnOffsetPromisesMoreThanWasSent) {
  outputs_.SetOffset(1, TimestampDiff::Unset());
  EXPECT_FALSE(outputs_.has_offset());
  outputs_.SetOffset(0, TimestampDiff(5));
  outputs_.SetOffset(1, TimestampDiff::Unset());
  EXPECT_TRUE(outputs_.has_offset());
  Begin().AddPacket(At(4));
  EXPECT_EQ(outputs_.Take(0, &stream_, Timestamp(10)).bound, Timestamp(16));
}

TEST_F(NodeOutputsTest, OnlySentIsNeitherNothingNorABoundNorAnEnd) {
  EXPECT_FALSE(NodeOutputs::OnlySent(Begin()));
  Begin().AddPacket(At(1));
  EXPECT_TRUE(NodeOutputs::OnlySent(stream_));
  stream_.SetNextTimestampBound(Timestamp(5));
  EXPECT_FALSE(NodeOutputs::OnlySent(stream_));
  Begin().AddPacket(At(1));
  stream_.Close();
  EXPECT_FALSE(NodeOutputs::OnlySent(stream_));
}

TEST_F(NodeOutputsTest, ACallThatDidNothingChangesNothing) {
  Send(4);
  Begin();
  const NodeOutputs::Change change = Examine(9);
  EXPECT_FALSE(change.is_due);
  EXPECT_FALSE(change.sent.tells_readers);
  Apply(change);
  EXPECT_EQ(outputs_.bound(0), Timestamp(5));
}

TEST_F(NodeOutputsTest, ACallThatDidNothingStillPromisesAnOffset) {
  outputs_.SetOffset(0, TimestampDiff(0));
  Begin();
  const NodeOutputs::Change change = Examine(9);
  EXPECT_TRUE(change.sent.tells_readers);
  EXPECT_EQ(change.sent.bound, Timestamp(10));
  EXPECT_EQ(outputs_.bound(0), Timestamp::PreStream()) << "not yet";
  Apply(change);
  EXPECT_EQ(outputs_.bound(0), Timestamp(10));
  EXPECT_EQ(outputs_.packets_added(0), 0);
  EXPECT_FALSE(Begin().IsClosed());
  EXPECT_FALSE(Examine(9).sent.tells_readers) << "that is known";
}

TEST_F(NodeOutputsTest, TakesABoundWithPacketsOrWithout) {
  Begin().SetNextTimestampBound(Timestamp(20));
  NodeOutputs::Change change = Examine(1);
  EXPECT_TRUE(change.sent.tells_readers);
  EXPECT_THAT(change.sent.packets, IsEmpty());
  Apply(change);
  EXPECT_EQ(outputs_.bound(0), Timestamp(20));
  Begin().AddPacket(At(22));
  stream_.SetNextTimestampBound(Timestamp(30));
  change = Examine(1);
  EXPECT_EQ(change.sent.packets.size(), 1);
  EXPECT_TRUE(change.sent.tells_readers);
  Apply(change);
  EXPECT_EQ(outputs_.bound(0), Timestamp(30));
  EXPECT_EQ(outputs_.packets_added(0), 1);
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(NodeOutputsTest, ABoundThatGoesBackIsAnErrorUnlessAnOffsetIsAhead) {
  Send(10);
  Begin().SetNextTimestampBound(Timestamp(11));
  EXPECT_FALSE(Examine(10).sent.tells_readers);
  EXPECT_THAT(errors_, IsEmpty()) << "it is the bound already";
  stream_.SetNextTimestampBound(Timestamp(5));
  EXPECT_EQ(Examine(10).sent.bound, Timestamp(11));
  ASSERT_EQ(errors_.size(), 1);
  EXPECT_THAT(errors_[0].message(), HasSubstr("5"));
  port_->checks_order = false;
  Examine(10);
  EXPECT_EQ(errors_.size(), 1);
  port_->checks_order = true;
  outputs_.SetOffset(0, TimestampDiff(0));
  Examine(10);
  EXPECT_EQ(errors_.size(), 1);
}

TEST_F(NodeOutputsTest, ACallMayCloseAfterItsPackets) {
  Begin().AddPacket(At(3));
  stream_.Close();
  const NodeOutputs::Change change = Examine(3);
  EXPECT_TRUE(change.sent.tells_readers);
  EXPECT_EQ(change.sent.packets.size(), 1);
  EXPECT_EQ(change.sent.bound, Timestamp::Done());
  Apply(change);
  EXPECT_TRUE(Begin().IsClosed());
  EXPECT_EQ(outputs_.bound(0), Timestamp::Done());
  EXPECT_FALSE(Examine(4).is_due);
  EXPECT_FALSE(outputs_.End(0).tells_readers) << "it has ended";
}

TEST_F(NodeOutputsTest, TheEndIsToldOnce) {
  Send(4);
  const NodeOutputs::Sent sent = outputs_.End(0);
  EXPECT_TRUE(sent.tells_readers);
  EXPECT_THAT(sent.packets, IsEmpty());
  EXPECT_EQ(sent.bound, Timestamp::Done());
  EXPECT_EQ(outputs_.bound(0), Timestamp::Done());
  EXPECT_EQ(outputs_.packets_added(0), 1);
  EXPECT_FALSE(outputs_.End(0).tells_readers);
}

// Calls that overlap were all begun when nothing had been sent.
class OverlappingOutputsTest : public NodeOutputsTest {
 protected:
  void SendLate(const Packet& packet) {
    stream_.Clear();
    stream_.Begin(Timestamp::PreStream(), false, false);
    stream_.AddPacket(packet);
  }
};

TEST_F(OverlappingOutputsTest, PacketsInOrderAreTaken) {
  Send(10);
  SendLate(At(11));
  Apply(Examine(11, /*calls_overlap=*/true));
  EXPECT_THAT(errors_, IsEmpty());
  EXPECT_EQ(outputs_.bound(0), Timestamp(12));
  EXPECT_EQ(outputs_.packets_added(0), 2);
}

TEST_F(OverlappingOutputsTest, PacketsBelowTheBoundAreAnError) {
  Send(10);
  SendLate(At(10));
  EXPECT_FALSE(Examine(10, /*calls_overlap=*/true).is_due);
  ASSERT_EQ(errors_.size(), 1);
  EXPECT_THAT(errors_[0].message(), HasSubstr("10"));
  errors_.clear();
  port_->checks_order = false;
  EXPECT_TRUE(Examine(10, /*calls_overlap=*/true).is_due);
  EXPECT_THAT(errors_, IsEmpty()) << "timestamps may go back";
}

TEST_F(OverlappingOutputsTest, APacketAtPostStreamIsAlone) {
  SendLate(At(Timestamp::PostStream()));
  EXPECT_TRUE(Examine(1, /*calls_overlap=*/true).is_due) << "the first one";
  EXPECT_THAT(errors_, IsEmpty());
  Send(10);
  SendLate(At(Timestamp::PostStream()));
  EXPECT_FALSE(Examine(11, /*calls_overlap=*/true).is_due);
  ASSERT_EQ(errors_.size(), 1);
  EXPECT_THAT(errors_[0].message(), HasSubstr("PostStream"));
}

TEST_F(OverlappingOutputsTest, WhatComesAfterTheEndIsAnError) {
  outputs_.End(0);
  SendLate(At(10));
  EXPECT_FALSE(Examine(10, /*calls_overlap=*/false).is_due);
  EXPECT_THAT(errors_, IsEmpty());
  EXPECT_FALSE(Examine(10, /*calls_overlap=*/true).is_due);
  EXPECT_EQ(errors_.size(), 1);
  stream_.Clear();
  stream_.Begin(Timestamp::PreStream(), false, false);
  stream_.SetNextTimestampBound(Timestamp(10));
  EXPECT_FALSE(Examine(10, /*calls_overlap=*/true).is_due);
  EXPECT_EQ(errors_.size(), 1) << "a bound after the end says nothing wrong";
}

std::vector<std::pair<int, Timestamp>> PassBound(NodeOutputs* outputs,
                                                 int bound) {
  std::vector<std::pair<int, Timestamp>> passed;
  outputs->PassBound(Timestamp(bound), [&](int stream, Timestamp its_bound) {
    passed.emplace_back(stream, its_bound);
  });
  return passed;
}

TEST_F(NodeOutputsTest, PassesBoundsOnByTheOffsetOfEachOutput) {
  EXPECT_THAT(PassBound(&outputs_, 10), IsEmpty());
  outputs_.SetOffset(1, TimestampDiff(5));
  EXPECT_THAT(PassBound(&outputs_, 10), ElementsAre(Pair(9, Timestamp(15))));
  EXPECT_EQ(outputs_.bound(1), Timestamp(15));
  EXPECT_THAT(PassBound(&outputs_, 10), IsEmpty()) << "it is known";
  outputs_.SetOffset(0, TimestampDiff(0));
  EXPECT_THAT(PassBound(&outputs_, 11),
              ElementsAre(Pair(7, Timestamp(11)), Pair(9, Timestamp(16))));
  outputs_.End(1);
  EXPECT_THAT(PassBound(&outputs_, 12), ElementsAre(Pair(7, Timestamp(12))));
}

}  // namespace
}  // namespace syncline
