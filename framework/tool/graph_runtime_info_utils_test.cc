#include "framework/tool/graph_runtime_info_utils.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/port/status_matchers.h"
#include "framework/tool/graph_runtime_info_logger.h"
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

TEST(GraphRuntimeInfoLoggerTest, AsksForTheStateUntilThereIsNone) {
  GraphRuntimeInfoConfig config;
  config.set_enable_graph_runtime_info(true);
  config.set_capture_period_msec(1);
  absl::Notification ended;
  tool::GraphRuntimeInfoLogger logger;
  // The function that is called need not be copyable.
  auto calls = std::make_unique<int>(0);
  SYNCLINE_ASSERT_OK(logger.StartInBackground(
      config,
      [&ended, calls = std::move(calls)]() -> absl::StatusOr<GraphRuntimeInfo> {
        if (++*calls < 3) return GraphRuntimeInfo();
        ended.Notify();
        return absl::UnavailableError("the graph is gone");
      }));
  EXPECT_TRUE(ended.WaitForNotificationWithTimeout(absl::Seconds(20)));
  EXPECT_THAT(logger.StartInBackground(
                  config, [] { return absl::StatusOr<GraphRuntimeInfo>(); }),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(GraphRuntimeInfoLoggerTest, IsToBeEnabled) {
  tool::GraphRuntimeInfoLogger logger;
  EXPECT_THAT(logger.StartInBackground(
                  GraphRuntimeInfoConfig(),
                  [] { return absl::StatusOr<GraphRuntimeInfo>(); }),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::HasSubstr("enable_graph_runtime_info")));
}

}  // namespace
}  // namespace syncline
