// Graphs from text that a test knows to be well formed.
//
// Thread rule: free functions.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEST_GRAPHS_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEST_GRAPHS_H_

#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/graph_source.h"

namespace syncline {

// The test program ends if the text does not parse.
CalculatorGraphConfig ParseGraph(absl::string_view text);
// The same with positions in "graph.pbtxt".
GraphSource ParseSource(absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEST_GRAPHS_H_
