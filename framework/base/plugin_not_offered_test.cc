// A program that is linked without -rdynamic, unlike that of plugin_test.

#include "absl/status/status.h"
#include "framework/base/plugin.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(PluginNotOfferedTest, AProgramThatOffersNoSymbolsCannotOpenAPlugin) {
  EXPECT_THAT(Plugin::Open("framework/base/testdata/circle_plugin.so"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       testing::HasSubstr("-rdynamic")));
}

}  // namespace
}  // namespace syncline
