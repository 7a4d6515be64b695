// What a packet holds and how it is read. Taking values out, errors, foreign
// values, memory, threads and protos have tests of their own.

#include "framework/packet/packet.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/type_id.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

// Counts the objects that are alive.
struct Counted {
  explicit Counted(int value = 0) : value(value) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive; }
  Counted(Counted&& other) noexcept : value(other.value) { ++alive; }
  ~Counted() { --alive; }

  int value;
  static inline int alive = 0;
};

// The same, too large to be stored inline.
struct LargeCounted : Counted {
  using Counted::Counted;
  std::array<char, 1000> bytes = {};
};

struct alignas(64) Aligned {
  int value = 0;
};
struct alignas(16) SixteenAligned {
  int value = 0;
};

class Immovable {
 public:
  explicit Immovable(int value) : value(value) {}
  Immovable(const Immovable&) = delete;
  const int value;
};

TEST(PacketTest, LetsGoOfAValueThatOnlyOneOtherHas) {
  const auto value = std::make_shared<int>(7);
  const Packet packet = MakePacket<std::shared_ptr<int>>(value);
  Packet copy = packet;
  copy.LetGoBeside(packet);
  EXPECT_TRUE(copy.IsEmpty());
  EXPECT_EQ(value.use_count(), 2) << "the packet has it";
  copy = packet;
  const Packet third = packet;
  copy.LetGoBeside(packet);
  EXPECT_FALSE(copy.IsEmpty()) << "a third has it";
  Packet another = MakePacket<std::shared_ptr<int>>(value);
  another.LetGoBeside(packet);
  EXPECT_FALSE(another.IsEmpty());
}

TEST(PacketTest, HoldsAValueAtNoTimestampAtFirst) {
  const Packet packet = MakePacket<int>(7);
  EXPECT_FALSE(packet.IsEmpty());
  EXPECT_EQ(packet.Get<int>(), 7);
  EXPECT_EQ(packet.Timestamp(), Timestamp::Unset());
  EXPECT_EQ(packet.GetTypeId(), TypeIdOf<int>());
}

TEST(PacketTest, ANewPacketIsEmpty) {
  const Packet packet;
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_EQ(packet.Timestamp(), Timestamp::Unset());
}

TEST(PacketTest, AtGivesTheSameValueAtAnotherTimestamp) {
  const Packet packet = MakePacket<int>(7);
  const Packet later = packet.At(Timestamp(5));
  EXPECT_EQ(later.Timestamp(), Timestamp(5));
  EXPECT_EQ(&later.Get<int>(), &packet.Get<int>());
  EXPECT_EQ(packet.Timestamp(), Timestamp::Unset());
}

TEST(PacketTest, AtOfATemporaryMovesThePacket) {
  Packet packet = MakePacket<int>(7);
  const Packet later = std::move(packet).At(Timestamp(5));
  EXPECT_TRUE(packet.IsEmpty());  // NOLINT: what a moved packet is
  EXPECT_EQ(packet.Timestamp(), Timestamp::Unset());
  EXPECT_EQ(later.Get<int>(), 7);
}

TEST(PacketTest, AnEmptyPacketHasATimestampToo) {
  const Packet packet = Packet().At(Timestamp(5));
  EXPECT_TRUE(packet.IsEmpty());
  EXPECT_EQ(packet.Timestamp(), Timestamp(5));
}

TEST(PacketTest, CopiesShareTheValueAndTheLastOneDestroysIt) {
  Packet first = MakePacket<Counted>(1);
  {
    Packet second = first;
    Packet third;
    third = second;
    EXPECT_EQ(&third.Get<Counted>(), &first.Get<Counted>());
    EXPECT_EQ(Counted::alive, 1);
    first = Packet();
    EXPECT_EQ(Counted::alive, 1);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, MovesLeaveAnEmptyPacketAndDoNotThrow) {
  static_assert(std::is_nothrow_move_constructible_v<Packet>);
  static_assert(std::is_nothrow_move_assignable_v<Packet>);
  static_assert(std::is_nothrow_swappable_v<Packet>);
  Packet first = MakePacket<int>(1).At(Timestamp(3));
  Packet second = std::move(first);
  EXPECT_TRUE(first.IsEmpty());  // NOLINT: what a moved packet is
  EXPECT_EQ(first.Timestamp(), Timestamp::Unset());
  first = std::move(second);
  EXPECT_EQ(first.Get<int>(), 1);
  EXPECT_EQ(first.Timestamp(), Timestamp(3));
}

TEST(PacketTest, AssigningAPacketToItselfChangesNothing) {
  Packet packet = MakePacket<Counted>(1).At(Timestamp(3));
  Packet& same = packet;
  packet = same;
  EXPECT_EQ(packet.Get<Counted>().value, 1);
  packet = std::move(same);
  EXPECT_EQ(packet.Get<Counted>().value, 1);
  EXPECT_EQ(packet.Timestamp(), Timestamp(3));
}

TEST(PacketTest, SwapExchangesValueAndTimestamp) {
  Packet a = MakePacket<int>(1).At(Timestamp(3));
  Packet b = MakePacket<std::string>("b");
  a.swap(b);
  EXPECT_EQ(a.Get<std::string>(), "b");
  EXPECT_EQ(b.Timestamp(), Timestamp(3));
  using std::swap;
  swap(a, b);
  EXPECT_EQ(a.Get<int>(), 1);
}

TEST(PacketTest, EqualityIsThatOfTheValueObject) {
  const Packet a = MakePacket<int>(1);
  EXPECT_TRUE(a == a.At(Timestamp(9)));
  EXPECT_TRUE(a != MakePacket<int>(1));
  EXPECT_TRUE(Packet() == Packet().At(Timestamp(1)));
}

TEST(PacketTest, AdoptKeepsTheObjectAndDestroysItOnce) {
  auto* object = new Counted(4);
  {
    const Packet packet = Adopt(object);
    EXPECT_EQ(&packet.Get<Counted>(), object);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, AdoptsAnObjectBehindAPointerToItsBase) {
  struct Base {
    virtual ~Base() = default;
    virtual int Value() const { return 0; }
  };
  struct Derived : Base {
    Counted counted;
    int Value() const override { return 5; }
  };
  {
    const Base* object = new Derived;
    const Packet packet = Adopt(object);
    EXPECT_EQ(packet.Get<Base>().Value(), 5);
    EXPECT_THAT(packet.ValidateAsType<Derived>(),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, HoldsValuesOfEverySizeAndKind) {
  const Packet large = MakePacket<LargeCounted>(6);
  EXPECT_EQ(large.Get<LargeCounted>().value, 6);
  EXPECT_EQ(MakePacket<Immovable>(3).Get<Immovable>().value, 3);
  const Packet pointer =
      MakePacket<std::unique_ptr<int>>(std::make_unique<int>(8));
  EXPECT_EQ(*pointer.Get<std::unique_ptr<int>>(), 8);
  const Packet function = MakePacket<std::function<int()>>([] { return 9; });
  EXPECT_EQ(function.Get<std::function<int()>>()(), 9);
  struct Empty {};
  EXPECT_FALSE(MakePacket<Empty>().IsEmpty());
  struct Aggregate {
    int a;
    std::string b;
  };
  EXPECT_EQ((MakePacket<Aggregate>(1, "b").Get<Aggregate>().b), "b");
  const Packet nested = MakePacket<Packet>(large);
  EXPECT_EQ(nested.Get<Packet>(), large);
}

TEST(PacketTest, ValuesStandAtTheirAlignment) {
  for (int i = 0; i < 20; ++i) {
    const Packet packet = MakePacket<Aligned>();
    const auto address =
        reinterpret_cast<std::uintptr_t>(&packet.Get<Aligned>());
    EXPECT_EQ(address % alignof(Aligned), 0u);
    const Packet sixteen = MakePacket<SixteenAligned>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&sixteen.Get<SixteenAligned>()) %
                  alignof(SixteenAligned),
              0u);
  }
  const Packet adopted = Adopt(new Aligned{3});
  EXPECT_EQ(adopted.Get<Aligned>().value, 3);
}

TEST(PacketTest, AConstructorThatThrowsLeavesNothingBehind) {
  struct Throws {
    explicit Throws(int) { throw 1; }
    Counted counted;
  };
  struct LargeThrows : Throws {
    using Throws::Throws;
    std::array<char, 1000> bytes;
  };
  EXPECT_THROW(MakePacket<Throws>(1), int);
  EXPECT_THROW(MakePacket<LargeThrows>(1), int);
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, AnArrayIsMadeFromItsElements) {
  const Packet sized = MakePacket<int[3]>(1, 2, 3);
  EXPECT_THAT(sized.Get<int[3]>(), ElementsAre(1, 2, 3));
  const Packet filled_up = MakePacket<int[3]>(1);
  EXPECT_THAT(filled_up.Get<int[3]>(), ElementsAre(1, 0, 0));
  const Packet unsized = MakePacket<float[]>(1, 2.5);
  EXPECT_EQ(unsized.Get<float[]>()[1], 2.5f);
  EXPECT_THAT(unsized.ValidateAsType<float[2]>(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  const Packet texts = MakePacket<std::string[2]>("a", "b");
  EXPECT_THAT(texts.Get<std::string[2]>(), ElementsAre("a", "b"));
}

TEST(PacketTest, TheElementsOfAnArrayAreDestroyed) {
  {
    const Packet sized = MakePacket<Counted[2]>(1, 2);
    const Packet unsized = MakePacket<Counted[]>(1, 2, 3);
    EXPECT_EQ(Counted::alive, 5);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, AdoptTakesArraysThatWereMadeByNew) {
  {
    const auto* sized = reinterpret_cast<const Counted(*)[2]>(
        new Counted[2]{Counted(1), Counted(2)});
    const Packet packet = Adopt(sized);
    EXPECT_EQ(packet.Get<Counted[2]>()[1].value, 2);
    const auto* unsized = reinterpret_cast<const Counted(*)[]>(
        new Counted[3]{Counted(1), Counted(2), Counted(3)});
    EXPECT_EQ(Adopt(unsized).Get<Counted[]>()[2].value, 3);
    const auto* pairs = new int[2][3]{{1, 2, 3}, {4, 5, 6}};
    const Packet rows = Adopt(reinterpret_cast<const int(*)[2][3]>(pairs));
    EXPECT_EQ(rows.Get<int[2][3]>()[1][0], 4);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, APointerToAnArrayIsAValueToo) {
  int numbers[3] = {1, 2, 3};
  const Packet packet = MakePacket<int(*)[3]>(&numbers);
  EXPECT_EQ((*packet.Get<int(*)[3]>())[2], 3);
  const Packet foreign = PointToForeign(&numbers);
  EXPECT_THAT(foreign.Get<int[3]>(), ElementsAre(1, 2, 3));
}

TEST(PacketTest, ShareKeepsTheValueAlive) {
  std::shared_ptr<const Counted> shared;
  {
    const Packet packet = MakePacket<Counted>(3).At(Timestamp(1));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(shared, packet.Share<Counted>());
    EXPECT_EQ(shared.get(), &packet.Get<Counted>());
  }
  EXPECT_EQ(shared->value, 3);
  shared.reset();
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, ShareTakesArraysAndGivesErrorsOfTypes) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const int[]> numbers,
                                MakePacket<int[]>(4, 5).Share<int[]>());
  EXPECT_EQ(numbers[1], 5);
  EXPECT_THAT(MakePacket<int>(1).Share<float>(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Packet().Share<float>(), StatusIs(absl::StatusCode::kInternal));
}

TEST(PacketTest, SharedPtrWithPacketKeepsTheValueAlive) {
  std::shared_ptr<const Counted> shared =
      SharedPtrWithPacket<Counted>(MakePacket<Counted>(3));
  EXPECT_EQ(shared->value, 3);
  shared.reset();
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, AUniquePtrGivesAccessToChangeTheValue) {
  {
    const Packet packet = AdoptAsUniquePtr(new Counted(1));
    Counted* const object = GetFromUniquePtr<Counted>(packet);
    object->value = 2;
    EXPECT_EQ(packet.Get<std::unique_ptr<Counted>>()->value, 2);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(PacketTest, TextsShowTimestampAndType) {
  const Packet packet = MakePacket<int>(7).At(Timestamp(42));
  EXPECT_EQ(packet.DebugString(),
            "syncline::Packet with timestamp: 42 and type: int");
  std::ostringstream out;
  out << Packet();
  EXPECT_EQ(out.str(),
            "syncline::Packet with timestamp: Timestamp::Unset() and no data");
}

TEST(PacketTest, TypeNamesAreTheRegisteredOnesOrThoseOfTheSource) {
  EXPECT_EQ(MakePacket<std::string>().DebugTypeName(), "string");
  EXPECT_EQ(MakePacket<std::string>().RegisteredTypeName(), "string");
  EXPECT_EQ(MakePacket<Counted>().DebugTypeName(), TypeIdOf<Counted>().name());
  EXPECT_EQ(MakePacket<Counted>().RegisteredTypeName(), "");
  EXPECT_EQ(Packet().DebugTypeName(), "{empty}");
  EXPECT_EQ(Packet().RegisteredTypeName(), "");
}

}  // namespace
}  // namespace syncline
