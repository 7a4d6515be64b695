// Side packets of a node: which inputs it sees, and what an output may be set
// to.
#include "framework/calculator/side_packets.h"

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/node_side_packets.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

PacketTypeSet Types(const std::vector<std::string>& ports) {
  PacketTypeSet types(PortLayout::Create(ports).value());
  for (PacketType& type : types) type.Set<int>();
  return types;
}

absl::StatusOr<PacketSet> Fill(const PacketTypeSet& types,
                               const std::map<std::string, Packet>& packets) {
  return FillInputSidePackets(types, [&](const std::string& name) {
    const auto found = packets.find(name);
    return found == packets.end() ? Packet() : found->second;
  });
}

TEST(InputSidePacketsTest, AreFoundByName) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const PacketSet packets,
      Fill(Types({"B:b", "A:a"}),
           {{"a", MakePacket<int>(1)}, {"b", MakePacket<int>(2)}}));
  EXPECT_EQ(packets.Tag("A").Get<int>(), 1);
  EXPECT_EQ(packets.Tag("B").Get<int>(), 2);
}

TEST(InputSidePacketsTest, AnOptionalOneThatNobodyGaveIsNotThere) {
  PacketTypeSet types = Types({"A:a", "B:b", "x"});
  types.Tag("A").Optional();
  types.Index(0).Optional();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const PacketSet packets,
                                Fill(types, {{"b", MakePacket<int>(2)}}));
  EXPECT_FALSE(packets.HasTag("A"));
  EXPECT_FALSE(packets.HasTag(""));
  EXPECT_EQ(packets.Tag("B").Get<int>(), 2);
}

TEST(InputSidePacketsTest, AHoleInTheIndexesStaysAsAnEmptyPacket) {
  PacketTypeSet types = Types({"A:0:a", "A:1:b", "A:2:c"});
  for (PacketType& type : types) type.Optional();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const PacketSet packets,
                                Fill(types, {{"b", MakePacket<int>(2)}}));
  EXPECT_EQ(packets.NumEntries("A"), 2);
  EXPECT_TRUE(packets.Get("A", 0).IsEmpty());
  EXPECT_EQ(packets.Get("A", 1).Get<int>(), 2);
}

TEST(InputSidePacketsTest, MissingAndWrongOnesAreReportedTogether) {
  EXPECT_THAT(
      Fill(Types({"A:a", "B:b"}), {{"b", MakePacket<float>(2)}}),
      StatusIs(StatusCode::kInvalidArgument,
               AllOf(HasSubstr("\"a\" is required but was not provided"),
                     HasSubstr("Side packet \"b\": The Packet stores"))));
}

class OutputSidePacketTest : public testing::Test {
 protected:
  OutputSidePacketTest()
      : side_packet_("size", "\"node\" (Type)", &type_.Set<int>()) {}

  PacketType type_;
  NodeOutputSidePacket side_packet_;
};

TEST_F(OutputSidePacketTest, WhatIsSetIsTakenOnce) {
  EXPECT_FALSE(side_packet_.TakeNewlySet().has_value());
  side_packet_.Set(MakePacket<int>(7));
  EXPECT_EQ(side_packet_.packet().Get<int>(), 7);
  EXPECT_EQ(side_packet_.TakeNewlySet()->Get<int>(), 7);
  EXPECT_FALSE(side_packet_.TakeNewlySet().has_value());
  EXPECT_EQ(side_packet_.packet().Get<int>(), 7) << "it stays set";
  SYNCLINE_EXPECT_OK(side_packet_.TakeError());
}

TEST_F(OutputSidePacketTest, SettingItAgainIsAnErrorAndChangesNothing) {
  side_packet_.Set(MakePacket<int>(7));
  side_packet_.Set(MakePacket<int>(8));
  EXPECT_EQ(side_packet_.packet().Get<int>(), 7);
  EXPECT_THAT(
      side_packet_.TakeError(),
      StatusIs(StatusCode::kAlreadyExists,
               AllOf(HasSubstr("\"size\""), HasSubstr("was already set."),
                     HasSubstr("\"node\" (Type)"))));
  SYNCLINE_EXPECT_OK(side_packet_.TakeError());
}

TEST_F(OutputSidePacketTest, EmptyTimedAndWronglyTypedPacketsAreRefused) {
  side_packet_.Set(Packet());
  EXPECT_THAT(side_packet_.TakeError(),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("empty")));
  side_packet_.Set(MakePacket<int>(7).At(Timestamp(237)));
  EXPECT_THAT(side_packet_.TakeError(),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr(" has a timestamp 237.")));
  side_packet_.Set(MakePacket<float>(7));
  EXPECT_THAT(side_packet_.TakeError(),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"float\""), HasSubstr("\"int\""))));
  EXPECT_TRUE(side_packet_.packet().IsEmpty());
  side_packet_.Set(MakePacket<int>(7));
  EXPECT_EQ(side_packet_.packet().Get<int>(), 7);
}

TEST_F(OutputSidePacketTest, ANewRunMaySetItAgain) {
  side_packet_.Set(MakePacket<int>(7));
  side_packet_.Set(MakePacket<int>(8));
  side_packet_.Reset();
  EXPECT_FALSE(side_packet_.TakeNewlySet().has_value());
  SYNCLINE_EXPECT_OK(side_packet_.TakeError());
  side_packet_.Set(MakePacket<int>(9));
  EXPECT_EQ(side_packet_.packet().Get<int>(), 9);
}

TEST_F(OutputSidePacketTest, OfParallelCallsOneSetsItAndTheOthersFail) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] { side_packet_.Set(MakePacket<int>(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(side_packet_.TakeNewlySet().has_value());
  EXPECT_THAT(side_packet_.TakeError(), StatusIs(StatusCode::kAlreadyExists));
}

}  // namespace
}  // namespace syncline
