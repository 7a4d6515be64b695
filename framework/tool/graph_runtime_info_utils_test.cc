#include "framework/tool/graph_runtime_info_utils.h"

#include <string>

#include "absl/status/statusor.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(GraphRuntimeInfoUtilsTest, GivesText) {
  GraphRuntimeInfo info;
  info.add_calculator_infos()->set_calculator_name("detect");
  info.mutable_calculator_infos(0)->set_last_process_start_unix_us(1000000);
  info.set_capture_time_unix_us(3000000);
  const absl::StatusOr<std::string> text =
      tool::GetGraphRuntimeInfoString(info);
  SYNCLINE_ASSERT_OK(text.status());
  EXPECT_THAT(*text, testing::HasSubstr("\"detect\" for 2s"));
}

}  // namespace
}  // namespace syncline
