// Plug-ins that go by their names.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "framework/base/plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(InstalledPluginTest, TheFolderIsBesideTheFramework) {
  // This program has it linked in, and no plug-ins beside it.
  EXPECT_THAT(PluginFolder(), HasSubstr("/syncline/plugins"));
  EXPECT_EQ(InstalledPlugin("cuda", PluginFolder()), "");
}

TEST(InstalledPluginTest, OneThatIsNotThereHasNoFile) {
  const std::string folder =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/installed_plugins");
  std::filesystem::create_directories(folder + "/folder.so");
  std::ofstream(folder + "/camera.so") << "a library";
  EXPECT_EQ(InstalledPlugin("camera", folder), folder + "/camera.so");
  EXPECT_EQ(InstalledPlugin("page", folder), "");
  EXPECT_EQ(InstalledPlugin("folder", folder), "");
  EXPECT_EQ(InstalledPlugin("camera", "/nonexistent"), "");
}

}  // namespace
}  // namespace syncline
