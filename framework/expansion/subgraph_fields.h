// Which fields of a node are set, and which of them make no sense when it names
// a subgraph.
//
// Thread rule: free functions.
// Tested by subgraph_fields_test.

#ifndef SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_FIELDS_H_
#define SYNCLINE_FRAMEWORK_EXPANSION_SUBGRAPH_FIELDS_H_

#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

// Which of these fields are set in the node. REQUIRES: it has such fields.
std::vector<absl::string_view> FieldsThatAreSet(
    const CalculatorGraphConfig::Node& node,
    std::initializer_list<absl::string_view> names);

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
