// Packet<T>: a packet whose type the compiler knows, and its conversion from
// and to a packet whose type the compiler does not know.

#include "framework/api2/packet.h"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace api2 {
namespace {

using ::testing::HasSubstr;

TEST(TypedPacketTest, ADefaultPacketIsEmptyAndHasNoTimestamp) {
  const Packet<int> packet;
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_FALSE(packet);
  EXPECT_EQ(packet.timestamp(), Timestamp::Unset());
  EXPECT_TRUE(PacketBase().IsEmpty());
}

TEST(TypedPacketTest, GivesItsValueInEveryForm) {
  const Packet<std::string> packet = MakePacket<std::string>(3, 'x');
  EXPECT_EQ(packet.Get(), "xxx");
  EXPECT_EQ(*packet, "xxx");
  EXPECT_EQ(packet->size(), 3);
  EXPECT_TRUE(packet);
  EXPECT_TRUE(packet.Has());
}

TEST(TypedPacketTest, AtChangesTheTimestampOfACopy) {
  const Packet<int> packet = MakePacket<int>(5);
  const Packet<int> later = packet.At(Timestamp(7));
  EXPECT_EQ(packet.timestamp(), Timestamp::Unset());
  EXPECT_EQ(later.timestamp(), Timestamp(7));
  EXPECT_EQ(&*later, &*packet);
  EXPECT_EQ(MakePacket<int>(5).At(Timestamp(8)).timestamp(), Timestamp(8));
  EXPECT_EQ(PacketBase(packet).At(Timestamp(9)).timestamp(), Timestamp(9));
}

TEST(TypedPacketTest, GetOrGivesAnotherValueForAnEmptyPacketOnly) {
  EXPECT_EQ(MakePacket<int>(5).GetOr(1), 5);
  EXPECT_EQ(Packet<int>().GetOr(1), 1);
  EXPECT_EQ(Packet<std::string>().GetOr("none"), "none");
  EXPECT_EQ(Packet<std::string>().GetOr({}), "");
}

TEST(TypedPacketTest, BecomesAnUntypedPacketAndComesBack) {
  const ::syncline::Packet old =
      ToOldPacket(MakePacket<int>(7)).At(Timestamp(3));
  EXPECT_EQ(old.Get<int>(), 7);
  const PacketBase base = FromOldPacket(old);
  EXPECT_EQ(base.timestamp(), Timestamp(3));
  EXPECT_TRUE(base.Has<int>());
  EXPECT_FALSE(base.Has<float>());
  EXPECT_EQ(base.Get<int>(), 7);
  EXPECT_EQ(base.As<int>().Get(), 7);
  // Both packets share one value.
  EXPECT_EQ(&base.As<int>().Get(), &old.Get<int>());
}

TEST(TypedPacketTest, MovingBetweenTypedAndUntypedKeepsTheOnlyReference) {
  Packet<int> packet = MakePacket<int>(7);
  ::syncline::Packet old = ToOldPacket(std::move(packet));
  EXPECT_TRUE(packet.IsEmpty());  // NOLINT: moved from
  PacketBase base = FromOldPacket(std::move(old));
  Packet<AnyType> any(std::move(base));
  EXPECT_THAT(any.Consume<int>(), IsOk());
}

TEST(TypedPacketTest, AnEmptyPacketKeepsItsTimestampThroughAs) {
  const PacketBase base = FromOldPacket(::syncline::Packet().At(Timestamp(4)));
  EXPECT_TRUE(base.As<int>().IsEmpty());
  EXPECT_EQ(base.As<int>().timestamp(), Timestamp(4));
}

TEST(TypedPacketTest, TakesValuesAsMakePacketDoes) {
  struct Point {
    int x, y;
  };
  EXPECT_EQ((MakePacket<Point>(1, 2)->y), 2);
  const Packet<int[3]> array = MakePacket<int[3]>(1, 2, 3);
  EXPECT_EQ(array.Get()[2], 3);
  const Packet<std::unique_ptr<int>> unique =
      MakePacket<std::unique_ptr<int>>(std::make_unique<int>(4));
  EXPECT_EQ(**unique, 4);
}

TEST(TypedPacketTest, AdoptsPlainAndUniquePointers) {
  const Packet<float> plain = PacketAdopting(new float(1.5f));
  EXPECT_EQ(*plain, 1.5f);
  const Packet<float> unique = PacketAdopting(std::make_unique<float>(2.5f));
  EXPECT_EQ(*unique, 2.5f);
}

struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const = 0;
};
struct Square : Shape {
  int corners() const override { return 4; }
};

TEST(TypedPacketTest, AdoptsArrays) {
  const Packet<int[]> unsized =
      PacketAdopting(std::unique_ptr<int[]>(new int[2]{4, 5}));
  EXPECT_EQ(unsized.Get()[1], 5);
  const Packet<int[3]> sized =
      PacketAdopting(reinterpret_cast<const int(*)[3]>(new int[3]{1, 2, 3}));
  EXPECT_EQ(sized.Get()[2], 3);
  EXPECT_EQ((MakePacket<int[3]>(7, 8, 9).Get()[0]), 7);
}

TEST(TypedPacketTest, SharedPtrWithPacketTakesTypedPackets) {
  std::shared_ptr<const std::string> text;
  {
    const Packet<OneOf<int, std::string>> packet =
        MakePacket<std::string>("kept");
    text = SharedPtrWithPacket<std::string>(packet);
  }
  EXPECT_EQ(*text, "kept");
  EXPECT_EQ(*SharedPtrWithPacket(MakePacket<int>(3)), 3);
}

TEST(TypedPacketTest, AdoptsAnObjectOfADerivedClassAsItsBase) {
  const Packet<Shape> packet =
      PacketAdopting<Shape>(std::make_unique<Square>());
  EXPECT_EQ(packet->corners(), 4);
  EXPECT_FALSE(PacketBase(packet).Has<Square>());
}

TEST(TypedPacketTest, PointsToForeignValuesAndCleansUpOnce) {
  const std::string text = "mine";
  int cleanups = 0;
  {
    const Packet<std::string> packet =
        PointToForeign(&text, [&cleanups] { ++cleanups; });
    const Packet<std::string> copy = packet;
    EXPECT_EQ(&copy.Get(), &text);
  }
  EXPECT_EQ(cleanups, 1);
}

TEST(TypedPacketTest, ConsumeTakesTheValueOfTheOnlyCopy) {
  Packet<std::string> packet = MakePacket<std::string>("mine").At(Timestamp(3));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<std::string> value,
                                packet.Consume());
  EXPECT_EQ(*value, "mine");
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_EQ(packet.timestamp(), Timestamp(3));
}

TEST(TypedPacketTest, ConsumeOfASharedPacketFailsAndChangesNothing) {
  Packet<int> packet = MakePacket<int>(5);
  const Packet<int> other = packet;
  EXPECT_THAT(packet.Consume(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                         HasSubstr("other packets share it")));
  EXPECT_EQ(*packet, 5);
}

TEST(TypedPacketTest, ConsumeOfAnEmptyPacketIsAnError) {
  EXPECT_THAT(Packet<int>().Consume(), StatusIs(absl::StatusCode::kInternal));
}

TEST(TypedPacketTest, ShareKeepsTheValueAlive) {
  std::shared_ptr<const std::string> value;
  {
    const Packet<std::string> packet = MakePacket<std::string>("kept");
    SYNCLINE_ASSERT_OK_AND_ASSIGN(value, packet.Share());
  }
  EXPECT_EQ(*value, "kept");
  EXPECT_THAT(FromOldPacket(::syncline::MakePacket<int>(1)).Share<float>(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TypedPacketTest, AnyTypeTakesEveryPacketAndIsAskedForTheType) {
  Packet<AnyType> any = MakePacket<int>(5).At(Timestamp(2));
  EXPECT_TRUE(any.Has<int>());
  EXPECT_FALSE(any.Has<float>());
  EXPECT_EQ(any.Get<int>(), 5);
  EXPECT_EQ(any.As<int>().Get(), 5);
  EXPECT_EQ(any.At(Timestamp(3)).timestamp(), Timestamp(3));
  any = FromOldPacket(::syncline::MakePacket<float>(1.f));
  EXPECT_EQ(any.Get<float>(), 1.f);
  EXPECT_THAT(any.Consume<int>(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(any.Consume<float>(), IsOk());
}

TEST(TypedPacketTest, OneOfTakesItsTypesAndSaysWhichItHas) {
  const Packet<OneOf<int, std::string>> number = MakePacket<int>(5);
  EXPECT_TRUE(number.Has<int>());
  EXPECT_FALSE(number.Has<std::string>());
  EXPECT_EQ(number.Get<int>(), 5);
  // It converts to packet types that allow more types.
  const Packet<OneOf<float, std::string, int>> wider = number;
  EXPECT_EQ(wider.Get<int>(), 5);
  const Packet<AnyType> any = number;
  EXPECT_EQ(any.As<int>().Get(), 5);
  EXPECT_TRUE((any.As<OneOf<int, float>>().Has<int>()));
}

TEST(TypedPacketTest, VisitCallsTheFunctionOfTheTypeThatIsThere) {
  const Packet<OneOf<int, std::string>> number = MakePacket<int>(5);
  const Packet<OneOf<int, std::string>> text = MakePacket<std::string>("five");
  const auto length = [](const Packet<OneOf<int, std::string>>& packet) {
    return packet.Visit([](int) { return -1; },
                        [](const std::string& s) { return int(s.size()); });
  };
  EXPECT_EQ(length(number), -1);
  EXPECT_EQ(length(text), 4);
  // One generic function may accept all types.
  int calls = 0;
  text.Visit([&calls](const auto&) { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(TypedPacketTest, ConsumeAndVisitHandsTheValueOver) {
  Packet<OneOf<int, std::string>> packet = MakePacket<std::string>("mine");
  const absl::StatusOr<std::string> result = packet.ConsumeAndVisit(
      [](std::unique_ptr<int>) { return std::string("a number"); },
      [](std::unique_ptr<std::string> s) { return *std::move(s); });
  EXPECT_THAT(result, IsOkAndHolds("mine"));
  EXPECT_TRUE(packet.IsEmpty());
}

TEST(TypedPacketTest, ConsumeAndVisitOfASharedPacketFailsAndChangesNothing) {
  Packet<OneOf<int, std::string>> packet = MakePacket<int>(5);
  const auto other = packet;
  int calls = 0;
  const absl::Status status =
      packet.ConsumeAndVisit([&calls](auto&&) { ++calls; });
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(packet.Get<int>(), 5);
}

TEST(TypedPacketTest, ConversionsThatMayFailDoNotCompile) {
  using Number = Packet<OneOf<int, float>>;
  static_assert(std::is_convertible_v<Packet<int>, Number>);
  static_assert(std::is_convertible_v<Packet<int>, Packet<AnyType>>);
  static_assert(std::is_convertible_v<PacketBase, Packet<AnyType>>);
  static_assert(!std::is_convertible_v<Packet<std::string>, Number>);
  static_assert(!std::is_convertible_v<Number, Packet<int>>);
  static_assert(!std::is_convertible_v<Packet<AnyType>, Packet<int>>);
  static_assert(!std::is_convertible_v<Packet<AnyType>, Number>);
  static_assert(!std::is_convertible_v<PacketBase, Packet<int>>);
  static_assert(!std::is_constructible_v<Packet<int>, Packet<float>>);
}

TEST(TypedPacketTest, CostsWhatAnUntypedPacketCosts) {
  static_assert(sizeof(Packet<int>) == sizeof(::syncline::Packet));
  static_assert(sizeof(Packet<OneOf<int, float>>) == sizeof(Packet<int>));
}

TEST(TypedPacketTest, TextsNameTheType) {
  EXPECT_EQ(MakePacket<int>(1).DebugTypeName(), "int");
  EXPECT_THAT(MakePacket<int>(1).DebugString(), HasSubstr("int"));
  EXPECT_EQ(MakePacket<int>(1).GetTypeId(), kTypeId<int>);
}

// --- Misuse

TEST(TypedPacketDeathTest, GetOfAnEmptyPacketNamesTheType) {
  EXPECT_DEATH(Packet<int>().Get(),
               "Expected a Packet of type \"int\", but received an empty");
  EXPECT_DEATH(*Packet<int>(), "\"int\"");
}

TEST(TypedPacketDeathTest, AsAnotherTypeNamesBoth) {
  const PacketBase base = FromOldPacket(::syncline::MakePacket<int>(1));
  EXPECT_DEATH(base.As<float>(), "holds \"int\", not \"float\"");
  EXPECT_DEATH((base.As<OneOf<float, std::string>>()),
               "holds \"int\", not \"float\", \".*string\"");
}

TEST(TypedPacketDeathTest, TheWrongOneOfMemberNamesBoth) {
  const Packet<OneOf<int, float>> packet = MakePacket<int>(1);
  EXPECT_DEATH(packet.Get<float>(), "stores \"int\", but \"float\"");
}

TEST(TypedPacketDeathTest, VisitOfAnEmptyPacketNamesTheTypes) {
  const Packet<OneOf<int, float>> packet;
  EXPECT_DEATH(packet.Visit([](auto) {}),
               "Visit\\(\\) of an empty packet.*\"int\", \"float\"");
}

TEST(TypedPacketDeathTest, NullIsNoValue) {
  EXPECT_DEATH(PacketAdopting<int>(nullptr), "null pointer to \"int\"");
}

}  // namespace
}  // namespace api2
}  // namespace syncline
