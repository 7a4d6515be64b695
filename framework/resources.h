// Resources: where calculators get files from.
#ifndef SYNCLINE_FRAMEWORK_RESOURCES_H_
#define SYNCLINE_FRAMEWORK_RESOURCES_H_

#include "framework/calculator/resource.h"
#include "framework/calculator/resources.h"

#endif  // SYNCLINE_FRAMEWORK_RESOURCES_H_
