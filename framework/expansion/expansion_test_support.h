// What tests of expansion share: graphs from text, expanded, and the text of
// errors. Positions are in "graph.pbtxt".
//
// Thread rule: free functions.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_EXPANSION_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_EXPANSION_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/expansion/compile_options.h"
#include "framework/graph_text/graph_source.h"
#include "framework/graph_text/test_graphs.h"  // IWYU pragma: export

namespace syncline {

struct Expansion {
  CalculatorGraphConfig config;
  std::vector<std::string> warnings;
  absl::Status error;
};
Expansion Expand(GraphSource source, const CompileOptions& options = {});

// The config of a graph that must expand; a test failure and an empty one if
// it does not.
CalculatorGraphConfig ExpandedConfig(absl::string_view text,
                                     const CompileOptions& options = {});
// The error of a graph that must not; OK and a test failure if it does.
absl::Status ExpansionError(absl::string_view text,
                            const CompileOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_EXPANSION_TEST_SUPPORT_H_
