// A period is a number and a unit; everything else is an error, never a crash
// and never a period.
#include "framework/condition/period_text.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::int64_t> Parse(absl::string_view text) {
  return ParsePeriodNs("recess_period", text);
}

TEST(PeriodTest, IsANumberWithAUnitInAnyCaseAndSpacing) {
  EXPECT_THAT(Parse("10ms"), IsOkAndHolds(10'000'000));
  EXPECT_THAT(Parse("0.2s"), IsOkAndHolds(200'000'000));
  EXPECT_THAT(Parse("5 us"), IsOkAndHolds(5'000));
  EXPECT_THAT(Parse(" 5\tUS "), IsOkAndHolds(5'000));
  EXPECT_THAT(Parse("7ns"), IsOkAndHolds(7));
  EXPECT_THAT(Parse("2 Min"), IsOkAndHolds(120'000'000'000));
  EXPECT_THAT(Parse("1h"), IsOkAndHolds(3'600'000'000'000));
  EXPECT_THAT(Parse(".5MS"), IsOkAndHolds(500'000));
  EXPECT_THAT(Parse("1e3us"), IsOkAndHolds(1'000'000));
  EXPECT_THAT(Parse("1.5"), IsOkAndHolds(2));
}

TEST(PeriodTest, ARateIsTheOtherWayRound) {
  EXPECT_THAT(Parse("100Hz"), IsOkAndHolds(10'000'000));
  EXPECT_THAT(Parse("0.5 hz"), IsOkAndHolds(2'000'000'000));
  EXPECT_THAT(Parse("60HZ"), IsOkAndHolds(16'666'667));
  EXPECT_THAT(Parse("2kHz"), IsOkAndHolds(500'000));
}

TEST(PeriodTest, ANumberAloneIsNanosecondsAndExact) {
  EXPECT_THAT(Parse("50000000"), IsOkAndHolds(50'000'000));
  EXPECT_THAT(Parse("9007199254740993"), IsOkAndHolds(9007199254740993));
  EXPECT_THAT(Parse("9223372036854775807"),
              IsOkAndHolds(std::numeric_limits<std::int64_t>::max()));
}

TEST(PeriodTest, WhatIsNoPeriodIsAnErrorThatSaysWhy) {
  const struct {
    absl::string_view text, why;
  } cases[] = {
      {"", "missing"},
      {"  ", "missing"},
      {"-5ms", "negative"},
      {"-0", "negative"},
      {"0", "cannot be 0"},
      {"0ms", "cannot be 0"},
      {"0.0s", "shorter than a nanosecond"},
      {"0Hz", "rate cannot be 0"},
      {"0.0hz", "rate cannot be 0"},
      {"nan", "does not begin with a number"},
      {"inf s", "does not begin with a number"},
      {"+5ms", "does not begin with a number"},
      {"ms", "does not begin with a number"},
      {".", "does not begin with a number"},
      {"5 parsecs", "its unit is none of"},
      {"5 m", "its unit is none of"},
      {"0x10", "does not begin with a number"},
      {"5ms ms", "its unit is none of"},
      {"5,0ms", "its unit is none of"},
      {"0.1ns", "shorter than a nanosecond"},
      {"1e-300s", "shorter than a nanosecond"},
      {"1e-999s", "shorter than a nanosecond"},
      {"1e10Hz", "shorter than a nanosecond"},
      {"1e300Hz", "shorter than a nanosecond"},
      {"9223372036854775808", "longer than 292 years"},
      {"9223372036854775807us", "longer than 292 years"},
      {"1e300s", "longer than 292 years"},
      {"1e999", "longer than 292 years"},
      {"1e-300Hz", "longer than 292 years"},
  };
  for (const auto& [text, why] : cases) {
    EXPECT_THAT(Parse(text), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr(std::string(why))))
        << text;
  }
  EXPECT_THAT(
      Parse("5 parsecs").status().message(),
      HasSubstr("recess_period is \"5 parsecs\": its unit is none of ns,"));
}

TEST(PeriodTest, AnErrorShowsLittleOfALongText) {
  const absl::Status status = Parse(std::string(100'000, 'x')).status();
  EXPECT_LT(status.message().size(), 500);
  EXPECT_THAT(Parse("5\x01\xff").status().message(), HasSubstr("5\\x01\\xff"));
}

TEST(PeriodTest, AnyTextIsAPeriodOrAnError) {
  std::mt19937 random(20);
  constexpr absl::string_view kAlphabet =
      "0123456789..-+eE nNuUmMsShHzZkKixaf\t\0\x80";
  int periods = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (int k = random() % 8; k >= 0; --k) {
      text += kAlphabet[random() % kAlphabet.size()];
    }
    const absl::StatusOr<std::int64_t> period = Parse(text);
    if (period.ok()) {
      ++periods;
      ASSERT_GE(*period, 1) << text;
    } else {
      ASSERT_EQ(period.status().code(), absl::StatusCode::kInvalidArgument);
    }
  }
  EXPECT_GT(periods, 100);
}

}  // namespace
}  // namespace syncline
