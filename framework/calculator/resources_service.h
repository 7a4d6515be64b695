// The service under which an application gives a graph its Resources.
//
// Thread rule: a constant.
// Tested by context_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_SERVICE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_SERVICE_H_

#include "framework/calculator/resources.h"
#include "framework/calculator/service.h"

namespace syncline {

// Not made by default: without it a graph uses CreateDefaultResources().
inline constexpr GraphService<Resources> kResourcesService(
    "syncline.Resources", GraphServiceBase::kDisallowDefaultInitialization);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_SERVICE_H_
