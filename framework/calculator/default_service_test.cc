// What a node gets of a service that the application did not give.
#include "framework/calculator/default_service.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"
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

struct Impossible {
  static absl::StatusOr<std::shared_ptr<Impossible>> Create() {
    return absl::FailedPreconditionError("the driver is not loaded");
  }
};

struct NoDefault {
  explicit NoDefault(int) {}
};

using Base = GraphServiceBase;
constexpr GraphService<Plain> kPlain("plain",
                                     Base::kAllowDefaultInitialization);
constexpr GraphService<Created> kCreated("created",
                                         Base::kAllowDefaultInitialization);
constexpr GraphService<Failing> kFailing("failing",
                                         Base::kAllowDefaultInitialization);
constexpr GraphService<Impossible> kImpossible(
    "impossible", Base::kAllowDefaultInitialization);
constexpr GraphService<NoDefault> kNoDefault(
    "no_default", Base::kDisallowDefaultInitialization);

GraphServiceRequest Required(const GraphServiceBase& service) {
  return GraphServiceRequest(service);
}
GraphServiceRequest Optional(const GraphServiceBase& service) {
  return GraphServiceRequest(service).Optional();
}

TEST(DefaultServiceTest, MakesByCreateOrConstructorWhatNobodyGave) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK(
      ProvideDefaultService(Required(kPlain), "node", &services));
  SYNCLINE_ASSERT_OK(
      ProvideDefaultService(Required(kCreated), "node", &services));
  EXPECT_EQ(services.GetServiceObject(kPlain)->value, 7);
  EXPECT_TRUE(services.GetServiceObject(kCreated)->by_create);
}

TEST(DefaultServiceTest, MakesEvenWhatIsOnlyOptional) {
  GraphServiceManager services;
  SYNCLINE_ASSERT_OK(
      ProvideDefaultService(Optional(kPlain), "node", &services));
  EXPECT_NE(services.GetServiceObject(kPlain), nullptr);
}

TEST(DefaultServiceTest, WhatWasGivenIsNotMadeAgain) {
  GraphServiceManager services;
  auto object = std::make_shared<Plain>();
  SYNCLINE_ASSERT_OK(services.SetServiceObject(kPlain, object));
  SYNCLINE_ASSERT_OK(
      ProvideDefaultService(Required(kPlain), "node", &services));
  EXPECT_EQ(services.GetServiceObject(kPlain), object);
}

TEST(DefaultServiceTest, ARequiredServiceThatCannotBeHadNamesTheNode) {
  GraphServiceManager services;
  EXPECT_THAT(
      ProvideDefaultService(Required(kNoDefault), "node", &services),
      StatusIs(StatusCode::kInternal,
               AllOf(HasSubstr("\"no_default\", required by node node, was not "
                               "provided and cannot be created"),
                     HasSubstr("SetServiceObject"))));
  SYNCLINE_EXPECT_OK(
      ProvideDefaultService(Optional(kNoDefault), "node", &services));
}

TEST(DefaultServiceTest, AGraphMayAllowNoDefaults) {
  GraphServiceManager services;
  services.DisallowDefaultInitialization();
  EXPECT_THAT(ProvideDefaultService(Required(kPlain), "node", &services),
              StatusIs(StatusCode::kInternal));
  SYNCLINE_EXPECT_OK(
      ProvideDefaultService(Optional(kPlain), "node", &services));
  EXPECT_EQ(services.GetServiceObject(kPlain), nullptr);
}

TEST(DefaultServiceTest, ACreateThatFailsIsAnErrorForAllWhoAsk) {
  GraphServiceManager services;
  EXPECT_THAT(ProvideDefaultService(Required(kFailing), "node", &services),
              StatusIs(StatusCode::kInternal, HasSubstr("no such device")));
  EXPECT_THAT(ProvideDefaultService(Optional(kFailing), "node", &services),
              StatusIs(StatusCode::kUnavailable, HasSubstr("no such device")));
}

TEST(DefaultServiceTest, WhatCannotBeMadeHereIsAnErrorOnlyWhereItIsRequired) {
  GraphServiceManager services;
  SYNCLINE_EXPECT_OK(
      ProvideDefaultService(Optional(kImpossible), "node", &services));
  EXPECT_EQ(services.GetServiceObject(kImpossible), nullptr);
  EXPECT_THAT(
      ProvideDefaultService(Required(kImpossible), "node", &services),
      StatusIs(StatusCode::kInternal, HasSubstr("the driver is not loaded")));
}

}  // namespace
}  // namespace syncline
