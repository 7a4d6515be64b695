#include "framework/deps/safe_int.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

SYNCLINE_DEFINE_SAFE_INT_TYPE(SafeInt8, int8_t, intops::LogFatalOnError);
SYNCLINE_DEFINE_SAFE_INT_TYPE(SafeUInt8, uint8_t, intops::LogFatalOnError);
SYNCLINE_DEFINE_SAFE_INT_TYPE(SafeInt32, int32_t, intops::LogFatalOnError);
SYNCLINE_DEFINE_SAFE_INT_TYPE(SafeUInt32, uint32_t, intops::LogFatalOnError);
SYNCLINE_DEFINE_SAFE_INT_TYPE(SafeInt64, int64_t, intops::LogFatalOnError);

template <typename Code>
absl::Status StatusOf(Code code) {
  return CallUserCode([&code] {
    (void)code();
    return absl::OkStatus();
  });
}

auto IsMisuse(const std::string& text) {
  return StatusIs(absl::StatusCode::kOutOfRange, HasSubstr(text));
}

TEST(SafeIntTest, CalculatesAsTheIntegerDoes) {
  SafeInt32 x(100);
  x = (x + SafeInt32(20)) * 3 / 4 - SafeInt32(1);
  EXPECT_EQ(x, SafeInt32(89));
  EXPECT_EQ(-x % 10, SafeInt32(-9));
  EXPECT_EQ(x << 2, SafeInt32(356));
  EXPECT_EQ(x * 0.5, SafeInt32(44));
  EXPECT_EQ(SafeInt32::Min() + SafeInt32::Max(), SafeInt32(-1));
}

TEST(SafeIntTest, NothingOverflows) {
  EXPECT_THAT(StatusOf([] { return SafeInt32::Max() + SafeInt32(1); }),
              IsMisuse("overflow in 2147483647 + 1"));
  EXPECT_THAT(StatusOf([] { return SafeInt32::Min() - SafeInt32(1); }),
              IsMisuse("overflow"));
  EXPECT_THAT(StatusOf([] { return -SafeInt64::Min(); }), IsMisuse("overflow"));
  EXPECT_THAT(StatusOf([] { return SafeInt32(1 << 30) * 4; }),
              IsMisuse("1073741824 * 4"));
  EXPECT_THAT(StatusOf([] { return SafeInt8(100) * 1.5; }),
              IsMisuse("overflow"));
  EXPECT_THAT(StatusOf([] { return SafeInt32::Min() / -1; }),
              IsMisuse("overflow"));
  EXPECT_THAT(StatusOf([] { return SafeInt32::Min() % -1; }),
              IsMisuse("overflow"));
  EXPECT_THAT(StatusOf([] { return SafeInt32(1) << 31; }),
              IsMisuse("overflow"));
  EXPECT_THAT(StatusOf([] { return SafeUInt8(0) - SafeUInt8(1); }),
              IsMisuse("overflow"));
  EXPECT_THAT(StatusOf([] {
                SafeUInt8 x = SafeUInt8::Max();
                return ++x;
              }),
              IsMisuse("overflow in 255 + 1"));
}

TEST(SafeIntTest, DivisionByZeroAndWideShiftsAreMisuse) {
  EXPECT_THAT(StatusOf([] { return SafeInt32(1) / 0; }),
              IsMisuse("division by zero"));
  EXPECT_THAT(StatusOf([] { return SafeInt32(1) % 0; }),
              IsMisuse("division by zero"));
  EXPECT_THAT(StatusOf([] { return SafeInt32(1) / 0.0; }),
              IsMisuse("division by zero"));
  EXPECT_THAT(StatusOf([] { return SafeInt32(1) << 32; }),
              IsMisuse("a shift out of range"));
  EXPECT_THAT(StatusOf([] { return SafeInt32(1) >> -1; }),
              IsMisuse("a shift out of range"));
  // Converted to unsigned, -8 would be a huge number.
  EXPECT_THAT(StatusOf([] { return SafeUInt32(8) / -2; }),
              IsMisuse("mixed signs"));
}

// What C++ gives for -9 / 3u is 1431655762.
template <typename Safe, typename Number>
void NegativeNumbersAreDividedBy() {
  EXPECT_EQ(Safe(-9) / Number(3), Safe(-3));
  EXPECT_EQ(Safe(-7) % Number(6), Safe(-1));
  EXPECT_EQ(Safe(-9) * Number(3), Safe(-27));
}

TEST(SafeIntTest, NegativeNumbersAreDividedByUnsignedOnes) {
  NegativeNumbersAreDividedBy<SafeInt8, signed char>();
  NegativeNumbersAreDividedBy<SafeInt8, unsigned char>();
  NegativeNumbersAreDividedBy<SafeInt8, std::uint64_t>();
  NegativeNumbersAreDividedBy<SafeInt32, int>();
  NegativeNumbersAreDividedBy<SafeInt32, unsigned>();
  NegativeNumbersAreDividedBy<SafeInt32, std::size_t>();
  NegativeNumbersAreDividedBy<SafeInt64, unsigned short>();
  NegativeNumbersAreDividedBy<SafeInt64, std::uint64_t>();
  EXPECT_THAT(StatusOf([] { return SafeInt32(-9) * 4000000000u; }),
              IsMisuse("overflow in -9 * 4000000000"));
  EXPECT_EQ(SafeInt64::Min() / std::numeric_limits<std::uint64_t>::max(),
            SafeInt64(0));
}

TEST(SafeIntTest, TakesLongDoubles) {
  EXPECT_EQ(SafeInt32(3.9L).value(), 3);
  EXPECT_EQ(SafeInt32(-9) / 3.0L, SafeInt32(-3));
  EXPECT_EQ(SafeInt32(-9) * 0.5L, SafeInt32(-4));
  EXPECT_THAT(StatusOf([] { return SafeInt32(3e9L); }), IsMisuse("3e+09"));
}

TEST(SafeIntTest, TakesOnlyValuesThatItHolds) {
  EXPECT_THAT(StatusOf([] { return SafeInt8(128); }), IsMisuse("128"));
  EXPECT_THAT(StatusOf([] { return SafeInt8(-129); }), IsMisuse("-129"));
  EXPECT_THAT(StatusOf([] { return SafeUInt32(-1); }), IsMisuse("-1"));
  EXPECT_THAT(StatusOf([] { return SafeInt64(1e30); }), IsMisuse("1e+30"));
  EXPECT_THAT(StatusOf([] { return SafeInt64(std::nan("")); }),
              IsMisuse("nan"));
  EXPECT_THAT(StatusOf([] { return SafeInt64(9223372036854775808.0); }),
              IsMisuse("9.2"));
  EXPECT_EQ(SafeInt8(127.9).value(), 127);
  EXPECT_EQ(SafeInt64(-9223372036854775808.0), SafeInt64::Min());
  EXPECT_EQ(SafeUInt8(-0.5).value(), 0);
}

}  // namespace
}  // namespace syncline
