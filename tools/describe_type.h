// What run_graph --describe and --list_types print: everything that the process
// knows of its registered types.
//
// Types are those of the registries of each kind (calculators, subgraphs,
// executors, ...); what an extension says of them (framework/component) comes
// on top. So a type without an extension is described too, by what its
// registration and its contract say.
//
// Thread rule: free functions. They call user code: contracts.
// Tested by describe_type_test and run_graph_test.

#ifndef SYNCLINE_TOOLS_DESCRIBE_TYPE_H_
#define SYNCLINE_TOOLS_DESCRIBE_TYPE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

// The description of all types of this name, and of the extension of this name,
// or of what has this id, as text of several lines. NOT_FOUND names the nearest
// names.
absl::StatusOr<std::string> DescribeType(absl::string_view name_or_id);

// All types by kind, a line each, with what is said of them in brief.
std::string ListTypes();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_DESCRIBE_TYPE_H_
