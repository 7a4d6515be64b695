#include "gpu/find_device.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/device.h"
#include "gpu/driver.h"
#include "gpu/stand_in/stand_in.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// The stand-in is linked in as "stand_in".
constexpr int kBeforeAll = -10;

TEST(FindDeviceTest, FindsTheStandInByName) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const FoundDevice found,
                                FindDevice("stand_in:1"));
  EXPECT_EQ(found.device->name(), "stand_in:1");
  EXPECT_TRUE(found.device->check_access());
  EXPECT_EQ(found.text,
            "Device stand_in:1 \"stand-in on the host\", as asked for.");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const FoundDevice first,
                                FindDevice("stand_in"));
  EXPECT_EQ(first.device->name(), "stand_in:0");
  EXPECT_EQ(&first.device->group(), &found.device->group());
}

TEST(FindDeviceTest, ADeviceExistsOnceAndAsLongAsItIsUsed) {
  FoundDevice found = *FindDevice("stand_in:0");
  EXPECT_EQ(found.device, FindDevice("stand_in:0")->device);
  const std::weak_ptr<Device> device = found.device;
  found = FoundDevice();
  EXPECT_TRUE(device.expired());
}

TEST(FindDeviceTest, BadNamesAreErrorsThatListTheDevices) {
  EXPECT_THAT(FindDevice("stand_in:2"),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("There is no device \"stand_in:2\""),
                             HasSubstr("stand_in:0, stand_in:1."))));
  EXPECT_THAT(FindDevice("toaster"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("stand_in:0")));
  for (const char* const name : {"stand_in:", "stand_in:x", "stand_in:-1"}) {
    EXPECT_THAT(FindDevice(name),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(name), HasSubstr("stand_in:0"))));
  }
}

TEST(FindDeviceTest, WithoutANameTheFirstKindThatHasADeviceIsTaken) {
  const DeviceKindRegistration kind(
      {.name = "better", .rank = kBeforeAll, .open = [] {
         return StandIn::Make({})->MakeDrivers();
       }});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const FoundDevice found, FindDevice(""));
  EXPECT_THAT(found.text, HasSubstr("the first choice"));
  EXPECT_FALSE(found.device->check_access());
  EXPECT_THAT(ListDeviceNames(), IsSupersetOf({"stand_in:0", "stand_in:1"}));
}

TEST(FindDeviceTest, TheTextSaysWhyABetterKindWasNotTaken) {
  const DeviceKindRegistration kind(
      {.name = "broken",
       .rank = kBeforeAll,
       .open =
           []() -> absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> {
         return absl::FailedPreconditionError("no driver");
       }});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const FoundDevice found, FindDevice("auto"));
  EXPECT_THAT(found.text, HasSubstr("since broken has none: no driver"));
  EXPECT_THAT(FindDevice("broken:0"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("Device \"broken:0\" cannot be used: no "
                                 "driver")));
}

TEST(FindDeviceTest, AKindIsGoneWithItsRegistration) {
  {
    const DeviceKindRegistration kind(
        {.name = "short",
         .open = [] { return StandIn::Make({})->MakeDrivers(); }});
    SYNCLINE_EXPECT_OK(FindDevice("short:0"));
  }
  EXPECT_THAT(FindDevice("short:0"), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace syncline::gpu
