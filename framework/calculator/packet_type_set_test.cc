// What a contract and a graph can disagree about, and how that is told.
#include "framework/calculator/packet_type_set.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/packet_set.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

PacketTypeSet Types(const std::vector<std::string>& ports) {
  return PacketTypeSet(PortLayout::Create(ports).value());
}

TEST(PacketTypeSetTest, PortsThatBothSidesKnowAreFine) {
  PacketTypeSet types = Types({"A:a", "x"});
  types.Tag("A").Set<int>();
  types.Index(0).SetAny();
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(types));
}

TEST(PacketTypeSetTest, APortThatTheGraphLacksIsAnErrorThatNamesIt) {
  PacketTypeSet types = Types({"IMAGES:a"});
  types.Tag("IMAGES").Set<int>();
  types.Tag("IMAGE").Set<int>();
  types.Get("IMAGES", 1).Set<int>();
  types.Index(2).Set<int>();
  EXPECT_THAT(ValidatePacketTypeSet(types),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Failed to get tag \"IMAGE\" index 0"),
                             HasSubstr("the node has \"IMAGES\""),
                             HasSubstr("Failed to get tag \"IMAGES\" index 1"),
                             HasSubstr("Failed to get tag \"\" index 2"))));
}

TEST(PacketTypeSetTest, APortThatTheGraphLacksIsFineWhenOptional) {
  PacketTypeSet types = Types({});
  types.Tag("A").Set<int>().Optional();
  types.Tag("B").Optional();
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(types));
}

TEST(PacketTypeSetTest, APortThatTheContractDoesNotTouchIsAnError) {
  PacketTypeSet types = Types({"A:a", "x", "y"});
  types.Tag("A").Set<int>();
  types.Index(0).Set<int>();
  EXPECT_THAT(ValidatePacketTypeSet(types),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Tag \"\" index 1 was not expected."),
                             Not(HasSubstr("\"A\"")))));
}

TEST(PacketTypeSetTest, AllDisagreementsComeTogether) {
  PacketTypeSet types = Types({"A:a"});
  types.Tag("B").Set<int>();
  EXPECT_THAT(
      ValidatePacketTypeSet(types),
      StatusIs(StatusCode::kInvalidArgument,
               AllOf(HasSubstr("Failed to get tag \"B\" index 0"),
                     HasSubstr("\nTag \"A\" index 0 was not expected."))));
}

TEST(PacketTypeSetTest, TheSameMissingPortHasOneStandIn) {
  PacketTypeSet types = Types({"A:a"});
  PacketType* const stand_in = &types.Tag("B");
  types.Tag("C").Set<int>();
  EXPECT_EQ(&types.Tag("B"), stand_in);
  EXPECT_NE(&types.Tag("C"), stand_in);
  stand_in->Set<int>();
  EXPECT_TRUE(types.Tag("B").IsExactType());
  types.Tag("B").Optional();
  types.Tag("C").Optional();
  EXPECT_THAT(types.Missing().Required(), IsEmpty());
}

TEST(PacketTypeSetTest, AStandInCanBeTheRootOfAnotherType) {
  PacketTypeSet types = Types({"OUT:out"});
  types.Tag("OUT").SetSameAs(&types.Tag("IN").Set<int>().Optional());
  EXPECT_TRUE(types.Tag("OUT").IsExactType());
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(types));
}

TEST(PacketSetTest, PacketsHaveTheTypesOfTheirPorts) {
  PacketTypeSet types = Types({"A:a", "x"});
  types.Tag("A").Set<int>();
  types.Index(0).Set<std::string>().Optional();
  PacketSet packets(types.TagMap());
  packets.Tag("A") = MakePacket<int>(1);
  SYNCLINE_EXPECT_OK(ValidatePacketSet(types, packets));
  packets.Index(0) = MakePacket<int>(1);
  EXPECT_THAT(ValidatePacketSet(types, packets),
              StatusIs(StatusCode::kInvalidArgument,
                       HasSubstr("Tag \"\" index 0: The Packet stores")));
  packets.Index(0) = Packet();
  packets.Tag("A") = Packet();
  EXPECT_THAT(
      ValidatePacketSet(types, packets),
      StatusIs(StatusCode::kInvalidArgument, HasSubstr("Tag \"A\" index 0")));
}

TEST(PacketSetTest, PacketsForOtherPortsAreAnError) {
  EXPECT_THAT(ValidatePacketSet(Types({"A:a"}), PacketSet()),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"A:0\"")));
}

}  // namespace
}  // namespace syncline
