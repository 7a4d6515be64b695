#include "framework/tool/status_util.h"

#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(StatusUtilTest, EachStatusHasItsCode) {
  EXPECT_THAT(tool::StatusStop(), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(tool::StatusInvalid("text"),
              StatusIs(absl::StatusCode::kInvalidArgument, "text"));
  EXPECT_THAT(tool::StatusFail("text"),
              StatusIs(absl::StatusCode::kUnknown, "text"));
}

TEST(StatusUtilTest, PrefixesAndCombines) {
  EXPECT_THAT(tool::AddStatusPrefix("before ", absl::NotFoundError("after")),
              StatusIs(absl::StatusCode::kNotFound, "before after"));
  const std::vector<absl::Status> statuses = {
      absl::NotFoundError("one"), absl::OkStatus(), absl::NotFoundError("two")};
  EXPECT_THAT(tool::CombinedStatus("errors:", statuses),
              StatusIs(absl::StatusCode::kNotFound, "errors:\none\ntwo"));
}

}  // namespace
}  // namespace syncline
