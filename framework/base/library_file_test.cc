#include "framework/base/library_file.h"

#include <gnu/libc-version.h>

#include <cstddef>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kCirclePlugin[] = "framework/base/testdata/circle_plugin.so";

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

std::string Written(const std::string& contents) {
  const std::string path = testing::TempDir() + "/library.so";
  std::ofstream(path, std::ios::binary | std::ios::trunc) << contents;
  return path;
}

TEST(LibraryFileTest, SaysWhichLibrariesItNeeds) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const LibraryFile library,
      ReadLibraryFile("framework/base/testdata/linked_with_other_version.so",
                      {}));
  EXPECT_THAT(library.needed, Contains("libsyncline_framework.so.9.9"));
  EXPECT_THAT(library.symbols, IsEmpty());
}

TEST(LibraryFileTest, SaysWhichSymbolsItOffersAndWhichItLooksFor) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const LibraryFile library,
      ReadLibraryFile(kCirclePlugin, {"GetTypeOf", "mem"}));
  bool defined = false;
  bool looked_for = false;
  for (const LibraryFile::Symbol& symbol : library.symbols) {
    defined |= symbol.name == "GetTypeOfShape" && symbol.defined;
    looked_for |= symbol.name.starts_with("mem") && !symbol.defined;
    EXPECT_TRUE(symbol.name.starts_with("GetTypeOf") ||
                symbol.name.starts_with("mem"));
  }
  EXPECT_TRUE(defined);
  EXPECT_TRUE(looked_for);
}

TEST(LibraryFileTest, AFileThatIsNoLibraryIsAnError) {
  EXPECT_THAT(ReadLibraryFile("/no/such/file", {}),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(ReadLibraryFile("/", {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadLibraryFile("/dev/zero", {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadLibraryFile(Written(""), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
  EXPECT_THAT(ReadLibraryFile(Written("\x7f"
                                      "ELF"),
                              {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(LibraryFileTest, NoContentsDoHarm) {
  const std::string whole = Contents(kCirclePlugin);
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    // The headers at both ends, where the offsets and sizes are.
    for (int change = 0; change < 20; ++change) {
      const std::size_t at = random() % 2 == 0
                                 ? random() % 1024
                                 : bytes.size() - 1 - random() % 2048;
      bytes[at] = static_cast<char>(random() % 4 == 0 ? 0xff : random());
    }
    // What is read of them does not matter.
    (void)ReadLibraryFile(Written(bytes), {"G", "s"});
  }
}

TEST(LibraryFileTest, AnAddressBelongsToTheProgramOrALibrary) {
  static constexpr char kHere[] = "here";
  EXPECT_THAT(LibraryOfAddress(kHere), EndsWith("library_file_test"));
  // A function that no sanitizer puts its own in place of.
  EXPECT_THAT(
      LibraryOfAddress(reinterpret_cast<const void*>(&gnu_get_libc_version)),
      HasSubstr("libc"));
  EXPECT_EQ(LibraryOfAddress(nullptr), "");
  const int on_the_stack = 0;
  EXPECT_EQ(LibraryOfAddress(&on_the_stack), "");
}

TEST(LibraryFileTest, TwoPlacesNameTheirLibrariesWhereThoseDiffer) {
  static constexpr char kHere[] = "here";
  EXPECT_EQ(TwoPlacesText({"a.cc:1", kHere}, {"b.cc:2", kHere}),
            "a.cc:1 and from b.cc:2");
  EXPECT_EQ(TwoPlacesText({"a.cc:1", nullptr}, {"", nullptr}),
            "a.cc:1 and from an unknown place");
  const std::string text =
      TwoPlacesText({"a.cc:1", kHere},
                    {"b.cc:2", reinterpret_cast<const void*>(&std::fclose)});
  EXPECT_THAT(text, HasSubstr("library_file_test\" and from b.cc:2 in \""));
}

}  // namespace
}  // namespace syncline
