#include "framework/port/file_helpers.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/file_path.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A new folder for each test.
std::string Folder() {
  std::string folder = file::JoinPath(
      testing::TempDir(),
      testing::UnitTest::GetInstance()->current_test_info()->name());
  EXPECT_THAT(file::RecursivelyCreateDir(folder), IsOk());
  return folder;
}

TEST(FileHelpersTest, WhatIsWrittenIsReadBack) {
  const std::string path = file::JoinPath(Folder(), "file");
  const std::string bytes("a\0b\r\n", 5);
  SYNCLINE_ASSERT_OK(file::SetContents(path, bytes));
  std::string read = "old";
  SYNCLINE_ASSERT_OK(file::GetContents(path, &read));
  EXPECT_EQ(read, bytes);
  SYNCLINE_ASSERT_OK(file::AppendStringToFile(path, "more"));
  SYNCLINE_ASSERT_OK(file::GetContents(path, &read));
  EXPECT_EQ(read, bytes + "more");
}

TEST(FileHelpersTest, AMissingFileIsNotFoundAndNamed) {
  const std::string path = file::JoinPath(Folder(), "missing");
  std::string read;
  EXPECT_THAT(file::GetContents(path, &read),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path)));
  EXPECT_THAT(file::Exists(path),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path)));
  EXPECT_THAT(file::SetContents(file::JoinPath(path, "x"), ""),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path)));
}

TEST(FileHelpersTest, ReadingAFolderIsAnError) {
  std::string read;
  EXPECT_THAT(file::GetContents(Folder(), &read), testing::Not(IsOk()));
}

TEST(FileHelpersTest, FoldersAreMadeWithThoseAboveThem) {
  const std::string path = file::JoinPath(Folder(), "a", "b");
  SYNCLINE_EXPECT_OK(file::RecursivelyCreateDir(path));
  SYNCLINE_EXPECT_OK(file::RecursivelyCreateDir(path));
  SYNCLINE_EXPECT_OK(file::IsDirectory(path));
  SYNCLINE_ASSERT_OK(file::SetContents(file::JoinPath(path, "c"), ""));
  SYNCLINE_EXPECT_OK(file::Exists(file::JoinPath(path, "c")));
  EXPECT_THAT(file::IsDirectory(file::JoinPath(path, "c")),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(FileHelpersTest, FindsFilesByTheEndOfTheirNamesAndInSubfolders) {
  const std::string folder = Folder();
  for (const char* name : {"two.txt", "one.txt", "three.bin"}) {
    SYNCLINE_ASSERT_OK(file::SetContents(file::JoinPath(folder, name), ""));
  }
  for (const char* name : {"y", "x"}) {
    const std::string inner = file::JoinPath(folder, name);
    SYNCLINE_ASSERT_OK(file::RecursivelyCreateDir(inner));
    SYNCLINE_ASSERT_OK(file::SetContents(file::JoinPath(inner, "label"), ""));
  }
  std::vector<std::string> found = {"old"};
  SYNCLINE_ASSERT_OK(file::MatchFileTypeInDirectory(folder, ".txt", &found));
  EXPECT_THAT(found, ElementsAre(file::JoinPath(folder, "one.txt"),
                                 file::JoinPath(folder, "two.txt")));
  SYNCLINE_ASSERT_OK(file::MatchInTopSubdirectories(folder, "label", &found));
  EXPECT_THAT(found, ElementsAre(file::JoinPath(folder, "x", "label"),
                                 file::JoinPath(folder, "y", "label")));
  EXPECT_THAT(file::MatchFileTypeInDirectory("/no/such", "", &found),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such")));
}

}  // namespace
}  // namespace syncline
