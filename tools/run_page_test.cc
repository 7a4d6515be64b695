// Where the page of a run comes from, and what is said where there is none.
#include "tools/run_page.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/registration.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/page_service.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NamedPage : public ServedPage {
 public:
  explicit NamedPage(std::string title) : title_(std::move(title)) {}
  std::string Url() const override { return "http://page/" + title_; }

 private:
  const std::string title_;
};

absl::StatusOr<std::unique_ptr<ServedPage>> ServeNamed(CalculatorGraph*,
                                                       const PageRequest&,
                                                       const std::string& title,
                                                       bool) {
  return std::make_unique<NamedPage>(title);
}

TEST(RunPageTest, WithoutThePluginTheErrorSaysWhatToInstall) {
  const absl::Status status = ProvidePageService("/nonexistent/plugins");
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("no plug-in \"page\" in \"/nonexistent/plugins\""),
            HasSubstr("Install the package syncline-plugin-page")));
}

TEST(RunPageTest, APluginThatCannotBeOpenedIsAnErrorWithItsFile) {
  const std::string folder =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/broken_plugins");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/page.so") << "no library";
  const absl::Status status = ProvidePageService(folder);
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder + "/page.so"));
  EXPECT_FALSE(absl::IsNotFound(status)) << status;
}

TEST(RunPageTest, AServiceOfTheProgramNeedsNoPlugin) {
  Unregister service(PageServices::Register(kPageService, ServeNamed));
  SYNCLINE_EXPECT_OK(ProvidePageService("/nonexistent/plugins"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<ServedPage> page,
      PageServices::CreateByName(kPageService, nullptr, PageRequest(), "g",
                                 false));
  EXPECT_EQ(page->Url(), "http://page/g");
}

}  // namespace
}  // namespace syncline
