// Objects of the application: given, made by default, or missing.
#include "framework/calculator/service.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

struct Created {
  static absl::StatusOr<std::shared_ptr<Created>> Create() {
    auto created = std::make_shared<Created>();
    created->by_create = true;
    return created;
  }
  bool by_create = false;
};

struct Failing {
  static absl::StatusOr<std::shared_ptr<Failing>> Create() {
    return absl::UnavailableError("no such device");
  }
};

struct NoDefault {
  explicit NoDefault(int) {}
};

using Base = GraphServiceBase;
constexpr GraphService<Plain> kPlain("plain",
                                     Base::kAllowDefaultInitialization);
constexpr GraphService<Plain> kGivenOnly("given_only");
constexpr GraphService<Created> kCreated("created",
                                         Base::kAllowDefaultInitialization);
constexpr GraphService<Failing> kFailing("failing",
                                         Base::kAllowDefaultInitialization);
constexpr GraphService<NoDefault> kNoDefault(
    "no_default", Base::kDisallowDefaultInitialization);

GraphServiceRequest Required(const GraphServiceBase& service) {
  return GraphServiceRequest(service);
}
GraphServiceRequest Optional(const GraphServiceBase& service) {
  return GraphServiceRequest(service).Optional();
}

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

TEST(GraphServiceManagerTest, MakesByCreateOrConstructorWhatNobodyGave) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK(services.ProvideDefault(Required(kPlain), "node"));
  SYNCLINE_ASSERT_OK(services.ProvideDefault(Required(kCreated), "node"));
  EXPECT_EQ(services.GetServiceObject(kPlain)->value, 7);
  EXPECT_TRUE(services.GetServiceObject(kCreated)->by_create);
}

TEST(GraphServiceManagerTest, MakesEvenWhatIsOnlyOptional) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK(services.ProvideDefault(Optional(kPlain), "node"));
  EXPECT_NE(services.GetServiceObject(kPlain), nullptr);
}

TEST(GraphServiceManagerTest, WhatWasGivenIsNotMadeAgain) {
  GraphServiceManager services;
  auto object = std::make_shared<Plain>();
  SYNCLINE_ASSERT_OK(services.SetServiceObject(kPlain, object));
  SYNCLINE_ASSERT_OK(services.ProvideDefault(Required(kPlain), "node"));
  EXPECT_EQ(services.GetServiceObject(kPlain), object);
}

TEST(GraphServiceManagerTest, ARequiredServiceThatCannotBeHadNamesTheNode) {
  GraphServiceManager services;
  EXPECT_THAT(
      services.ProvideDefault(Required(kNoDefault), "node"),
      StatusIs(StatusCode::kInternal,
               AllOf(HasSubstr("\"no_default\", required by node node, was not "
                               "provided and cannot be created"),
                     HasSubstr("SetServiceObject"))));
  SYNCLINE_EXPECT_OK(services.ProvideDefault(Optional(kNoDefault), "node"));
}

TEST(GraphServiceManagerTest, AGraphMayAllowNoDefaults) {
  GraphServiceManager services;
  services.DisallowDefaultInitialization();
  EXPECT_THAT(services.ProvideDefault(Required(kPlain), "node"),
              StatusIs(StatusCode::kInternal));
  SYNCLINE_EXPECT_OK(services.ProvideDefault(Optional(kPlain), "node"));
  EXPECT_EQ(services.GetServiceObject(kPlain), nullptr);
}

TEST(GraphServiceManagerTest, ACreateThatFailsIsAnErrorForAllWhoAsk) {
  GraphServiceManager services;
  EXPECT_THAT(services.ProvideDefault(Required(kFailing), "node"),
              StatusIs(StatusCode::kInternal, HasSubstr("no such device")));
  EXPECT_THAT(services.ProvideDefault(Optional(kFailing), "node"),
              StatusIs(StatusCode::kUnavailable, HasSubstr("no such device")));
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
