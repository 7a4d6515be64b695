#include "framework/packet/packet_proto.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/config/calculator.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/message_lite.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Node = CalculatorGraphConfig::Node;

Node MakeNode(const std::string& calculator) {
  Node node;
  node.set_calculator(calculator);
  return node;
}

TEST(PacketProtoTest, AProtoIsReadWithoutItsType) {
  const Packet packet = MakePacket<Node>(MakeNode("A"));
  SYNCLINE_EXPECT_OK(packet.ValidateAsProtoMessageLite());
  EXPECT_EQ(&packet.GetProtoMessageLite(), &packet.Get<Node>());
  EXPECT_EQ(packet.GetProtoMessageLite().GetTypeName(),
            "syncline.CalculatorGraphConfig.Node");
}

TEST(PacketProtoTest, AdoptedAndForeignProtosAreReadToo) {
  const Node node = MakeNode("A");
  EXPECT_EQ(&PointToForeign(&node).GetProtoMessageLite(), &node);
  const Packet adopted = Adopt(new Node(node));
  EXPECT_EQ(&adopted.GetProtoMessageLite(), &adopted.Get<Node>());
}

TEST(PacketProtoTest, WhatIsNoProtoIsAnError) {
  EXPECT_THAT(MakePacket<int>(1).ValidateAsProtoMessageLite(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("The Packet stores \"int\"")));
  EXPECT_THAT(Packet().ValidateAsProtoMessageLite(),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("received an empty Packet")));
  EXPECT_THAT(CallUserCode([] {
                MakePacket<int>(1).GetProtoMessageLite();
                return absl::OkStatus();
              }),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("GetProtoMessageLite")));
}

TEST(PacketProtoTest, AVectorOfProtosGivesItsElements) {
  const Packet packet = MakePacket<std::vector<Node>>(
      std::vector<Node>({MakeNode("A"), MakeNode("B")}));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::vector<const google::protobuf::MessageLite*> elements,
      packet.GetVectorOfProtoMessageLitePtrs());
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_EQ(elements[1], &packet.Get<std::vector<Node>>()[1]);
  EXPECT_THAT(MakePacket<std::vector<Node>>().GetVectorOfProtoMessageLitePtrs(),
              IsOkAndHolds(IsEmpty()));
}

TEST(PacketProtoTest, WhatIsNoVectorOfProtosIsAnError) {
  for (const Packet& packet :
       {MakePacket<int>(1), MakePacket<Node>(), MakePacket<std::vector<int>>(),
        MakePacket<std::vector<std::unique_ptr<Node>>>()}) {
    EXPECT_THAT(packet.GetVectorOfProtoMessageLitePtrs(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(packet.DebugTypeName())));
  }
  EXPECT_THAT(Packet().GetVectorOfProtoMessageLitePtrs(),
              StatusIs(absl::StatusCode::kInternal));
}

TEST(PacketFromDynamicProtoTest, ReadsATypeThatTheProgramHasInPackets) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet packet,
                                packet_internal::PacketFromDynamicProto(
                                    "syncline.CalculatorGraphConfig.Node",
                                    MakeNode("A").SerializeAsString()));
  EXPECT_EQ(packet.Get<Node>().calculator(), "A");
}

TEST(PacketFromDynamicProtoTest, TheOtherPackageNameMeansTheSame) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet packet,
                                packet_internal::PacketFromDynamicProto(
                                    "mediapipe.CalculatorGraphConfig.Node",
                                    MakeNode("A").SerializeAsString()));
  EXPECT_EQ(packet.Get<Node>().calculator(), "A");
}

TEST(PacketFromDynamicProtoTest, AnUnknownTypeIsNotFoundWithASuggestion) {
  EXPECT_THAT(packet_internal::PacketFromDynamicProto(
                  "syncline.CalculatorGraphConfig.Nodes", ""),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("CalculatorGraphConfig.Nodes"),
                             HasSubstr("Did you mean"))));
  // Linked in, but no packet carries it.
  EXPECT_THAT(
      packet_internal::PacketFromDynamicProto("syncline.ExecutorConfig", ""),
      StatusIs(absl::StatusCode::kNotFound));
}

TEST(PacketFromDynamicProtoTest, BytesThatAreNoMessageAreAnError) {
  EXPECT_THAT(packet_internal::PacketFromDynamicProto(
                  "syncline.CalculatorGraphConfig.Node", "\xff\xff\xff"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("3 bytes"),
                             HasSubstr("CalculatorGraphConfig.Node"))));
}

}  // namespace
}  // namespace syncline
