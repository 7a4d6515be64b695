#include "framework/plan/list_services.h"

#include "framework/calculator/service.h"
#include "framework/expansion/test_service.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr char kBoth[] = R"pb(
  node { calculator: "OptionalServiceNode" }
  node { calculator: "IntNode" }
  node { name: "needs" calculator: "ServiceNode" }
)pb";
constexpr char kOptional[] = "node { calculator: \"OptionalServiceNode\" }";

TEST(ListServicesTest, ThePlanListsServicesWithTheNodesThatAsk) {
  const GraphPlan plan = PlanOf(kBoth);
  ASSERT_THAT(plan.services(), SizeIs(1));
  EXPECT_EQ(plan.services()[0].key, kTestService.key);
  EXPECT_TRUE(plan.services()[0].required);
  EXPECT_THAT(plan.services()[0].nodes, ElementsAre(0, 2));
  EXPECT_FALSE(PlanOf(kOptional).services()[0].required);
}

}  // namespace
}  // namespace syncline
