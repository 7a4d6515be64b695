#include "framework/base/ring.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace syncline {
namespace {

struct Numbered {
  int number;
};
// Holds nothing once it is moved away.
using Value = std::shared_ptr<Numbered>;

Value Of(int number) { return std::make_shared<Numbered>(Numbered{number}); }

TEST(RingTest, GivesValuesBackInTheirOrder) {
  Ring<Value> ring;
  EXPECT_TRUE(ring.empty());
  for (int i = 0; i < 100; ++i) ring.push_back(Of(i));
  EXPECT_EQ(ring.size(), 100U);
  EXPECT_EQ(ring.front()->number, 0);
  EXPECT_EQ(ring.back()->number, 99);
  EXPECT_EQ(ring.at(42)->number, 42);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ring.pop_front()->number, i);
  EXPECT_TRUE(ring.empty());
}

TEST(RingTest, IsAQueueWhateverTheOrderOfCalls) {
  std::mt19937 random(1);
  Ring<Value> ring;
  std::deque<int> expected;
  int next = 0;
  for (int i = 0; i < 20000; ++i) {
    // Grows for a while, then shrinks for a while.
    const bool grows = (i / 500) % 2 == 0;
    if (random() % 3 != 0 ? grows : !grows) {
      ring.push_back(Of(next));
      expected.push_back(next++);
    } else if (!expected.empty()) {
      ASSERT_EQ(ring.pop_front()->number, expected.front());
      expected.pop_front();
    }
    ASSERT_EQ(ring.size(), expected.size());
    if (expected.empty()) continue;
    ASSERT_EQ(ring.front()->number, expected.front());
    ASSERT_EQ(ring.back()->number, expected.back());
    const size_t middle = random() % expected.size();
    ASSERT_EQ(ring.at(middle)->number, expected[middle]);
  }
}

TEST(RingTest, GivesItsOnlyValue) {
  Ring<int> ring;
  for (const int count : {1, 2, 5}) {
    for (int i = 0; i < count; ++i) ring.push_back(i + 10);
    for (int i = 0; i + 1 < count; ++i) ring.pop_front();
    EXPECT_EQ(ring.pop_only(), count + 9);
    EXPECT_TRUE(ring.empty());
  }
}

TEST(RingTest, DoesNotGrowWhileItFits) {
  Ring<Value> ring;
  for (int i = 0; i < 1000; ++i) {
    ring.push_back(Of(i));
    ring.pop_front();
  }
  EXPECT_EQ(ring.capacity(), 1U);
}

TEST(RingTest, NeedsAtMostTwiceTheRoomOfItsLongestMoment) {
  Ring<Value> ring;
  for (int i = 0; i < 1000; ++i) ring.push_back(Of(i));
  EXPECT_LE(ring.capacity(), 2000U);
}

TEST(RingTest, LetsGoOfValuesThatLeave) {
  auto value = Of(7);
  Ring<Value> ring;
  for (int i = 0; i < 5; ++i) {
    ring.push_back(Value(value));
  }
  EXPECT_EQ(value.use_count(), 6);
  ring.pop_front();
  EXPECT_EQ(value.use_count(), 5);
  ring.clear();
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_TRUE(ring.empty());
  ring.push_back(Value(value));
  EXPECT_EQ(ring.front(), value);
}

TEST(RingTest, GivesOutAnyOfItsValuesAndKeepsTheOrderOfTheOthers) {
  for (int turned = 0; turned < 8; ++turned) {
    for (int size = 1; size < 9; ++size) {
      for (int taken = 0; taken < size; ++taken) {
        Ring<Value> ring;
        // So that the values go round the end of the slots.
        for (int i = 0; i < 8; ++i) ring.push_back(Of(-1));
        for (int i = 0; i < turned; ++i) {
          ring.pop_front();
          ring.push_back(Of(-1));
        }
        ring.clear();
        std::vector<Value> values;
        for (int i = 0; i < size; ++i) {
          values.push_back(Of(i));
          ring.push_back(Value(values.back()));
        }
        EXPECT_EQ(ring.take(taken), values[taken]);
        EXPECT_EQ(values[taken].use_count(), 1);
        values.erase(values.begin() + taken);
        ASSERT_EQ(ring.size(), values.size());
        for (const Value& value : values) EXPECT_EQ(ring.pop_front(), value);
      }
    }
  }
}

}  // namespace
}  // namespace syncline
