#include "gpu/submission.h"

#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(SubmissionTest, IsThatOfItsThreadWhileItExists) {
  EXPECT_EQ(Submission::Current(), nullptr);
  {
    const std::string stream = "a/0";
    const Submission submission("blur", stream);
    EXPECT_EQ(Submission::Current(), &submission);
    std::thread([] { EXPECT_EQ(Submission::Current(), nullptr); }).join();
  }
  EXPECT_EQ(Submission::Current(), nullptr);
}

TEST(SubmissionTest, SaysWhoGaveItAndWhyOtherWorkIsRefused) {
  const WorkOwnerScope scope(
      {std::make_shared<const std::string>("blur"), Timestamp(40)});
  const std::string stream = "blur/0";
  const Submission submission("blur it", stream);
  EXPECT_EQ(submission.ToText(),
            "node \"blur\" at 40 gave it to stream \"blur/0\"");
  EXPECT_THAT(
      submission.Refuse("fill", "stream \"b\" of stand_in:0"),
      StatusIs(
          absl::StatusCode::kFailedPrecondition,
          AllOf(HasSubstr("node \"blur\" at 40, \"fill\" on stream \"b\" of "
                          "stand_in:0: this thread gives \"blur it\" to "
                          "stream \"blur/0\" just now"),
                HasSubstr("before or after Launch()"))));
}

}  // namespace
}  // namespace syncline::gpu
