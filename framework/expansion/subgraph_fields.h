// Which fields of a node make no sense when it names a subgraph.
//
// Thread rule: free functions.
// Tested by expand_subgraphs_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_FIELDS_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_FIELDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

// Names of those that are set and must not be: they are for calculators only.
std::vector<absl::string_view> ForbiddenSubgraphFields(
    const CalculatorGraphConfig::Node& node);

// What is said of them.
std::string OnlyForCalculatorsText(
    const std::vector<absl::string_view>& fields);

// Names of those that are set and do nothing.
std::vector<absl::string_view> IgnoredSubgraphFields(
    const CalculatorGraphConfig::Node& node);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_FIELDS_H_
