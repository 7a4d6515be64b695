#include "framework/packet/type_map.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Named {
  int value = 0;
};
struct Unnamed {};
using Pair = std::pair<Named, int>;

absl::Status WriteNamed(const Packet& packet, std::string* bytes) {
  *bytes = std::to_string(packet.Get<Named>().value);
  return absl::OkStatus();
}
absl::Status ReadNamed(const std::string& bytes, Packet* packet) {
  *packet = MakePacket<Named>(Named{std::stoi(bytes)});
  return absl::OkStatus();
}

SYNCLINE_REGISTER_TYPE(::syncline::Named, "::syncline::Named", WriteNamed,
                       ReadNamed);
SYNCLINE_REGISTER_TYPE_WITH_PROXY(Pair, "::std::pair<::syncline::Named, int>",
                                  nullptr, nullptr);

TEST(TypeMapTest, CommonTypesHaveNames) {
  EXPECT_EQ(*SynclineTypeString<bool>(), "bool");
  EXPECT_EQ(*SynclineTypeString<int>(), "int");
  EXPECT_EQ(*SynclineTypeString<std::int64_t>(), "int64_t");
  EXPECT_EQ(*SynclineTypeString<float>(), "float");
  EXPECT_EQ(*SynclineTypeString<double>(), "double");
  EXPECT_EQ(*SynclineTypeString<std::string>(), "string");
  EXPECT_EQ(*SynclineTypeString<std::vector<float>>(), "::std::vector<float>");
  EXPECT_EQ(*SynclineTypeString<std::vector<std::string>>(),
            "::std::vector<::std::string>");
  EXPECT_EQ(*SynclineTypeString<Packet>(), "::syncline::Packet");
  EXPECT_EQ(*SynclineTypeString<Timestamp>(), "::syncline::Timestamp");
  EXPECT_EQ(*SynclineTypeString<std::vector<Packet>>(),
            "::std::vector<::syncline::Packet>");
  EXPECT_EQ((*SynclineTypeString<std::pair<Packet, Packet>>()),
            "::std::pair<::syncline::Packet, ::syncline::Packet>");
  EXPECT_EQ((*SynclineTypeString<std::map<std::string, Packet>>()),
            "::std::map<::std::string, ::syncline::Packet>");
}

TEST(TypeMapTest, ARegisteredTypeIsFoundByTypeAndByName) {
  const SynclineTypeData* const by_type =
      PacketTypeIdToSynclineTypeData::GetValue(TypeIdOf<Named>());
  ASSERT_NE(by_type, nullptr);
  EXPECT_EQ(by_type->type_string, "::syncline::Named");
  EXPECT_EQ(PacketTypeStringToSynclineTypeData::GetValue("::syncline::Named"),
            by_type);
  EXPECT_EQ(PacketTypeStringToSynclineTypeData::GetValue("::mediapipe::Named"),
            by_type);
  EXPECT_EQ((*SynclineTypeString<Pair>()),
            "::std::pair<::syncline::Named, int>");
}

TEST(TypeMapTest, TheFunctionsTurnAPacketIntoBytesAndBack) {
  const SynclineTypeData* const data =
      PacketTypeIdToSynclineTypeData::GetValue(TypeIdOf<Named>());
  ASSERT_NE(data, nullptr);
  std::string bytes;
  SYNCLINE_ASSERT_OK(data->serialize_fn(MakePacket<Named>(Named{7}), &bytes));
  Packet packet;
  SYNCLINE_ASSERT_OK(data->deserialize_fn(bytes, &packet));
  EXPECT_EQ(packet.Get<Named>().value, 7);
}

TEST(TypeMapTest, AnUnregisteredTypeHasTheNameOfTheSource) {
  EXPECT_EQ(SynclineTypeString<Unnamed>(), nullptr);
  EXPECT_EQ(SynclineTypeStringOrDemangled<Unnamed>(),
            TypeIdOf<Unnamed>().name());
  EXPECT_EQ(SynclineTypeStringOrDemangled(TypeIdOf<int>()), "int");
  EXPECT_EQ(PacketTypeIdToSynclineTypeData::GetValue(TypeIdOf<Unnamed>()),
            nullptr);
  EXPECT_EQ(PacketTypeStringToSynclineTypeData::GetValue("Unnamed"), nullptr);
}

TEST(TypeMapTest, SayingTheSameTwiceIsAllRight) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      RegistrationToken first,
      RegisterPacketType({TypeIdOf<Unnamed>(), "Twice", nullptr, nullptr},
                         SYNCLINE_LOC));
  const RegistrationErrors errors;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      RegistrationToken second,
      RegisterPacketType({TypeIdOf<Unnamed>(), "Twice", nullptr, nullptr},
                         SYNCLINE_LOC));
  EXPECT_FALSE(errors.has_new());
  first.Unregister();
  EXPECT_EQ(*SynclineTypeString<Unnamed>(), "Twice");
  second.Unregister();
  EXPECT_EQ(SynclineTypeString<Unnamed>(), nullptr);
  EXPECT_EQ(PacketTypeStringToSynclineTypeData::GetValue("Twice"), nullptr);
}

TEST(TypeMapTest, ASecondNameForATypeIsAnErrorWithBothPlaces) {
  EXPECT_THAT(
      RegisterPacketType({TypeIdOf<Named>(), "Other", nullptr, nullptr},
                         source_location::current("other.cc", 7)),
      StatusIs(absl::StatusCode::kAlreadyExists,
               AllOf(HasSubstr("two names"), HasSubstr("\"::syncline::Named\""),
                     HasSubstr("type_map_test.cc:"), HasSubstr("\"Other\""),
                     HasSubstr("other.cc:7"))));
  EXPECT_EQ(PacketTypeStringToSynclineTypeData::GetValue("Other"), nullptr);
}

TEST(TypeMapTest, OneNameForTwoTypesIsAnErrorWithBothPlaces) {
  EXPECT_THAT(
      RegisterPacketType(
          {TypeIdOf<Unnamed>(), "::syncline::Named", nullptr, nullptr},
          source_location::current("other.cc", 7)),
      StatusIs(absl::StatusCode::kAlreadyExists,
               AllOf(HasSubstr("two types"), HasSubstr("Unnamed"),
                     HasSubstr("type_map_test.cc:"), HasSubstr("other.cc:7"))));
  EXPECT_EQ(SynclineTypeString<Unnamed>(), nullptr);
}

}  // namespace
}  // namespace syncline
