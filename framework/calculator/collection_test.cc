// Values by port: look-ups, iteration, and what asking for a port that is not
// there does.
#include "framework/calculator/collection.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using Ints = Collection<int>;
using IntPointers = Collection<int, CollectionStorage::kStorePointer>;

std::shared_ptr<const PortLayout> Layout(
    const std::vector<std::string>& ports) {
  return PortLayout::Create(ports).value();
}

// 1 in "", 2 in A:0, 3 in A:1, 4 in B.
Ints Numbered() {
  Ints ints(Layout({"B:b", "A:1:a1", "x", "A:0:a0"}));
  std::iota(ints.begin(), ints.end(), 1);
  return ints;
}

TEST(CollectionTest, ValuesAreFoundByTagIndexAndId) {
  Ints ints = Numbered();
  EXPECT_EQ(ints.Index(0), 1);
  EXPECT_EQ(ints.Tag("A"), 2);
  EXPECT_EQ(ints.Get("A", 1), 3);
  EXPECT_EQ(ints.Get(CollectionItemId(3)), 4);
  EXPECT_EQ(ints.Get(ints.GetId("B", 0)), 4);
  ints.Tag("B") = 40;
  EXPECT_EQ(std::as_const(ints).Tag("B"), 40);
}

TEST(CollectionTest, IndexCountsPortsWithoutATagAndIsNoId) {
  Ints ints(Layout({"A:a", "x", "y"}));
  std::iota(ints.begin(), ints.end(), 1);
  EXPECT_EQ(ints.Index(1), 2);
  EXPECT_EQ(ints.Get(CollectionItemId(2)), ints.Tag("A"));
}

TEST(CollectionTest, IterationFollowsIds) {
  const Ints ints = Numbered();
  EXPECT_THAT(ints, ElementsAre(1, 2, 3, 4));
  std::vector<int> of_a;
  for (CollectionItemId id = ints.BeginId("A"); id < ints.EndId("A"); ++id) {
    of_a.push_back(ints.Get(id));
  }
  EXPECT_THAT(of_a, ElementsAre(2, 3));
}

TEST(CollectionTest, AnswersWhatItHas) {
  const Ints ints = Numbered();
  EXPECT_TRUE(ints.HasTag("A"));
  EXPECT_TRUE(ints.HasTag(""));
  EXPECT_FALSE(ints.HasTag("C"));
  EXPECT_EQ(ints.NumEntries(), 4);
  EXPECT_EQ(ints.NumEntries("A"), 2);
  EXPECT_EQ(ints.NumEntries("C"), 0);
  EXPECT_THAT(ints.GetTags(), ElementsAre("", "A", "B"));
  EXPECT_THAT(ints.TagAndIndexFromId(CollectionItemId(2)), Pair("A", 1));
  EXPECT_THAT(ints.TagAndIndexFromId(CollectionItemId(4)), Pair("", -1));
  EXPECT_FALSE(ints.GetId("A", 2).IsValid());
  EXPECT_TRUE(ints.UsesTags());
  EXPECT_FALSE(Ints(Layout({"x", "y"})).UsesTags());
  EXPECT_EQ(ints.TagMap()->NumEntries(), 4);
  EXPECT_EQ(ints.DebugString(), "x\nA:0:a0\nA:1:a1\nB:b");
}

TEST(CollectionTest, AMissingPortIsAMisuseThatListsThePorts) {
  const Ints ints = Numbered();
  EXPECT_THAT(CallUserCode([&] {
                ints.Tag("C");
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("Failed to get tag \"C\" index 0"),
                             HasSubstr("\"A:1\""), HasSubstr("HasTag"))));
  for (const int id : {-1, 4, 1000000}) {
    EXPECT_THAT(CallUserCode([&] {
                  ints.Get(CollectionItemId(id));
                  return absl::OkStatus();
                }),
                StatusIs(StatusCode::kOutOfRange, HasSubstr("no port")));
  }
}

TEST(CollectionDeathTest, OutsideOfACallAMissingPortEndsTheProgram) {
  const Ints ints = Numbered();
  EXPECT_DEATH(ints.Tag("C"), "Failed to get tag \"C\" index 0");
}

TEST(CollectionTest, CollectionsAreEqualWithEqualPortsAndValues) {
  EXPECT_TRUE(Numbered() == Numbered());
  Ints other = Numbered();
  other.Tag("B") = 0;
  EXPECT_FALSE(Numbered() == other);
  EXPECT_FALSE(Numbered() == Ints(Layout({"x"})));
}

TEST(CollectionTest, ACollectionOfPointersShowsTheValues) {
  int a = 1, b = 2;
  IntPointers pointers(Layout({"B:b", "A:a"}));
  EXPECT_EQ(pointers.GetPtr(CollectionItemId(0)), nullptr);
  pointers.GetPtr(CollectionItemId(0)) = &a;
  pointers.GetPtr(CollectionItemId(1)) = &b;
  EXPECT_THAT(pointers, ElementsAre(1, 2));
  pointers.Tag("B") = 20;
  EXPECT_EQ(b, 20);
  EXPECT_EQ(&std::as_const(pointers).Tag("A"), &a);
}

TEST(CollectionTest, CanBeMovedAndMadeOfTagsAndNames) {
  Ints ints = Numbered();
  Ints moved = std::move(ints);
  EXPECT_EQ(moved.Tag("B"), 4);
  EXPECT_EQ(Ints().NumEntries(), 0);
  EXPECT_EQ(Ints(PortLayout::TagAndNameInfo{{"A"}, {"a"}}).Tag("A"), 0);
}

struct MaybeEmpty {
  bool empty = true;
  bool IsEmpty() const { return empty; }
};

// Gives every value back that it holds.
struct Held {
  explicit Held(int* count = nullptr) : count(count) {}
  ~Held() {
    if (count != nullptr) --*count;
  }
  int* count;
};

TEST(CollectionTest, ValuesMayLieInMemoryOfOthersWhichGetsNothingBack) {
  alignas(Held) std::byte memory[2 * sizeof(Held)];
  int living = 2;
  {
    Collection<Held> values(Layout({"A:a", "B:b"}), memory);
    EXPECT_EQ(static_cast<void*>(&values.Tag("A")), memory);
    EXPECT_EQ(values.NumEntries(), 2);
    for (Held& value : values) value.count = &living;
    // Moving leaves them where they are.
    const Collection<Held> moved = std::move(values);
    EXPECT_EQ(static_cast<const void*>(&moved.Tag("A")), memory);
  }
  EXPECT_EQ(living, 0);
}

TEST(CollectionTest, NoPortsTakeNoMemory) {
  const Collection<Held> none(PortLayout::Empty(), nullptr);
  EXPECT_EQ(none.begin(), none.end());
}

TEST(CollectionTest, IteratorsOfPointersAreOfRandomAccess) {
  int values[] = {10, 20, 30};
  IntPointers pointers(Layout({"A:a", "B:b", "C:c"}));
  for (int i = 0; i < 3; ++i) pointers.GetPtr(CollectionItemId(i)) = &values[i];

  EXPECT_EQ(pointers.begin()[2], 30);
  EXPECT_EQ(pointers.end()[-1], 30);
  EXPECT_EQ(pointers.end() - pointers.begin(), 3);
  EXPECT_EQ(*(pointers.begin() + 1), 20);
  EXPECT_EQ(*(1 + pointers.begin()), 20);
  EXPECT_EQ(*(pointers.end() - 2), 20);
  EXPECT_LT(pointers.begin(), pointers.end());
  auto at = pointers.end();
  EXPECT_EQ(*--at, 30);
  EXPECT_EQ(*at--, 30);
  EXPECT_EQ(*at, 20);
  pointers.begin()[0] = 11;
  EXPECT_EQ(values[0], 11);
  EXPECT_EQ(std::as_const(pointers).begin()[1], 20);
  static_assert(std::random_access_iterator<IntPointers::iterator>);
  static_assert(std::random_access_iterator<IntPointers::const_iterator>);
}

TEST(CollectionTest, HasTagValueAsksForThePortAndItsValue) {
  Collection<MaybeEmpty> values(Layout({"A:a"}));
  EXPECT_FALSE(HasTagValue(values, "A"));
  values.Tag("A").empty = false;
  EXPECT_TRUE(HasTagValue(values, "A"));
  EXPECT_FALSE(HasTagValue(values, "B"));
}

TEST(CollectionItemIdTest, IdsCountLikeNumbers) {
  CollectionItemId id(3);
  EXPECT_EQ((id + 2).value(), 5);
  EXPECT_EQ((2 + id).value(), 5);
  EXPECT_EQ((id - 1).value(), 2);
  EXPECT_EQ(CollectionItemId(7) - id, 4);
  EXPECT_EQ((id++).value(), 3);
  EXPECT_EQ((--id).value(), 3);
  id += 2;
  EXPECT_EQ(id.value(), 5);
  EXPECT_LT(CollectionItemId(1), CollectionItemId(2));
  EXPECT_FALSE(CollectionItemId::GetInvalid().IsValid());
}

}  // namespace
}  // namespace syncline
