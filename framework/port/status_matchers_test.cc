#include "framework/port/status_matchers.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointee;

absl::StatusOr<int> Half(int number) {
  if (number % 2 != 0) return absl::InvalidArgumentError("an odd number");
  return number / 2;
}

absl::StatusOr<std::pair<int, int>> Halves(int number) {
  return std::pair<int, int>(number / 2, number - number / 2);
}

TEST(StatusMatchersTest, IsOkTakesAStatusAndAStatusOr) {
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(absl::UnknownError(""), Not(IsOk()));
  EXPECT_THAT(Half(2), IsOk());
  EXPECT_THAT(Half(1), Not(IsOk()));
}

TEST(StatusMatchersTest, IsOkAndHoldsTakesAValueOrAMatcher) {
  EXPECT_THAT(Half(4), IsOkAndHolds(2));
  EXPECT_THAT(Half(4), IsOkAndHolds(Gt(1)));
  EXPECT_THAT(Half(4), Not(IsOkAndHolds(3)));
  EXPECT_THAT(Half(1), Not(IsOkAndHolds(0)));
}

TEST(StatusMatchersTest, IsOkAndHoldsTakesAMoveOnlyValueAndAReference) {
  absl::StatusOr<std::unique_ptr<int>> pointer = std::make_unique<int>(3);
  EXPECT_THAT(pointer, IsOkAndHolds(Pointee(3)));
  const absl::StatusOr<std::string> text = std::string("text");
  EXPECT_THAT(text, IsOkAndHolds("text"));
}

TEST(StatusMatchersTest, StatusIsComparesCodeAndText) {
  EXPECT_THAT(Half(1), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Half(1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("odd")));
  EXPECT_THAT(Half(1),
              StatusIs(absl::StatusCode::kInvalidArgument, "an odd number"));
  EXPECT_THAT(Half(1), Not(StatusIs(absl::StatusCode::kInternal)));
  EXPECT_THAT(Half(1), Not(StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("even"))));
}

TEST(StatusMatchersTest, AFailureShowsTheStatus) {
  EXPECT_NONFATAL_FAILURE(SYNCLINE_EXPECT_OK(Half(1)),
                          "INVALID_ARGUMENT: an odd number");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(Half(4), IsOkAndHolds(3)),
                          "is OK and has a value that is equal to 3");
}

TEST(StatusMatchersTest, AssertEndsTheFunctionOnAnError) {
  EXPECT_FATAL_FAILURE(SYNCLINE_ASSERT_OK(Half(1)), "an odd number");
  EXPECT_FATAL_FAILURE(
      {
        SYNCLINE_ASSERT_OK_AND_ASSIGN(int half, Half(1));
        FAIL() << "went on with " << half;
      },
      "an odd number");
}

TEST(StatusMatchersTest, AssertOkAndAssignAssigns) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const int half, Half(4));
  EXPECT_EQ(half, 2);
  SYNCLINE_ASSERT_OK_AND_ASSIGN((const auto [low, high]), Halves(5));
  EXPECT_EQ(low, 2);
  EXPECT_EQ(high, 3);
}

}  // namespace
}  // namespace syncline
