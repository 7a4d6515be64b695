// GraphServiceManager: the service objects of one graph.
#ifndef SYNCLINE_FRAMEWORK_GRAPH_SERVICE_MANAGER_H_
#define SYNCLINE_FRAMEWORK_GRAPH_SERVICE_MANAGER_H_

#include "framework/calculator/graph_service_manager.h"

#endif  // SYNCLINE_FRAMEWORK_GRAPH_SERVICE_MANAGER_H_
