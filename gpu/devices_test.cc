// These tests hold in every build and on every machine: with and without CUDA,
// with and without a device.

#include "gpu/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device_list.h"

namespace syncline::gpu {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

DeviceList TwoDevices() {
  DeviceList list;
  list.runtime_version = 13000;
  list.driver_version = 12040;
  list.devices.push_back({.index = 0,
                          .name = "Big",
                          .compute_major = 9,
                          .compute_minor = 0,
                          .memory_bytes = 150'000'000'000});
  list.devices.push_back({.index = 1,
                          .name = "Small",
                          .compute_major = 7,
                          .compute_minor = 5,
                          .memory_bytes = int64_t{1} << 32});
  return list;
}

TEST(DevicesTest, TheBuildSaysWhetherItHasCuda) {
  EXPECT_EQ(BuiltWithCuda(), SYNCLINE_TEST_EXPECTS_CUDA == 1);
}

TEST(DevicesTest, ABuildWithoutCudaSaysSoAndHowToHaveIt) {
  if (BuiltWithCuda()) GTEST_SKIP() << "this build has CUDA";
  const absl::Status status = ListDevices().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(DescribeDevices(),
              StartsWith("no CUDA device: built without CUDA; "));
  EXPECT_THAT(DescribeDevices(), HasSubstr("CUDA_HOME"));
}

TEST(DevicesTest, AListHasDevicesOrAReason) {
  if (!BuiltWithCuda()) GTEST_SKIP() << "this build has no CUDA";
  const absl::StatusOr<DeviceList> list = ListDevices();
  if (!list.ok()) {
    EXPECT_THAT(list.status().code(),
                AnyOf(absl::StatusCode::kNotFound,
                      absl::StatusCode::kFailedPrecondition))
        << list.status();
    EXPECT_FALSE(list.status().message().empty());
    GTEST_SKIP() << DescribeDevices();
  }
  EXPECT_GE(list->driver_version, list->runtime_version / 1000 * 1000);
  ASSERT_FALSE(list->devices.empty());
  for (size_t i = 0; i < list->devices.size(); ++i) {
    const DeviceInfo& device = list->devices[i];
    EXPECT_EQ(device.index, static_cast<int>(i));
    EXPECT_FALSE(device.name.empty());
    EXPECT_GE(device.compute_major, 3);
    EXPECT_GT(device.memory_bytes, 1 << 20);
    EXPECT_THAT(DescribeDevices(), HasSubstr("\"" + device.name + "\""));
  }
}

TEST(DevicesTest, AskingTwiceGivesTheSameAnswer) {
  EXPECT_EQ(DescribeDevices(), DescribeDevices());
}

TEST(DevicesTest, TheDescriptionNamesEveryDeviceInOneLine) {
  EXPECT_EQ(DescribeDevices(TwoDevices()),
            "2 CUDA devices: 0 \"Big\" (compute 9.0, 139.7 GiB), "
            "1 \"Small\" (compute 7.5, 4.0 GiB); "
            "CUDA runtime 13.0, driver 12.4");
}

TEST(DevicesTest, TheDescriptionOfOneDeviceIsSingular) {
  DeviceList list = TwoDevices();
  list.devices.pop_back();
  EXPECT_THAT(DescribeDevices(list), StartsWith("1 CUDA device: 0 \"Big\""));
}

TEST(DevicesTest, TheDescriptionOfAnErrorIsItsReason) {
  const std::string text =
      DescribeDevices(absl::NotFoundError("nothing plugged in"));
  EXPECT_EQ(text, "no CUDA device: nothing plugged in");
  EXPECT_THAT(text, Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace syncline::gpu
