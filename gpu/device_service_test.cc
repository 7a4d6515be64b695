#include "gpu/device_service.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/cuda_stream_pool.pb.h"
#include "gpu/find_device.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

CudaStreamPoolOptions NamedPool(const std::string& name) {
  CudaStreamPoolOptions options;
  options.set_name(name);
  return options;
}

TEST(DeviceContextTest, IsMadeByNameAndSaysSo) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto context,
                                DeviceContext::Create("stand_in:1"));
  EXPECT_EQ(context->device()->name(), "stand_in:1");
  EXPECT_THAT(context->text(), AllOf(StartsWith("Device stand_in:1"),
                                     HasSubstr("as asked for")));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto other, context->DeviceOf(0));
  EXPECT_EQ(other->name(), "stand_in:0");
  EXPECT_THAT(context->DeviceOf(absl::nullopt),
              IsOkAndHolds(context->device()));
}

TEST(DeviceContextTest, AWrongNameListsThoseThatThereAre) {
  EXPECT_THAT(DeviceContext::Create("abacus"),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("\"abacus\""),
                             HasSubstr("stand_in:0, stand_in:1"))));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto context,
                                DeviceContext::Create("stand_in"));
  EXPECT_THAT(context->DeviceOf(9),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("stand_in:0, stand_in:1")));
}

TEST(DeviceContextTest, ByDefaultThereIsOne) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto context, DeviceContext::Create());
  EXPECT_NE(context->device(), nullptr);
  SYNCLINE_EXPECT_OK(context->reason());
}

TEST(DeviceContextTest, DevicesOfTheApplicationHaveTheirPlacesAsNumbers) {
  const StandInDevices devices = MakeStandInDevices({.num_devices = 2});
  const auto context = DeviceContext::Make({devices[1], devices[0]});
  EXPECT_EQ(context->device(), devices[1]);
  EXPECT_THAT(context->DeviceOf(1), IsOkAndHolds(devices[0]));
  EXPECT_THAT(context->DeviceOf(2), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(context->DeviceOf(-1), StatusIs(absl::StatusCode::kNotFound));
}

TEST(DeviceContextTest, WithoutADeviceThereAreNoPools) {
  const auto context =
      DeviceContext::MakeWithoutDevice(absl::NotFoundError("none plugged in"));
  EXPECT_EQ(context->device(), nullptr);
  EXPECT_THAT(context->PoolOf("blur", {}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("Node \"blur\""),
                             HasSubstr("none plugged in"))));
}

TEST(DeviceContextTest, PoolsOfOneNameAreOneAndOthersAreTheNodesOwn) {
  const StandInDevices devices = MakeStandInDevices({});
  const auto context = DeviceContext::Make(devices.devices);
  const auto a = *context->PoolOf("a", NamedPool("shared"));
  EXPECT_EQ(*context->PoolOf("b", NamedPool("shared")), a);
  EXPECT_NE(*context->PoolOf("b", NamedPool("other")), a);
  EXPECT_NE(*context->PoolOf("a", {}), *context->PoolOf("a", {}));
  EXPECT_EQ((*context->PoolOf("a", {}))->name(), "a");
}

TEST(DeviceContextTest, OneNameMeansTheSameOptionsAsLongAsThePoolExists) {
  const StandInDevices devices = MakeStandInDevices({});
  const auto context = DeviceContext::Make(devices.devices);
  auto pool = *context->PoolOf("a", NamedPool("shared"));
  CudaStreamPoolOptions others = NamedPool("shared");
  others.set_max_size(3);
  EXPECT_THAT(context->PoolOf("b", others),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"a\""), HasSubstr("\"b\""),
                             HasSubstr("\"shared\""))));
  pool.reset();
  SYNCLINE_EXPECT_OK(context->PoolOf("b", others));
}

TEST(DeviceContextTest, EachDeviceHasOneDefaultStream) {
  const StandInDevices devices = MakeStandInDevices({.num_devices = 2});
  const auto context = DeviceContext::Make(devices.devices);
  const Stream stream = context->DefaultStreamOf(devices[0]);
  EXPECT_EQ(stream.handle(), nullptr);
  EXPECT_EQ(context->DefaultStreamOf(devices[0]), stream);
  EXPECT_FALSE(context->DefaultStreamOf(devices[1]) == stream);
}

}  // namespace
}  // namespace syncline::gpu
