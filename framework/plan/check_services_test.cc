#include "framework/plan/check_services.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"
#include "framework/expansion/test_service.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kBoth[] = R"pb(
  node { calculator: "OptionalServiceNode" }
  node { calculator: "IntNode" }
  node { name: "needs" calculator: "ServiceNode" }
)pb";
constexpr char kOptional[] = "node { calculator: \"OptionalServiceNode\" }";

TEST(CheckServicesTest, ThePlanListsServicesWithTheNodesThatAsk) {
  const GraphPlan plan = PlanOf(kBoth);
  ASSERT_THAT(plan.services(), SizeIs(1));
  EXPECT_EQ(plan.services()[0].key, kTestService.key);
  EXPECT_TRUE(plan.services()[0].required);
  EXPECT_THAT(plan.services()[0].nodes, ElementsAre(0, 2));
  EXPECT_FALSE(PlanOf(kOptional).services()[0].required);
}

TEST(CheckServicesTest, MissingServicesAreErrorsOnlyWhenAsked) {
  const absl::Status status = ErrorWithLinesOf(kBoth, {.check_services = true});
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("graph.pbtxt:4: Service "),
                    HasSubstr("required by node \"needs\" (ServiceNode)"),
                    HasSubstr("was not provided and cannot be created")));
  EXPECT_TRUE(CompileText(kOptional, {.check_services = true}).ok());
}

TEST(CheckServicesTest, AServiceThatWasGivenIsThere) {
  GraphServiceManager services;
  ASSERT_TRUE(
      services
          .SetServiceObject(kTestService, std::make_shared<TestServiceObject>())
          .ok());
  EXPECT_TRUE(
      CompileText(kBoth, {.services = &services, .check_services = true}).ok());
}

TEST(CheckServicesTest, AServiceThatMakesItselfIsThere) {
  EXPECT_TRUE(CompileText("node { calculator: \"DefaultServiceNode\" }",
                          {.check_services = true})
                  .ok());
}

}  // namespace
}  // namespace syncline
