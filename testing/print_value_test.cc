#include "testing/print_value.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <typename T>
std::string Printed(T value) {
  return PrintValue(MakePacket<T>(value)).value();
}

TEST(PrintValueTest, NumbersAreTheirDigits) {
  EXPECT_EQ(Printed<int>(-3), "-3");
  EXPECT_EQ(Printed<std::int64_t>(std::numeric_limits<std::int64_t>::min()),
            "-9223372036854775808");
  EXPECT_EQ(Printed<std::uint64_t>(std::numeric_limits<std::uint64_t>::max()),
            "18446744073709551615");
  EXPECT_EQ(Printed<bool>(true), "1");
  EXPECT_EQ(Printed<bool>(false), "0");
  EXPECT_EQ(Printed<float>(0.5f), "0.5");
  EXPECT_EQ(Printed<double>(-2.25), "-2.25");
}

TEST(PrintValueTest, AStringIsItself) {
  EXPECT_EQ(Printed<std::string>("two\nlines"), "two\nlines");
  EXPECT_EQ(Printed<std::string>(""), "");
}

TEST(PrintValueTest, MessagesAreEqualWhereTheirTextsAre) {
  CalculatorGraphConfig one;
  one.add_input_stream("a");
  CalculatorGraphConfig other;
  other.add_input_stream("b");
  EXPECT_EQ(Printed(one), one.SerializeAsString());
  EXPECT_EQ(Printed(one), Printed(one));
  EXPECT_NE(Printed(one), Printed(other));
}

TEST(PrintValueTest, OfOtherTypesWithBytesThereAreTheFirstAndAHash) {
  using Numbers = std::vector<std::int32_t>;
  EXPECT_THAT(Printed(Numbers{1, 2}),
              AllOf(HasSubstr("vector<int>"),
                    HasSubstr(" of 8 bytes 0100000002000000")));
  Numbers many(100);
  const std::string zeros = Printed(many);
  EXPECT_THAT(zeros, HasSubstr(" of 400 bytes 00000000000000000000000000000000"
                               "... with hash "));
  EXPECT_EQ(zeros, Printed(many));
  many.back() = 1;
  EXPECT_NE(zeros, Printed(many));
}

// Has no bytes.
struct Opaque {};

TEST(PrintValueTest, AnotherTypeIsNamedWithWhatToDo) {
  EXPECT_THAT(PrintValue(MakePacket<Opaque>()),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("Opaque"),
                             HasSubstr("give the option `print`"))));
}

TEST(PrintValueTest, AnEmptyPacketHasNoValue) {
  EXPECT_THAT(PrintValue(Packet()), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace syncline
