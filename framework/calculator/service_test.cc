// Objects of the application: given, or missing.
#include "framework/calculator/service.h"

#include <memory>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct Plain {
  int value = 7;
};

using Base = GraphServiceBase;
constexpr GraphService<Plain> kPlain("plain",
                                     Base::kAllowDefaultInitialization);
constexpr GraphService<Plain> kGivenOnly("given_only");

TEST(GraphServiceManagerTest, GivesBackWhatWasSet) {
  GraphServiceManager services;
  EXPECT_EQ(services.GetServiceObject(kGivenOnly), nullptr);
  EXPECT_TRUE(services.GetServicePacket(kGivenOnly).IsEmpty());
  auto object = std::make_shared<Plain>();
  SYNCLINE_ASSERT_OK(services.SetServiceObject(kGivenOnly, object));
  EXPECT_EQ(services.GetServiceObject(kGivenOnly), object);

  GraphServiceManager nested;
  SYNCLINE_ASSERT_OK(nested.SetServicePacket(
      kGivenOnly, services.GetServicePacket(kGivenOnly)));
  EXPECT_EQ(nested.GetServiceObject(kGivenOnly), object);
}

TEST(GraphServiceManagerTest, RefusesNullAndOtherTypes) {
  GraphServiceManager services;
  EXPECT_THAT(services.SetServiceObject(kPlain, std::shared_ptr<Plain>()),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"plain\""), HasSubstr("null"))));
  EXPECT_THAT(services.SetServicePacket(kPlain, MakePacket<int>(1)),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"plain\"")));
  EXPECT_THAT(services.SetServicePacket(kPlain, Packet()),
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(services.GetServiceObject(kPlain), nullptr);
}

TEST(ServiceBindingTest, GetObjectOfAnAbsentServiceIsAMisuseThatNamesIt) {
  const ServiceBinding<Plain> binding(kPlain, nullptr);
  EXPECT_FALSE(binding.IsAvailable());
  EXPECT_THAT(
      CallUserCode([&] {
        binding.GetObject();
        return absl::OkStatus();
      }),
      StatusIs(StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("\"plain\""), HasSubstr("IsAvailable()"))));
}

}  // namespace
}  // namespace syncline
