// kResourcesService: the Resources that the application gives to a graph.
//
// Calculators do not ask for this service; they call cc->GetResources(), which
// is this one or, where the application gave none, the file system.
//
// Thread rule: a constant.
// Tested by context_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_SERVICE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_SERVICE_H_

#include "framework/calculator/resources.h"
#include "framework/calculator/service.h"

namespace syncline {

inline constexpr GraphService<Resources> kResourcesService(
    "kResourcesService", GraphServiceBase::kDisallowDefaultInitialization);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_RESOURCES_SERVICE_H_
