// kResourcesService: how an application supplies Resources.
#ifndef SYNCLINE_FRAMEWORK_RESOURCES_SERVICE_H_
#define SYNCLINE_FRAMEWORK_RESOURCES_SERVICE_H_

#include "framework/calculator/resources.h"

#endif  // SYNCLINE_FRAMEWORK_RESOURCES_SERVICE_H_
