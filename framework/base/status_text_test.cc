#include "framework/base/status_text.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(PrefixStatusTest, PutsThePrefixBeforeTheTextAndKeepsTheRest) {
  absl::Status status = absl::NotFoundError("no file");
  status.SetPayload("url", absl::Cord("payload"));
  const absl::Status result = PrefixStatus("Open failed: ", status);
  EXPECT_THAT(result,
              StatusIs(absl::StatusCode::kNotFound, "Open failed: no file"));
  EXPECT_EQ(result.GetPayload("url"), "payload");
}

TEST(PrefixStatusTest, AnOkStatusStaysOk) {
  SYNCLINE_EXPECT_OK(PrefixStatus("Open failed: ", absl::OkStatus()));
}

TEST(CombineStatusesTest, NoErrorIsOk) {
  SYNCLINE_EXPECT_OK(CombineStatuses("failed:", {}));
  SYNCLINE_EXPECT_OK(CombineStatuses("failed:", {absl::OkStatus()}));
}

TEST(CombineStatusesTest, ErrorsOfOneCodeKeepItAndGetALineEach) {
  EXPECT_THAT(
      CombineStatuses("failed:", {absl::AbortedError("a"), absl::OkStatus(),
                                  absl::AbortedError("b")}),
      StatusIs(absl::StatusCode::kAborted, "failed:\na\nb"));
}

TEST(CombineStatusesTest, DifferentCodesAreUnknown) {
  EXPECT_THAT(
      CombineStatuses("", {absl::AbortedError("a"), absl::NotFoundError("b"),
                           absl::AbortedError("c")}),
      StatusIs(absl::StatusCode::kUnknown, "\na\nb\nc"));
}

}  // namespace
}  // namespace syncline
