#include "framework/plan/suggestions.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

std::string Suggest(absl::string_view name,
                    const std::vector<std::string>& candidates) {
  return DidYouMean(name, candidates);
}

TEST(SuggestionsTest, OffersTheNearestFirst) {
  EXPECT_EQ(Suggest("vidoe", {"video_in", "video", "audio"}),
            " Did you mean \"video\"?");
  EXPECT_EQ(Suggest("frame", {"framex", "frames_2", "frae"}),
            " Did you mean \"framex\" or \"frae\"?");
}

TEST(SuggestionsTest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(Suggest("video", {}), "");
  EXPECT_EQ(Suggest("video", {"landmarks", "v", ""}), "");
}

TEST(SuggestionsTest, CountsASwapOfNeighboursAsOneEdit) {
  EXPECT_EQ(Suggest("ab", {"ba"}), " Did you mean \"ba\"?");
  EXPECT_EQ(Suggest("abc", {"cab"}), "") << "two edits are too many for three";
}

TEST(SuggestionsTest, FindsInsertionsAndDeletionsAtBothEnds) {
  EXPECT_NE(Suggest("PassThroughCalculator", {"PassThroughCalculatr"}), "");
  EXPECT_NE(Suggest("PassThroughCalculator", {"assThroughCalculator"}), "");
  EXPECT_NE(Suggest("PassThroughCalculator", {"xxPassThroughCalculator"}), "");
  EXPECT_NE(Suggest("PassThroughCalculator", {"PassThroughCalculator12"}), "");
  EXPECT_EQ(Suggest("PassThroughCalculator", {"PassThroughCalculator12345"}),
            "");
}

TEST(SuggestionsTest, ShowsAtMostThreeAndNoneTwice) {
  EXPECT_EQ(Suggest("aaa1", {"aaa2", "aaa2", "aaa3", "aaa4", "aaa5"}),
            " Did you mean \"aaa2\" or \"aaa3\" or \"aaa4\"?");
}

TEST(SuggestionsTest, EscapesWhatIsNotPrintable) {
  EXPECT_EQ(Suggest("abcd", {"abc\n"}), " Did you mean \"abc\\n\"?");
}

TEST(SuggestionsTest, LeavesOutNamesTooLongToCompare) {
  const std::string long_name(1000, 'a');
  EXPECT_EQ(Suggest(long_name, {absl::StrCat(long_name, "b")}), "");
  EXPECT_EQ(Suggest("aaaa", {long_name}), "");
}

TEST(SuggestionsTest, TakesViewsToo) {
  const std::vector<absl::string_view> candidates = {"gate", "mux"};
  EXPECT_EQ(DidYouMean("gat", candidates), " Did you mean \"gate\"?");
}

}  // namespace
}  // namespace syncline
