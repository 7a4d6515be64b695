#include "framework/packet/packet_type.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(PacketTypeTest, ANewTypeIsUndefined) {
  const PacketType type;
  EXPECT_FALSE(type.IsInitialized());
  EXPECT_FALSE(type.IsAny() || type.IsNone() || type.IsOneOf() ||
               type.IsExactType() || type.IsOptional());
  EXPECT_EQ(type.DebugTypeName(), "[Undefined Type]");
  EXPECT_EQ(type.GetSameAs(), &type);
}

TEST(PacketTypeTest, EachSetterSaysOneThing) {
  PacketType type;
  EXPECT_TRUE(type.Set<int>().IsExactType());
  EXPECT_TRUE(type.IsInitialized());
  EXPECT_EQ(type.ExactType(), TypeIdOf<int>());
  EXPECT_EQ(type.DebugTypeName(), "int");
  EXPECT_TRUE(type.SetAny().IsAny());
  EXPECT_FALSE(type.IsExactType());
  EXPECT_EQ(type.ExactType(), absl::nullopt);
  EXPECT_EQ(type.DebugTypeName(), "[Any Type]");
  EXPECT_TRUE(type.SetNone().IsNone());
  EXPECT_EQ(type.DebugTypeName(), "[No Type]");
  EXPECT_TRUE((type.SetOneOf<int, float>().IsOneOf()));
  EXPECT_THAT(type.Types(), ElementsAre(TypeIdOf<int>(), TypeIdOf<float>()));
  EXPECT_EQ(type.DebugTypeName(), "OneOf<int, float>");
  EXPECT_THAT(type.SetAny().Types(), IsEmpty());
}

TEST(PacketTypeTest, OneOfASingleTypeIsThatType) {
  PacketType type;
  EXPECT_TRUE((type.SetOneOf<int, int>().IsExactType()));
}

TEST(PacketTypeTest, RegisteredTypeNameIsThatOfAnExactType) {
  PacketType type;
  struct Unnamed {};
  EXPECT_EQ(type.Set<std::string>().RegisteredTypeName(), "string");
  EXPECT_EQ(type.Set<Unnamed>().RegisteredTypeName(), "");
  EXPECT_EQ(type.SetAny().RegisteredTypeName(), "");
  EXPECT_EQ((type.SetOneOf<int, float>().RegisteredTypeName()), "");
}

TEST(PacketTypeTest, OptionalStaysWhateverElseIsSaid) {
  PacketType type;
  EXPECT_TRUE(type.Set<int>().Optional().IsOptional());
  EXPECT_TRUE(type.SetAny().IsOptional());
}

TEST(PacketTypeTest, SameAsAsksTheOther) {
  PacketType input;
  PacketType output;
  output.SetSameAs(&input);
  EXPECT_TRUE(output.IsInitialized());
  EXPECT_EQ(output.GetSameAs(), &input);
  EXPECT_EQ(output.DebugTypeName(), "[Undefined Type]");
  input.Set<int>();
  EXPECT_EQ(output.ExactType(), TypeIdOf<int>());
  EXPECT_EQ(output.DebugTypeName(), "int");
  output.GetSameAs()->Set<float>();
  EXPECT_EQ(input.ExactType(), TypeIdOf<float>());
  output.SetAny();
  EXPECT_TRUE(output.IsAny());
  EXPECT_TRUE(input.IsExactType());
}

TEST(PacketTypeTest, AChainOfSameAsEndsAtItsRoot) {
  PacketType a, b, c;
  a.SetSameAs(&b);
  b.SetSameAs(&c);
  c.Set<int>();
  EXPECT_EQ(a.GetSameAs(), &c);
  EXPECT_EQ(b.GetSameAs(), &c);
  EXPECT_TRUE(a.IsExactType());
}

TEST(PacketTypeTest, ACircleOfSameAsIsAny) {
  PacketType alone;
  EXPECT_TRUE(alone.SetSameAs(&alone).IsAny());
  PacketType a, b, c;
  a.SetSameAs(&b);
  b.SetSameAs(&c);
  c.SetSameAs(&a);
  EXPECT_TRUE(a.IsAny());
  EXPECT_TRUE(b.IsAny());
  EXPECT_TRUE(c.IsAny());
  EXPECT_EQ(a.GetSameAs(), &c);
}

TEST(PacketTypeTest, ACopyIsTheSameAsTheRootOfTheOriginal) {
  PacketType root;
  PacketType type;
  type.SetSameAs(&root).Optional();
  const PacketType constructed = type;
  PacketType assigned;
  assigned.Set<float>();
  assigned = type;
  root.Set<int>();
  for (const PacketType* copy :
       std::vector<const PacketType*>{&constructed, &assigned}) {
    EXPECT_EQ(copy->GetSameAs(), &root);
    EXPECT_EQ(copy->ExactType(), TypeIdOf<int>());
    EXPECT_TRUE(copy->IsOptional());
  }
  PacketType& same = assigned;
  assigned = same;
  EXPECT_EQ(assigned.GetSameAs(), &root);
}

TEST(PacketTypeTest, ATypeAssignedFromItsOwnFollowerIsAny) {
  PacketType root, middle, last;
  root.Set<int>();
  middle.SetSameAs(&root);
  last.SetSameAs(&middle);
  root = last;
  EXPECT_TRUE(root.IsAny());
  EXPECT_TRUE(last.IsAny());
}

TEST(PacketTypeTest, ConsistentTypesOverlap) {
  PacketType any, none, undefined, an_int, a_float, int_or_float, int_or_text;
  any.SetAny();
  none.SetNone();
  an_int.Set<int>();
  a_float.Set<float>();
  int_or_float.SetOneOf<int, float>();
  int_or_text.SetOneOf<std::string, int>();
  struct Row {
    const PacketType& a;
    const PacketType& b;
    bool consistent;
  };
  for (const Row& row : std::vector<Row>{{any, any, true},
                                         {any, none, true},
                                         {any, undefined, true},
                                         {any, an_int, true},
                                         {any, int_or_float, true},
                                         {none, none, true},
                                         {none, undefined, true},
                                         {undefined, undefined, true},
                                         {none, an_int, false},
                                         {undefined, an_int, false},
                                         {none, int_or_float, false},
                                         {an_int, an_int, true},
                                         {an_int, a_float, false},
                                         {an_int, int_or_float, true},
                                         {a_float, int_or_text, false},
                                         {int_or_float, int_or_text, true}}) {
    EXPECT_EQ(row.a.IsConsistentWith(row.b), row.consistent)
        << row.a.DebugTypeName() << " and " << row.b.DebugTypeName();
    EXPECT_EQ(row.b.IsConsistentWith(row.a), row.consistent)
        << row.b.DebugTypeName() << " and " << row.a.DebugTypeName();
    PacketType same;
    same.SetSameAs(&row.a);
    EXPECT_EQ(same.IsConsistentWith(row.b), row.consistent);
  }
}

TEST(PacketTypeTest, ValidatesPacketsOfTheType) {
  PacketType type;
  SYNCLINE_EXPECT_OK(type.Set<int>().Validate(MakePacket<int>(1)));
  EXPECT_THAT(type.Validate(MakePacket<float>(1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "The Packet stores \"float\", but \"int\" was "
                       "requested."));
  SYNCLINE_EXPECT_OK(
      (type.SetOneOf<int, float>().Validate(MakePacket<float>(1))));
  EXPECT_THAT(type.Validate(MakePacket<std::string>("")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("The Packet stores \"string\""),
                             HasSubstr("\"OneOf<int, float>\""))));
  SYNCLINE_EXPECT_OK(type.SetAny().Validate(MakePacket<std::string>("")));
  PacketType same;
  same.SetSameAs(&type);
  type.Set<int>();
  EXPECT_THAT(same.Validate(MakePacket<float>(1)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PacketTypeTest, ValidatesEmptyPacketsAndThoseOfNoType) {
  PacketType type;
  EXPECT_THAT(type.Validate(MakePacket<int>(1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("Uninitialized PacketType")));
  type.SetNone();
  SYNCLINE_EXPECT_OK(type.Validate(Packet()));
  EXPECT_THAT(type.Validate(MakePacket<int>(1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("No packets are allowed")));
  EXPECT_THAT(type.Set<int>().Validate(Packet()),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("received an empty Packet")));
  EXPECT_THAT(type.SetAny().Validate(Packet()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("Empty packets are not allowed")));
}

TEST(PacketTypeTest, ALongChainIsShortenedByAskingIt) {
  // Each becomes the same as the next, which is the order that makes the
  // longest chain; asking for every root without shortening would take 10^10
  // steps.
  constexpr int kCount = 200000;
  std::vector<PacketType> types(kCount);
  for (int i = 0; i + 1 < kCount; ++i) types[i].SetSameAs(&types[i + 1]);
  const absl::Time start = absl::Now();
  for (const PacketType& type : types) {
    ASSERT_EQ(type.GetSameAs(), &types.back());
  }
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
}

TEST(PacketTypeTest, ManyThreadsAskAtOnce) {
  constexpr int kCount = 1000;
  std::vector<PacketType> types(kCount);
  for (int i = 0; i + 1 < kCount; ++i) types[i].SetSameAs(&types[i + 1]);
  types.back().Set<int>();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&types] {
      for (const PacketType& type : types) EXPECT_TRUE(type.IsExactType());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace syncline
