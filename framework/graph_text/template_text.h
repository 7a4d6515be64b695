// Graph templates from their text: a graph file with rules in it.
//
//   %param names: list("left", "right")%
//   input_stream: "in"
//   %for (name : names)%
//   node {
//     calculator: "PassThroughCalculator"
//     input_stream: "in"
//     output_stream: % name + "_out" %
//   }
//   %end%
//   %if (size(names) > 4)% num_threads: 4 %end%
//
// A value may be %expression% (see template_expression.h). Fields may stand
// between %for (variable : list)% or %if (condition)% and %end%, at any depth.
// %param name% names a parameter, and %param name: expression% one with a
// default.
//
// The result is a config, which has a placeholder wherever a rule computes the
// value, and the rules, each with the place that it fills, as
// calculator_graph_template.proto says; expand_template.h applies them.
//
// IMPLEMENTATION. One walk over the tokens finds the rules and counts the
// fields, which gives the rules their paths; it writes the text without rules,
// each line and column in its place, for Protobuf's parser to read. Fields that
// the config could hold only once (singular ones in an %if%, entries of maps)
// go into their rule instead.
//
// Thread rule: pure functions.
// Tested by template_text_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_TEXT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_TEXT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator_graph_template.pb.h"

namespace syncline {

// Whether the text of a graph has rules in it: a '%' that is in no string and
// no comment. Linear.
bool HasTemplateRules(absl::string_view text);

// INVALID_ARGUMENT, with line and column, for what is neither Protobuf text nor
// a rule. `file` serves errors, also those of expansion, and may be empty.
absl::StatusOr<CalculatorGraphTemplate> ReadTemplateText(
    absl::string_view text, absl::string_view file = "");

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_TEXT_H_
