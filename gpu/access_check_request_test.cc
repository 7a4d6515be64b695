#include "gpu/access_check_request.h"

#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

TEST(AccessCheckRequestTest, WithoutRequestsTheDevicesOwnSettingHolds) {
  for (const bool check : {false, true}) {
    const StandInDevices devices = MakeStandInDevices({}, check);
    EXPECT_EQ(devices[0]->check_access(), check);
    devices[0]->set_check_access(!check);
    EXPECT_EQ(devices[0]->check_access(), !check);
  }
}

TEST(AccessCheckRequestTest, ARequestHoldsWhileItExists) {
  for (const bool check : {false, true}) {
    const StandInDevices devices =
        MakeStandInDevices({.num_devices = 2}, !check);
    {
      const AccessCheckRequest request(devices[0], check);
      EXPECT_EQ(devices[0]->check_access(), check);
      EXPECT_EQ(devices[1]->check_access(), !check) << "another device";
      // Holds after it.
      devices[0]->set_check_access(!check);
      EXPECT_EQ(devices[0]->check_access(), check);
    }
    EXPECT_EQ(devices[0]->check_access(), !check);
  }
}

TEST(AccessCheckRequestTest, WhoWantsTheCheckHasIt) {
  const StandInDevices devices = MakeStandInDevices({}, false);
  absl::optional<AccessCheckRequest> on(absl::in_place, devices[0], true);
  absl::optional<AccessCheckRequest> off(absl::in_place, devices[0], false);
  absl::optional<AccessCheckRequest> on_too(absl::in_place, devices[0], true);
  EXPECT_TRUE(devices[0]->check_access());
  on.reset();
  EXPECT_TRUE(devices[0]->check_access());
  on_too.reset();
  EXPECT_FALSE(devices[0]->check_access());
  devices[0]->set_check_access(true);
  EXPECT_FALSE(devices[0]->check_access());
  off.reset();
  EXPECT_TRUE(devices[0]->check_access());
}

TEST(AccessCheckRequestTest, AMovedRequestCountsOnce) {
  const StandInDevices devices =
      MakeStandInDevices({.num_devices = 2}, /*check_access=*/false);
  AccessCheckRequest a(devices[0], true);
  AccessCheckRequest b(devices[1], true);
  b = std::move(a);
  EXPECT_TRUE(devices[0]->check_access());
  EXPECT_FALSE(devices[1]->check_access()) << "its request was withdrawn";
  b = AccessCheckRequest();
  EXPECT_FALSE(devices[0]->check_access());
}

TEST(AccessCheckRequestTest, ThreadsMayAskAtOnce) {
  const StandInDevices devices = MakeStandInDevices({}, false);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&devices, i] {
      for (int j = 0; j < 1000; ++j) {
        const AccessCheckRequest request(devices[0], i % 2 == 0);
        EXPECT_TRUE(i % 2 != 0 || devices[0]->check_access());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(devices[0]->check_access());
}

}  // namespace
}  // namespace syncline::gpu
