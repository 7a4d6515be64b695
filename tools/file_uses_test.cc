// A file that is read is not written, by whatever name; what has no bytes to
// lose may have any number of uses.
#include "tools/file_uses.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::string NewFile(const std::string& name) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::remove(path.c_str());
  std::ofstream(path) << "1 a\n";
  return path;
}

void ExpectRefused(const absl::Status& status, const std::string& text) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
}

TEST(FileUsesTest, AFileThatIsReadIsNotWritten) {
  const std::string path = NewFile("read.txt");
  FileUses uses;
  uses.AddRead("--input", path);
  ExpectRefused(uses.AddWritten("--output", path),
                "--output cannot write to \"" + path +
                    "\": --input reads the same file.");
}

TEST(FileUsesTest, ALinkIsTheFileThatItLeadsTo) {
  const std::string path = NewFile("linked.txt");
  const std::string soft = path + ".soft";
  const std::string hard = path + ".hard";
  std::remove(soft.c_str());
  std::remove(hard.c_str());
  ASSERT_EQ(symlink(path.c_str(), soft.c_str()), 0);
  ASSERT_EQ(link(path.c_str(), hard.c_str()), 0);
  for (const std::string& name : {soft, hard}) {
    FileUses uses;
    uses.AddRead("--graph", path);
    ExpectRefused(uses.AddWritten("--output", name),
                  "--graph \"" + path + "\" reads the same file by another");
    FileUses other;
    other.AddRead("--graph", name);
    ExpectRefused(other.AddWritten("--output", path), name);
  }
}

TEST(FileUsesTest, AFileThatIsOpenIsKnown) {
  const std::string path = NewFile("open.txt");
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  FileUses uses;
  uses.AddRead("--input", "-", fd);
  ExpectRefused(uses.AddWritten("--output", path), "--input \"-\"");
  FileUses written;
  SYNCLINE_EXPECT_OK(written.AddWritten("--output", path, fd));
  ExpectRefused(written.AddWritten("--record", path),
                "--output writes to the same file");
  close(fd);
}

TEST(FileUsesTest, AFileThatIsNotThereYetIsKnownByItsFolder) {
  const std::string folder = ::testing::TempDir();
  FileUses uses;
  SYNCLINE_EXPECT_OK(uses.AddWritten("--trace", folder + "/new_file"));
  EXPECT_THAT(uses.AddWritten("--other", folder + "/./new_file"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--trace writes to the same file")));
  SYNCLINE_EXPECT_OK(uses.AddWritten("--other", folder + "/new_file_2"));
  // The error is that of whoever writes it.
  SYNCLINE_EXPECT_OK(uses.AddWritten("--more", folder + "/none/new_file"));
}

TEST(FileUsesTest, WhatHasNothingToLoseMayHaveManyUses) {
  FileUses uses;
  uses.AddRead("--input", "/dev/null");
  SYNCLINE_EXPECT_OK(uses.AddWritten("--output", "/dev/null"));
  SYNCLINE_EXPECT_OK(uses.AddWritten("--output", "/dev/null"));
  const std::string absent = ::testing::TempDir() + "/absent.txt";
  uses.AddRead("--input", absent);
  SYNCLINE_EXPECT_OK(uses.AddWritten("--output", absent));
  SYNCLINE_EXPECT_OK(uses.AddWritten("--output", NewFile("other.txt")));
}

// What bazel run starts is in a folder where nobody looks for its files.
TEST(FileUsesTest, BazelRunIsToldWhereItsFilesAre) {
  FileUses uses;
  EXPECT_TRUE(uses.AddWritten("--trace", "run.trace").ok());
  EXPECT_TRUE(uses.AddWritten("--flight_recorder", "not_there.trace").ok());
  EXPECT_TRUE(uses.AddWritten("--picture", "/tmp/whole.svg").ok());
  std::ofstream("run.trace") << "written";
  EXPECT_TRUE(uses.AddWritten("--output=out", "-", 1).ok());
  unsetenv("BUILD_WORKING_DIRECTORY");
  testing::internal::CaptureStderr();
  uses.TellPlaces("test");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  setenv("BUILD_WORKING_DIRECTORY", "/users/folder", 1);
  testing::internal::CaptureStderr();
  uses.TellPlaces("test");
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "test: \"run.trace\" is in " +
                std::filesystem::current_path().string() +
                "; bazel run starts programs in another folder, so give the "
                "whole path: /users/folder/run.trace\n");
  std::remove("run.trace");
}

}  // namespace
}  // namespace syncline
