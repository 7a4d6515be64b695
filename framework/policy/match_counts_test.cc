// A stream that seldom matches is warned of, and not too often.

#include "framework/policy/match_counts.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

// After how many packets there is a warning, if one in `each` matches.
std::vector<int> Warnings(double min_share, int each, int packets) {
  MatchCounts counts(min_share);
  std::vector<int> warnings;
  for (int i = 1; i <= packets; ++i) {
    i % each == 0 ? counts.NoteMatched() : counts.NoteUnmatched();
    if (counts.TakeWarning()) warnings.push_back(i);
  }
  return warnings;
}

TEST(MatchCountsTest, WarnsOfWhatIsRareAtEachTenfold) {
  EXPECT_THAT(Warnings(0.5, 4, 3000), ElementsAre(20, 200, 2000));
}

TEST(MatchCountsTest, DoesNotWarnOfWhatMatchesOftenEnough) {
  EXPECT_THAT(Warnings(0.2, 4, 3000), ElementsAre());
  EXPECT_THAT(Warnings(0, 5000, 3000), ElementsAre());
  EXPECT_THAT(Warnings(1, 1, 3000), ElementsAre());
}

TEST(MatchCountsTest, WarnsWhenItBecomesRareLater) {
  MatchCounts counts(0.5);
  for (int i = 0; i < 50; ++i) counts.NoteMatched();
  for (int i = 0; i < 50; ++i) {
    counts.NoteUnmatched();
    EXPECT_FALSE(counts.TakeWarning()) << i;
  }
  counts.NoteUnmatched();
  EXPECT_TRUE(counts.TakeWarning());
  EXPECT_EQ(counts.matched(), 50);
  EXPECT_EQ(counts.total(), 101);
}

}  // namespace
}  // namespace syncline
