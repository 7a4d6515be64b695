// --page and its value, which may be left out.
#include "tools/page_flags.h"

#include <string>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

ABSL_DECLARE_FLAG(std::string, page);
ABSL_DECLARE_FLAG(std::string, page_address);
ABSL_DECLARE_FLAG(bool, page_control);
ABSL_DECLARE_FLAG(bool, page_stay);

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PageFlagsTest, ThePortMayBeLeftOut) {
  EXPECT_THAT(WithPagePort({"run_graph", "--page", "--graph=g"}),
              ElementsAre("run_graph", "--page=0", "--graph=g"));
  EXPECT_THAT(WithPagePort({"run_graph", "-page"}),
              ElementsAre("run_graph", "--page=0"));
  EXPECT_THAT(WithPagePort({"run_graph", "--page", "8080"}),
              ElementsAre("run_graph", "--page=8080"));
  EXPECT_THAT(WithPagePort({"run_graph", "--page=8080"}),
              ElementsAre("run_graph", "--page=8080"));
  EXPECT_THAT(WithPagePort({"run_graph", "--page_stay", "--", "--page"}),
              ElementsAre("run_graph", "--page_stay", "--", "--page"));
  EXPECT_THAT(WithPagePort({"--page"}), ElementsAre("--page"));
}

TEST(PageFlagsTest, WithoutFlagsThereIsNoPage) {
  const absl::StatusOr<PageRequest> request = ReadPageFlags();
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_FALSE(request->is_wanted);
}

TEST(PageFlagsTest, AllOfThemAreRead) {
  const absl::FlagSaver saver;
  absl::SetFlag(&FLAGS_page, "8080");
  absl::SetFlag(&FLAGS_page_address, "0.0.0.0");
  absl::SetFlag(&FLAGS_page_control, true);
  absl::SetFlag(&FLAGS_page_stay, true);
  const absl::StatusOr<PageRequest> request = ReadPageFlags();
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_TRUE(request->is_wanted);
  EXPECT_EQ(request->port, 8080);
  EXPECT_EQ(request->address, "0.0.0.0");
  EXPECT_TRUE(request->has_control);
  EXPECT_TRUE(request->stays);
}

TEST(PageFlagsTest, WhatMakesNoSenseIsRefused) {
  const absl::FlagSaver saver;
  for (const char* const port : {"x", "-1", "65536", "99999999999", "8080x"}) {
    absl::SetFlag(&FLAGS_page, port);
    EXPECT_THAT(ReadPageFlags().status().message(),
                HasSubstr("--page takes a port"))
        << port;
  }
  absl::SetFlag(&FLAGS_page, "0");
  absl::SetFlag(&FLAGS_page_address, "somewhere");
  EXPECT_THAT(ReadPageFlags().status().message(),
              HasSubstr("--page_address: \"somewhere\" is no address"));
}

TEST(PageFlagsTest, WhatIsForAPageNeedsOne) {
  const absl::FlagSaver saver;
  absl::SetFlag(&FLAGS_page_control, true);
  EXPECT_THAT(ReadPageFlags().status().message(), HasSubstr("give --page"));
}

}  // namespace
}  // namespace syncline
