// idle_after counts in timestamps, up to both ends of the range.

#include "framework/stream/idle_after.h"

#include <cstdint>
#include <limits>

#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(IdleAfterTest, AStreamIsSettledWhereTheOtherIsFurtherThanTheGap) {
  EXPECT_EQ(BoundBehind(Timestamp(1050), 100), Timestamp(950));
  EXPECT_EQ(BoundBehind(Timestamp(50), 100), Timestamp(-50));
}

TEST(IdleAfterTest, NothingIsSettledAtTheBeginningAndByTheEnd) {
  for (const Timestamp bound :
       {Timestamp::Unset(), Timestamp::Unstarted(), Timestamp::PreStream(),
        Timestamp::Min(), Timestamp::PostStream(),
        Timestamp::OneOverPostStream(), Timestamp::Done()}) {
    EXPECT_EQ(BoundBehind(bound, 1), Timestamp::Unset()) << bound;
  }
}

TEST(IdleAfterTest, TheRangeHasTwoEnds) {
  const std::int64_t min = Timestamp::Min().Value();
  EXPECT_EQ(BoundBehind(Timestamp(min + 5), 5), Timestamp::Unset());
  EXPECT_EQ(BoundBehind(Timestamp(min + 6), 5), Timestamp(min + 1));
  EXPECT_EQ(BoundBehind(Timestamp(-10), kMost), Timestamp::Unset());
  EXPECT_EQ(BoundBehind(Timestamp::Max(), 1),
            Timestamp(Timestamp::Max().Value() - 1));
  EXPECT_EQ(BoundBehind(Timestamp::Max(), kMost),
            Timestamp::CreateNoErrorChecking(-3));
}

}  // namespace
}  // namespace syncline
