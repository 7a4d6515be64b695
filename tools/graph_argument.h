// The graph that run_graph is given, and giving it back as a binary file.
//
// Thread rule: free functions.
// Tested by graph_argument_test and run_graph_test.

#ifndef SYNCLINE_TOOLS_GRAPH_ARGUMENT_H_
#define SYNCLINE_TOOLS_GRAPH_ARGUMENT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"

namespace syncline {

// NAME=VALUE, as --template_args has them: a text, or with ";" in it a list.
absl::StatusOr<TemplateDict> TemplateArguments(
    const std::vector<std::string>& flags);

// Byte for byte the same for the same graph, so that builds can be cached.
absl::Status WriteBinaryGraph(const CalculatorGraphConfig& config,
                              const std::string& path);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_GRAPH_ARGUMENT_H_
