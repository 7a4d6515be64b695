// Where the page of a run comes from, and what is said where there is none.
#include "framework/tool/graph_page.h"

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
#include "framework/graph/calculator_graph.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NamedPage : public GraphPage {
 public:
  explicit NamedPage(std::string title) : title_(std::move(title)) {}
  std::string Url() const override { return "http://page/" + title_; }

 private:
  const std::string title_;
};

absl::StatusOr<std::unique_ptr<GraphPage>> ServeNamed(
    CalculatorGraph*, const GraphPageOptions& options) {
  return std::make_unique<NamedPage>(options.title);
}

TEST(GraphPageTest, WithoutThePluginTheErrorSaysWhatToInstall) {
  const absl::Status status =
      internal::ProvideGraphPageService("/nonexistent/plugins");
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("no plug-in \"page\" in \"/nonexistent/plugins\""),
            HasSubstr("Install the package syncline-plugin-page")));
}

TEST(GraphPageTest, APluginThatCannotBeOpenedIsAnErrorWithItsFile) {
  const std::string folder =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/broken_plugins");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/page.so") << "no library";
  const absl::Status status = internal::ProvideGraphPageService(folder);
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder + "/page.so"));
  EXPECT_FALSE(absl::IsNotFound(status)) << status;
}

TEST(GraphPageTest, AServiceOfTheProgramNeedsNoPlugin) {
  CalculatorGraph graph;
  EXPECT_TRUE(absl::IsNotFound(ServeGraphPage(&graph).status()));
  const Unregister service(
      GraphPageServices::Register(internal::kGraphPageService, ServeNamed));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphPage> page,
                                ServeGraphPage(&graph, {.title = "g"}));
  EXPECT_EQ(page->Url(), "http://page/g");
}

}  // namespace
}  // namespace syncline
