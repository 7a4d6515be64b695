// What run_graph --help and --help=all print.
//
// Thread rule: a free function.
// Tested by run_graph_usage_test and run_graph_test.

#ifndef SYNCLINE_TOOLS_RUN_GRAPH_USAGE_H_
#define SYNCLINE_TOOLS_RUN_GRAPH_USAGE_H_

#include <string>

namespace syncline {

// --help: one screen, with examples.
std::string RunGraphHelp();

// --help=all: every flag, and all of each.
std::string RunGraphUsage();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RUN_GRAPH_USAGE_H_
