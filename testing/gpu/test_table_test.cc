#include "testing/gpu/test_table.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TestTableTest, AddsUpByFileAndReason) {
  TestTable table;
  table.Add("gpu/a_test.cc", TestOutcome::kPassed, "", 500);
  table.Add("gpu/a_test.cc", TestOutcome::kPassed, "", 250);
  table.Add("gpu/b_test.cc", TestOutcome::kSkipped, "there is no device\n", 0);
  table.Add("gpu/c_test.cc", TestOutcome::kFailed, "", 10);
  table.Add("gpu/c_test.cc", TestOutcome::kSkipped, "there is no device", 0);
  EXPECT_EQ(table.passed(), 2);
  EXPECT_EQ(table.failed(), 1);
  EXPECT_EQ(table.skipped(), 2);
  EXPECT_EQ(table.ToText(),
            "file           passed  failed  skipped  seconds\n"
            "gpu/c_test.cc  0       1       1        0.01\n"
            "gpu/a_test.cc  2       0       0        0.75\n"
            "gpu/b_test.cc  0       0       1        0.00\n"
            "all            2       1       2        0.76\n"
            "2 tests were skipped: there is no device\n"
            "2 passed, 1 failed, 2 skipped\n");
}

TEST(TestTableTest, WithoutTestsThereIsTheSum) {
  EXPECT_THAT(TestTable().ToText(), HasSubstr("\n0 passed, 0 failed"));
  EXPECT_THAT(TestTable().ToText(), Not(HasSubstr("were skipped")));
}

}  // namespace
}  // namespace syncline
