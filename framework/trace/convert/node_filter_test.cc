#include "framework/trace/convert/node_filter.h"

#include <string>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

bool Matches(absl::string_view expression, absl::string_view name) {
  const auto filter = NodeFilter::Make(expression);
  SYNCLINE_EXPECT_OK(filter);
  return filter.ok() && filter->Matches(name);
}

TEST(NodeFilterTest, MatchesWholeNames) {
  EXPECT_TRUE(Matches("", "any"));
  EXPECT_TRUE(Matches("", ""));
  EXPECT_TRUE(Matches("detect.*|draw", "detector"));
  EXPECT_TRUE(Matches("detect.*|draw", "draw"));
  EXPECT_FALSE(Matches("detect.*|draw", "draws"));
  EXPECT_FALSE(Matches("draw", "withdraw"));
  EXPECT_TRUE(Matches("[a-z]+_\\d{2}(?:b|c)?", "node_12c"));
  EXPECT_FALSE(Matches("[a-z]+_\\d{2}(?:b|c)?", "node_1c"));
}

TEST(NodeFilterTest, RefusesWhatIsNoExpression) {
  for (const char* const bad : {"(", "[", "a{2,1}", "*", "a)", "\\"}) {
    EXPECT_THAT(NodeFilter::Make(bad),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("calculator_filter")))
        << bad;
  }
}

TEST(NodeFilterTest, RefusesWhatCouldTakeForever) {
  for (const std::string& bad :
       {std::string("(a)\\1"), std::string("(?=a)a"), std::string("(?!a)b"),
        std::string("((a{100}){100}){100}"), std::string("a{999999999999}"),
        std::string(3000, 'a'), std::string(500, '(')}) {
    EXPECT_THAT(NodeFilter::Make(bad),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << bad;
  }
}

TEST(NodeFilterTest, IsFastWhereBacktrackingIsNot) {
  EXPECT_FALSE(Matches("(a+)+b", std::string(100'000, 'a')));
  EXPECT_FALSE(Matches("(a*)*(a*)*(a|aa)*b", std::string(10'000, 'a')));
  EXPECT_TRUE(Matches("(a?){10}a{10}", std::string(10, 'a')));
}

}  // namespace
}  // namespace syncline
