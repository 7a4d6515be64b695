#include "framework/port/numbers.h"

#include <cstdint>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(NumbersTest, ReadsAWholeNumberOrNothing) {
  std::int32_t value = 7;
  EXPECT_TRUE(safe_strto32("-12", &value));
  EXPECT_EQ(value, -12);
  EXPECT_FALSE(safe_strto32("12x", &value));
  EXPECT_FALSE(safe_strto32("2147483648", &value));
  std::uint64_t unsigned_value = 0;
  EXPECT_TRUE(safe_strtou64("18446744073709551615", &unsigned_value));
  EXPECT_EQ(unsigned_value, std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(safe_strtou64("-1", &unsigned_value));
}

TEST(NumbersTest, ReadsFractionsAndTruthValues) {
  float fraction = 0;
  EXPECT_TRUE(safe_strtof("0.5", &fraction));
  EXPECT_EQ(fraction, 0.5f);
  double precise = 0;
  EXPECT_TRUE(safe_strtod("1e-3", &precise));
  EXPECT_EQ(precise, 0.001);
  bool truth = false;
  EXPECT_TRUE(safe_strtob("true", &truth));
  EXPECT_TRUE(truth);
  EXPECT_FALSE(safe_strtob("maybe", &truth));
}

TEST(NumbersTest, WrittenFractionsReadBackTheSame) {
  for (const double value : {0.1, 1.0 / 3, 1e300, -2.5}) {
    double read = 0;
    ASSERT_TRUE(safe_strtod(SimpleDtoa(value), &read));
    EXPECT_EQ(read, value);
  }
  float read = 0;
  ASSERT_TRUE(safe_strtof(SimpleFtoa(0.1f), &read));
  EXPECT_EQ(read, 0.1f);
  EXPECT_EQ(SimpleItoa(-5), "-5");
}

}  // namespace
}  // namespace syncline
