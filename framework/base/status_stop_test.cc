#include "framework/base/status_stop.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(StatusStopTest, IsRecognisedByCodeAndTextTogether) {
  const absl::Status stop = tool::StatusStop();
  EXPECT_EQ(stop.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(stop, tool::StatusStop());
  EXPECT_TRUE(tool::IsStatusStop(stop));
  EXPECT_FALSE(tool::IsStatusStop(absl::OkStatus()));
  EXPECT_FALSE(tool::IsStatusStop(absl::OutOfRangeError("past the end")));
  EXPECT_FALSE(tool::IsStatusStop(absl::UnknownError(stop.message())));
}

}  // namespace
}  // namespace syncline
