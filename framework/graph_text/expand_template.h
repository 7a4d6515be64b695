// Applies a graph template's rules to its config.
//
// The rules are applied from the outside in, to the config in its binary
// encoding, so that they reach into options whose type is not linked in. A
// rule's path names the values that it replaces; those that follow a %for% or
// %if% inside of its values belong to its body, and are applied anew for each
// round.
//
// For every template, the result is a config or a status, after limited work.
//
// Thread rule: a pure function.
// Tested by expand_template_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_EXPAND_TEMPLATE_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_EXPAND_TEMPLATE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/graph_positions.h"

namespace syncline {

// `arguments` come before the defaults of the template's %param%. Errors, all
// of them at once, begin with the place of the rule in its file, where that is
// known, and the type of the template: NOT_FOUND for a parameter without a
// value, RESOURCE_EXHAUSTED for too much work, else INVALID_ARGUMENT.
//
// `positions`, if given, gets the places in the template that the nodes of the
// config came from; null where the template does not know.
absl::StatusOr<CalculatorGraphConfig> ExpandTemplate(
    const CalculatorGraphTemplate& graph_template,
    const TemplateDict& arguments = {},
    std::shared_ptr<const GraphPositions>* positions = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_EXPAND_TEMPLATE_H_
