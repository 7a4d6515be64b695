#include "framework/base/status_macros.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Pointee;

absl::Status OkIf(bool condition) {
  return condition ? absl::OkStatus() : absl::NotFoundError("no");
}

absl::StatusOr<int> Half(int number) {
  if (number % 2 != 0) return absl::InvalidArgumentError("odd");
  return number / 2;
}

absl::StatusOr<std::pair<int, int>> Halves(int number) {
  return std::pair<int, int>(number / 2, number - number / 2);
}

absl::StatusOr<std::string> ReturnIfError(bool condition) {
  SYNCLINE_RETURN_IF_ERROR(OkIf(condition)) << "here " << 7;
  return "done";
}

TEST(ReturnIfErrorTest, PassesAnErrorOnWithWhatIsStreamed) {
  EXPECT_THAT(ReturnIfError(true), IsOkAndHolds("done"));
  EXPECT_THAT(ReturnIfError(false),
              StatusIs(absl::StatusCode::kNotFound, "no; here 7"));
}

TEST(ReturnIfErrorTest, TakesAStatusOrAndABuilder) {
  const auto of_status_or = []() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(Half(2));
    SYNCLINE_RETURN_IF_ERROR(Half(3));
    return absl::OkStatus();
  };
  EXPECT_THAT(of_status_or(), StatusIs(absl::StatusCode::kInvalidArgument));
  const auto of_builder = []() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(UnknownErrorBuilder(SYNCLINE_LOC) << "built");
    return absl::OkStatus();
  };
  EXPECT_THAT(of_builder(), StatusIs(absl::StatusCode::kUnknown, "built"));
}

TEST(ReturnIfErrorTest, EvaluatesTheExpressionOnce) {
  int count = 0;
  const auto code = [&count]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(OkIf(++count > 5)).SetPrepend() << "x ";
    return absl::OkStatus();
  };
  EXPECT_THAT(code(), StatusIs(absl::StatusCode::kNotFound, "x no"));
  EXPECT_EQ(count, 1);
}

absl::Status BothBranches(bool first, bool condition) {
  if (first)
    SYNCLINE_RETURN_IF_ERROR(OkIf(condition));
  else
    return absl::AbortedError("else");
  return absl::OkStatus();
}

TEST(ReturnIfErrorTest, LeavesAnElseToItsIf) {
  SYNCLINE_EXPECT_OK(BothBranches(true, true));
  EXPECT_THAT(BothBranches(true, false), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(BothBranches(false, true), StatusIs(absl::StatusCode::kAborted));
}

absl::StatusOr<int> Quarter(int number) {
  SYNCLINE_ASSIGN_OR_RETURN(const int half, Half(number));
  int quarter = 0;
  SYNCLINE_ASSIGN_OR_RETURN(quarter, Half(half), _ << "in the second half");
  return quarter;
}

TEST(AssignOrReturnTest, AssignsOrPassesTheErrorOn) {
  EXPECT_THAT(Quarter(8), IsOkAndHolds(2));
  EXPECT_THAT(Quarter(7), StatusIs(absl::StatusCode::kInvalidArgument, "odd"));
  EXPECT_THAT(Quarter(6), StatusIs(absl::StatusCode::kInvalidArgument,
                                   "odd; in the second half"));
}

TEST(AssignOrReturnTest, ParenthesesAllowCommasOnTheLeft) {
  const auto product = [](int number) -> absl::StatusOr<int> {
    SYNCLINE_ASSIGN_OR_RETURN((const auto [low, high]), Halves(number));
    SYNCLINE_ASSIGN_OR_RETURN((std::pair<int, int> pair), Halves(number));
    return low * high + pair.first;
  };
  EXPECT_THAT(product(5), IsOkAndHolds(8));
}

TEST(AssignOrReturnTest, MovesAValueThatCannotBeCopied) {
  const auto code = []() -> absl::StatusOr<std::unique_ptr<int>> {
    absl::StatusOr<std::unique_ptr<int>> made = std::make_unique<int>(3);
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<int> value, std::move(made));
    return value;
  };
  EXPECT_THAT(code(), IsOkAndHolds(Pointee(3)));
}

TEST(AssignOrReturnTest, TheThirdArgumentIsWhatIsReturned) {
  const auto code = [](int number) -> int {
    SYNCLINE_ASSIGN_OR_RETURN(const int half, Half(number), -1);
    return half;
  };
  EXPECT_EQ(code(4), 2);
  EXPECT_EQ(code(3), -1);
  const auto with_code = [](int number) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN([[maybe_unused]] const int half, Half(number),
                              _.SetCode(absl::StatusCode::kAborted) << "x");
    return absl::OkStatus();
  };
  EXPECT_THAT(with_code(3), StatusIs(absl::StatusCode::kAborted, "odd; x"));
}

TEST(AssignOrReturnTest, AssignsToAMember) {
  struct Holder {
    int value = 0;
    absl::Status Set(int number) {
      SYNCLINE_ASSIGN_OR_RETURN(this->value, Half(number));
      return absl::OkStatus();
    }
  };
  Holder holder;
  SYNCLINE_EXPECT_OK(holder.Set(4));
  EXPECT_EQ(holder.value, 2);
}

}  // namespace
}  // namespace syncline
