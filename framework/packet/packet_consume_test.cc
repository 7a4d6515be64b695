// Taking the value out of a packet.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointee;

// Says whether it was copied, moved or neither.
struct Traveller {
  Traveller() = default;
  Traveller(const Traveller&) : copies(1) {}
  Traveller(Traveller&&) noexcept : moves(1) {}
  int copies = 0;
  int moves = 0;
};

TEST(PacketConsumeTest, TheOnlyPacketGivesItsValueAndKeepsItsTimestamp) {
  Packet packet = MakePacket<std::string>("text").At(Timestamp(4));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<std::string> text,
                                packet.Consume<std::string>());
  EXPECT_EQ(*text, "text");
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_EQ(packet.Timestamp(), Timestamp(4));
}

TEST(PacketConsumeTest, AnAdoptedObjectComesBackItself) {
  auto* object = new Traveller;
  Packet packet = Adopt(object);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Traveller> consumed,
                                packet.Consume<Traveller>());
  EXPECT_EQ(consumed.get(), object);
}

TEST(PacketConsumeTest, AValueStoredInlineIsMovedNotCopied) {
  Packet packet = MakePacket<Traveller>();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Traveller> consumed,
                                packet.Consume<Traveller>());
  EXPECT_EQ(consumed->moves, 1);
  EXPECT_EQ(consumed->copies, 0);
}

TEST(PacketConsumeTest, AMoveOnlyValueCanBeConsumed) {
  Packet packet = MakePacket<std::unique_ptr<int>>(std::make_unique<int>(3));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto consumed,
                                packet.Consume<std::unique_ptr<int>>());
  EXPECT_THAT(*consumed, Pointee(3));
}

TEST(PacketConsumeTest, AnotherCopyIsAnErrorAndThePacketStays) {
  Packet packet = MakePacket<int>(7);
  {
    const Packet other = packet;
    EXPECT_THAT(packet.Consume<int>(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("other packets share it")));
    EXPECT_EQ(packet.Get<int>(), 7);
  }
  EXPECT_THAT(packet.Consume<int>(), IsOkAndHolds(Pointee(7)));
}

TEST(PacketConsumeTest, ASharedPointerCountsAsACopy) {
  Packet packet = MakePacket<int>(7);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(std::shared_ptr<const int> shared,
                                packet.Share<int>());
  EXPECT_THAT(packet.Consume<int>(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  shared.reset();
  EXPECT_THAT(packet.Consume<int>(), IsOkAndHolds(Pointee(7)));
}

TEST(PacketConsumeTest, AForeignValueIsAnErrorAndThePacketStays) {
  const int value = 7;
  Packet packet = PointToForeign(&value);
  EXPECT_THAT(packet.Consume<int>(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("PointToForeign")));
  EXPECT_EQ(packet.Get<int>(), 7);
}

TEST(PacketConsumeTest, AWrongTypeComesBeforeTheOtherErrors) {
  Packet packet = MakePacket<int>(7);
  const Packet other = packet;
  EXPECT_THAT(packet.Consume<float>(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "The Packet stores \"int\", but \"float\" was "
                       "requested."));
  EXPECT_THAT(packet.ConsumeOrCopy<float>(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(packet.Get<int>(), 7);
  EXPECT_THAT(Packet().Consume<float>(), StatusIs(absl::StatusCode::kInternal));
  EXPECT_THAT(Packet().ConsumeOrCopy<float>(),
              StatusIs(absl::StatusCode::kInternal));
}

TEST(PacketConsumeTest, ConsumeOrCopyTakesTheValueOfTheOnlyPacket) {
  Packet packet = MakePacket<Traveller>();
  bool was_copied = true;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Traveller> consumed,
                                packet.ConsumeOrCopy<Traveller>(&was_copied));
  EXPECT_FALSE(was_copied);
  EXPECT_EQ(consumed->copies, 0);
  EXPECT_TRUE(packet.IsEmpty());
}

TEST(PacketConsumeTest, ConsumeOrCopyCopiesWhatOthersHave) {
  Packet packet = MakePacket<Traveller>().At(Timestamp(3));
  const Packet other = packet;
  bool was_copied = false;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Traveller> consumed,
                                packet.ConsumeOrCopy<Traveller>(&was_copied));
  EXPECT_TRUE(was_copied);
  EXPECT_EQ(consumed->copies, 1);
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_EQ(packet.Timestamp(), Timestamp(3));
  EXPECT_EQ(other.Get<Traveller>().moves, 0);
}

TEST(PacketConsumeTest, ConsumeOrCopyCopiesAForeignValue) {
  const std::string value = "foreign";
  Packet packet = PointToForeign(&value);
  bool was_copied = false;
  EXPECT_THAT(packet.ConsumeOrCopy<std::string>(&was_copied),
              IsOkAndHolds(Pointee(std::string("foreign"))));
  EXPECT_TRUE(was_copied);
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_EQ(value, "foreign");
}

TEST(PacketConsumeTest, AnArrayIsTakenOrCopiedElementByElement) {
  Packet packet = MakePacket<std::string[2]>("a", "b");
  Packet other = packet;
  bool was_copied = false;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<std::string[2]> copied,
      packet.ConsumeOrCopy<std::string[2]>(&was_copied));
  EXPECT_TRUE(was_copied);
  EXPECT_THAT(*copied, ElementsAre("a", "b"));
  const void* const elements = &other.Get<std::string[2]>();
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<std::string[2]> taken,
      other.ConsumeOrCopy<std::string[2]>(&was_copied));
  EXPECT_FALSE(was_copied);
  EXPECT_EQ(taken.get(), elements);
}

TEST(PacketConsumeTest, AnArrayOfUnknownSizeCanBeConsumed) {
  Packet packet = MakePacket<std::string[]>("a", "b");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<std::string[]> texts,
                                packet.Consume<std::string[]>());
  EXPECT_EQ(texts[1], "b");
}

TEST(PacketConsumeTest, ACopyConstructorThatThrowsLeavesThePacket) {
  struct ThrowsOnCopy {
    ThrowsOnCopy() = default;
    ThrowsOnCopy(const ThrowsOnCopy&) { throw 1; }
  };
  Packet packet = MakePacket<ThrowsOnCopy>();
  const Packet other = packet;
  EXPECT_THROW(packet.ConsumeOrCopy<ThrowsOnCopy>().status().IgnoreError(),
               int);
  EXPECT_EQ(packet, other);
}

}  // namespace
}  // namespace syncline
