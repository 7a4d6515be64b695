#include "framework/plan/type_classes.h"

#include "framework/packet/packet_type.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(TypeClassesTest, EachMemberBeginsInAClassOfItsOwn) {
  PacketType type;
  TypeClasses classes;
  EXPECT_EQ(classes.size(), 0);
  const int a = classes.Add(nullptr);
  const int b = classes.Add(&type);
  EXPECT_EQ(classes.size(), 2);
  EXPECT_NE(classes.Class(a), classes.Class(b));
  EXPECT_EQ(classes.Type(a), nullptr);
  EXPECT_EQ(classes.Type(b), &type);
}

TEST(TypeClassesTest, AMergedClassHasTheTypeThatOneOfThemHad) {
  PacketType type;
  TypeClasses classes;
  const int a = classes.Add(nullptr);
  const int b = classes.Add(&type);
  const int c = classes.Add(nullptr);
  classes.Merge(a, c);
  EXPECT_EQ(classes.Class(a), classes.Class(c));
  EXPECT_EQ(classes.Type(a), nullptr);
  // The smaller class, which has the type, goes into the larger one.
  classes.Merge(c, b);
  EXPECT_EQ(classes.Type(a), &type);
  EXPECT_EQ(classes.Class(a), classes.Class(b));
  classes.Merge(a, b);
  EXPECT_EQ(classes.Type(b), &type);
}

TEST(TypeClassesTest, ATypeIsThatOfAllMembers) {
  PacketType type;
  PacketType other;
  TypeClasses classes;
  const int a = classes.Add(&type);
  const int b = classes.Add(nullptr);
  const int c = classes.Add(&other);
  classes.Merge(a, b);
  classes.SetType(b, &other);
  EXPECT_EQ(classes.Type(a), &other);
  classes.SetType(c, &type);
  EXPECT_EQ(classes.Type(a), &other);
}

TEST(TypeClassesTest, ChainsAreOneClass) {
  PacketType type;
  TypeClasses classes;
  constexpr int kCount = 1000;
  for (int i = 0; i < kCount; ++i)
    classes.Add(i == kCount - 1 ? &type : nullptr);
  for (int i = 1; i < kCount; ++i) classes.Merge(i - 1, i);
  for (int i = 0; i < kCount; ++i) {
    EXPECT_EQ(classes.Type(i), &type);
    EXPECT_EQ(classes.Class(i), classes.Class(0));
  }
}

}  // namespace
}  // namespace syncline
