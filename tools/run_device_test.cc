// A program that is built without devices: the flags say so, and how to have
// some. run_graph_device_test has those that are built with them.
#include "tools/run_device.h"

#include <string>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/build_description.h"
#include "tools/device_flag.h"

ABSL_DECLARE_FLAG(std::string, device);

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsNull;
using ::testing::StartsWith;

constexpr char kWhatToAdd[] = "add //tools:run_graph_devices to its deps";

TEST(RunDeviceTest, WithoutSupportTheErrorSaysWhatToAdd) {
  EXPECT_THAT(
      FindDeviceSupport(),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(kWhatToAdd)));
}

TEST(RunDeviceTest, WithoutSupportTheFlagIsAnErrorAndItsAbsenceIsNot) {
  EXPECT_THAT(ReadDeviceFlag(), IsOkAndHolds(IsNull()));
  absl::SetFlag(&FLAGS_device, "stand_in:0");
  EXPECT_THAT(ReadDeviceFlag(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(StartsWith("--device: this program is built "
                                        "without devices"),
                             HasSubstr(kWhatToAdd))));
  absl::SetFlag(&FLAGS_device, "");
}

TEST(RunDeviceTest, WithoutSupportTheListSaysThatThereAreNone) {
  EXPECT_EQ(DeviceListAskedFor(), "");
  absl::SetFlag(&FLAGS_device, "help");
  EXPECT_THAT(DeviceListAskedFor(),
              AllOf(StartsWith("There are no devices for --device to name: "),
                    HasSubstr(kWhatToAdd)));
  absl::SetFlag(&FLAGS_device, "");
}

TEST(RunDeviceTest, WithoutSupportTheVersionSaysSo) {
  EXPECT_THAT(DescribeBuild("program"),
              HasSubstr("\ndevices: none, as no calculator among the deps uses "
                        "one\n"));
}

}  // namespace
}  // namespace syncline
