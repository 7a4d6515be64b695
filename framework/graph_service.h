// GraphService: an object of the application that calculators ask for.
#ifndef SYNCLINE_FRAMEWORK_GRAPH_SERVICE_H_
#define SYNCLINE_FRAMEWORK_GRAPH_SERVICE_H_

#include "framework/calculator/service.h"

#endif  // SYNCLINE_FRAMEWORK_GRAPH_SERVICE_H_
