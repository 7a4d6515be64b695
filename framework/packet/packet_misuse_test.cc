// What a packet does when it is asked for what it does not have.

#include <string>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <typename Code>
absl::Status StatusOf(Code code) {
  return CallUserCode([&code] {
    code();
    return absl::OkStatus();
  });
}

TEST(PacketMisuseTest, ValidateAsTypeTellsTheTypesApart) {
  const Packet packet = MakePacket<int>(1);
  SYNCLINE_EXPECT_OK(packet.ValidateAsType<int>());
  SYNCLINE_EXPECT_OK(packet.ValidateAsType(TypeIdOf<int>()));
  EXPECT_THAT(packet.ValidateAsType<std::string>(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "The Packet stores \"int\", but \"string\" was "
                       "requested."));
  EXPECT_THAT(Packet().ValidateAsType<int>(),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("Expected a Packet of type \"int\""),
                             HasSubstr("but received an empty Packet"))));
}

TEST(PacketMisuseTest, GetOfAnotherTypeNamesBothTypesAndTheTimestamp) {
  const Packet packet = MakePacket<int>(1).At(Timestamp(42));
  EXPECT_THAT(StatusOf([&] { packet.Get<float>(); }),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("The Packet stores \"int\", but "
                                       "\"float\" was requested."),
                             HasSubstr("42"))));
}

TEST(PacketMisuseTest, GetOfABaseClassOrAConvertibleTypeIsAMisuse) {
  struct Base {};
  struct Derived : Base {};
  const Packet packet = MakePacket<Derived>();
  EXPECT_THAT(StatusOf([&] { packet.Get<Base>(); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(StatusOf([] { MakePacket<int>(1).Get<long>(); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PacketMisuseTest, AnEmptyPacketHasNoValueAndNoType) {
  EXPECT_THAT(StatusOf([] { Packet().Get<int>(); }),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("received an empty Packet")));
  EXPECT_THAT(StatusOf([] { Packet().GetTypeId(); }),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("GetTypeId() of an empty packet")));
  EXPECT_THAT(StatusOf([] { GetFromUniquePtr<int>(Packet()); }),
              StatusIs(absl::StatusCode::kInternal));
  EXPECT_THAT(StatusOf([] { SharedPtrWithPacket<int>(Packet()); }),
              StatusIs(absl::StatusCode::kInternal));
}

TEST(PacketMisuseTest, ANullPointerIsNoValue) {
  const int* const null = nullptr;
  EXPECT_THAT(StatusOf([&] { Adopt(null); }),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Adopt()"), HasSubstr("\"int\""))));
  EXPECT_THAT(
      StatusOf([&] { PointToForeign(null); }),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("PointToForeign()"), HasSubstr("\"int\""))));
}

TEST(PacketMisuseDeathTest, OutsideOfACalculatorMisuseEndsTheProcess) {
  EXPECT_DEATH(MakePacket<int>(1).Get<float>(),
               "The Packet stores \"int\", but \"float\" was requested");
  EXPECT_DEATH(Adopt<int>(nullptr), "null pointer");
}

}  // namespace
}  // namespace syncline
