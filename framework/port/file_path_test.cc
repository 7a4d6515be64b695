#include "framework/port/file_path.h"

#include <string>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(FilePathTest, JoinPathPutsOneSlashBetweenParts) {
  EXPECT_EQ(file::JoinPath("a", "b"), "a/b");
  EXPECT_EQ(file::JoinPath("a/", "//b"), "a/b");
  EXPECT_EQ(file::JoinPath("/a", std::string("b"), "c.txt"), "/a/b/c.txt");
  EXPECT_EQ(file::JoinPath("", "b"), "b");
  EXPECT_EQ(file::JoinPath("a", ""), "a");
  EXPECT_EQ(file::JoinPath("/", "b"), "/b");
}

TEST(FilePathTest, SplitsAtTheLastSlash) {
  EXPECT_EQ(file::Dirname("a/b/c"), "a/b");
  EXPECT_EQ(file::Basename("a/b/c"), "c");
  EXPECT_EQ(file::Dirname("c"), "");
  EXPECT_EQ(file::Basename("c"), "c");
  EXPECT_EQ(file::Dirname("/c"), "/");
  EXPECT_EQ(file::Basename("a/"), "");
  EXPECT_EQ(file::SplitPath("a/b").second, "b");
}

}  // namespace
}  // namespace syncline
