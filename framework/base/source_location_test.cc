#include "framework/base/source_location.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

source_location CallersPlace(
    source_location location = source_location::current()) {
  return location;
}

TEST(SourceLocationTest, ThePlaceIsWhereItIsWritten) {
  const source_location here = SYNCLINE_LOC;
  EXPECT_TRUE(absl::EndsWith(here.file_name(), "source_location_test.cc"));
  EXPECT_EQ(here.ToString(), absl::StrCat(here.file_name(), ":", here.line()));
  const source_location next = SYNCLINE_LOC;
  EXPECT_EQ(next.line(), here.line() + 3);
}

TEST(SourceLocationTest, ADefaultArgumentIsThePlaceOfTheCaller) {
  const source_location here = SYNCLINE_LOC;
  EXPECT_EQ(CallersPlace().line(), here.line() + 1);
}

TEST(SourceLocationTest, OlderNames) {
  EXPECT_EQ(source_location::DoNotInvokeDirectly(7, "a.cc").ToString(),
            "a.cc:7");
  EXPECT_EQ(source_location().ToString(), "<unknown>:0");
}

}  // namespace
}  // namespace syncline
