#include "tools/explain_after.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(ExplainAfterTest, ANumberIsInSecondsAndAUnitMayFollow) {
  EXPECT_EQ(*ParseExplainAfter("1"), absl::Seconds(1));
  EXPECT_EQ(*ParseExplainAfter("0.5"), absl::Milliseconds(500));
  EXPECT_EQ(*ParseExplainAfter("500ms"), absl::Milliseconds(500));
  EXPECT_EQ(*ParseExplainAfter("2m"), absl::Minutes(2));
  EXPECT_EQ(*ParseExplainAfter("0"), absl::ZeroDuration());
  EXPECT_EQ(*ParseExplainAfter("0s"), absl::ZeroDuration());
}

TEST(ExplainAfterTest, LessThanAMillisecondIsRefused) {
  EXPECT_EQ(*ParseExplainAfter("1ms"), absl::Milliseconds(1));
  for (const absl::string_view text : {"0.000001", "999us", "1ns"}) {
    EXPECT_THAT(ParseExplainAfter(text).status().message(),
                HasSubstr("less than 1 ms"))
        << text;
  }
}

TEST(ExplainAfterTest, WhatIsNoTimeIsRefusedByName) {
  for (const absl::string_view text :
       {"", "x", "-1", "-5ms", "inf", "nan", "1 x", "1e400"}) {
    const auto after = ParseExplainAfter(text);
    EXPECT_EQ(after.status().code(), absl::StatusCode::kInvalidArgument)
        << text;
    EXPECT_THAT(after.status().message(), HasSubstr("--explain_after="))
        << text;
  }
}

}  // namespace
}  // namespace syncline
