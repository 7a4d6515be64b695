// What CalculatorGraph::GetGraphRuntimeInfo() returns, as text for people.
//
// Thread rule: free functions.
// Tested by graph_runtime_info_utils_test and runtime_info_text_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_GRAPH_RUNTIME_INFO_UTILS_H_
#define SYNCLINE_FRAMEWORK_TOOL_GRAPH_RUNTIME_INFO_UTILS_H_

#include <string>

#include "absl/status/statusor.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/runtime_info_text.h"

namespace syncline {
namespace tool {

// The running nodes, and which node waits for what. Never an error.
inline absl::StatusOr<std::string> GetGraphRuntimeInfoString(
    const GraphRuntimeInfo& graph_runtime_info) {
  return RuntimeInfoText(graph_runtime_info);
}

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_GRAPH_RUNTIME_INFO_UTILS_H_
