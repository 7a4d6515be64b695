#include "util/resource_util.h"

#include <cstdlib>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "framework/deps/file_helpers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ResourceUtilTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::string(std::getenv("TEST_TMPDIR")) + "/resources";
    SYNCLINE_ASSERT_OK(file::RecursivelyCreateDir(folder_ + "/a"));
    SYNCLINE_ASSERT_OK(file::SetContents(folder_ + "/a/b.txt", "text"));
  }
  void TearDown() override {
    absl::SetFlag(&FLAGS_resource_root_dir, "");
    SetCustomGlobalResourceProvider(nullptr);
  }

  std::string folder_;
};

TEST_F(ResourceUtilTest, AnAbsolutePathIsTakenAsItIs) {
  absl::SetFlag(&FLAGS_resource_root_dir, "/nowhere");
  EXPECT_THAT(PathToResourceAsFile(folder_ + "/a/b.txt"),
              IsOkAndHolds(folder_ + "/a/b.txt"));
  std::string contents;
  SYNCLINE_ASSERT_OK(GetResourceContents(folder_ + "/a/b.txt", &contents));
  EXPECT_EQ(contents, "text");
}

TEST_F(ResourceUtilTest, OthersAreUnderTheRoot) {
  absl::SetFlag(&FLAGS_resource_root_dir, folder_);
  std::string contents;
  SYNCLINE_ASSERT_OK(GetResourceContents("a/b.txt", &contents));
  EXPECT_EQ(contents, "text");
}

TEST_F(ResourceUtilTest, WithoutARootTheProgramsFilesAreLookedAt) {
  EXPECT_THAT(PathToResourceAsFile("util/resource_util_test.cc"), IsOk());
}

TEST_F(ResourceUtilTest, WhatIsNotThereIsSaidWithItsPlaces) {
  absl::SetFlag(&FLAGS_resource_root_dir, folder_);
  std::string contents = "before";
  EXPECT_THAT(
      GetResourceContents("c.txt", &contents),
      StatusIs(absl::StatusCode::kNotFound,
               AllOf(HasSubstr("\"c.txt\""), HasSubstr(folder_ + "/c.txt"))));
  EXPECT_EQ(contents, "before");
}

TEST_F(ResourceUtilTest, AProviderIsAskedInstead) {
  const auto provider = [](const std::string& path, std::string* output) {
    *output = "provided " + path;
    return absl::OkStatus();
  };
  EXPECT_TRUE(SetCustomGlobalResourceProvider(provider));
  EXPECT_FALSE(SetCustomGlobalResourceProvider(provider));
  std::string contents;
  SYNCLINE_ASSERT_OK(GetResourceContents("x", &contents));
  EXPECT_EQ(contents, "provided x");
}

}  // namespace
}  // namespace syncline
