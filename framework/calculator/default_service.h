// What becomes of a service that a node asks for and the application did not
// give to the graph.
//
//   made by default, if both the service and the graph allow it
//   Create() failed             an error, also where the service is optional;
//                               but FAILED_PRECONDITION says that it cannot be
//                               made here, and counts as "not made"
//   not made, and optional      the calculator does without
//   not made, and required      an error: the run does not start
//
// Thread rule: as GraphServiceManager, before the run.
// Tested by default_service_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_DEFAULT_SERVICE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_DEFAULT_SERVICE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"

namespace syncline {

// Adds the object of the request to `services`, unless it is there. Errors name
// the node: INTERNAL if a required one cannot be had.
absl::Status ProvideDefaultService(const GraphServiceRequest& request,
                                   absl::string_view node_name,
                                   GraphServiceManager* services);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_DEFAULT_SERVICE_H_
