#include "tools/exit_status.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(ExitStatusTest, AWrongCommandLineIsTwo) {
  EXPECT_EQ(ExitStatusOf(absl::InvalidArgumentError("")), 2);
  EXPECT_EQ(ExitStatusOf(absl::NotFoundError("")), 1);
}

TEST(ExitStatusTest, ControlCharactersAreEscaped) {
  EXPECT_EQ(Shown("plain\ttext\n"), "plain\ttext\n");
  EXPECT_EQ(Shown("\x1b[2J\x7f"), "\\x1b[2J\\x7f");
  // U+009B is a command as well; U+00E9 and U+4E2D are letters.
  EXPECT_EQ(Shown("a\xc2\x9b"), "a\\xc2\\x9b");
  EXPECT_EQ(Shown("\xc3\xa9 \xe4\xb8\xad"), "\xc3\xa9 \xe4\xb8\xad");
  EXPECT_EQ(Shown("\xc2\xa9 \xc2"), "\xc2\xa9 \xc2");
}

TEST(ExitStatusTest, ANameIsOneLine) {
  EXPECT_EQ(ShownName("a\nb\tc"), "a\\nb\\tc");
}

TEST(ExitStatusTest, FailSaysWhyOnStandardError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(Fail("program", 7, "  it is\x1b wrong"), 7);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "program: it is\\x1b wrong\n");
}

}  // namespace
}  // namespace syncline
