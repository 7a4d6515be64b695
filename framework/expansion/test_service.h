// Services for tests of subgraphs and of the plan.
//
// Thread rule: constants.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_TEST_SERVICE_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_TEST_SERVICE_H_

#include "framework/calculator/service.h"

namespace syncline {

struct TestServiceObject {};

inline constexpr GraphService<TestServiceObject> kTestService(
    "plan_test_service", GraphServiceBase::kDisallowDefaultInitialization);
inline constexpr GraphService<TestServiceObject> kDefaultTestService(
    "plan_default_test_service", GraphServiceBase::kAllowDefaultInitialization);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_TEST_SERVICE_H_
