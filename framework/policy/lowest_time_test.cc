#include "framework/policy/lowest_time.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(LowestTimeTest, StartsWithoutAnyTime) {
  for (const int size : {0, 1, 2, 3, 64, 65}) {
    EXPECT_EQ(LowestTime(size).lowest(), Timestamp::Done()) << size;
  }
}

TEST(LowestTimeTest, OfEqualTimesTheFirstWins) {
  LowestTime times(3);
  times.Set(2, Timestamp(5));
  EXPECT_EQ(times.index(), 2);
  times.Set(1, Timestamp(5));
  EXPECT_EQ(times.index(), 1);
  times.Set(0, Timestamp(6));
  EXPECT_EQ(times.index(), 1);
  EXPECT_EQ(times.Get(0), Timestamp(6));
}

TEST(LowestTimeTest, IsTheLowestAfterEveryChange) {
  std::mt19937 random(1);
  for (const int size : {1, 2, 3, 5, 8, 33}) {
    LowestTime times(size);
    std::vector<Timestamp> expected(size, Timestamp::Done());
    for (int i = 0; i < 500; ++i) {
      const int index = static_cast<int>(random() % size);
      const Timestamp time =
          random() % 4 == 0
              ? Timestamp::Done()
              : Timestamp(static_cast<std::int64_t>(random() % 20));
      times.Set(index, time);
      expected[index] = time;
      const auto lowest = std::min_element(expected.begin(), expected.end());
      ASSERT_EQ(times.lowest(), *lowest);
      ASSERT_EQ(times.index(), lowest - expected.begin());
    }
  }
}

}  // namespace
}  // namespace syncline
