#include "framework/base/ret_check.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

testing::Matcher<absl::Status> Fails(
    const testing::Matcher<std::string>& text) {
  return StatusIs(absl::StatusCode::kInternal, text);
}

TEST(RetCheckTest, TheTextHasPlaceConditionAndWhatIsStreamed) {
  const auto check = [](int value) -> absl::Status {
    RET_CHECK(value > 3) << "value is " << value;
    return absl::OkStatus();
  };
  SYNCLINE_EXPECT_OK(check(4));
  EXPECT_THAT(check(2), Fails(MatchesRegex(
                            "RET_CHECK failure \\(.*ret_check_test.cc:[0-9]+\\)"
                            " value > 3 value is 2")));
}

TEST(RetCheckTest, WithNothingStreamedTheTextEndsWithTheCondition) {
  const auto check = []() -> absl::StatusOr<int> {
    RET_CHECK(1 + 1 == 3);
    return 0;
  };
  EXPECT_THAT(check().status(), Fails(EndsWith(") 1 + 1 == 3")));
}

TEST(RetCheckTest, ABuilderMethodMayFollow) {
  const auto check = []() -> absl::Status {
    RET_CHECK(false).SetCode(absl::StatusCode::kAborted).SetNoLogging() << "x";
    return absl::OkStatus();
  };
  EXPECT_THAT(check(),
              StatusIs(absl::StatusCode::kAborted, EndsWith("false x")));
}

TEST(RetCheckTest, LeavesAnElseToItsIf) {
  const auto check = [](bool first) -> absl::Status {
    if (first)
      RET_CHECK(true);
    else
      return absl::AbortedError("else");
    return absl::OkStatus();
  };
  SYNCLINE_EXPECT_OK(check(true));
  EXPECT_THAT(check(false), StatusIs(absl::StatusCode::kAborted));
}

TEST(RetCheckTest, FailAlwaysFails) {
  const auto check = []() -> absl::Status { RET_CHECK_FAIL() << "never"; };
  EXPECT_THAT(check(), Fails(AllOf(StartsWith("RET_CHECK failure ("),
                                   EndsWith(") never"))));
}

TEST(RetCheckTest, OkTakesAStatusAndAStatusOr) {
  const auto check = [](const absl::Status& status) -> absl::Status {
    RET_CHECK_OK(status) << "more";
    RET_CHECK_OK(absl::StatusOr<int>(1));
    RET_CHECK_OK(absl::StatusOr<int>(absl::AbortedError("inner")));
    return absl::OkStatus();
  };
  EXPECT_THAT(check(absl::NotFoundError("no file")),
              Fails(AllOf(HasSubstr("status is OK (NOT_FOUND: no file)"),
                          EndsWith(" more"))));
  EXPECT_THAT(check(absl::OkStatus()), Fails(HasSubstr("ABORTED: inner")));
}

TEST(RetCheckTest, ComparisonsGiveBothValues) {
  const auto equal = [](int a, int b) -> absl::Status {
    RET_CHECK_EQ(a, b) << "sizes differ";
    return absl::OkStatus();
  };
  SYNCLINE_EXPECT_OK(equal(1, 1));
  EXPECT_THAT(equal(1, 2), Fails(EndsWith("a == b (1 vs. 2) sizes differ")));
}

TEST(RetCheckTest, ABuilderMethodMayFollowAComparison) {
  const auto check = [](int value) -> absl::Status {
    RET_CHECK_GE(value, 0).SetNoLogging() << "no";
    RET_CHECK_LT(value, 9).SetCode(absl::StatusCode::kAborted);
    return absl::OkStatus();
  };
  SYNCLINE_EXPECT_OK(check(1));
  EXPECT_THAT(check(-1), Fails(EndsWith(") value >= 0 (-1 vs. 0) no")));
  EXPECT_THAT(check(9), StatusIs(absl::StatusCode::kAborted,
                                 EndsWith(") value < 9 (9 vs. 9)")));
}

// Declared constants, which no file defines: they have values, but no address.
struct Limits {
  static const int kMax = 5;
  static const std::size_t kMin = 2;
};

TEST(RetCheckTest, ComparesConstantsThatAreDeclaredOnly) {
  const auto check = [](int value) -> absl::Status {
    RET_CHECK_LE(value, Limits::kMax);
    RET_CHECK_GE(value, Limits::kMin);
    RET_CHECK_NE(Limits::kMax, value);
    return absl::OkStatus();
  };
  SYNCLINE_EXPECT_OK(check(4));
  EXPECT_THAT(check(6), Fails(EndsWith("value <= Limits::kMax (6 vs. 5)")));
  EXPECT_THAT(check(5), Fails(EndsWith("Limits::kMax != value (5 vs. 5)")));
}

TEST(RetCheckTest, EachComparisonComparesAsItSays) {
  const auto all = [](int a, int b) {
    std::string held;
    const auto note = [&held](const absl::Status& status, const char* name) {
      if (status.ok()) held += name;
    };
    note(
        [&]() -> absl::Status {
          RET_CHECK_EQ(a, b);
          return {};
        }(),
        "==");
    note(
        [&]() -> absl::Status {
          RET_CHECK_NE(a, b);
          return {};
        }(),
        "!=");
    note(
        [&]() -> absl::Status {
          RET_CHECK_LE(a, b);
          return {};
        }(),
        "<=");
    note(
        [&]() -> absl::Status {
          RET_CHECK_LT(a, b);
          return {};
        }(),
        "<");
    note(
        [&]() -> absl::Status {
          RET_CHECK_GE(a, b);
          return {};
        }(),
        ">=");
    note(
        [&]() -> absl::Status {
          RET_CHECK_GT(a, b);
          return {};
        }(),
        ">");
    return held;
  };
  EXPECT_EQ(all(1, 1), "==<=>=");
  EXPECT_EQ(all(1, 2), "!=<=<");
  EXPECT_EQ(all(2, 1), "!=>=>");
}

enum class Colour { kRed, kBlue };
struct NotPrintable {
  bool operator==(const NotPrintable&) const { return false; }
};

TEST(RetCheckTest, ComparesWhatCanBeComparedPrintableOrNot) {
  const auto check = []() -> absl::Status {
    const std::vector<int> numbers = {1, 2};
    RET_CHECK_EQ(numbers.size(), 2);  // the signs differ
    const int* pointer = numbers.data();
    RET_CHECK_NE(pointer, nullptr);
    RET_CHECK_NE(pointer, NULL);
    RET_CHECK_EQ(Colour::kRed, Colour::kRed);
    RET_CHECK_EQ(std::string("a"), "a");
    RET_CHECK_EQ(NotPrintable(), NotPrintable());
    return absl::OkStatus();
  };
  EXPECT_THAT(check(), Fails(HasSubstr("(? vs. ?)")));
}

TEST(RetCheckTest, ArgumentsAreEvaluatedOnce) {
  int count = 0;
  const auto check = [&count]() -> absl::Status {
    RET_CHECK_EQ(++count, 5);
    return absl::OkStatus();
  };
  EXPECT_THAT(check(), Fails(HasSubstr("(1 vs. 5)")));
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace syncline
