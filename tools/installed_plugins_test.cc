#include "tools/installed_plugins.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/plugin.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A folder with plug-ins of these names.
std::string FolderWith(const std::string& folder,
                       const std::vector<std::string>& names) {
  const std::string path =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/", folder);
  std::filesystem::create_directories(path);
  for (const std::string& name : names) {
    std::ofstream(absl::StrCat(path, "/", name, ".so")) << "a library";
  }
  std::ofstream(absl::StrCat(path, "/README")) << "no plug-in";
  return path;
}

TEST(InstalledPluginsTest, ABareNameIsAnInstalledPlugin) {
  const std::string folder = FolderWith("two", {"opencv", "camera"});
  EXPECT_THAT(PluginsIn(folder), ElementsAre("camera", "opencv"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string file,
                                PluginFile("opencv", folder));
  EXPECT_EQ(file, folder + "/opencv.so");
}

TEST(InstalledPluginsTest, OtherNamesAreThoseOfFiles) {
  const std::string folder = FolderWith("two", {"opencv", "camera"});
  for (const char* const given :
       {"./opencv", "opencv.so", "/a/b", "../plugins/opencv.so", ""}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string file,
                                  PluginFile(given, folder));
    EXPECT_EQ(file, given);
  }
}

TEST(InstalledPluginsTest, ABareNameOfNothingIsAnErrorWithThoseThatThereAre) {
  const absl::Status status =
      PluginFile("openvc", FolderWith("two", {"opencv", "camera"})).status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("no plug-in \"openvc\" in "),
                    HasSubstr("/two\", but camera, opencv")));
  EXPECT_THAT(
      std::string(PluginFile("openvc", "/nonexistent").status().message()),
      HasSubstr("in \"/nonexistent\", nor any other"));
}

TEST(InstalledPluginsTest, TheHintNamesThoseThatAreNotOpened) {
  const std::string folder = FolderWith("two", {"opencv", "camera"});
  EXPECT_EQ(OtherPluginsHint({}, folder),
            "Installed and not opened: camera, opencv. What is missing may be "
            "there: add --plugin=camera");
  EXPECT_EQ(OtherPluginsHint({folder + "/camera.so"}, folder),
            "Installed and not opened: opencv. What is missing may be there: "
            "add --plugin=opencv");
  EXPECT_EQ(
      OtherPluginsHint({folder + "/camera.so", folder + "/opencv.so"}, folder),
      "");
}

TEST(InstalledPluginsTest, TheHintIsSilentOnWhatGraphsDoNotName) {
  EXPECT_EQ(OtherPluginsHint({}, FolderWith("no_graphs", {"page", "cuda"})),
            "");
}

}  // namespace
}  // namespace syncline
