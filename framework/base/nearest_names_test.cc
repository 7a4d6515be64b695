#include "framework/base/nearest_names.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

const Names kNames = {"GateCalculator", "MergeCalculator", "MuxCalculator",
                      "PassThroughCalculator", "tool.Sink"};

TEST(NearestNamesTest, FindsMistypedNames) {
  EXPECT_THAT(NearestNames("PasThroughCalculator", kNames, 1),
              ElementsAre("PassThroughCalculator"));
  EXPECT_THAT(NearestNames("PassTrhoughCalculator", kNames, 1),
              ElementsAre("PassThroughCalculator"));
  EXPECT_THAT(NearestNames("PassThroughCalculators", kNames, 1),
              ElementsAre("PassThroughCalculator"));
}

TEST(NearestNamesTest, UpperAndLowerCaseDoNotMatter) {
  EXPECT_THAT(NearestNames("passthroughcalculator", kNames, 1),
              ElementsAre("PassThroughCalculator"));
}

TEST(NearestNamesTest, AMissingEndDoesNotMatter) {
  EXPECT_THAT(NearestNames("PassThrough", kNames, 3),
              ElementsAre("PassThroughCalculator"));
}

TEST(NearestNamesTest, AWrongPackageDoesNotMatter) {
  EXPECT_THAT(NearestNames("other.package.GateCalculator", kNames, 1),
              ElementsAre("GateCalculator"));
  EXPECT_THAT(NearestNames("Sink", kNames, 1), ElementsAre("tool.Sink"));
}

TEST(NearestNamesTest, TheNearestComesFirstAndTheNumberIsLimited) {
  const Names names = {"abcdeXX", "abcdefX", "abcdefg"};
  EXPECT_THAT(NearestNames("abcdefg", names, 2),
              ElementsAre("abcdefg", "abcdefX"));
  EXPECT_THAT(NearestNames("abcdefg", names, 0), IsEmpty());
}

TEST(NearestNamesTest, NothingIsNearAnUnrelatedName) {
  EXPECT_THAT(NearestNames("Zebra", kNames, 3), IsEmpty());
  EXPECT_THAT(NearestNames("", kNames, 3), IsEmpty());
  EXPECT_THAT(NearestNames("x", {}, 3), IsEmpty());
}

TEST(NearestNamesTest, LongNamesTakeNoMoreTimeThanShortOnes) {
  Names names;
  for (int i = 0; i < 200; ++i) {
    names.push_back(absl::StrCat(std::string(100000, 'a'), i));
  }
  const std::string name(1000000, 'a');
  const absl::Time start = absl::Now();
  NearestNames(name, names, 3);
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
}

TEST(DidYouMeanTextTest, IsAQuestionOrNothing) {
  EXPECT_EQ(DidYouMeanText({}), "");
  EXPECT_EQ(DidYouMeanText(Names({"a"})), " Did you mean \"a\"?");
  EXPECT_EQ(DidYouMeanText(Names({"a", "b", "c"})),
            " Did you mean \"a\", \"b\" or \"c\"?");
}

TEST(KnownNamesTextTest, ListsADozenNamesAndCountsTheRest) {
  EXPECT_EQ(KnownNamesText({}), "");
  EXPECT_EQ(KnownNamesText(Names({"a"})), " The only one is \"a\".");
  EXPECT_EQ(KnownNamesText(Names({"a", "b", "c"})),
            " Known are \"a\", \"b\" and \"c\".");
  EXPECT_EQ(KnownNamesText(Names(12, "n")).find("more"), std::string::npos);
  const std::string text = KnownNamesText(Names(1000, "n"));
  EXPECT_THAT(text, EndsWith("\"n\" and 988 more."));
  EXPECT_LT(text.size(), 100u);
}

TEST(DidYouMeanOrKnownTextTest, PrefersWhatIsNear) {
  EXPECT_EQ(DidYouMeanOrKnownText("GateCalculater", kNames),
            " Did you mean \"GateCalculator\"?");
  EXPECT_EQ(DidYouMeanOrKnownText("Zebra", Names({"a", "b"})),
            " Known are \"a\" and \"b\".");
}

}  // namespace
}  // namespace syncline
