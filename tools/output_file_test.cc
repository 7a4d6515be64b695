#include "tools/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::string NewPath(const std::string& name) {
  std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::filesystem::remove(path);
  return path;
}

std::string Contents(const std::string& path) {
  std::stringstream contents;
  contents << std::ifstream(path).rdbuf();
  return contents.str();
}

TEST(OutputFileTest, WhatWasThereStaysUntilBegin) {
  const std::string path = NewPath("old.txt");
  std::ofstream(path) << "old";
  OutputFile file("test");
  ASSERT_TRUE(file.Open(path).ok());
  EXPECT_GE(file.fd(), 0);
  EXPECT_EQ(Contents(path), "old");
  ASSERT_TRUE(file.Begin().ok());
  EXPECT_EQ(Contents(path), "");
  ASSERT_TRUE(file.Write("new\n").ok());
  ASSERT_TRUE(file.Flush().ok());
  EXPECT_EQ(Contents(path), "new\n");
  ASSERT_TRUE(file.Write("more\n").ok());
  ASSERT_TRUE(file.Close().ok());
  EXPECT_EQ(Contents(path), "new\nmore\n");
}

TEST(OutputFileTest, ANewFileThatNobodyBeginsIsRemoved) {
  const std::string path = NewPath("new.txt");
  {
    OutputFile file("test");
    ASSERT_TRUE(file.Open(path).ok());
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(OutputFileTest, AnOldFileThatNobodyBeginsStays) {
  const std::string path = NewPath("kept.txt");
  std::ofstream(path).close();
  { ASSERT_TRUE(OutputFile("test").Open(path).ok()); }
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(OutputFileTest, AFileWithoutANameIsAnError) {
  const std::string path = NewPath("removed.txt");
  OutputFile file("test");
  ASSERT_TRUE(file.Open(path).ok());
  ASSERT_TRUE(file.Begin().ok());
  ASSERT_TRUE(file.Write("lost").ok());
  unlink(path.c_str());
  EXPECT_FALSE(file.Close().ok());
}

TEST(OutputFileTest, AFileThatSomebodyEmptiesIsAnError) {
  const std::string path = NewPath("emptied.txt");
  OutputFile file("test");
  ASSERT_TRUE(file.Open(path).ok());
  ASSERT_TRUE(file.Begin().ok());
  ASSERT_TRUE(file.Write("lost").ok());
  ASSERT_TRUE(file.Flush().ok());
  ASSERT_EQ(truncate(path.c_str(), 0), 0);
  ASSERT_TRUE(file.Write("what follows").ok());
  const absl::Status status = file.Close();
  EXPECT_NE(std::string(status.message()).find("somebody emptied the file"),
            std::string::npos)
      << status;
  EXPECT_EQ(Contents(path), "what follows");
}

TEST(OutputFileTest, AFolderThatIsNotThereIsAnError) {
  OutputFile file("test");
  EXPECT_FALSE(file.Open(NewPath("no/folder/file.txt")).ok());
}

TEST(OutputFileTest, ADiskThatIsFullIsAnError) {
  OutputFile file("test");
  ASSERT_TRUE(file.Open("/dev/full").ok());
  ASSERT_TRUE(file.Begin().ok());
  absl::Status status = file.Write("text");
  status.Update(file.Close());
  EXPECT_FALSE(status.ok());
}

TEST(OutputFileTest, AWholeFileThatDoesNotFitIsNamed) {
  const std::string link = NewPath("full.txt");
  std::filesystem::create_symlink("/dev/full", link);
  // More than what waits in memory before it is written, and less.
  for (const std::size_t size : {std::size_t{1} << 20, std::size_t{1}}) {
    EXPECT_EQ(WriteFile("test", link, std::string(size, 'x')).message(),
              absl::StrCat("cannot write \"", link,
                           "\": No space left on device: check that there is "
                           "room"));
  }
}

TEST(OutputFileTest, PiecesAreWrittenUpToTheFirstError) {
  const std::string path = NewPath("pieces.txt");
  ASSERT_TRUE(WriteFile("test", path, [](WritePiece write) {
                absl::Status status = write("one ");
                status.Update(write("two"));
                return status;
              }).ok());
  EXPECT_EQ(Contents(path), "one two");
  // An error of what makes the pieces is not one of the file.
  EXPECT_EQ(WriteFile("test", path,
                      [](WritePiece) {
                        return absl::DataLossError("nothing to write");
                      })
                .message(),
            "nothing to write");
  // A part of it would look like a result.
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(OutputFileTest, WhatIsAbandonedIsTakenAwayUnlessItIsNoFile) {
  const std::string path = NewPath("abandoned.txt");
  OutputFile file("test");
  ASSERT_TRUE(file.Open(path).ok());
  ASSERT_TRUE(file.Begin().ok());
  ASSERT_TRUE(file.Write("half").ok());
  file.Abandon();
  EXPECT_FALSE(std::filesystem::exists(path));
  OutputFile device("test");
  ASSERT_TRUE(device.Open("/dev/null").ok());
  device.Abandon();
  EXPECT_TRUE(std::filesystem::exists("/dev/null"));
}

// A pipe whose reader has opened it, and reads nothing.
struct UnreadPipe {
  UnreadPipe() : path(absl::StrCat(testing::TempDir(), "/unread_pipe")) {
    unlink(path.c_str());
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  }
  ~UnreadPipe() {
    close(reader);
    unlink(path.c_str());
  }
  std::string path;
  int reader = -1;
};

absl::Status WriteMegabyte(WritePiece write) {
  return write(std::string(1 << 20, 'a'));
}

TEST(OutputFileTest, APipeThatNobodyReadsIsWaitedForUntilItIsGivenUp) {
  const UnreadPipe pipe;
  std::atomic<int> asked = 0;
  EXPECT_THAT(
      WriteFile("p", pipe.path, WriteMegabyte,
                [&asked] { return ++asked > 30; }),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("unread_pipe")));
  EXPECT_GT(asked, 30);
}

TEST(OutputFileTest, AReaderOfAPipeThatGoesIsAnError) {
  UnreadPipe pipe;
  const auto reader_goes = [&pipe] {
    close(std::exchange(pipe.reader, -1));
    return false;
  };
  EXPECT_THAT(WriteFile("p", pipe.path, WriteMegabyte, reader_goes),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("its reader has gone before the end")));
}

TEST(OutputFileTest, AWholeFileIsWrittenAtOnce) {
  const std::string path = NewPath("whole.bin");
  ASSERT_TRUE(WriteFile("test", path, absl::string_view("a\0b", 3)).ok());
  EXPECT_EQ(Contents(path), std::string("a\0b", 3));
  const absl::Status status = WriteFile("test", NewPath("no/folder/a"), "");
  EXPECT_NE(status.message().find("no/folder/a"), std::string::npos);
}

}  // namespace
}  // namespace syncline
