#include "framework/expansion/graph_errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(GraphErrorsTest, NothingRecordedIsOk) {
  GraphErrors errors;
  errors.Add(absl::OkStatus());
  EXPECT_TRUE(errors.empty());
  EXPECT_TRUE(errors.ToStatus().ok());
}

TEST(GraphErrorsTest, TextHasThePrefixAndEveryErrorInOrder) {
  GraphErrors errors;
  errors.Add(absl::InvalidArgumentError("first"));
  errors.Add(absl::InvalidArgumentError("second"));
  const absl::Status status = errors.ToStatus();
  EXPECT_EQ(status.message(),
            "ValidatedGraphConfig Initialization failed.\nfirst\nsecond");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
}

TEST(GraphErrorsTest, MixedCodesAreUnknown) {
  GraphErrors errors;
  errors.Add(absl::InvalidArgumentError("first"));
  errors.Add(absl::NotFoundError("second"));
  EXPECT_EQ(errors.ToStatus().code(), absl::StatusCode::kUnknown);
}

TEST(GraphErrorsTest, AMillionErrorsAreCountedAndAHundredKept) {
  GraphErrors errors;
  for (int i = 0; i < 1000000; ++i) {
    errors.Add(absl::NotFoundError(absl::StrCat("error ", i)));
  }
  EXPECT_TRUE(errors.full());
  EXPECT_EQ(errors.count(), 1000000);
  const absl::Status status = errors.ToStatus();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("error 99\n"));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("error 100\n")));
  EXPECT_THAT(std::string(status.message()), HasSubstr("999900 more errors"));
}

TEST(GraphErrorsTest, ATextOfAMegabyteIsCut) {
  GraphErrors errors;
  errors.Add(absl::InvalidArgumentError(std::string(1000000, 'x')));
  EXPECT_LT(errors.ToStatus().message().size(), 10000);
  EXPECT_THAT(std::string(errors.ToStatus().message()),
              HasSubstr("(992000 more bytes)"));
}

}  // namespace
}  // namespace syncline
