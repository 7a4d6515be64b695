// Finds out which ports of a node are connected, for subgraphs whose contents
// depend on this.
//
// Thread rule: free functions.
// Tested by graph_builder_utils_test.

#ifndef SYNCLINE_UTIL_GRAPH_BUILDER_UTILS_H_
#define SYNCLINE_UTIL_GRAPH_BUILDER_UTILS_H_

#include "absl/strings/string_view.h"
#include "framework/calculator.pb.h"

namespace syncline {

// Whether the node has a stream or side packet with the tag.
bool HasInput(const CalculatorGraphConfig::Node& node, absl::string_view tag);
bool HasSideInput(const CalculatorGraphConfig::Node& node,
                  absl::string_view tag);
bool HasOutput(const CalculatorGraphConfig::Node& node, absl::string_view tag);
bool HasSideOutput(const CalculatorGraphConfig::Node& node,
                   absl::string_view tag);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_GRAPH_BUILDER_UTILS_H_
