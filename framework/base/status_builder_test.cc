#include "framework/base/status_builder.h"

#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "framework/base/source_location.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::EndsWith;

StatusBuilder NotFound() {
  return StatusBuilder(absl::NotFoundError("no file"), SYNCLINE_LOC);
}

TEST(StatusBuilderTest, StreamedTextFollowsASemicolon) {
  const absl::Status status = NotFound() << "while loading " << 7;
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound,
                               "no file; while loading 7"));
}

TEST(StatusBuilderTest, WithoutTextBeforeThereIsNoSemicolon) {
  const absl::Status status = NotFoundErrorBuilder(SYNCLINE_LOC) << "no file";
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound, "no file"));
}

TEST(StatusBuilderTest, WithNothingStreamedTheStatusIsTheOriginal) {
  EXPECT_EQ(absl::Status(NotFound()), absl::NotFoundError("no file"));
  EXPECT_EQ(absl::Status(NotFound() << ""), absl::NotFoundError("no file"));
}

TEST(StatusBuilderTest, AppendAndPrependJoinWithoutSeparator) {
  EXPECT_THAT(absl::Status(NotFound().SetAppend() << " here"),
              StatusIs(absl::StatusCode::kNotFound, "no file here"));
  EXPECT_THAT(absl::Status(NotFound().SetPrepend() << "Load: "),
              StatusIs(absl::StatusCode::kNotFound, "Load: no file"));
  EXPECT_THAT(absl::Status((NotFound() << "Load: ").SetPrepend()),
              StatusIs(absl::StatusCode::kNotFound, "Load: no file"));
}

TEST(StatusBuilderTest, SetNoLoggingKeepsTheStreamedText) {
  EXPECT_THAT(absl::Status(NotFound().SetNoLogging() << "here"),
              StatusIs(absl::StatusCode::kNotFound, "no file; here"));
}

TEST(StatusBuilderTest, SetCodeChangesTheCodeOfAnError) {
  EXPECT_THAT(absl::Status(NotFound().SetCode(absl::StatusCode::kAborted)),
              StatusIs(absl::StatusCode::kAborted, "no file"));
  EXPECT_THAT(absl::Status(StatusBuilder(absl::OkStatus(), SYNCLINE_LOC)
                               .SetCode(absl::StatusCode::kAborted)),
              IsOk());
}

TEST(StatusBuilderTest, AnOkStatusStaysOkWhateverIsStreamed) {
  StatusBuilder builder(absl::OkStatus(), SYNCLINE_LOC);
  builder << "nothing happened";
  EXPECT_TRUE(builder.ok());
  SYNCLINE_EXPECT_OK(absl::Status(builder));
}

TEST(StatusBuilderTest, PayloadsAreKept) {
  absl::Status original = absl::NotFoundError("no file");
  original.SetPayload("url", absl::Cord("payload"));
  const absl::Status status =
      StatusBuilder(original, SYNCLINE_LOC).SetCode(absl::StatusCode::kAborted)
      << "here";
  EXPECT_EQ(status.GetPayload("url"), "payload");
}

TEST(StatusBuilderTest, ANamedBuilderCollectsAndCopies) {
  StatusBuilder builder = NotFound();
  builder << "a";
  StatusBuilder copy = builder;
  copy << "b";
  builder << "c" << std::endl;
  EXPECT_THAT(absl::Status(builder),
              StatusIs(absl::StatusCode::kNotFound, "no file; ac\n"));
  EXPECT_THAT(absl::Status(copy),
              StatusIs(absl::StatusCode::kNotFound, "no file; ab"));
  copy = builder;
  const StatusBuilder moved = std::move(copy);
  EXPECT_EQ(absl::Status(moved), absl::Status(builder));
  EXPECT_EQ(moved.code(), absl::StatusCode::kNotFound);
}

absl::StatusOr<int> FailWithText(absl::string_view text) {
  return InvalidArgumentErrorBuilder(SYNCLINE_LOC) << text;
}

TEST(StatusBuilderTest, ABuilderIsReturnedAsAStatusOr) {
  EXPECT_THAT(FailWithText("bad"),
              StatusIs(absl::StatusCode::kInvalidArgument, "bad"));
}

TEST(StatusBuilderTest, EachErrorBuilderHasItsCode) {
  const source_location here = SYNCLINE_LOC;
  const auto code = [](const StatusBuilder& builder) { return builder.code(); };
  using Code = absl::StatusCode;
  EXPECT_EQ(code(AbortedErrorBuilder(here)), Code::kAborted);
  EXPECT_EQ(code(AlreadyExistsErrorBuilder(here)), Code::kAlreadyExists);
  EXPECT_EQ(code(CancelledErrorBuilder(here)), Code::kCancelled);
  EXPECT_EQ(code(DataLossErrorBuilder(here)), Code::kDataLoss);
  EXPECT_EQ(code(DeadlineExceededErrorBuilder(here)), Code::kDeadlineExceeded);
  EXPECT_EQ(code(FailedPreconditionErrorBuilder(here)),
            Code::kFailedPrecondition);
  EXPECT_EQ(code(InternalErrorBuilder(here)), Code::kInternal);
  EXPECT_EQ(code(InvalidArgumentErrorBuilder(here)), Code::kInvalidArgument);
  EXPECT_EQ(code(NotFoundErrorBuilder(here)), Code::kNotFound);
  EXPECT_EQ(code(OutOfRangeErrorBuilder(here)), Code::kOutOfRange);
  EXPECT_EQ(code(PermissionDeniedErrorBuilder(here)), Code::kPermissionDenied);
  EXPECT_EQ(code(ResourceExhaustedErrorBuilder(here)),
            Code::kResourceExhausted);
  EXPECT_EQ(code(UnauthenticatedErrorBuilder(here)), Code::kUnauthenticated);
  EXPECT_EQ(code(UnavailableErrorBuilder(here)), Code::kUnavailable);
  EXPECT_EQ(code(UnimplementedErrorBuilder(here)), Code::kUnimplemented);
  EXPECT_EQ(code(UnknownErrorBuilder(here)), Code::kUnknown);
}

source_location CallersPlace(
    source_location location = source_location::current()) {
  return location;
}

TEST(SourceLocationTest, IsThePlaceOfTheCode) {
  const source_location here = SYNCLINE_LOC;
  EXPECT_EQ(here.line(), __LINE__ - 1);
  EXPECT_THAT(here.file_name(), EndsWith("status_builder_test.cc"));
  EXPECT_EQ(CallersPlace().line(), __LINE__);
  EXPECT_EQ(source_location::DoNotInvokeDirectly(3, "f.cc").ToString(),
            "f.cc:3");
}

}  // namespace
}  // namespace syncline
