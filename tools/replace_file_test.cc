// A file has its old contents or its new ones.

#include "tools/replace_file.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/output_file.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class ReplaceFileTest : public ::testing::Test {
 protected:
  ReplaceFileTest()
      : folder_(absl::StrCat(testing::TempDir(), "/replace_", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~ReplaceFileTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(absl::string_view name) const {
    return absl::StrCat(folder_, "/", name);
  }
  std::string Read(absl::string_view name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name)).rdbuf();
    return text.str();
  }

  const std::string folder_;
};

TEST_F(ReplaceFileTest, MakesAFileAndReplacesOne) {
  EXPECT_EQ(ReplaceFile("test", Path("a"), "one"), absl::OkStatus());
  EXPECT_EQ(Read("a"), "one");
  EXPECT_EQ(ReplaceFile("test", Path("a"), "2"), absl::OkStatus());
  EXPECT_EQ(Read("a"), "2");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    files += entry.exists() ? 1 : 0;
  }
  EXPECT_EQ(files, 1);
}

// Who has the file open goes on reading what was in it.
TEST_F(ReplaceFileTest, AReaderSeesNoPart) {
  EXPECT_EQ(ReplaceFile("test", Path("a"), "one"), absl::OkStatus());
  std::ifstream reader(Path("a"));
  EXPECT_EQ(ReplaceFile("test", Path("a"), "two"), absl::OkStatus());
  std::string text;
  reader >> text;
  EXPECT_EQ(text, "one");
}

TEST_F(ReplaceFileTest, RightsAndLinksStay) {
  std::ofstream(Path("real")) << "before";
  chmod(Path("real").c_str(), 0640);
  std::filesystem::create_symlink("real", Path("link"));
  EXPECT_EQ(ReplaceFile("test", Path("link"), "after"), absl::OkStatus());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Read("real"), "after");
  struct stat about = {};
  ASSERT_EQ(stat(Path("real").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0640u);
}

TEST_F(ReplaceFileTest, ALinkToNothingStaysAndGetsItsFile) {
  std::filesystem::create_symlink("real", Path("link"));
  EXPECT_EQ(ReplaceFile("test", Path("link"), "new"), absl::OkStatus());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Read("real"), "new");
}

TEST_F(ReplaceFileTest, AFolderThatIsNotThereIsSaidAsForAnyFile) {
  EXPECT_THAT(std::string(ReplaceFile("test", Path("no/a"), "x").message()),
              HasSubstr("check that the folder exists"));
}

TEST_F(ReplaceFileTest, ADeviceIsWritten) {
  EXPECT_EQ(ReplaceFile("test", "/dev/null", "x"), absl::OkStatus());
}

TEST_F(ReplaceFileTest, AnErrorNamesTheFile) {
  const absl::Status status = ReplaceFile("test", Path("no/a"), "x");
  EXPECT_THAT(status.message(), HasSubstr("no/a"));
  EXPECT_FALSE(ReplaceFile("test", Path(""), "x").ok()) << "a folder";
}

TEST_F(ReplaceFileTest, WhatIsGivenUpLeavesTheFileAsItWas) {
  EXPECT_EQ(ReplaceFile("test", Path("a"), "one"), absl::OkStatus());
  const absl::Status status =
      ReplaceFile("test", Path("a"), [](WritePiece write) -> absl::Status {
        EXPECT_EQ(write("part"), absl::OkStatus());
        return absl::CancelledError("enough");
      });
  EXPECT_EQ(status, absl::CancelledError("enough"));
  EXPECT_EQ(Read("a"), "one");
  const std::filesystem::directory_iterator files(folder_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(ReplaceFileTest, PiecesAreOneFile) {
  EXPECT_EQ(ReplaceFile("test", Path("a"),
                        [](WritePiece write) {
                          absl::Status status = write("one ");
                          status.Update(write("two"));
                          return status;
                        }),
            absl::OkStatus());
  EXPECT_EQ(Read("a"), "one two");
}

TEST_F(ReplaceFileTest, ASignalTakesTheUnfinishedFileAway) {
  std::ofstream(Path("a")) << "before";
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(ReplaceFile("test", Path("a"),
                            [number](WritePiece write) {
                              write("half").IgnoreError();
                              raise(number);
                              return absl::OkStatus();
                            })
                    .IgnoreError(),
                ::testing::KilledBySignal(number), "");
    EXPECT_EQ(Read("a"), "before");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_),
                            std::filesystem::directory_iterator()),
              1);
  }
}

// Whoever handles a signal decides what becomes of the file.
TEST_F(ReplaceFileTest, AHandlerOfTheProgramStays) {
  static std::atomic<int> handled{0};
  signal(SIGTERM, [](int) { ++handled; });
  EXPECT_EQ(ReplaceFile("test", Path("a"),
                        [](WritePiece write) {
                          raise(SIGTERM);
                          return write("whole");
                        }),
            absl::OkStatus());
  EXPECT_EQ(handled, 1);
  raise(SIGTERM);
  EXPECT_EQ(handled, 2);
  signal(SIGTERM, SIG_DFL);
  EXPECT_EQ(Read("a"), "whole");
}

}  // namespace
}  // namespace syncline
