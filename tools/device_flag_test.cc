#include "tools/device_flag.h"

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"
#include "gtest/gtest.h"

ABSL_DECLARE_FLAG(absl::optional<bool>, check_device_access);

namespace syncline {
namespace {

class DeviceFlagTest : public ::testing::Test {
 protected:
  ~DeviceFlagTest() override {
    absl::SetFlag(&FLAGS_check_device_access, absl::nullopt);
  }

  CalculatorGraphConfig config_;
};

TEST_F(DeviceFlagTest, WithoutAFlagTheGraphSaysWhetherAccessesAreChecked) {
  SetCheckDeviceAccess(&config_);
  EXPECT_FALSE(config_.has_check_device_access());
  config_.set_check_device_access(true);
  SetCheckDeviceAccess(&config_);
  EXPECT_TRUE(config_.check_device_access());
}

TEST_F(DeviceFlagTest, TheFlagTakesThePlaceOfWhatTheGraphSays) {
  for (const bool check : {true, false}) {
    absl::SetFlag(&FLAGS_check_device_access, check);
    config_.set_check_device_access(!check);
    SetCheckDeviceAccess(&config_);
    EXPECT_EQ(config_.check_device_access(), check);
    config_.clear_check_device_access();
    SetCheckDeviceAccess(&config_);
    EXPECT_TRUE(config_.has_check_device_access());
    EXPECT_EQ(config_.check_device_access(), check);
  }
}

}  // namespace
}  // namespace syncline
