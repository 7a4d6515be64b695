#include "framework/trace/file_beside.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(FileBesideTest, EachHasANameOfItsOwn) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/beside");
  std::set<std::string> names;
  constexpr std::size_t kFiles = 20;
  for (std::size_t i = 0; i < kFiles; ++i) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string beside,
                                  MakeFileBeside(path));
    EXPECT_TRUE(absl::StartsWith(beside, absl::StrCat(path, "."))) << beside;
    names.insert(beside);
  }
  EXPECT_EQ(names.size(), kFiles);
  for (const std::string& name : names) EXPECT_EQ(unlink(name.c_str()), 0);
}

TEST(FileBesideTest, TheUmaskSaysWhoMayReadIt) {
  const mode_t before = umask(0027);
  const auto beside =
      MakeFileBeside(absl::StrCat(::testing::TempDir(), "/umask"));
  umask(before);
  SYNCLINE_ASSERT_OK(beside);
  struct stat about = {};
  ASSERT_EQ(stat(beside->c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0640u);
  EXPECT_EQ(about.st_size, 0);
  unlink(beside->c_str());
}

TEST(FileBesideTest, TheErrorNamesTheFile) {
  const absl::Status status = MakeFileBeside("/no/such/folder/x").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("beside \"/no/such/folder/x\""));
}

}  // namespace
}  // namespace syncline
